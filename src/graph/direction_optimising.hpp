#pragma once
// Direction-optimising breadth-first search: the kernel that bfs.cpp and components.cpp share.
//
// Algorithm: level by level; each level in the direction that looks at fewer edges
//   [S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012].
//   top-down:  every core walks its part of the frontier. A neighbour of its own it adopts itself,
//              any other it ships to the owner, who adopts it if nobody did before (path 1: `parent` has
//              one writer, so there are no atomics). Those of its process that were visited before this
//              level it leaves out; what other processes have visited it does not know.
//   bottom-up: every unvisited vertex looks for a neighbour in the frontier and stops at the first.
//              The frontier is a frozen bitmap (path 2), the pieces are lent to idle cores. Other
//              processes get the bitmap in bulk: n/8 bytes a level, whatever the frontier.
// Encoding: parent[v] is k_no_vertex until v is adopted. `visited` has a bit for every vertex adopted
//   in an earlier level or without incoming edges, so a finished word costs one comparison. The
//   frontier is a queue per core (its own vertices) top-down and the bitmap `front` bottom-up.
// Phases: what a phase writes (parent, queues; bottom-up: next, visited of the piece) no other core
//   reads in it; what cores read of each other (front; top-down: visited) is written in phases between.

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/graph/progress.hpp"
#include "gossamer/graph/view.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "scan_cost.hpp"

namespace gossamer::graph {

/// The arcs that a search follows: of one direction, or of a directed graph as if it had none.
struct one_way {
  adjacency rows;

  std::uint64_t degree(vertex_id v) const { return rows.degree(v); }
  template <class F>
  void for_each(vertex_id v, F f) const {
    for (vertex_id n : rows[v]) f(n);
  }
  /// The first neighbour for which f holds, or k_no_vertex; adds how many were asked.
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& asked, F f) const {
    const auto row = rows[v];
    const auto found = std::ranges::find_if(row, f);
    asked += static_cast<std::uint64_t>(found - row.begin());
    return found == row.end() ? k_no_vertex : *found;
  }
  void prefetch(vertex_id v) const { __builtin_prefetch(rows.targets + rows.offsets[v]); }
};
struct both_ways {
  one_way out, in;

  std::uint64_t degree(vertex_id v) const { return out.degree(v) + in.degree(v); }
  template <class F>
  void for_each(vertex_id v, F f) const {
    out.for_each(v, f);
    in.for_each(v, f);
  }
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& asked, F f) const {
    const vertex_id n = out.find(v, asked, f);
    return n != k_no_vertex ? n : in.find(v, asked, f);
  }
  void prefetch(vertex_id v) const {
    out.prefetch(v);
    in.prefetch(v);
  }
};

/// Collective over all cores; main fiber. Rows: one_way or both_ways.
template <class Rows>
class direction_optimising {
 public:
  direction_optimising(const graph_view& g, const Rows& forward, const Rows& backward);

  /// Vertices of each level from `source`; stops early after max_levels.
  std::vector<std::uint64_t> run(vertex_id source, std::uint64_t max_levels, const progress_hook& progress);

  const std::vector<std::uint64_t>& bounds() const { return bounds_; }
  const std::vector<std::uint64_t>& blocks() const { return blocks_; }
  array<vertex_id> parents() const { return parent_.handle(); }
  /// Between runs: reached vertices, vertices without incoming edges, and the bits behind the last vertex.
  array<std::uint64_t> visited() const { return visited_.handle(); }
  array<std::uint64_t> idle() const { return idle_.handle(); }
  /// A vertex with the most edges backward. Needs a vertex.
  vertex_id widest() const;

 private:
  // Go bottom-up when the frontier has more than 1/alpha of the unexplored edges, back when it is shrinking
  // and below 1/beta of the vertices. An edge shipped to another process costs more than one in the process.
  static constexpr std::uint64_t k_alpha = 15, k_alpha_processes = 60;
  static constexpr std::uint64_t k_beta = 18;
  static constexpr std::uint64_t k_blocks_per_piece = 8;  // bottom-up pieces of 4096 vertices
  static constexpr std::uint64_t k_degrees_sampled = 512;  // per core, to estimate the edges of a frontier

  struct core_frontier {
    std::vector<vertex_id> now, next;
    std::uint64_t found = 0;  // vertices adopted in this level by this core
    std::uint64_t edges = 0;  // estimated degrees of `now`
    vertex_id widest = 0;  // own vertex with the most edges backward; 0 if there is none
    std::uint64_t most = 0;  // its edges
  };
  struct level_facts {
    std::uint64_t found, edges;
  };

  /// The owner of n adopts it for v. In handlers and in loops over own vertices.
  class adopt {
   public:
    adopt(per_core<core_frontier> frontier, vertex_id n, vertex_id v)
        : frontier_(frontier), n_(n), not_v_(~v) {}
    void operator()(vertex_id& parent) const {
      if (parent != k_no_vertex) return;
      parent = static_cast<vertex_id>(~not_v_);
      frontier_.here().next.push_back(n_);
    }

