// Truss numbers by peeling.
//
// Algorithm: for k = 0, 1, ...: removes edges in at most k triangles until there are none; their truss
//   number is k + 2. A level consists of rounds. A round removes all edges at once whose number of
//   triangles has become k [H. Kabir, K. Madduri, "Parallel k-Truss Decomposition on Multicore Systems",
//   HPEC 2017]. A triangle is removed with its first edge, and its remaining edges lose it. If two of its
//   edges are removed in one round, the smaller one notifies the third. A level scans the remaining edges.
//   Over all levels that is at most the number of triangles of all edges plus two per edge, so no bucket
//   queue is needed.
// Encoding: edges are numbered by the smaller end, then by the larger one. The edge to a larger end is
//   found by its position in the row, one to a smaller end by a search in the other row. `support` counts
//   triangles of remaining edges, exact down to k. `round` is the round that removed an edge.
// Phases: rows and `round` are in every process, and are read in place. In a round only owners write the
//   support of their edges; losses of other edges are shipped. Between two rounds each core notifies the
//   other processes which of its edges are removed next.
#include "gossamer/graph/algorithms/truss.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr scan_cost k_common{10'000,
                             2'000};  // neighbours of one end that are searched among those of the other

/// The number of an edge.
using edge_number = std::uint64_t;

/// Calls f(place of n in a, place of n in b) for each n in both; a and b are ascending. Searches b for each n
/// of a, or merges a and b.
template <class F>
void for_each_common_of_fewer(std::span<const vertex_id> a, std::span<const vertex_id> b, bool searches,
                              F f) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < a.size() && at < b.size(); ++i) {
    if (searches)
      at = static_cast<std::size_t>(std::ranges::lower_bound(b.subspan(at), a[i]) - b.begin());
    else
      while (at < b.size() && b[at] < a[i]) ++at;
    if (at < b.size() && b[at] == a[i]) f(i, at);
  }
}

/// Does the same for rows of any lengths: chooses the method, and takes the shorter row as a.
template <class F>
void for_each_common(scan_meter& meter, std::span<const vertex_id> a, std::span<const vertex_id> b, F f) {
  constexpr std::size_t k_much_longer = 16;  // from this ratio on searching is faster than merging
  const std::size_t few = std::min(a.size(), b.size()), many = std::max(a.size(), b.size());
  const bool searches = many > few * k_much_longer;
  ++meter.rows;
  meter.arcs += searches ? few * k_much_longer : few + many;
  if (a.size() <= b.size())
    for_each_common_of_fewer(a, b, searches, f);
  else
    for_each_common_of_fewer(b, a, searches, [&f](std::size_t in_b, std::size_t in_a) { f(in_a, in_b); });
}

/// The data of the graph in each process.
struct edge_state {
  static constexpr vertex_id k_left = k_no_vertex;  // the round of an edge that is not removed

  whole_rows all;
  adjacency rows;
  buffer<edge_number> begin;  // by vertex: its edges to larger vertices; and the end
  buffer<vertex_id> round;  // by edge

  /// Returns the larger neighbours of a vertex, whose edges follow one another from begin[v] on.
  std::span<const vertex_id> larger(vertex_id v) const {
    return rows[v].last(static_cast<std::size_t>(begin[v + 1] - begin[v]));
  }
  /// Returns the smaller neighbours of a vertex.
  std::span<const vertex_id> smaller(vertex_id v) const {
    const std::span<const vertex_id> all_of_v = rows[v];
    return all_of_v.first(all_of_v.size() - static_cast<std::size_t>(begin[v + 1] - begin[v]));
  }
  /// Returns the number of an existing edge.
  edge_number edge(vertex_id low, vertex_id high) const {
    const std::span<const vertex_id> ends = larger(low);
    return begin[low] + static_cast<edge_number>(std::ranges::lower_bound(ends, high) - ends.begin());
  }

  /// Calls f(edge of u and w, edge of v and w) for each common neighbour w of u < v.
  template <class F>
  void for_each_triangle(scan_meter& meter, vertex_id u, vertex_id v, F f) const {
    for_each_common(meter, larger(u), larger(v),
                    [&](std::size_t in_u, std::size_t in_v) { f(begin[u] + in_u, begin[v] + in_v); });
    for_each_common(meter, larger(u), smaller(v),
                    [&](std::size_t in_u, std::size_t) { f(begin[u] + in_u, edge(larger(u)[in_u], v)); });
    for_each_common(meter, smaller(u), smaller(v), [&](std::size_t in_u, std::size_t) {
      const vertex_id w = smaller(u)[in_u];
      f(edge(w, u), edge(w, v));
    });
  }
};

