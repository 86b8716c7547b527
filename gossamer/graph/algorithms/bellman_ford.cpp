// Shortest paths by rounds.
//
// Algorithm: in each round the vertices whose length changed in the previous round relax their arcs [R.
//   Bellman, "On a routing problem", Quarterly of Applied Mathematics 1958; L. Ford, "Network flow theory",
//   RAND P-923, 1956]. Parents form a tree unless the rounds meet a negative cycle. A vertex that changes
//   in round n of n vertices has a cycle among its ancestors [B. Cherkassky, A. Goldberg, "Negative-cycle
//   detection algorithms", Mathematical Programming 1999]. Parents are searched for a cycle after 1, 2, 4,
//   ... and n rounds.
// Encoding: a length for each vertex, its parent, and the round that changed it. A vertex relaxes its arcs
//   with its length from before the round. Of equal proposals in a round, the smallest vertex wins. So
//   every round, and the cycle, is the same on any number of cores.
// Phases: only the owner of a vertex writes its data; proposals to other cores are shipped.
#include "gossamer/graph/algorithms/bellman_ford.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/graph/store/weights.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {
namespace {

// The state of a vertex.
struct path_end {
  static constexpr double k_far = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t k_beyond = ~0U;  // a round: the length of a path there overflows a double

  double length;
  vertex_id parent;
  std::uint32_t round;  // the last round that changed it

  /// Stores a path if it is shorter. Also stores one as short as a path of this round, from a smaller vertex.
  /// Returns whether this is the first change of the vertex in this round.
  bool take(double to, vertex_id from, std::uint32_t now) {
    if (to < length) {
      length = to;
      parent = from;
      return std::exchange(round, now) != now;
    }
    if (to == k_far)
      round = length == k_far ? k_beyond : round;
    else if (to == length && round == now)
      parent = std::min(parent, from);
    return false;
  }
};

// The vertices of a core that propose their lengths. Owner only.
struct offering_vertices {
  std::vector<vertex_id> changed;  // in this round
  std::vector<std::pair<vertex_id, double>> offers;  // changed in the previous round, with their lengths
};

struct round_sums {
  std::uint64_t changed = 0;
  bool is_inexact = false;
  void add(const round_sums& other) {
    changed += other.changed;
    is_inexact |= other.is_inexact;
  }
};

struct reach_sums {
  std::uint64_t reached = 0, edges = 0;
  double farthest = 0;
  bool is_beyond = false;
  void add(const reach_sums& other) {
    reached += other.reached;
    edges += other.edges;
    farthest = std::max(farthest, other.farthest);
    is_beyond |= other.is_beyond;
  }
};

/// Takes a proposed path to a vertex, at its owner.
struct take_remotely {
  per_core<offering_vertices> lists;
  double length;
  vertex_id vertex, from;
  std::uint32_t round, unused = 0;  // no uninitialised bytes are sent
  void operator()(path_end& end) const {
    if (end.take(length, from, round)) lists.here().changed.push_back(vertex);
  }
};

/// Returns the cycle of parents, from its smallest vertex on along the arcs; empty if there is none. Serial,
/// O(vertices).
std::vector<vertex_id> cycle_of(const std::vector<path_end>& ends) {
  std::vector<vertex_id> first(ends.size(), k_no_vertex);  // by vertex: the start of the walk that reached it
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto start = static_cast<vertex_id>(i);
    vertex_id at = start;
    while (first[at] == k_no_vertex && ends[at].parent != k_no_vertex && ends[at].parent != at) {
      first[at] = start;
      at = ends[at].parent;
    }
    if (first[at] != start) continue;
    std::vector<vertex_id> cycle{at};
    for (vertex_id v = ends[at].parent; v != at; v = ends[v].parent) cycle.push_back(v);
    std::ranges::reverse(cycle);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    return cycle;
  }
  return {};
}

template <class Weight>
class bellman_ford_search {
 public:
  explicit bellman_ford_search(const graph_view& g) : go_(g) {}

  bellman_ford_result run(std::optional<vertex_id> source, const progress_hook& progress);

 private:
  // Sums of integers are exact up to 2^53.
  static constexpr double k_most =
      std::is_integral_v<Weight> ? 9'007'199'254'740'992 : std::numeric_limits<double>::max();
  static constexpr const char* k_inexact =
      std::is_integral_v<Weight>
          ? "shortest paths: the length of a path exceeds 2^53, up to which sums are exact"
          : "shortest paths: the length of a path exceeds what a double holds";

  void start(std::optional<vertex_id> source) const;
  round_sums collect_offers() const;
  void offer(std::uint32_t round) const;
  reach_sums reach() const;

  traversal go_;
  scoped_array<path_end> ends_ = go_.values<path_end>();
  scoped_per_core<offering_vertices> lists_;
};

