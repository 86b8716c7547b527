#pragma once
// A command that starts another command or a program: run, simulate, scale, sweep. The words behind its own
// options are passed on unchanged. They are parsed here first, so that mistakes are found before anything
// starts.

#include <optional>
#include <string>
#include <vector>

#include "commands/program.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/function_ref.hpp"
#include "parse/parse.hpp"

namespace gossamer::cli {

class wrapping_command : public command {
 public:
  using command::command;

  std::string not_for_several() const override { return "it starts other commands itself"; }

  /// Sets the program, which must outlive this object, and the words of the other command. The parser calls
  /// it after check().
  void wrap(const program& p, std::vector<std::string> words) {
    program_ = &p;
    words_ = std::move(words);
  }
  /// Parses the other command as it will be parsed when it starts. Returns its help if that is requested.
  /// Throws gossamer::error.
  virtual std::optional<answer> check_wrapped() = 0;

 protected:
  /// Returns whether the words begin with a command of this program, not with another program.
  bool wraps_own_command() const;
  /// Accepts a command of this program for which `why_not` is empty, or any program that exists.
  /// Calls check(command) for a command of this program.
  std::optional<answer> check_command_or_program(
      std::string (command::*why_not)() const,
      function_ref<void(const command&)> check = [](const command&) {}) const;
  /// Returns the error that the other command reports no time.
  error not_timed() const;
  /// Throws gossamer::error if the other command cannot run again and again: it writes a file each time, or reads standard input or a
  /// pipe, which only one run could.
  void check_repeated(const command& inner) const;
  /// Returns the words to start: with the file of this program in front for its own commands.
  std::vector<std::string> words_to_start() const;

  const program* program_ = nullptr;
  std::vector<std::string> words_;
};

}  // namespace gossamer::cli
