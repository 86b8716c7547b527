#pragma once
// Parses the command line. This header hides CLI11.

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gossamer::cli {

class command;
struct program;

/// A text to print instead of running a command: help, version.
struct answer {
  std::string text;
};

/// A command whose options are read and checked, or a text.
using parsed = std::variant<std::unique_ptr<command>, answer>;
/// Parses a command line. Throws gossamer::error of one line if an argument is wrong.
parsed parse(const program& p, int argc, const char* const* argv);
/// Does the same as parse(), with the words behind the program's name.
parsed parse_words(const program& p, const std::vector<std::string>& words);

}  // namespace gossamer::cli