/// Sets the length of the source to 0; without a source, that of every vertex.
template <class Weight>
void bellman_ford_search<Weight>::start(std::optional<vertex_id> source) const {
  go_.vertex_map(k_fill, ends_.handle(), [source, lists = lists_.handle()](vertex_id v, path_end& end) {
    end = {path_end::k_far, k_no_vertex, 0};
    if (source && v != *source) return;
    end = {0, v, 0};
    lists.here().changed.push_back(v);
  });
}

/// Collects the changed vertices and their lengths, which the next round proposes.
template <class Weight>
round_sums bellman_ford_search<Weight>::collect_offers() const {
  return go_.core_reduce<round_sums>([ends = ends_.handle(), lists = lists_.handle()] {
    offering_vertices& mine = lists.here();
    const std::span<const path_end> own = ends.local();
    round_sums sums{mine.changed.size(), false};
    mine.offers.clear();
    for (const vertex_id v : mine.changed) {
      const double length = own[v - ends.local_begin()].length;
      sums.is_inexact |= std::abs(length) > k_most;
      mine.offers.emplace_back(v, length);
    }
    mine.changed.clear();
    return sums;
  });
}

/// Proposes paths along the arcs of the changed vertices.
template <class Weight>
void bellman_ford_search<Weight>::offer(std::uint32_t round) const {
  on_all_cores([round, g = go_.graph(), ends = ends_.handle(), lists = lists_.handle()] {
    const adjacency& rows = g.out;
    const Weight* const weights = g.weights == weight_type::none ? nullptr : rows.weights_as<Weight>();
    offering_vertices& mine = lists.here();
    const std::span<path_end> own = ends.local();
    const std::uint64_t first = ends.local_begin();
    scan_meter meter(k_push);
    for (const auto& [v, length] : mine.offers) {
      ++meter.rows;
      meter.arcs += rows.degree(v);
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        const vertex_id n = rows.targets[i];
        const double to = length + static_cast<double>(weights == nullptr ? Weight{1} : weights[i]);
        if (n - first >= own.size())
          ends.async(n, take_remotely{lists, to, n, v, round});
        else if (own[n - first].take(to, v, round))
          mine.changed.push_back(n);
      }
    }
  });
}

template <class Weight>
reach_sums bellman_ford_search<Weight>::reach() const {
  return go_.core_reduce<reach_sums>([rows = adjacency(go_.graph().out), ends = ends_.handle()] {
    reach_sums mine;
    auto v = static_cast<vertex_id>(ends.local_begin());
    pass_over(k_pass, ends.local(), [&](const path_end& end) {
      if (end.parent != k_no_vertex)
        mine.add({1, rows.degree(v), end.length, false});
      else
        mine.is_beyond |= end.round == path_end::k_beyond;
      ++v;
    });
    return mine;
  });
}

template <class Weight>
bellman_ford_result bellman_ford_search<Weight>::run(std::optional<vertex_id> source,
                                                     const progress_hook& progress) {
  const std::uint64_t begin = machine::now_ns();
  bellman_ford_result r;
  r.found.source = source.value_or(k_no_vertex);
  start(source);
  round_sums now;
  while ((now = collect_offers()).changed != 0 && !now.is_inexact) {
    const std::uint64_t round = ++r.found.steps;
    offer(static_cast<std::uint32_t>(round));
    report(progress, "sssp", round, 0);
    if (!std::has_single_bit(round) && round != go_.graph().vertices) continue;
    r.cycle = cycle_of(copy_of(ends_.handle()));
    if (!r.cycle.empty()) break;
  }
  const std::vector<path_end> ends = copy_of(ends_.handle());
  if (r.cycle.empty()) r.cycle = cycle_of(ends);
  r.found.seconds = machine::seconds_since(begin);
  if (!r.cycle.empty()) return r;
  const reach_sums sums = reach();
  if (now.is_inexact || sums.is_beyond) throw error(k_inexact);
  r.found.reached = sums.reached;
  r.found.edges = go_.graph().directed ? sums.edges : sums.edges / 2;
  r.found.farthest = sums.farthest;
  r.lengths.reserve(ends.size());
  r.parents.reserve(ends.size());
  for (const path_end& end : ends) {
    r.lengths.push_back(end.length);
    r.parents.push_back(end.parent);
  }
  return r;
}

}  // namespace

bellman_ford_result bellman_ford(const graph_view& g, std::optional<vertex_id> source,
                                 const progress_hook& progress) {
  GOSSAMER_ASSERT(!source || *source < g.vertices);
  if (g.weights != weight_type::none)
    if (const auto bad = find_boundless_weight(g))
      throw vertex_error(
          {{fmt::format("shortest paths: expected finite weights, found {} at vertex ", bad->weight),
            bad->from}});
  if (g.weights == weight_type::none) return bellman_ford_search<std::uint32_t>(g).run(source, progress);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return bellman_ford_search<Weight>(g).run(source, progress);
  });
}

}  // namespace gossamer::graph
