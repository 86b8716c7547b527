#include "commands/registry.hpp"

#include <algorithm>

namespace gossamer::cli {
namespace {

constexpr std::unique_ptr<command> (*k_makers[])() = {
    make_info,   make_components, make_bfs,     make_sssp,     make_pagerank,  make_betweenness,
    make_cores,  make_triangles,  make_report,  make_convert,  make_wordcount, make_group,
    make_sort,   make_uts,        make_uts_mem, make_gups,     make_gather,    make_structures,
    make_jacobi, make_ping,       make_run,     make_simulate, make_scale,     make_network,
    make_doctor, make_bench,
};

}  // namespace

std::vector<std::unique_ptr<command>> all_commands() {
  std::vector<std::unique_ptr<command>> all;
  for (const auto make : k_makers) all.push_back(make());
  return all;
}

std::unique_ptr<command> make_command(const std::string& name) {
  for (const auto make : k_makers)
    if (auto one = make(); one->name() == name) return one;
  return nullptr;
}

bool is_command(const std::string& name) { return make_command(name) != nullptr; }

}  // namespace gossamer::cli
