#pragma once
// Formats help texts from the declarations of commands.

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace gossamer::cli {

class command;
class declaration;
struct program;

/// Returns the text of --help without a command.
std::string overview(const program& p);

/// Returns the formatter of COMMAND --help: usage, arguments, options by group, examples. Program, command
/// and declaration must outlive it.
std::shared_ptr<CLI::FormatterBase> help_formatter(const program& p, const command& c, const declaration& d);

}  // namespace gossamer::cli
