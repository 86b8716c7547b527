#include "commands/registry.hpp"

#include "commands/question_command.hpp"

namespace gossamer::cli {
namespace {

constexpr std::unique_ptr<command> (*k_makers[])() = {
    make_report,  make_convert,  make_wordcount, make_group,      make_sort,   make_uts,
    make_uts_mem, make_gups,     make_gather,    make_structures, make_jacobi, make_ping,
    make_run,     make_simulate, make_scale,     make_network,    make_doctor, make_bench,
};

}  // namespace

std::vector<std::unique_ptr<command>> all_commands() {
  std::vector<std::unique_ptr<command>> all;
  all.push_back(make_info());
  for (const auto make : graph::questions()) all.push_back(std::make_unique<question_command>(make()));
  for (const auto make : k_makers) all.push_back(make());
  return all;
}

std::unique_ptr<command> make_command(const std::string& name) {
  for (auto& one : all_commands())
    if (one->name() == name) return std::move(one);
  return nullptr;
}

bool is_command(const std::string& name) { return make_command(name) != nullptr; }

}  // namespace gossamer::cli
