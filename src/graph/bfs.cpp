// Direction-optimising breadth-first search.
//
// Algorithm: level by level; each level in the direction that looks at fewer edges
//   [S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012].
//   top-down:  every core walks its part of the frontier. A neighbour of its own it adopts itself,
//              any other that was not visited before this level it ships to the owner, who adopts it
//              if nobody did before (path 1: `parent` has one writer, so there are no atomics).
//   bottom-up: every unvisited vertex looks for a neighbour in the frontier and stops at the first.
//              The frontier is a frozen bitmap (path 2), the pieces are lent to idle cores.
// Encoding: parent[v] is k_no_vertex until v is adopted. `visited` has a bit for every vertex adopted
//   in an earlier level or without incoming edges, so a finished word costs one comparison. The
//   frontier is a queue per core (its own vertices) top-down and the bitmap `front` bottom-up.
// Phases: what a phase writes (parent, queues; bottom-up: next, visited of the piece) no other core
//   reads in it; what cores read of each other (front; top-down: visited) is written in phases between.
#include "gossamer/graph/bfs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "bits.hpp"

namespace gossamer::graph {

namespace {

// Beamer's thresholds: go bottom-up when the frontier has more than 1/alpha of the unexplored edges, back
// when it is shrinking and below 1/beta of the vertices.
constexpr std::uint64_t k_alpha = 15;
constexpr std::uint64_t k_beta = 18;

constexpr std::uint64_t k_blocks_per_piece = 8;     // pieces of 4096 vertices
constexpr std::uint64_t k_degrees_sampled = 512;    // per core, to estimate the edges of a frontier

struct core_frontier {
  std::vector<vertex_id> now, next;
  std::uint64_t found = 0;  // vertices adopted in this level by this core
  std::uint64_t edges = 0;  // estimated out-degrees of `now`
};

using words = array<std::uint64_t>;
using queues = per_core<core_frontier>;

/// The owner of n adopts it for v. In handlers and in loops over own vertices.
struct adopt {
  vertex_id n, v;
  queues frontier;
  void operator()(vertex_id& parent) const {
    if (parent != k_no_vertex) return;
    parent = v;
    frontier.here().next.push_back(n);
  }
};

void clear_search(const array<vertex_id>& parent, const words& visited, const words& idle, const queues& frontier) {
  on_all_cores([=] {
    std::ranges::fill(parent.local(), k_no_vertex);
    std::ranges::copy(idle.local(), visited.local().begin());
    frontier.here().now.clear();
    frontier.here().next.clear();
  });
}

/// Makes `next` the frontier and its vertices visited; estimates its edges from a sample of degrees.
void advance(const adjacency& out, const words& visited, const queues& frontier) {
  on_all_cores([=] {
    core_frontier& mine = frontier.here();
    std::swap(mine.now, mine.next);
    mine.next.clear();
    const std::span<std::uint64_t> own = visited.local();
    const std::uint64_t first = visited.local_begin();
    for (vertex_id v : mine.now) own[v / k_word_bits - first] |= bit_of(v);
    mine.found = mine.now.size();
    const std::uint64_t step = mine.now.size() / k_degrees_sampled + 1;
    std::uint64_t sum = 0, sampled = 0;
    for (std::uint64_t i = 0; i < mine.now.size(); i += step, ++sampled) sum += out.degree(mine.now[i]);
    mine.edges = sampled == 0 ? 0 : sum * mine.now.size() / sampled;
  });
}

void top_down(const adjacency& out, const array<vertex_id>& parent, const frozen<std::uint64_t>& visited,
              const queues& frontier) {
  on_all_cores([=] {
    const std::span<vertex_id> own = parent.local();
    const std::uint64_t first = parent.local_begin();
    const std::uint64_t* const seen = visited.data();
    for (vertex_id v : frontier.here().now) {
      for (vertex_id n : out[v]) {
        if (n - first < own.size()) {
          adopt{n, v, frontier}(own[n - first]);
        } else if (!test_bit(seen, n)) {
          parent.async(n, adopt{n, v, frontier});
        }
      }
    }
  });
}

void queues_to_bitmap(const queues& frontier, const words& front) {
  on_all_cores([=] {
    const std::span<std::uint64_t> own = front.local();
    const std::uint64_t first = front.local_begin();
    std::ranges::fill(own, 0);
    for (vertex_id v : frontier.here().now) own[v / k_word_bits - first] |= bit_of(v);
  });
}

void bitmap_to_queues(const words& front, const queues& frontier) {
  on_all_cores([=] {
    core_frontier& mine = frontier.here();
    const std::span<std::uint64_t> own = front.local();
    const std::uint64_t first = front.local_begin();
    mine.next.clear();
    for (std::uint64_t w = 0; w < own.size(); ++w) {
      for_each_bit(own[w], first + w, [&](std::uint64_t v) { mine.next.push_back(static_cast<vertex_id>(v)); });
    }
  });
}

/// One bottom-up level. Pieces are counted in blocks of k_vertex_alignment vertices: a piece owns whole words.
void bottom_up(const adjacency& in, std::uint64_t vertices, const std::vector<std::uint64_t>& blocks,
               const array<vertex_id>& parents, const words& seen, const words& front_bits, const words& next_bits,
               const queues& frontier) {
  const frozen<std::uint64_t> front_view = front_bits.freeze();
  forall_chunks(blocks, k_blocks_per_piece, [=](std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t words_per_block = k_vertex_alignment / k_word_bits;
    vertex_id* const parent = lent(parents);
    std::uint64_t* const visited = lent(seen);
    std::uint64_t* const next = lent(next_bits);
    const std::uint64_t* const front = front_view.data();
    std::uint64_t found = 0;
    const std::uint64_t last = std::min(end * words_per_block, words_of(vertices));
    for (std::uint64_t w = begin * words_per_block; w < last; ++w) {
      std::uint64_t adopted = 0;
      for_each_bit(~visited[w], w, [&](std::uint64_t v) {
        for (vertex_id u : in[static_cast<vertex_id>(v)]) {
          if (test_bit(front, u)) {
            parent[v] = u;
            adopted |= bit_of(v);
            break;
          }
        }
      });
      next[w] = adopted;
      visited[w] |= adopted;
      found += static_cast<unsigned>(std::popcount(adopted));
    }
    frontier.here().found += found;
  });
  front_bits.thaw();
}

std::uint64_t sum_found(const scoped_per_core<core_frontier>& frontier) {
  return frontier.fold(std::uint64_t{0}, [](std::uint64_t a, const core_frontier& c) { return a + c.found; });
}

}  // namespace

struct bfs::state {
  explicit state(const graph_view& graph)
      : g(graph),
        bounds(equal_edge_bounds(g.in, g.vertices, cores())),
        blocks(grouped_bounds(bounds, k_vertex_alignment)),
        parent(g.vertices, by_boundaries(bounds)),
        visited(bitmap()),
        idle(bitmap()),
        front(bitmap()),
        next(bitmap()) {
    mark_idle();
  }
  scoped_array<std::uint64_t> bitmap() const {
    return scoped_array<std::uint64_t>(words_of(g.vertices), by_boundaries(grouped_bounds(bounds, k_word_bits)));
  }

