#pragma once
// The error for memory that is not available, for the few callers that distinguish it.

#include "gossamer/base/error.hpp"

namespace gossamer::machine {

/// Memory was refused before it was taken. Also replaces a std::bad_alloc of another process.
class out_of_memory : public error {
 public:
  using error::error;
};

}  // namespace gossamer::machine
