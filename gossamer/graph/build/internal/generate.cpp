#include "gossamer/graph/build/internal/generate.hpp"

#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

weight_type kept_type(const generator& what, bool keeps_weights) {
  return keeps_weights ? what.weights.type : weight_type::none;
}

/// Counts what was drawn: what is left, and what the builder has removed.
graph with_counts(graph g, const generator& what) {
  graph_statistics& s = g.statistics();
  s.edges_read = g.view().edges() + s.duplicates + s.self_loops;
  if (what.weights.type != weight_type::none) s.weights = s.edges_read;
  return g;
}

}  // namespace

graph generate(const generator& what, bool keeps_weights, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  machine::require_memory(
      build_peak_bytes(what.edges(), what.vertices(), false, kept_type(what, keeps_weights)), name_of(what));
  build_input input;
  input.vertices = what.vertices();
  input.blocks = generate_edges(what, 0, 1, progress);
  if (keeps_weights) input.weights = generate_weights(what, input.blocks);
  graph_statistics statistics = statistics_of(what);
  statistics.load_seconds = machine::seconds_since(start);
  return with_counts(build(std::move(input), labels::range(what.vertices()), std::move(statistics), progress),
                     what);
}

graph generate_over_processes(const generator& what, bool keeps_weights, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  machine::require_memory(shared_peak_bytes(what.edges(), what.vertices(), kept_type(what, keeps_weights)),
                          name_of(what));
  scoped_per_process<process_rows> rows;
  scoped_per_process<progress_hook> hooks;
  hooks.here() = progress;
  on_all_processes([what, keeps_weights, rows = rows.handle(), hooks = hooks.handle()] {
    process_rows& mine = rows.here();
    mine.blocks = generate_edges(what, process(), processes(), hooks.here());
    if (keeps_weights) mine.weights = generate_weights(what, mine.blocks);
  });
  graph_statistics statistics = statistics_of(what);
  statistics.load_seconds = machine::seconds_since(start);
  return with_counts(build_over_processes(rows.handle(), what.vertices(), false,
                                          labels::range(what.vertices()), std::move(statistics), progress),
                     what);
}

}  // namespace gossamer::graph
