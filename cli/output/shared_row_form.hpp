#pragma once
// The form of rows in every process, for commands whose rows all cores write.

#include "gossamer/parallel/per_process.hpp"
#include "output/row_text.hpp"

namespace gossamer::cli {

class shared_row_form {
 public:
  /// Copies a form to all processes. By the main fiber; suspends.
  explicit shared_row_form(const row_form& form);
  /// Returns the handle to capture.
  per_process<row_form> handle() const { return form_.handle(); }

 private:
  const scoped_per_process<row_form> form_;
};

}  // namespace gossamer::cli
