#pragma once
// gossamer::error: what the world did wrong (files, options, memory, launch). The message says
// what was being done, on what, and what was expected, in one line; the command line prints it as
// `error: <message>` and exits with 2. Bugs are assertions (assert.hpp), expected pressure is a status.

#include <stdexcept>
#include <string>

namespace gossamer {

class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gossamer
