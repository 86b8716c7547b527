#pragma once
// The command line, parsed. CLI11 stays behind this header.

#include <string>
#include <variant>

#include "options.hpp"

namespace gossamer::cli {

/// Text that was asked for instead of work: help, version.
struct answer {
  std::string text;
};

/// Throws gossamer::error, one line, for whatever is wrong with the arguments.
std::variant<options, answer> parse(int argc, const char* const* argv);

}  // namespace gossamer::cli
