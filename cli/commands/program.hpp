#pragma once
// A program of commands: its name, its texts, and its commands. main() passes it to run_program().

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.hpp"

namespace gossamer::cli {

/// Makes a command.
using command_maker = std::unique_ptr<command> (*)();

struct program {
  std::string_view name;
  std::string_view summary;   // of the manual page
  std::string_view usage;     // whole lines of help before the commands
  std::string_view examples;  // whole lines of help behind the commands
  std::span<const command_maker> makers;  // in the order in which help lists the commands

  bool asks_questions =
      false;  // the questions of gossamer/graph/questions are commands, listed behind the first one

  std::vector<std::unique_ptr<command>> all_commands() const;
  /// Makes the command of that name; null if there is none.
  std::unique_ptr<command> make_command(std::string_view command_name) const;
  bool has_command(std::string_view command_name) const { return make_command(command_name) != nullptr; }
};

}  // namespace gossamer::cli
