#pragma once
// Help texts, laid out from what the commands declare.

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace gossamer::cli {

class command;

/// Returns the text of gossamer --help.
std::string overview();

/// Lays out gossamer COMMAND --help: usage, arguments, options by group, examples. The command must outlive it.
std::shared_ptr<CLI::FormatterBase> help_formatter(const command& c);

}  // namespace gossamer::cli
