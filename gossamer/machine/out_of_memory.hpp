#pragma once
// The error of what does not fit the memory, for callers that tell it from others. In a header of its own: few do.

#include "gossamer/base/error.hpp"

namespace gossamer::machine {

/// Says that memory was refused before it was taken. A std::bad_alloc of another process comes as one of these, too.
class out_of_memory : public error {
 public:
  using error::error;
};

}  // namespace gossamer::machine
