#pragma once
// The engine: kernels use it to visit the vertices and arcs of a graph, in one process, in several, and
// simulated. It distributes values of vertices like their rows, assigns chunks to cores, sends operations to
// the owners of vertices, and charges a simulation for the data read. A kernel only defines the operation on
// a vertex.
//
//   traversal go(g);
//   auto left = go.values<std::uint32_t>();
//   go.vertex_map(k_pass, left.handle(), [rows](vertex_id v, std::uint32_t& n) { n = rows.degree(v); });
//   go.edge_map(rows, left.handle(), subset, [](std::uint32_t& n, vertex_id) { return --n == 0; });

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/then_always.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/engine/vertex_subset.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Traverses a graph. By the main fiber; every function suspends until all cores are done. With several processes making one is collective.
class traversal {
 public:
  /// Divides the vertices into one block per core, with equal numbers of edges.
  explicit traversal(const graph_view& g, const traversal_policy& policy = {})
      : graph_(g),
        policy_(policy),
        bounds_(core_bounds(g)),
        blocks_(grouped_bounds(bounds_, k_vertex_alignment)) {}

  /// Returns the graph.
  const graph_view& graph() const { return graph_; }
  /// Returns the boundaries of the cores' blocks.
  const std::vector<std::uint64_t>& bounds() const { return bounds_; }
  /// Returns the boundaries in blocks of k_vertex_alignment vertices, for forall_chunks().
  const std::vector<std::uint64_t>& blocks() const { return blocks_; }
  /// Returns the thresholds.
  const traversal_policy& policy() const { return policy_; }

  /// Makes a zeroed T for each vertex, owned by the core that owns its row.
  template <class T>
  scoped_array<T> values() const {
    return scoped_array<T>(graph_.vertices, by_boundaries(bounds_));
  }

  /// Calls f(v, value of v) for each vertex, at its owner.
  template <class T, class F>
  void vertex_map(const scan_cost& cost, const array<T>& values, F f) const {
    on_all_cores([f, values, cost] {
      auto v = static_cast<vertex_id>(values.local_begin());
      pass_over(cost, values.local(), [&](T& value) { f(v++, value); });
    });
  }

  /// Calls f(vertices, sums, meter) for ranges of up to k_vertex_alignment vertices, on any core of the
  /// process that has their rows: idle cores take chunks. Adds up the sums by Sums::add(Sums), in an order
  /// that differs from run to run; sum reals by exact_sum. f adds the rows and arcs that it reads to the
  /// meter.
  template <class Sums, class F>
  Sums block_reduce(const scan_cost& cost, F f) const {
    return summed<Sums>([&] {
      forall_chunks(
          blocks_, k_blocks_per_chunk,
          [f, n = graph_.vertices, slots = sums_.handle(), cost](std::uint64_t begin, std::uint64_t end) {
            Sums mine = slots.here().template get<Sums>();
            scan_meter meter(cost);
            for (std::uint64_t b = begin; b < end; ++b) {
              const vertex_range some{b * k_vertex_alignment, std::min((b + 1) * k_vertex_alignment, n)};
              meter.rows += some.size();
              f(some, mine, meter);
            }
            slots.here().set(mine);
          });
    });
  }

  /// Calls f() on every core, and adds up the results by Sums::add(Sums).
  template <class Sums, class F>
  Sums core_reduce(F f) const {
    return summed<Sums>([&] { on_all_cores([f, slots = sums_.handle()] { slots.here().set(Sums(f())); }); });
  }

  /// Follows the arcs of the subset's open vertices: calls visit(state of n, n) for each target n, at the owner of n. If visit returns
  /// true, n joins the subset. Vertices that a core adds to its own list meanwhile are expanded in the same call; vertices that other cores
  /// add stay open. The order is arbitrary.
  template <class Rows, class T, class Visit>
  void edge_map(const Rows& rows, const array<T>& state, const vertex_subset& from, Visit visit) const {
    on_all_cores([rows, state, lists = from.lists(), visit] {
      const std::span<T> own = state.local();
      const std::uint64_t first = state.local_begin();
      vertex_subset::list& mine = lists.here();
      scan_meter meter(k_push);
      while (mine.done < mine.vertices.size())
        scan_row(meter, rows, mine.vertices[mine.done++], [&](vertex_id n) {
          if (n - first < own.size()) {
            if (visit(own[n - first], n)) mine.vertices.push_back(n);
          } else {
            state.async(n, visit_remotely<T, Visit>{lists, n, visit});
          }
        });
    });
  }

 private:
  static constexpr std::uint64_t k_blocks_per_chunk = 8;  // chunks of 4096 vertices, assigned dynamically

  /// The sums of a core in a loop. Reused by later loops: with several processes, making them would cost as
  /// much as a pass over a small graph.
  struct sum_words {
    bool has_any = false;
    std::uint64_t words[8] = {};

    template <class Sums>
    Sums get() const {
      Sums found{};
      if (has_any) std::memcpy(&found, words, sizeof found);
      return found;
    }
    template <class Sums>
    void set(const Sums& sums) {
      static_assert(sizeof sums <= sizeof words && std::is_trivially_copyable_v<Sums>,
                    "sums are sent as bytes");
      std::memcpy(words, &sums, sizeof sums);
      has_any = true;
    }
  };
  /// Runs a loop that leaves sums on the cores, and adds them up. Those of a loop that throws are dropped: the next loop begins anew.
  template <class Sums, class Loop>
  Sums summed(Loop loop) const {
    return then_always(loop, [this] { return take_sums<Sums>(); });
  }
  template <class Sums>
  Sums take_sums() const {
    Sums all{};
    for (const Sums& one : collect(sums_.handle(), [](sum_words& s) {
           const Sums found = s.template get<Sums>();
           s.has_any = false;
           return found;
         }))
      all.add(one);
    return all;
  }

  template <class T, class Visit>
  struct visit_remotely {
    per_core<vertex_subset::list> lists;
    vertex_id n;
    [[no_unique_address]] Visit visit;
    void operator()(T& state) const {
      if (visit(state, n)) lists.here().vertices.push_back(n);
    }
  };

  graph_view graph_;
  traversal_policy policy_;
  std::vector<std::uint64_t> bounds_, blocks_;
  scoped_per_core<sum_words> sums_;
};

}  // namespace gossamer::graph