/// The edges of a core.
struct peeled_edges {
  std::vector<edge_number> rest;  // edges that were not removed when a level scanned them last
  std::vector<edge_number> current, next;  // edges that this round removes, and the next one
};

class truss_peeling {
 public:
  explicit truss_peeling(const graph_view& g) : g_(g), go_(g), most_(go_.values<vertex_id>()) {}

  truss_result run(const progress_hook& progress);

 private:
  struct level_sums {
    std::uint64_t taken = 0;
    vertex_id least = k_no_vertex;  // the fewest triangles of a remaining edge
    void add(const level_sums& other) {
      taken += other.taken;
      least = std::min(least, other.least);
    }
  };

  /// Removes a triangle from an edge, at the owner of the edge.
  struct remove_triangle {
    per_core<peeled_edges> edges;
    vertex_id k;
    void operator()(vertex_id& support, edge_number e) const {
      if (support > k && --support == k) edges.here().next.push_back(e);
    }
  };

  void number_edges();
  void count_triangles();
  level_sums begin_level(vertex_id k, vertex_id round);
  void take(vertex_id k, vertex_id round);
  std::uint64_t next_round(vertex_id round);
  void find_most();

  graph_view g_;
  traversal go_;
  scoped_array<vertex_id> most_;  // by vertex: the last round in which one of its edges was removed
  scoped_array<vertex_id> support_;  // by edge
  scoped_per_process<edge_state> state_;
  scoped_per_core<peeled_edges> edges_;
};

/// Copies the rows to every process, and numbers the edges.
void truss_peeling::number_edges() {
  on_all_processes([g = g_, state = state_.handle()] {
    edge_state& mine = state.here();
    mine.all.take(g, g.out);
    mine.rows = mine.all.all();
    mine.begin = buffer<edge_number>(g.vertices + 1);
    edge_number all = 0;
    scan_meter meter(k_pass);
    meter.rows = g.vertices;
    for (std::uint64_t i = 0; i < g.vertices; ++i) {
      const auto v = static_cast<vertex_id>(i);
      const std::span<const vertex_id> row = mine.rows[v];
      mine.begin[v] = all;
      all += static_cast<edge_number>(row.end() - std::ranges::upper_bound(row, v));
    }
    mine.begin[g.vertices] = all;
    mine.round = buffer<vertex_id>(all);
    fill(mine.round.all(), edge_state::k_left);
  });
  std::vector<std::uint64_t> bounds;
  for (const std::uint64_t v : go_.bounds()) bounds.push_back(state_.here().begin[v]);
  support_ = scoped_array<vertex_id>(bounds.back(), by_boundaries(bounds));
}

/// Counts the triangles of each edge.
void truss_peeling::count_triangles() {
  constexpr std::uint64_t k_rows_at_once = 64;
  forall_chunks(go_.bounds(), k_rows_at_once,
                [state = state_.handle(), support = elements_of(support_.handle())](std::uint64_t begin,
                                                                                    std::uint64_t end) {
                  const edge_state& all = state.here();
                  scan_meter meter(k_common);
                  for (std::uint64_t i = begin; i < end; ++i) {
                    const auto u = static_cast<vertex_id>(i);
                    edge_number e = all.begin[u];
                    for (const vertex_id v : all.larger(u)) {
                      vertex_id found = 0;
                      for_each_common(meter, all.rows[u], all.rows[v],
                                      [&](std::size_t, std::size_t) { ++found; });
                      support[e++] = found;
                    }
                  }
                });
  on_all_cores([support = support_.handle(), edges = edges_.handle()] {
    std::vector<edge_number>& rest = edges.here().rest;
    rest.resize(support.local().size());
    std::iota(rest.begin(), rest.end(), support.local_begin());
  });
}

/// Notifies every process that a round removes these edges of this core.
void notify_processes(per_process<edge_state> state, std::span<const edge_number> edges, vertex_id round) {
  const auto set = [state, round](std::span<const edge_number> some) {
    vertex_id* const all = state.here().round.data();
    for (const edge_number e : some) all[e] = round;
  };
  set(edges);
  if (edges.empty()) return;
  for (unsigned p = 0; p < processes(); ++p)
    if (p != process())
      async_on(
          first_core(p),
          [set](std::span<const std::byte> bytes) {
            set({reinterpret_cast<const edge_number*>(bytes.data()), bytes.size() / sizeof(edge_number)});
          },
          std::as_bytes(edges));
}

