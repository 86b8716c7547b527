#pragma once
// gossamer::error reports a fault of the environment: files, options, memory, launch. Its message is one line that says what was
// being done, on what, and what was expected. The program prints `error: <message>` and exits with 2. Bugs are assertions
// (assert.hpp); expected pressure is a status.

#include <stdexcept>
#include <string>

namespace gossamer {

class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gossamer
