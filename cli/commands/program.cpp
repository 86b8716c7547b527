#include "commands/program.hpp"

#include <iterator>
#include <utility>

#include "commands/question_command.hpp"

namespace gossamer::cli {

std::vector<std::unique_ptr<command>> program::all_commands() const {
  std::vector<std::unique_ptr<command>> all;
  for (const command_maker make : makers) all.push_back(make());
  if (!asks_questions) return all;
  std::vector<std::unique_ptr<command>> asking;
  for (const auto make : graph::questions()) asking.push_back(std::make_unique<question_command>(make()));
  all.insert(all.begin() + 1, std::make_move_iterator(asking.begin()), std::make_move_iterator(asking.end()));
  return all;
}

std::unique_ptr<command> program::make_command(std::string_view command_name) const {
  for (auto& one : all_commands())
    if (one->name() == command_name) return std::move(one);
  return nullptr;
}

}  // namespace gossamer::cli
