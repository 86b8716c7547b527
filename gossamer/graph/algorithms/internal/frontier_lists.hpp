#pragma once
// A frontier that is a list on every core, of its own vertices: the tuned one. Nothing is shared; the core that
// adopts a vertex has its row.
//
// A neighbour of its own a core adopts itself, any other it ships to the owner, which adopts it if no core did
// before (path 1: `parent` has one writer, so there are no atomics). Those that were visited before this level it leaves
// out, where it can read that in place: of its process and its neighbours on the node.

#include <algorithm>
#include <utility>
#include <vector>

#include "gossamer/graph/algorithms/internal/search_rows.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/store/internal/partition.hpp"

namespace gossamer::graph {

/// Collective over all cores; main fiber. direction_optimising.hpp calls it, level by level.
template <class Rows>
class list_frontier {
 public:
  struct arguments {};
  list_frontier(const search_state<Rows>& s, arguments) : state_(s) {}

  /// Returns a function that clears each core's state of the previous search.
  auto cleaner(const array<std::uint64_t>&) const {
    return [frontier = frontier_.handle()] { frontier.here().next.clear(); };
  }
  /// Adopts the vertex that a search begins with.
  void start(vertex_id source);
  /// Goes from `size` vertices, the frontier, to their neighbours.
  void top_down(std::uint64_t size);
  /// Makes what was adopted the frontier, and visited; sets the facts.
  void advance();
  void to_bitmap(const array<std::uint64_t>& front, std::uint64_t size);
  /// Adopts again; with advance() they are the frontier.
  void from_bitmap(const array<std::uint64_t>& front);

 private:
  struct lists {
    std::vector<vertex_id> now, next;
  };

  /// The owner of n adopts it for v. In handlers and in loops over own vertices.
  class adopt {
   public:
    adopt(per_core<lists> frontier, vertex_id n, vertex_id v) : frontier_(frontier), n_(n), v_(v) {}
    void operator()(vertex_id& parent) const {
      if (parent != k_no_vertex) return;
      parent = v_;
      frontier_.here().next.push_back(n_);
    }

   private:
    per_core<lists> frontier_;
    vertex_id n_, v_;
  };

  search_state<Rows> state_;
  scoped_per_core<lists> frontier_;
};

template <class Rows>
void list_frontier<Rows>::start(vertex_id source) {
  state_.parent.call(source, [frontier = frontier_.handle(), source](vertex_id& parent) {
    adopt{frontier, source, source}(parent);
  });
}

/// Estimates the edges from a sample of degrees.
template <class Rows>
void list_frontier<Rows>::advance() {
  on_all_cores([s = state_, frontier = frontier_.handle()] {
    lists& mine = frontier.here();
    std::swap(mine.now, mine.next);
    mine.next.clear();
    const std::span<std::uint64_t> own = s.visited.local();
    const std::uint64_t first = s.visited.local_begin();
    pass_over(k_pass, mine.now, [&](vertex_id v) { own[v / k_word_bits - first] |= bit_of(v); });
    const std::uint64_t step = mine.now.size() / k_degrees_sampled + 1;
    std::uint64_t degrees = 0, sampled = 0;
    for (std::uint64_t i = 0; i < mine.now.size(); i += step, ++sampled)
      degrees += s.forward.degree(mine.now[i]);
    s.facts.here() = {mine.now.size(), sampled == 0 ? 0 : degrees * mine.now.size() / sampled};
  });
}

template <class Rows>
void list_frontier<Rows>::top_down(std::uint64_t) {
  on_all_cores([g = state_.graph, rows = state_.forward, parent = state_.parent,
                seen = elements_of(state_.visited), frontier = frontier_.handle()] {
    const std::span<vertex_id> own = parent.local();
    const std::uint64_t first = parent.local_begin();
    const vertex_range near = vertices_here(g);
    const std::vector<vertex_id>& now = frontier.here().now;
    scan_meter meter(k_top_down);
    for (vertex_id v : now) {
      scan_row(meter, rows, v, [&](vertex_id n) {
        if (n - first < own.size()) {
          adopt{frontier, n, v}(own[n - first]);
        } else if (!near.has(n) || !test_bit(seen, n)) {
          parent.async(n, adopt{frontier, n, v});
        }
      });
    }
  });
}

template <class Rows>
void list_frontier<Rows>::to_bitmap(const array<std::uint64_t>& front, std::uint64_t) {
  on_all_cores([front, frontier = frontier_.handle()] {
    const std::span<std::uint64_t> own = front.local();
    const std::uint64_t first = front.local_begin();
    std::ranges::fill(own, 0);
    pass_over(k_pass, frontier.here().now, [&](vertex_id v) { own[v / k_word_bits - first] |= bit_of(v); });
  });
}

template <class Rows>
void list_frontier<Rows>::from_bitmap(const array<std::uint64_t>& front) {
  on_all_cores([front, frontier = frontier_.handle()] {
    lists& mine = frontier.here();
    std::uint64_t w = front.local_begin();
    mine.next.clear();
    scan_meter meter(k_pass);
    for (std::uint64_t word : front.local())
      for_each_bit(word, w++, [&](std::uint64_t v) { mine.next.push_back(static_cast<vertex_id>(v)); });
    meter.rows = mine.next.size();
  });
}

}  // namespace gossamer::graph
