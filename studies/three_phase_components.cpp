#include "studies/three_phase_components.hpp"

#include <utility>

#include "gossamer/machine/clock.hpp"
#include "studies/internal/three_phases.hpp"

namespace gossamer::studies {

graph::components_result three_phase_components(const graph::graph_view& g,
                                                const graph::progress_hook& progress,
                                                const three_phase_options& o) {
  if (g.vertices == 0) return {};
  double seconds = 0;
  auto r = graph::components_of_labels(graph::with_symmetric_adjacency(g, [&](const auto& rows) {
    const std::uint64_t begin = machine::now_ns();
    three_phases work(g, rows, o);
    work.run(progress);
    seconds = machine::seconds_since(begin);
    return work.labels();
  }));
  r.seconds = seconds;
  return r;
}

}  // namespace gossamer::studies
