#pragma once
// The help texts: what the commands are, in which order they are listed, and with which examples.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "options.hpp"

namespace CLI {
class FormatterBase;
}

namespace gossamer::cli {

struct command_description {
  command what;
  std::string_view name;
  std::string_view summary;
  std::string_view examples;
};

std::span<const command_description> command_descriptions();

/// The group of options that closes every help text, with --help itself at its end.
inline constexpr std::string_view k_last_group = "Reporting";

/// What G may be.
std::string graph_help();

/// gossamer --help
std::string overview();

/// Lays out gossamer COMMAND --help: usage, arguments, options by group, examples.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace gossamer::cli
