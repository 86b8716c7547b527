#pragma once
// Reads the command line. CLI11 stays behind this header.

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gossamer::cli {

class command;
struct program;

/// Text that was asked for instead of work: help, version.
struct answer {
  std::string text;
};

/// The command of a program with its options, checked. Throws gossamer::error, one line, for whatever is wrong with the
/// arguments.
using parsed = std::variant<std::unique_ptr<command>, answer>;
parsed parse(const program& p, int argc, const char* const* argv);
/// Does the same as parse(), with the words behind the program's name.
parsed parse_words(const program& p, const std::vector<std::string>& words);

}  // namespace gossamer::cli
