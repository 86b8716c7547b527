#pragma once
// A command that starts another one, or a program: run, simulate, scale. What follows its own options is given to
// the other untouched, but read here first, so that nothing is started for a slip.

#include <optional>
#include <string>
#include <vector>

#include "commands/program.hpp"
#include "parse/parse.hpp"

namespace gossamer::cli {

class wrapping_command : public command {
 public:
  using command::command;

  bool is_for_several() const override { return false; }

  /// Sets the program, which must outlive this, and the words of the other command. The parser calls it, after check().
  void wrap(const program& p, std::vector<std::string> words) {
    program_ = &p;
    words_ = std::move(words);
  }
  /// Reads the other command as it will be read there. Returns its help where that is what it asks for. Throws
  /// gossamer::error.
  virtual std::optional<answer> check_wrapped() = 0;

 protected:
  /// Returns whether the other command is one of ours, not a program.
  bool wraps_own_command() const;
  /// Accepts a command of ours of which `fits` is true, or any program that there is.
  std::optional<answer> check_command_or_program(bool (command::*fits)() const) const;
  /// Returns the words to start. Those of a command of ours stand behind this program's own file.
  std::vector<std::string> words_to_start() const;

  const program* program_ = nullptr;
  std::vector<std::string> words_;
};

}  // namespace gossamer::cli