/// Adds the remaining edges with at most k triangles to the first round of a level.
truss_peeling::level_sums truss_peeling::begin_level(vertex_id k, vertex_id round) {
  return go_.core_reduce<level_sums>(
      [k, round, support = support_.handle(), state = state_.handle(), edges = edges_.handle()] {
        const std::span<const vertex_id> own = support.local();
        const std::uint64_t first = support.local_begin();
        const vertex_id* const rounds = state.here().round.data();
        peeled_edges& mine = edges.here();
        level_sums sums;
        mine.current.clear();
        scan_meter meter(k_pass);
        meter.rows = mine.rest.size();
        std::erase_if(mine.rest, [&](edge_number e) {
          if (rounds[e] != edge_state::k_left) return true;
          const vertex_id n = own[e - first];
          if (n <= k)
            mine.current.push_back(e);
          else
            sums.least = std::min(sums.least, n);
          return n <= k;
        });
        sums.taken = mine.current.size();
        notify_processes(state, mine.current, round);
        return sums;
      });
}

/// Removes the edges of a round.
void truss_peeling::take(vertex_id k, vertex_id round) {
  on_all_cores([k, round, support = support_.handle(), state = state_.handle(), edges = edges_.handle()] {
    const std::span<vertex_id> own = support.local();
    const std::uint64_t first = support.local_begin();
    const edge_state& all = state.here();
    const remove_triangle remove{edges, k};
    const auto lose_triangle = [&](edge_number e) {
      if (e - first < own.size())
        remove(own[e - first], e);
      else
        support.async(e, remove);
    };
    scan_meter meter(k_common);
    for (const edge_number e : edges.here().current) {
      const auto u =
          static_cast<vertex_id>(std::ranges::upper_bound(all.begin.all(), e) - all.begin.all().begin() - 1);
      const vertex_id v = all.larger(u)[static_cast<std::size_t>(e - all.begin[u])];
      all.for_each_triangle(meter, u, v, [&](edge_number one, edge_number other) {
        const vertex_id of_one = all.round[one], of_other = all.round[other];
        if (of_one < round || of_other < round) return;  // the triangle was removed before
        if (of_one > round && (of_other > round || e < other)) lose_triangle(one);
        if (of_other > round && (of_one > round || e < one)) lose_triangle(other);
      });
    }
  });
}

/// Adds the edges whose count has become k to the next round. Returns their number.
std::uint64_t truss_peeling::next_round(vertex_id round) {
  return go_
      .core_reduce<level_sums>([round, state = state_.handle(), edges = edges_.handle()] {
        peeled_edges& mine = edges.here();
        std::swap(mine.current, mine.next);
        mine.next.clear();
        notify_processes(state, mine.current, round);
        return level_sums{mine.current.size(), k_no_vertex};
      })
      .taken;
}

/// Finds the round in which the last edge of each vertex was removed. 0: it has none.
void truss_peeling::find_most() {
  go_.vertex_map(k_pass, most_.handle(), [state = state_.handle()](vertex_id v, vertex_id& most) {
    const edge_state& all = state.here();
    for (edge_number e = all.begin[v]; e < all.begin[v + 1]; ++e) most = std::max(most, all.round[e]);
    for (const vertex_id n : all.smaller(v)) most = std::max(most, all.round[all.edge(n, v)]);
  });
}

truss_result truss_peeling::run(const progress_hook& progress) {
  truss_result r;
  const std::uint64_t begin = machine::now_ns();
  number_edges();
  count_triangles();
  report(progress, "truss", 0, 0);
  std::vector<vertex_id> truss_of{0};  // by round
  vertex_id round = 0;
  for (vertex_id k = 0; k != k_no_vertex;) {
    const level_sums now = begin_level(k, round + 1);
    if (now.taken == 0) {
      k = now.least;
      continue;
    }
    r.innermost = 0;
    for (std::uint64_t taken = now.taken; taken != 0; taken = next_round(round + 1)) {
      take(k, ++round);
      truss_of.push_back(k + 2);
      r.innermost += taken;
    }
    r.largest = 2 + k++;
    report(progress, "truss", ++r.levels, 0);
  }
  find_most();
  r.seconds = machine::seconds_since(begin);
  r.truss = copy_of(most_.handle());
  for (vertex_id& each : r.truss) each = truss_of[each];
  const std::span<const vertex_id> rounds = state_.here().round.all();
  r.edges.assign(rounds.begin(), rounds.end());
  for (vertex_id& each : r.edges) each = truss_of[each];
  return r;
}

}  // namespace

truss_result truss_numbers(const graph_view& g, const progress_hook& progress) {
  if (g.directed) throw error("truss: expected an undirected graph, found a directed one");
  if (g.vertices == 0) return {};
  return truss_peeling(g).run(progress);
}

}  // namespace gossamer::graph
