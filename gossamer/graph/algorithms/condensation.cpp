// The condensation of a directed graph.
//
// Algorithm: each core goes over the rows of its vertices, and takes the arcs to other components. It sorts them, and adds up the equal ones.
//   Process 0 does the same with what the cores have found.
// Phases: the components of all vertices are frozen while the cores look at their arcs.
#include "gossamer/graph/algorithms/condensation.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

/// Arcs from one component to another.
struct arc_bundle {
  vertex_id from, to;
  std::uint64_t arcs;
};

/// Sorts bundles by their ends, and makes one of those with the same ends.
void merge_bundles(std::vector<arc_bundle>& all) {
  const auto ends = [](const arc_bundle& b) { return std::pair(b.from, b.to); };
  std::ranges::sort(all, {}, ends);
  std::size_t kept = 0;
  for (const arc_bundle& each : all) {
    if (kept != 0 && ends(all[kept - 1]) == ends(each))
      all[kept - 1].arcs += each.arcs;
    else
      all[kept++] = each;
  }
  all.resize(kept);
}

}  // namespace

condensed_arcs condensation(const graph_view& g, std::span<const vertex_id> component,
                            const progress_hook& progress) {
  GOSSAMER_ASSERT(component.size() == g.vertices);
  condensed_arcs r;
  if (g.vertices == 0 || !g.directed) return r;
  report(progress, "condensation", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  const traversal go(g);
  const scoped_array<vertex_id> names = go.values<vertex_id>();
  put(names.handle(), 0, component);
  const scoped_per_core<std::vector<arc_bundle>> parts;
  on_all_cores(
      [rows = adjacency(g.out), own = names.handle(), all = names.handle().freeze(), parts = parts.handle()] {
        std::vector<arc_bundle>& mine = parts.here();
        scan_meter meter(k_pass);
        auto v = static_cast<vertex_id>(own.local_begin());
        for (const vertex_id from : own.local()) {
          ++meter.rows;
          meter.arcs += rows.degree(v);
          for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
            if (const vertex_id to = all[rows.targets[i]]; to != from) mine.push_back({from, to, 1});
          ++v;
        }
        merge_bundles(mine);
      });
  names.handle().thaw();
  std::vector<arc_bundle> found;
  for (const auto& part : collect_spans<arc_bundle>(
           parts.handle(), [](std::vector<arc_bundle>& mine) { return std::span<const arc_bundle>(mine); }))
    found.insert(found.end(), part.begin(), part.end());
  merge_bundles(found);
  for (const arc_bundle& each : found) {
    r.from.push_back(each.from);
    r.to.push_back(each.to);
    r.arcs.push_back(each.arcs);
  }
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