  /// Vertices that can never be reached, and the bits behind the last vertex.
  void mark_idle() {
    on_all_cores([in = g.in, n = g.vertices, bits = idle.handle()] {
      const std::span<std::uint64_t> own = bits.local();
      for (std::uint64_t w = 0; w < own.size(); ++w) {
        for (std::uint64_t v = (bits.local_begin() + w) * k_word_bits, i = 0; i < k_word_bits; ++i, ++v) {
          if (v >= n || in.degree(static_cast<vertex_id>(v)) == 0) own[w] |= bit_of(v);
        }
      }
    });
  }

  std::uint64_t frontier_edges() const {
    return frontier.fold(std::uint64_t{0}, [](std::uint64_t a, const core_frontier& c) { return a + c.edges; });
  }
  std::uint64_t expand_top_down() {
    top_down(g.out, parent, visited.freeze(), frontier);
    visited.thaw();
    advance(g.out, visited, frontier);
    return sum_found(frontier);
  }
  std::uint64_t expand_bottom_up() {
    for (core_id c = 0; c < cores(); ++c) frontier.at(c).found = 0;
    bottom_up(g.in, g.vertices, blocks, parent, visited, front, next, frontier);
    std::swap(front, next);
    return sum_found(frontier);
  }

  /// Levels of the search from `source`, one number each.
  std::vector<std::uint64_t> search(vertex_id source, const progress_hook& progress);
  std::uint64_t reached_edges() const;

