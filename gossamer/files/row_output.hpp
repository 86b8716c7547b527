#pragma once
// Where the rows of a result go as text: all cores write them, each those of its ranges of the order.

#include <string>

#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"

namespace gossamer {

/// A file and what stands around the rows. Of process 0, which writes what the others send.
struct row_output {
  machine::output_file* file =
      nullptr;  ///< to which nothing has been written, and nothing is written afterwards
  io::compression how = io::compression::none;  ///< in chunks, each a member or frame of its own
  std::string before = {};  ///< the text before the first row
  std::string after = {};  ///< the text after the last one
};

}  // namespace gossamer
