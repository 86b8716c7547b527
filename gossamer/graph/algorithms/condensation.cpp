// The condensation of a directed graph.
//
// Algorithm: each core scans the rows of its vertices, and collects the arcs to other components. It sorts
//   them in chunks, and merges equal ones. Process 0 merges the results of the cores in the same way, and
//   orders the components by levels [A. B. Kahn, "Topological Sorting of Large Networks", Communications of
//   the ACM 1962].
// Phases: the components of all vertices are frozen while the cores read their arcs.
#include "gossamer/graph/algorithms/condensation.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/algorithms/internal/bundle_list.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

/// Collects the arcs from this core's vertices to other components.
void take_own_arcs(const adjacency& rows, const array<vertex_id>& own, const frozen<vertex_id>& all,
                   bundle_list& mine) {
  scan_meter meter(k_pass);
  auto v = static_cast<vertex_id>(own.local_begin());
  for (const vertex_id from : own.local()) {
    ++meter.rows;
    meter.arcs += rows.degree(v);
    for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
      if (const vertex_id to = all[rows.targets[i]]; to != from) mine.add({from, to, 1});
    ++v;
  }
  mine.merge();
}

/// Merges the bundles of all cores in process 0.
bundle_list collect_bundles(const per_core<bundle_list>& parts) {
  std::uint64_t most = 0;
  for (const std::uint64_t each : collect(parts, [](bundle_list& mine) { return mine.bundles().size(); }))
    most += each;
  machine::require_memory(3 * most * sizeof(arc_bundle), "the condensation");
  bundle_list found;
  for (auto& part : collect_spans<arc_bundle>(
           parts, [](bundle_list& mine) { return std::span<const arc_bundle>(mine.bundles()); })) {
    for (const arc_bundle& each : part) found.add(each);
    part = {};
  }
  found.merge();
  return found;
}

/// Returns the components in the order of their levels, then of their names. `arcs` are sorted by their ends.
/// Serial, linear.
std::vector<vertex_id> order_of(std::span<const vertex_id> component, const std::vector<arc_bundle>& arcs) {
  std::vector<vertex_id> order, ready, waits(component.size()), level(component.size());
  for (const arc_bundle& each : arcs) ++waits[each.to];
  for (std::size_t v = 0; v < component.size(); ++v)
    if (component[v] == v) order.push_back(static_cast<vertex_id>(v));
  std::ranges::copy_if(order, std::back_inserter(ready), [&](vertex_id c) { return waits[c] == 0; });
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const arc_bundle& each : std::ranges::equal_range(arcs, ready[i], {}, &arc_bundle::from)) {
      level[each.to] = std::max(level[each.to], level[ready[i]] + 1);
      if (--waits[each.to] == 0) ready.push_back(each.to);
    }
  GOSSAMER_ASSERT(ready.size() == order.size(), "condensation: components that are not strongly connected");
  std::ranges::stable_sort(order, {}, [&](vertex_id c) { return level[c]; });
  return order;
}

/// Returns the arcs between components, merged into bundles and sorted by their ends.
bundle_list arcs_between(const graph_view& g, std::span<const vertex_id> component) {
  const traversal go(g);
  const scoped_array<vertex_id> names = go.values<vertex_id>();
  put(names.handle(), 0, component);
  const scoped_per_core<bundle_list> parts;
  on_all_cores([rows = adjacency(g.out), own = names.handle(), all = names.handle().freeze(),
                parts = parts.handle()] { take_own_arcs(rows, own, all, parts.here()); });
  names.handle().thaw();
  return collect_bundles(parts.handle());
}

}  // namespace

condensed_arcs condensation(const graph_view& g, std::span<const vertex_id> component,
                            const progress_hook& progress) {
  GOSSAMER_ASSERT(component.size() == g.vertices);
  condensed_arcs r;
  if (g.vertices == 0) return r;
  report(progress, "condensation", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  bundle_list found = g.directed ? arcs_between(g, component) : bundle_list();
  std::vector<arc_bundle>& arcs = found.bundles();
  r.order = order_of(component, arcs);
  std::vector<vertex_id> place(g.vertices);
  for (std::size_t i = 0; i < r.order.size(); ++i) place[r.order[i]] = static_cast<vertex_id>(i);
  std::ranges::sort(arcs, {}, [&](const arc_bundle& b) { return std::pair(place[b.from], place[b.to]); });
  for (const arc_bundle& each : arcs) {
    r.from.push_back(each.from);
    r.to.push_back(each.to);
    r.arcs.push_back(each.arcs);
  }
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