   private:
    per_core<core_frontier> frontier_;
    vertex_id n_, not_v_;  // complemented: side by side two ids could look like an address (check_captures)
  };

  scoped_array<std::uint64_t> make_bitmap() const {
    return scoped_array<std::uint64_t>(words_of(vertices_),
                                       by_boundaries(grouped_bounds(bounds_, k_word_bits)));
  }
  void mark_idle();
  void clear();
  void advance();
  void top_down();
  void bottom_up();
  void queues_to_bitmap();
  void bitmap_to_queues();
  level_facts take_facts();

  graph_view graph_;
  Rows forward_, backward_;
  std::uint64_t vertices_, arcs_;
  std::vector<std::uint64_t> bounds_, blocks_;
  scoped_array<vertex_id> parent_;
  scoped_array<std::uint64_t> visited_, idle_, front_, next_;
  scoped_per_core<core_frontier> frontier_;
};

template <class Rows>
direction_optimising<Rows>::direction_optimising(const graph_view& g, const Rows& forward,
                                                 const Rows& backward)
    : graph_(g),
      forward_(forward),
      backward_(backward),
      vertices_(g.vertices),
      arcs_(g.arcs),
      bounds_(core_bounds(g)),
      blocks_(grouped_bounds(bounds_, k_vertex_alignment)),
      parent_(g.vertices, by_boundaries(bounds_)),
      visited_(make_bitmap()),
      idle_(make_bitmap()),
      front_(make_bitmap()),
      next_(make_bitmap()) {
  mark_idle();
}

/// Vertices that can never be reached, and the bits behind the last vertex.
template <class Rows>
void direction_optimising<Rows>::mark_idle() {
  on_all_cores([rows = backward_, n = vertices_, idle = idle_.handle(), frontier = frontier_.handle()] {
    core_frontier& mine = frontier.here();
    scanned(k_pass, idle.local().size() * k_word_bits);
    std::uint64_t v = idle.local_begin() * k_word_bits;
    for (std::uint64_t& word : idle.local()) {
      for (const std::uint64_t end = v + k_word_bits; v < end; ++v) {
        const std::uint64_t degree = v < n ? rows.degree(static_cast<vertex_id>(v)) : 0;
        if (degree == 0) word |= bit_of(v);
        if (degree <= mine.most) continue;
        mine.most = degree;
        mine.widest = static_cast<vertex_id>(v);
      }
    }
  });
}

template <class Rows>
vertex_id direction_optimising<Rows>::widest() const {
  struct candidate {
    vertex_id vertex;
    std::uint64_t degree;
  };
  candidate best{0, 0};
  for (const candidate& c :
       collect(frontier_.handle(), [](core_frontier& f) { return candidate{f.widest, f.most}; }))
    if (c.degree > best.degree) best = c;
  return best.vertex;
}

/// Vertices found in this level, which begin again at 0, and the edges of the frontier; of all cores.
template <class Rows>
auto direction_optimising<Rows>::take_facts() -> level_facts {
  level_facts all{0, 0};
  for (const level_facts& one : collect(frontier_.handle(), [](core_frontier& c) {
         return level_facts{std::exchange(c.found, 0), c.edges};
       })) {
    all.found += one.found;
    all.edges += one.edges;
  }
  return all;
}

template <class Rows>
void direction_optimising<Rows>::clear() {
  on_all_cores([parent = parent_.handle(), visited = visited_.handle(), idle = idle_.handle(),
                frontier = frontier_.handle()] {
    scanned(k_fill, parent.local().size());
    std::ranges::fill(parent.local(), k_no_vertex);
    std::ranges::copy(idle.local(), visited.local().begin());
    frontier.here().next.clear();
    frontier.here().found = 0;
  });
}

/// Makes `next` the frontier and its vertices visited; estimates its edges from a sample of degrees.
template <class Rows>
void direction_optimising<Rows>::advance() {
  on_all_cores([rows = forward_, visited = visited_.handle(), frontier = frontier_.handle()] {
    core_frontier& mine = frontier.here();
    std::swap(mine.now, mine.next);
    mine.next.clear();
    const std::span<std::uint64_t> own = visited.local();
    const std::uint64_t first = visited.local_begin();
    scanned(k_pass, mine.now.size());
    for (vertex_id v : mine.now) own[v / k_word_bits - first] |= bit_of(v);
    mine.found = mine.now.size();
    const std::uint64_t step = mine.now.size() / k_degrees_sampled + 1;
    std::uint64_t degrees = 0, sampled = 0;
    for (std::uint64_t i = 0; i < mine.now.size(); i += step, ++sampled) degrees += rows.degree(mine.now[i]);
    mine.edges = sampled == 0 ? 0 : degrees * mine.now.size() / sampled;
  });
}

