#pragma once
// Reads the command line. CLI11 stays behind this header.

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gossamer::cli {

class command;

/// Text that was asked for instead of work: help, version.
struct answer {
  std::string text;
};

/// The command with its options, checked. Throws gossamer::error, one line, for whatever is wrong with the
/// arguments.
using parsed = std::variant<std::unique_ptr<command>, answer>;
parsed parse(int argc, const char* const* argv);
/// Does the same as parse(), with the words behind the program's name.
parsed parse_words(const std::vector<std::string>& words);

}  // namespace gossamer::cli
