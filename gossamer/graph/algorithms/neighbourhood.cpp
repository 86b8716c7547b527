// The vertices within some hops of given ones, by a breadth-first search that stops after so many levels. The
// induced subgraph: each member finds the members in its row.
// Phases: owners of vertices write levels; arcs of the newest level are shipped to them. Members are frozen
//   while rows are read.
#include "gossamer/graph/algorithms/neighbourhood.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

/// The own vertices of a core that a search by levels has found, by level.
struct near_vertices {
  std::vector<vertex_id> found;
  std::uint64_t done = 0;  // vertices whose arcs were followed
  std::uint64_t last = 0;  // end of the level whose arcs are being followed
};

/// Sets the level of a vertex that has none, at its owner.
struct give_level {
  per_core<near_vertices> lists;
  vertex_id level;
  void operator()(vertex_id& mine, std::uint64_t v) const {
    if (mine != k_no_vertex) return;
    mine = level;
    lists.here().found.push_back(static_cast<vertex_id>(v));
  }
};

/// Follows the arcs of the newest level, and sets the level of their ends.
void expand_level(const adjacency& out, const array<vertex_id>& levels, const give_level& give) {
  const directed_adjacency rows{out};
  near_vertices& mine = give.lists.here();
  const std::span<vertex_id> own = levels.local();
  const std::uint64_t first = levels.local_begin();
  scan_meter meter(k_top_down);
  for (; mine.done < mine.last; ++mine.done)
    scan_row(meter, rows, mine.found[mine.done], [&](vertex_id n) {
      if (n - first < own.size())
        give(own[n - first], n);
      else
        levels.async(n, give);
    });
}

/// The edges that a core has found.
struct found_edges {
  std::vector<vertex_id> from, to;
  std::vector<double> weights;
};

/// Finds the edges from own members to members.
void find_edges(const graph_view& g, const array<std::uint8_t>& own, const frozen<std::uint8_t>& members,
                found_edges& mine) {
  const adjacency& rows = g.out;
  scan_meter meter(k_bottom_up);
  auto v = static_cast<vertex_id>(own.local_begin());
  for (const std::uint8_t is_member : own.local()) {
    if (is_member != 0) {
      ++meter.rows;
      meter.arcs += rows.degree(v);
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        const vertex_id n = rows.targets[i];
        if (members[n] == 0 || (!g.directed && n < v)) continue;
        mine.from.push_back(v);
        mine.to.push_back(n);
        if (g.weights != weight_type::none)
          mine.weights.push_back(with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
            return static_cast<double>(rows.weights_as<Weight>()[i]);
          }));
      }
    }
    ++v;
  }
}

/// Concatenates one member of the results of all cores, in the order of the cores.
template <class T>
std::vector<T> joined(const per_core<found_edges>& parts, std::vector<T> found_edges::* member) {
  std::vector<T> all;
  for (const auto& part :
       collect_spans<T>(parts, [member](found_edges& mine) { return std::span<const T>(mine.*member); }))
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

neighbourhood_result neighbourhood(const graph_view& g, const std::vector<vertex_id>& around,
                                   std::uint64_t hops, const progress_hook& progress) {
  neighbourhood_result r;
  if (g.vertices == 0) return r;
  const std::uint64_t begin = machine::now_ns();
  const traversal go(g);
  const scoped_array<vertex_id> levels = go.values<vertex_id>();
  const scoped_per_core<near_vertices> lists;
  on_all_cores([levels = levels.handle()] { fill(levels.local(), k_no_vertex); });
  finish([&] {
    for (const vertex_id v : around) levels.async(v, give_level{lists.handle(), 0});
  });
  for (std::uint64_t level = 0;; ++level) {
    for (const auto& part : collect_spans<vertex_id>(lists.handle(), [](near_vertices& mine) {
           mine.last = mine.found.size();
           return std::span<const vertex_id>(mine.found).subspan(mine.done);
         }))
      r.vertices.insert(r.vertices.end(), part.begin(), part.end());
    const std::size_t before = r.distances.size();
    std::sort(r.vertices.begin() + static_cast<std::ptrdiff_t>(before), r.vertices.end());
    r.distances.resize(r.vertices.size(), static_cast<vertex_id>(level));
    if (level == hops || r.distances.size() == before) break;
    report(progress, "neighbours", level, 0);
    on_all_cores([out = adjacency(g.out), levels = levels.handle(),
                  give = give_level{lists.handle(), static_cast<vertex_id>(level + 1)}] {
      expand_level(out, levels, give);
    });
  }
  r.seconds = machine::seconds_since(begin);
  return r;
}

induced_edges subgraph(const graph_view& g, const std::vector<vertex_id>& members,
                       const progress_hook& progress) {
  induced_edges r;
  if (g.vertices == 0) return r;
  report(progress, "subgraph", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  const traversal go(g);
  const scoped_array<std::uint8_t> are_members = go.values<std::uint8_t>();
  const scoped_per_core<found_edges> parts;
  finish([&] {
    for (const vertex_id v : members) are_members.async(v, [](std::uint8_t& mine) { mine = 1; });
  });
  on_all_cores([g, own = are_members.handle(), all = are_members.handle().freeze(), parts = parts.handle()] {
    find_edges(g, own, all, parts.here());
  });
  are_members.handle().thaw();
  r.from = joined(parts.handle(), &found_edges::from);
  r.to = joined(parts.handle(), &found_edges::to);
  r.weights = joined(parts.handle(), &found_edges::weights);
  std::vector<vertex_id> distinct = members;
  std::ranges::sort(distinct);
  r.vertices = static_cast<std::uint64_t>(std::ranges::unique(distinct).begin() - distinct.begin());
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