  graph_view g;
  std::vector<std::uint64_t> bounds, blocks;
  scoped_array<vertex_id> parent;
  scoped_array<std::uint64_t> visited, idle, front, next;
  scoped_per_core<core_frontier> frontier;
};

std::vector<std::uint64_t> bfs::state::search(vertex_id source, const progress_hook& progress) {
  clear_search(parent, visited, idle, frontier);
  frontier.at(parent.owner(source)).next.push_back(source);
  parent.write(source, source);
  advance(g.out, visited, frontier);

  std::vector<std::uint64_t> levels;
  std::uint64_t size = 1, unexplored = g.arcs;
  bool is_bottom_up = false;
  while (size > 0) {
    levels.push_back(size);
    report(progress, "bfs", levels.size(), 0);
    const std::uint64_t previous = size;
    if (!is_bottom_up) {
      const std::uint64_t edges = std::min(frontier_edges(), unexplored);
      is_bottom_up = edges > unexplored / k_alpha && size > 1;
      unexplored -= edges;
      if (is_bottom_up) queues_to_bitmap(frontier, front);
    }
    size = is_bottom_up ? expand_bottom_up() : expand_top_down();
    if (is_bottom_up && size > 0 && size < previous && size < g.vertices / k_beta) {
      bitmap_to_queues(front, frontier);
      advance(g.out, visited, frontier);
      is_bottom_up = false;
      // Beamer's alpha would send a tail back up again: what is left unexplored is not known any more.
      unexplored = ~std::uint64_t{0};
    }
  }
  return levels;
}

std::uint64_t bfs::state::reached_edges() const {
  scoped_per_core<std::uint64_t> sums;
  on_all_cores([out = g.out, parents = parent.handle(), slots = sums.handle()] {
    std::uint64_t sum = 0;
    auto v = static_cast<vertex_id>(parents.local_begin());
    for (vertex_id p : parents.local()) {
      if (p != k_no_vertex) sum += out.degree(v);
      ++v;
    }
    slots.here() = sum;
  });
  const std::uint64_t arcs = sums.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return g.directed ? arcs : arcs / 2;
}

bfs::bfs(const graph_view& g) : state_(std::make_unique<state>(g)) {}
bfs::~bfs() = default;

bfs_result bfs::run(vertex_id source, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < state_->g.vertices);
  bfs_result r;
  r.source = source;
  const std::uint64_t start = machine::now_ns();
  r.levels = state_->search(source, progress);
  r.seconds = static_cast<double>(machine::now_ns() - start) * 1e-9;
  for (std::uint64_t n : r.levels) r.reached += n;
  r.edges = state_->reached_edges();
  return r;
}

std::span<const vertex_id> bfs::parents() const {
  return {state_->parent.freeze().data(), static_cast<std::size_t>(state_->g.vertices)};
}

std::vector<vertex_id> levels_of(std::span<const vertex_id> parents, vertex_id source) {
  std::vector<vertex_id> level(parents.size(), k_no_vertex);
  if (source < parents.size()) level[source] = 0;
  std::vector<vertex_id> path;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    // Climb to the first vertex whose level is known, then number the path back down.
    auto at = static_cast<vertex_id>(v);
    while (parents[at] != k_no_vertex && level[at] == k_no_vertex) {
      path.push_back(at);
      at = parents[at];
    }
    for (; !path.empty(); path.pop_back()) {
      level[path.back()] = level[at] + 1;
      at = path.back();
    }
  }
  return level;
}

double harmonic_mean(std::span<const double> values) {
  double sum = 0;
  for (double x : values) {
    if (x <= 0) return 0;
    sum += 1 / x;
  }
  return values.empty() ? 0 : static_cast<double>(values.size()) / sum;
}

}  // namespace gossamer::graph
