#include "commands/program.hpp"

namespace gossamer::cli {

std::vector<std::unique_ptr<command>> program::all_commands() const {
  std::vector<std::unique_ptr<command>> all;
  for (const command_maker make : makers) all.push_back(make());
  return all;
}

std::unique_ptr<command> program::make_command(std::string_view command_name) const {
  for (const command_maker make : makers)
    if (auto one = make(); one->name() == command_name) return one;
  return nullptr;
}

}  // namespace gossamer::cli
