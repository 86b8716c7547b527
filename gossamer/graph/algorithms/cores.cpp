// Core numbers by peeling.
//
// Algorithm: for k = 0, 1, ...: removes vertices with at most k remaining arcs until there are none; their
//   core number is k [V. Batagelj, M. Zaversnik, "An O(m) Algorithm for Cores Decomposition of Networks",
//   2003]. A level scans the remaining vertices, which are the k-core. Over all levels that is at most the
//   sum of core numbers plus two per vertex. That sum is at most the number of arcs, so no bucket queue is
//   needed. The scan of a level also ends the previous level. Levels without a vertex are skipped.
// Encoding: `left` counts the arcs to remaining vertices, exact down to k; below k nothing is counted. A
//   vertex is removed once, when its count becomes k, so the order of updates does not matter.
// Phases: within a level only owners write their counts; arcs to other cores are shipped.
#include "gossamer/graph/algorithms/cores.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

template <class Rows>
class peeling {
 public:
  peeling(const graph_view& g, const Rows& rows)
      : rows_(rows), go_(g), left_(go_.values<vertex_id>()), core_(go_.values<vertex_id>()) {}

  cores_result run(const progress_hook& progress);

 private:
  struct level_sums {
    std::uint64_t before = 0;  // vertices that the previous level removed
    std::uint64_t taken = 0;
    vertex_id least = k_no_vertex;  // fewest remaining arcs of a vertex that was not taken
    void add(const level_sums& other) {
      before += other.before;
      taken += other.taken;
      least = std::min(least, other.least);
    }
  };

  void start();
  level_sums begin_level(vertex_id k, vertex_id before);

  Rows rows_;
  traversal go_;
  scoped_array<vertex_id> left_, core_;
  scoped_per_core<std::vector<vertex_id>> rest_;  // own vertices that the previous levels have not removed
  vertex_subset taken_;  // vertices that a level removes
};

/// Counts the arcs of each vertex.
template <class Rows>
void peeling<Rows>::start() {
  go_.vertex_map(k_pass, left_.handle(), [rows = rows_, rest = rest_.handle()](vertex_id v, vertex_id& left) {
    left = static_cast<vertex_id>(rows.degree(v));
    rest.here().push_back(v);
  });
}

/// Ends the previous level `before`, and takes the vertices with at most k remaining arcs.
template <class Rows>
typename peeling<Rows>::level_sums peeling<Rows>::begin_level(vertex_id k, vertex_id before) {
  return go_.template core_reduce<level_sums>([k, before, left = left_.handle(), core = core_.handle(),
                                               rest = rest_.handle(), taken = taken_.lists()] {
    vertex_subset::list& mine = taken.here();
    const std::uint64_t first = left.local_begin();
    const std::span<const vertex_id> own = left.local();
    const std::span<vertex_id> cores = core.local();
    level_sums sums;
    sums.before = mine.vertices.size();
    pass_over(k_pass, mine.vertices, [&](vertex_id v) { cores[v - first] = before; });
    mine.vertices.clear();
    mine.done = 0;
    std::vector<vertex_id>& all = rest.here();
    auto kept = all.begin();
    pass_over(k_pass, all, [&](vertex_id v) {
      const vertex_id n = own[v - first];
      if (n > k) {
        sums.least = std::min(sums.least, n);
        *kept++ = v;
      } else if (n > before || before == k_no_vertex) {
        mine.vertices.push_back(v);
      }
    });
    all.erase(kept, all.end());
    sums.taken = mine.vertices.size();
    return sums;
  });
}

template <class Rows>
cores_result peeling<Rows>::run(const progress_hook& progress) {
  cores_result r;
  const std::uint64_t begin = machine::now_ns();
  start();
  vertex_id before = k_no_vertex;  // the previous level; k_no_vertex: there is none
  for (vertex_id k = 0; k != k_no_vertex;) {
    const level_sums now = begin_level(k, before);
    if (now.before != 0) r.innermost = now.before;
    if (now.taken == 0) {
      k = now.least;
      continue;
    }
    do
      go_.edge_map(rows_, left_.handle(), taken_, [k](vertex_id& left, vertex_id) {
        if (left <= k) return false;
        return --left == k;
      });
    while (taken_.open() != 0);
    r.degeneracy = before = k++;
    report(progress, "cores", ++r.levels, 0);
  }
  r.seconds = machine::seconds_since(begin);
  r.core = copy_of(core_.handle());
  return r;
}

}  // namespace

cores_result core_numbers(const graph_view& g, const progress_hook& progress) {
  if (g.vertices == 0) return {};
  if (g.directed && g.vertices > k_no_vertex / 2)  // degrees count both directions
    throw error(
        "cores: more than 2,147,483,647 vertices of a directed graph: build with GOSSAMER_VERTEX_BITS=64");
  return with_symmetric_adjacency(g, [&](const auto& rows) { return peeling(g, rows).run(progress); });
}

}  // namespace gossamer::graph