template <class Rows>
void direction_optimising<Rows>::top_down() {
  on_all_cores([g = graph_, rows = forward_, parent = parent_.handle(), seen = elements_of(visited_),
                frontier = frontier_.handle()] {
    const std::span<vertex_id> own = parent.local();
    const std::uint64_t first = parent.local_begin();
    const vertex_range near = own_vertices(g);
    const std::vector<vertex_id>& now = frontier.here().now;
    for (vertex_id v : now) {
      scanned(k_top_down, 1, rows.degree(v));
      rows.for_each(v, [&](vertex_id n) {
        if (n - first < own.size()) {
          adopt{frontier, n, v}(own[n - first]);
        } else if (!near.has(n) || !test_bit(seen, n)) {
          parent.async(n, adopt{frontier, n, v});
        }
      });
    }
  });
}

/// Pieces are counted in blocks of k_vertex_alignment vertices: a piece owns whole words.
template <class Rows>
void direction_optimising<Rows>::bottom_up() {
  forall_chunks(blocks_, k_blocks_per_piece,
                [rows = backward_, n = vertices_, parent = elements_of(parent_),
                 visited = elements_of(visited_), next = elements_of(next_), front_bits = front_.freeze(),
                 frontier = frontier_.handle()](std::uint64_t begin, std::uint64_t end) {
                  constexpr std::uint64_t words_per_block = k_vertex_alignment / k_word_bits;
                  const std::uint64_t* const front = front_bits.data();
                  std::uint64_t found = 0, vertices = 0, arcs = 0;
                  const std::uint64_t last = std::min(end * words_per_block, words_of(n));
                  for (std::uint64_t w = begin * words_per_block; w < last; ++w) {
                    std::uint64_t adopted = 0;
                    // Rows are short and looked at in part, so the processor does not see the next ones
                    // coming.
                    if (w + 1 < last) {
                      for_each_bit(~visited[w + 1], w + 1,
                                   [&](std::uint64_t v) { rows.prefetch(static_cast<vertex_id>(v)); });
                    }
                    vertices += static_cast<unsigned>(std::popcount(~visited[w]));
                    for_each_bit(~visited[w], w, [&](std::uint64_t v) {
                      const vertex_id u = rows.find(static_cast<vertex_id>(v), arcs,
                                                    [front](vertex_id x) { return test_bit(front, x); });
                      if (u == k_no_vertex) return;
                      parent[v] = u;
                      adopted |= bit_of(v);
                    });
                    next[w] = adopted;
                    visited[w] |= adopted;
                    found += static_cast<unsigned>(std::popcount(adopted));
                  }
                  frontier.here().found += found;
                  scanned(k_bottom_up, vertices, arcs);
                });
  front_.thaw();
  std::swap(front_, next_);
}

template <class Rows>
void direction_optimising<Rows>::queues_to_bitmap() {
  on_all_cores([front = front_.handle(), frontier = frontier_.handle()] {
    const std::span<std::uint64_t> own = front.local();
    const std::uint64_t first = front.local_begin();
    std::ranges::fill(own, 0);
    scanned(k_pass, frontier.here().now.size());
    for (vertex_id v : frontier.here().now) own[v / k_word_bits - first] |= bit_of(v);
  });
}

template <class Rows>
void direction_optimising<Rows>::bitmap_to_queues() {
  on_all_cores([front = front_.handle(), frontier = frontier_.handle()] {
    core_frontier& mine = frontier.here();
    std::uint64_t w = front.local_begin();
    mine.next.clear();
    for (std::uint64_t word : front.local()) {
      for_each_bit(word, w++, [&](std::uint64_t v) { mine.next.push_back(static_cast<vertex_id>(v)); });
    }
    scanned(k_pass, mine.next.size());
  });
}

template <class Rows>
std::vector<std::uint64_t> direction_optimising<Rows>::run(vertex_id source, std::uint64_t max_levels,
                                                           const progress_hook& progress) {
  clear();
  parent_.call(source, [frontier = frontier_.handle(), source](vertex_id& parent) {
    adopt{frontier, source, source}(parent);
  });
  advance();

  std::vector<std::uint64_t> levels;
  const std::uint64_t alpha = processes() > 1 ? k_alpha_processes : k_alpha;
  level_facts now = take_facts();
  std::uint64_t size = 1, unexplored = arcs_;
  bool is_bottom_up = false;
  while (size > 0 && levels.size() < max_levels) {
    levels.push_back(size);
    report(progress, "bfs", levels.size(), 0);
    const std::uint64_t previous = size;
    if (!is_bottom_up) {
      const std::uint64_t edges = std::min(now.edges, unexplored);
      is_bottom_up = edges > unexplored / alpha && size > 1;
      unexplored -= edges;
      if (is_bottom_up) queues_to_bitmap();
    }
    if (is_bottom_up) {
      bottom_up();
    } else {
      top_down();
      advance();
    }
    now = take_facts();
    size = now.found;
    if (is_bottom_up && size > 0 && size < previous && size < vertices_ / k_beta) {
      bitmap_to_queues();
      advance();
      now = take_facts();
      is_bottom_up = false;
      unexplored = ~std::uint64_t{0};  // a tail stays top-down: how much it leaves is not known any more
    }
  }
  return levels;
}

}  // namespace gossamer::graph
