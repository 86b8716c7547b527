#pragma once
// Direction-optimising breadth-first search whose frontier is one queue of the whole job. graph::bfs has a
// list on every core, and its engine selects the direction (gossamer/graph/engine/edge_map.hpp).
//
// Algorithm: level by level; each level in the direction that inspects fewer edges
//   [S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012].
//   top-down:  every vertex of the frontier offers itself to its neighbours, which take the first offer
//              (frontier_queue.hpp).
//   bottom-up: every unvisited vertex searches its neighbours for one in the frontier, and stops at the
//              first. The frontier is a frozen bitmap (path 2), idle cores take chunks. Other processes get
//              the bitmap in bulk: n/8 bytes a level, whatever the frontier.
// Encoding: parent[v] is k_no_vertex until v is adopted. `visited` has a bit for every vertex that is adopted
//   or has no incoming edges, so a finished word costs one comparison. The
//   frontier is the queue top-down, and the bitmap `front` bottom-up.
// Phases: while a phase writes data (parent, the frontier; bottom-up: next, and visited of its chunk), no
//   other core reads it. `front`, which cores read of each other, is written in other phases. Top-down,
//   others read `visited` while its owner writes it (frontier_queue.hpp).

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "studies/internal/frontier_queue.hpp"
#include "studies/internal/search_rows.hpp"

namespace gossamer::studies {

using namespace graph;

/// A direction-optimising search. Collective over all cores; by the main fiber. Rows: directed_adjacency or
/// symmetric_adjacency.
template <class Rows>
class direction_optimising {
 public:
  direction_optimising(const graph_view& g, const Rows& forward, const Rows& backward,
                       typename queue_frontier<Rows>::arguments arguments);

  /// Searches from `source` and returns the number of vertices of each level.
  std::vector<std::uint64_t> run(vertex_id source, const progress_hook& progress);

  array<vertex_id> parents() const { return parent_.handle(); }

 private:
  // Switches to bottom-up when the frontier has more than 1/alpha of the unexplored edges, and back when it
  // shrinks and is below 1/beta of the vertices. An edge to another node costs more than one within the node.
  static constexpr std::uint64_t k_alpha = 15, k_alpha_nodes = 60;
  static constexpr std::uint64_t k_beta = 18;
  static constexpr std::uint64_t k_blocks_per_chunk = 8;  // bottom-up chunks of 4096 vertices

  scoped_array<std::uint64_t> make_bitmap() const {
    return scoped_array<std::uint64_t>(words_of(vertices_),
                                       by_boundaries(grouped_bounds(bounds_, k_word_bits)));
  }
  void mark_idle();
  void clear();
  void bottom_up();
  level_statistics reduce_level_statistics();
  level_statistics advance();

