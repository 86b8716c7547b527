#include "gossamer/graph/build/internal/generate.hpp"

#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

graph generate(const generator& what, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  machine::require_memory(build_peak_bytes(what.edges(), what.vertices(), false), name_of(what));
  build_input input;
  input.vertices = what.vertices();
  input.blocks = generate_edges(what, 0, 1, progress);
  graph_statistics statistics = statistics_of(what);
  statistics.load_seconds = machine::seconds_since(start);
  return build(std::move(input), labels::range(what.vertices()), std::move(statistics), progress);
}

graph generate_over_processes(const generator& what, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  machine::require_memory(shared_peak_bytes(what.edges(), what.vertices()), name_of(what));
  scoped_per_process<process_rows> rows;
  scoped_per_process<progress_hook> hooks;
  hooks.here() = progress;
  on_all_processes([what, rows = rows.handle(), hooks = hooks.handle()] {
    rows.here().blocks = generate_edges(what, process(), processes(), hooks.here());
  });
  graph_statistics statistics = statistics_of(what);
  statistics.load_seconds = machine::seconds_since(start);
  return build_over_processes(rows.handle(), what.vertices(), false, labels::range(what.vertices()),
                              std::move(statistics), progress);
}

}  // namespace gossamer::graph
