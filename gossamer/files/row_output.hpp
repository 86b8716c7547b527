#pragma once
// The destination of the rows of a result, written as text: every core writes the rows of its own ranges of
// the order.

#include <string>

#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"

namespace gossamer {

/// A file and the text around the rows. For process 0, which also writes the rows that the other processes
/// send.
struct row_output {
  machine::output_file* file = nullptr;  ///< which must be empty; nothing is written to it afterwards
  io::compression how = io::compression::none;  ///< in chunks, each a separate member or frame
  std::string before = {};  ///< the text before the first row
  std::string after = {};  ///< the text after the last one
};

}  // namespace gossamer