  Rows backward_;
  std::uint64_t vertices_, arcs_;
  std::vector<std::uint64_t> bounds_, blocks_;
  scoped_array<vertex_id> parent_;
  scoped_array<std::uint64_t> visited_, idle_, front_, next_;
  scoped_per_core<level_statistics> statistics_;
  queue_frontier<Rows> frontier_;
};

template <class Rows>
direction_optimising<Rows>::direction_optimising(const graph_view& g, const Rows& forward,
                                                 const Rows& backward,
                                                 typename queue_frontier<Rows>::arguments arguments)
    : backward_(backward),
      vertices_(g.vertices),
      arcs_(g.arcs),
      bounds_(core_bounds(g)),
      blocks_(grouped_bounds(bounds_, k_vertex_alignment)),
      parent_(g.vertices, by_boundaries(bounds_)),
      visited_(make_bitmap()),
      idle_(make_bitmap()),
      front_(make_bitmap()),
      next_(make_bitmap()),
      frontier_({g, forward, parent_.handle(), visited_.handle(), statistics_.handle()}, arguments) {
  mark_idle();
}

/// Marks the vertices that can never be reached, and the bits behind the last vertex.
template <class Rows>
void direction_optimising<Rows>::mark_idle() {
  on_all_cores([rows = backward_, n = vertices_, idle = idle_.handle()] {
    scan_meter meter(k_pass);
    meter.rows = idle.local().size() * k_word_bits;
    std::uint64_t v = idle.local_begin() * k_word_bits;
    for (std::uint64_t& word : idle.local()) {
      const auto bits = static_cast<unsigned>(std::min<std::uint64_t>(k_word_bits, n - std::min(v, n)));
      std::uint64_t with_edges = 0;  // branch-free: whether a vertex has edges is hard to predict
      for (unsigned bit = 0; bit < bits; ++bit) {
        with_edges |= std::uint64_t{rows.degree(static_cast<vertex_id>(v + bit)) != 0} << bit;
      }
      word = ~with_edges;
      v += k_word_bits;
    }
  });
}

/// Sums the statistics of all cores: the vertices found in this level and the edges of the frontier. Resets
/// the vertices found to 0.
template <class Rows>
level_statistics direction_optimising<Rows>::reduce_level_statistics() {
  level_statistics all;
  for (const level_statistics& one : collect(statistics_.handle(), [](level_statistics& f) {
         return level_statistics{std::exchange(f.found, 0), f.edges};
       })) {
    all.found += one.found;
    all.edges += one.edges;
  }
  return all;
}

/// Makes the adopted vertices the frontier and returns its statistics. Enqueues them and sums the
/// statistics at the same time: both communicate with all processes.
template <class Rows>
level_statistics direction_optimising<Rows>::advance() {
  frontier_.advance();
  level_statistics all;
  finish([&] {
    spawn([this] { frontier_.enqueue_staged_vertices(); });
    all = reduce_level_statistics();
  });
  return all;
}

template <class Rows>
void direction_optimising<Rows>::clear() {
  on_all_cores([parent = parent_.handle(), visited = visited_.handle(), idle = idle_.handle(),
                statistics = statistics_.handle(), clean = frontier_.cleaner(front_.handle())] {
    fill(parent.local(), k_no_vertex);
    std::ranges::copy(idle.local(), visited.local().begin());
    statistics.here() = {};
    clean();
  });
}

/// Searches bottom-up for parents of the unvisited vertices. Counts chunks in blocks of k_vertex_alignment
/// vertices, so that a chunk owns whole words.
template <class Rows>
void direction_optimising<Rows>::bottom_up() {
  forall_chunks(blocks_, k_blocks_per_chunk,
                [rows = backward_, n = vertices_, parent = elements_of(parent_),
                 visited = elements_of(visited_), next = elements_of(next_), front_bits = front_.freeze(),
                 statistics = statistics_.handle()](std::uint64_t begin, std::uint64_t end) {
                  constexpr std::uint64_t words_per_block = k_vertex_alignment / k_word_bits;
                  const std::uint64_t* const front = front_bits.data();
                  std::uint64_t found = 0, vertices = 0, arcs = 0;
                  scan_meter meter(k_bottom_up);
                  const std::uint64_t last = std::min(end * words_per_block, words_of(n));
                  for (std::uint64_t w = begin * words_per_block; w < last; ++w) {
                    std::uint64_t adopted = 0;
                    // Rows are short and read only in part, so the hardware does not prefetch the next ones.
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
                  statistics.here().found += found;
                  meter.rows = vertices;
                  meter.arcs = arcs;
                });
  front_.thaw();
  std::swap(front_, next_);
}

template <class Rows>
std::vector<std::uint64_t> direction_optimising<Rows>::run(vertex_id source, const progress_hook& progress) {
  clear();
  frontier_.start(source);

  std::vector<std::uint64_t> levels;
  const std::uint64_t alpha = memory::all_lies_here() ? k_alpha : k_alpha_nodes;
  level_statistics now = advance();
  std::uint64_t size = 1, unexplored = arcs_;
  bool is_bottom_up = false;
  while (size > 0) {
    levels.push_back(size);
    report(progress, "bfs", levels.size(), 0);
    const std::uint64_t previous = size;
    if (!is_bottom_up) {
      const std::uint64_t edges = std::min(now.edges, unexplored);
      is_bottom_up = edges > unexplored / alpha && size > 1;
      unexplored -= edges;
      if (is_bottom_up) frontier_.to_bitmap(front_.handle(), size);
    }
    if (is_bottom_up) {
      bottom_up();
      now = reduce_level_statistics();
    } else {
      frontier_.top_down(size);
      now = advance();
    }
    size = now.found;
    if (is_bottom_up && size > 0 && size < previous && size < vertices_ / k_beta) {
      frontier_.from_bitmap(front_.handle());
      now = advance();
      is_bottom_up = false;
      unexplored = ~std::uint64_t{0};  // unknown: the remaining levels stay top-down
    }
  }
  return levels;
}

}  // namespace gossamer::studies
