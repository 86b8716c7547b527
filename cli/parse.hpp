#pragma once
// The command line, parsed. CLI11 stays behind this header.

#include <string>
#include <variant>
#include <vector>

#include "options.hpp"

namespace gossamer::cli {

/// Text that was asked for instead of work: help, version.
struct answer {
  std::string text;
};

/// Throws gossamer::error, one line, for whatever is wrong with the arguments.
std::variant<options, answer> parse(int argc, const char* const* argv);

/// What run and simulate start: the wrapped command's words, those of a command of ours behind this program's
/// own file.
std::vector<std::string> words_to_start(const options& o);

}  // namespace gossamer::cli
