// Core numbers by peeling.
//
// Algorithm: for k = 0, 1, ...: take away every vertex with at most k arcs left, until none is left with so few; its core number is k
//   [V. Batagelj, M. Zaversnik, "An O(m) Algorithm for Cores Decomposition of Networks", 2003]. A level looks at the vertices that are
//   left, which are the k-core: over all levels that is the sum of core numbers, at most as many as there are arcs, so no queue of
//   buckets is kept. Levels without a vertex are passed over.
// Encoding: `left` counts the arcs to vertices that are not taken away, exact down to k; below it nothing is counted any more. A vertex is
//   taken when its count comes to k, once, so the order of updates does not matter.
// Phases: within a level owners alone write their counts; arcs to other cores are shipped.
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
  void start();
  vertex_id least_left() const;
  std::uint64_t peel(vertex_id k);

  Rows rows_;
  traversal go_;
  scoped_array<vertex_id> left_, core_;
  scoped_per_core<std::vector<vertex_id>> rest_;  // own vertices that are not taken away
  vertex_subset taken_;  // of a level
};

/// Counts the arcs of each vertex.
template <class Rows>
void peeling<Rows>::start() {
  go_.vertex_map(k_pass, left_.handle(), [rows = rows_, rest = rest_.handle()](vertex_id v, vertex_id& left) {
    left = static_cast<vertex_id>(rows.degree(v));
    rest.here().push_back(v);
  });
}

struct least_of_all {
  vertex_id least = k_no_vertex;
  void add(const least_of_all& other) { least = std::min(least, other.least); }
};
struct count_of_all {
  std::uint64_t count = 0;
  void add(const count_of_all& other) { count += other.count; }
};

/// Returns the fewest arcs that a vertex of the rest has; k_no_vertex where there is no rest.
template <class Rows>
vertex_id peeling<Rows>::least_left() const {
  const auto least_here = [left = left_.handle(), rest = rest_.handle()] {
    const std::uint64_t first = left.local_begin();
    const std::span<const vertex_id> own = left.local();
    least_of_all all;
    pass_over(k_pass, rest.here(), [&](vertex_id v) { all.add({own[v - first]}); });
    return all;
  };
  return go_.template core_reduce<least_of_all>(least_here).least;
}

/// Takes away the vertices of core number k. Returns how many there are.
template <class Rows>
std::uint64_t peeling<Rows>::peel(vertex_id k) {
  on_all_cores([k, left = left_.handle(), rest = rest_.handle(), taken = taken_.lists()] {
    vertex_subset::list& mine = taken.here();
    mine.vertices.clear();
    mine.done = 0;
    const std::uint64_t first = left.local_begin();
    const std::span<const vertex_id> own = left.local();
    pass_over(k_pass, rest.here(), [&](vertex_id v) {
      if (own[v - first] <= k) mine.vertices.push_back(v);
    });
  });
  do
    go_.edge_map(rows_, left_.handle(), taken_, [k](vertex_id& left, vertex_id) {
      if (left <= k) return false;
      return --left == k;
    });
  while (taken_.open() != 0);
  const auto settle = [k, core = core_.handle(), left = left_.handle(), rest = rest_.handle(),
                       taken = taken_.lists()] {
    const std::uint64_t first = core.local_begin();
    const std::span<vertex_id> own = core.local();
    pass_over(k_pass, taken.here().vertices, [&](vertex_id v) { own[v - first] = k; });
    std::erase_if(rest.here(), [&](vertex_id v) { return left.local()[v - first] <= k; });
    return count_of_all{taken.here().vertices.size()};
  };
  return go_.template core_reduce<count_of_all>(settle).count;
}

template <class Rows>
cores_result peeling<Rows>::run(const progress_hook& progress) {
  cores_result r;
  const std::uint64_t begin = machine::now_ns();
  start();
  for (vertex_id k; (k = least_left()) != k_no_vertex;) {
    r.degeneracy = k;
    r.innermost = peel(k);
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
