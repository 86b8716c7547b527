// gossamer-studies task-betweenness: betweenness centrality by tasks that wait for every neighbour.

#include <algorithm>
#include <string>
#include <vector>

#include "commands/graph_command.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "studies/commands/studies.hpp"
#include "studies/commands/tasks_option.hpp"
#include "studies/task_betweenness.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;

constexpr command_text k_task_betweenness_text{
    "task-betweenness", "betweenness centrality with a task for each vertex, which waits for every neighbour",
    "  gossamer-studies task-betweenness kron:14 --samples 4 --verify\n"
    "  gossamer-studies sweep --set fibers=16..4096 -n 8 --cores 4 -- task-betweenness kron:12 --samples "
    "2\n"};

class task_betweenness_command final : public graph_command {
 public:
  task_betweenness_command() : graph_command(k_task_betweenness_text) {}
  void describe(json_object& j) const override {
    graph_command::describe(j);
    j.set("options/samples", samples_);
    if (!tasks_.empty()) j.set("options/tasks", tasks_);
  }

 private:
  void declare_algorithm(declaration& d) override {
    d.number("--samples", samples_, "paths from N random vertices, scaled up to all (default 4)", 1);
    declare_tasks(d, tasks_);
  }
  void declare_output(declaration&) override {}
  void answer(session& s) override;

  std::uint64_t samples_ = 4;
  std::string tasks_;  // stealable (also when empty) or private
};

void task_betweenness_command::answer(session& s) {
  const loaded_graph g = load(s);
  const std::uint64_t all = graph::count_sources(g.view());
  const auto sources = graph::random_sources(g.view(), std::min(samples_, all), seed_);
  const double scale = sources.empty() ? 1 : static_cast<double>(all) / static_cast<double>(sources.size());
  s.step("betweenness");
  const auto result =
      task_betweenness(g.view(), sources, {.stealable = are_stealable(tasks_), .scale = scale}, hook(s));
  const double arcs = static_cast<double>(g.view().arcs) * static_cast<double>(result.sources);
  const double rate = result.seconds > 0 ? arcs / result.seconds / 1e6 : 0;
  s.json().set("sources", result.sources);
  s.json().set("highest", result.scores.empty() ? 0.0 : *std::ranges::max_element(result.scores));
  s.json().set("mteps", rate);
  s.took("run", result.seconds);
  s.say("\nbetweenness from {} in {}: {:.3g} MTEPS", plural(result.sources, "source", "sources"),
        format_duration(result.seconds), rate);
  if (!verify_) return;
  s.step("verifying");
  s.verified(graph::verify_betweenness(g.view(), sources, {.scale = scale}, result), "Brandes");
}

}  // namespace

std::unique_ptr<cli::command> make_task_betweenness() { return std::make_unique<task_betweenness_command>(); }

}  // namespace gossamer::studies
