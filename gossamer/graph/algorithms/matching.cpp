// A maximal matching, equal to that of a serial loop over the edges in a random order.
//
// Algorithm: in rounds, each free vertex finds its first edge whose other end is free; an edge that is the
//   first of both ends is taken [G. E. Blelloch, J. T. Fineman, J. Shun, "Greedy Sequential Maximal
//   Independent Set and Matching are Parallel on Average", SPAA 2012]. Vertices that have a mate, or whose
//   neighbours all have one, leave the rounds.
// Phases: in a round the set of matched vertices is frozen; then owners receive the first edges of
//   neighbours; then they match.
#include "gossamer/graph/algorithms/matching.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

struct matching_vertex {
  vertex_id first;  // the other end of the first free edge
  vertex_id mate;

  /// Matches this vertex with another one if their edge is the first of both.
  void match_if_mutual(vertex_id other) {
    if (first == other) mate = other;
  }
};

class matching_rounds {
 public:
  matching_rounds(const graph_view& g, const matching_options& options)
      : rows_{g.out},
        options_(options),
        go_(g),
        values_(go_.values<matching_vertex>()),
        taken_(words_of(g.vertices), by_boundaries(grouped_bounds(go_.bounds(), k_word_bits))) {}

  matching_result run(const progress_hook& progress) {
    matching_result r;
    const std::uint64_t begin = machine::now_ns();
    start();
    while (find_first() != 0) {
      propose();
      r.edges += close_matched() / 2;
      report(progress, "matching", ++r.rounds, 0);
    }
    r.seconds = machine::seconds_since(begin);
    r.mate = mates();
    return r;
  }

 private:
  struct count {
    std::uint64_t vertices = 0;
    void add(const count& other) { vertices += other.vertices; }
  };

  void start() {
    go_.vertex_map(k_pass, values_.handle(),
                   [rows = rows_, open = open_.handle()](vertex_id v, matching_vertex& mine) {
                     mine = {k_no_vertex, k_no_vertex};
                     if (rows.degree(v) != 0) open.here().push_back(v);
                   });
  }

  /// Finds the first free edge of each open vertex, and closes the vertices that have none. Returns the
  /// number of open vertices.
  std::uint64_t find_first() {
    const std::uint64_t* const taken = taken_.handle().freeze().data();
    const count found = go_.core_reduce<count>(
        [rows = rows_, options = options_, taken, values = values_.handle(), open = open_.handle()] {
          const std::span<matching_vertex> own = values.local();
          const std::uint64_t first = values.local_begin();
          scan_meter meter(k_bottom_up);
          std::erase_if(open.here(), [&](vertex_id v) {
            edge_place best{~std::uint64_t{0}, k_no_vertex, k_no_vertex};
            scan_row(meter, rows, v, [&](vertex_id n) {
              if (!test_bit(taken, n)) best = std::min(best, options.place(v, n));
            });
            own[v - first].first = best.low == v ? best.high : best.low;
            return best.low == k_no_vertex;
          });
          return count{open.here().size()};
        });
    taken_.handle().thaw();
    return found.vertices;
  }

  /// Notifies the other end of each vertex's first edge.
  void propose() {
    on_all_cores([values = values_.handle(), open = open_.handle()] {
      const std::span<matching_vertex> own = values.local();
      const std::uint64_t first = values.local_begin();
      scan_meter meter(k_push);
      meter.rows = open.here().size();
      for (const vertex_id v : open.here()) {
        const vertex_id n = own[v - first].first;
        if (n - first < own.size())
          own[n - first].match_if_mutual(v);
        else
          values.async(n, [v](matching_vertex& other) { other.match_if_mutual(v); });
      }
    });
  }

  /// Marks and closes the newly matched vertices. Returns their number.
  std::uint64_t close_matched() {
    return go_
        .core_reduce<count>([values = values_.handle(), taken = taken_.handle(), open = open_.handle()] {
          const std::span<const matching_vertex> own = values.local();
          const std::span<std::uint64_t> bits = taken.local();
          const std::uint64_t first = values.local_begin(), first_word = taken.local_begin();
          scan_meter meter(k_pass);
          meter.rows = open.here().size();
          count matched;
          std::erase_if(open.here(), [&](vertex_id v) {
            if (own[v - first].mate == k_no_vertex) return false;
            bits[v / k_word_bits - first_word] |= bit_of(v);
            ++matched.vertices;
            return true;
          });
          return matched;
        })
        .vertices;
  }

  std::vector<vertex_id> mates() {
    scoped_array<vertex_id> all = go_.values<vertex_id>();
    on_all_cores([all = all.handle(), values = values_.handle()] {
      scan_meter meter(k_pass);
      meter.rows = values.local().size();
      std::ranges::transform(values.local(), all.local().begin(), &matching_vertex::mate);
    });
    return copy_of(all.handle());
  }

  directed_adjacency rows_;
  matching_options options_;
  traversal go_;
  scoped_array<matching_vertex> values_;
  scoped_array<std::uint64_t> taken_;  // bits of the vertices that have a mate
  scoped_per_core<std::vector<vertex_id>> open_;  // own vertices that may still be matched
};

}  // namespace

matching_result maximal_matching(const graph_view& g, const matching_options& options,
                                 const progress_hook& progress) {
  if (g.directed) throw error("matching: expected an undirected graph, found a directed one");
  if (g.vertices == 0) return {};
  return matching_rounds(g, options).run(progress);
}

}  // namespace gossamer::graph
