// Brandes' algorithm with all cores on one source.
//
// Algorithm: per source, forward: breadth-first levels and sigma(v), the number of shortest paths to v.
//   Backward, from the deepest level: delta(v) = sigma(v) * sum over successors w of (1 + delta(w)) /
//   sigma(w), added to the sum of every vertex but the source [U. Brandes, "A Faster Algorithm for
//   Betweenness Centrality", J. Mathematical Sociology 2001]. A small level pushes its path counts to the
//   owners of the neighbours by messages (path 1). A large one is pulled: every unvisited vertex sums the
//   counts of its neighbours in the frontier (path 2). The backward pass always pulls.
// Encoding: each core lists the vertices it owns level by level (`order`). sigma is 0 until a path is found;
//   counts are doubles, exact to 2^53. Once a level is done, its sigma is replaced by the quotient
//   (1 + delta) / sigma, all that the level above asks for. What is pulled comes from `active_values`: sigma or
//   quotient of the one level that matters, 0 elsewhere; so there is no test per edge, whose outcome the
//   processor could not predict.
// Phases: pulling reads `active_values` in place and writes sigma and sum of the piece; between, the owners move
//   `active_values` on to the next level. Each process has all of it: of a level, which is most often a small part
//   of the vertices, the others are sent 12 bytes a vertex.
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/search_rows.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_pull_blocks_per_piece =
    4;  // pulling: pieces of 2048 vertices, dealt out dynamically
constexpr std::uint64_t k_level_grain = 256;  // accumulating: vertices per piece, dealt out dynamically
constexpr std::uint64_t k_push_cost = 4;  // an edge pushed costs about as much as so many pulled

/// The visited vertices of one core, by level; `unlisted` collects the level that is being pushed.
struct core_levels {
  std::vector<vertex_id> order;
  std::vector<std::uint64_t> begin;  // level l is order[begin[l] .. begin[l + 1])
  std::vector<vertex_id> unlisted;
  std::uint64_t out_edges = 0, in_edges = 0;  // of the newest level

  std::span<const vertex_id> level(std::size_t l) const {
    return {order.data() + begin[l], order.data() + begin[l + 1]};
  }
};

using words = array<std::uint64_t>;
using core_lists = per_core<core_levels>;

/// The owner of w counts the paths that reach it through one neighbour. In handlers and in loops.
struct add_paths {
  double paths;
  core_lists lists;
  vertex_id w;
  const std::uint64_t* seen;  // w may have been visited before, which another process does not know
  void operator()(double& sigma) const {
    if (test_bit(seen, w)) return;
    if (sigma == 0) lists.here().unlisted.push_back(w);
    sigma += paths;
  }
};

class search {
 public:
  explicit search(const graph_view& g)
      : g_(g),
        bounds_(core_bounds(g)),
        blocks_(grouped_bounds(bounds_, k_vertex_alignment)),
        sigma_(g.vertices, by_boundaries(bounds_)),
        active_values_(g.vertices, by_boundaries(bounds_)),
        sum_(g.vertices, by_boundaries(bounds_)),
        visited_(words_of(g.vertices), by_boundaries(grouped_bounds(bounds_, k_word_bits))) {}

  void count_paths(vertex_id source);
  void accumulate();
  std::vector<double> sums() const { return copy_of(sum_.handle()); }

 private:
  static constexpr auto k_nothing = static_cast<std::size_t>(-1);

  void clear();
  void list_unlisted();
  void push(std::size_t level);
  void pull();
  void carry(std::size_t level);
  void replicate(std::size_t level);
  template <class F>
  void for_level(std::size_t level, F f) const;
  struct level_facts {
    std::uint64_t vertices, out_edges, in_edges;
  };
  level_facts newest_level() const;

  graph_view g_;
  std::vector<std::uint64_t> bounds_, blocks_;
  scoped_array<double> sigma_, active_values_, sum_;
  scoped_array<std::uint64_t> visited_;  // every listed vertex
  scoped_per_core<core_levels> lists_;
  scoped_per_process<std::vector<vertex_id>> replicas_;  // of other processes, not 0 in `active_values_`
  std::size_t depth_ = 0;  // levels listed
  std::size_t active_level_ = k_nothing;  // whose values `active_values_` has
};

void search::clear() {
  on_all_cores(
      [sigma = sigma_.handle(), visited = visited_.handle(), lists = lists_.handle(), n = g_.vertices] {
        fill(sigma.local(), 0);
        scan_meter meter(k_fill);
        meter.rows = sigma.local().size();
        std::ranges::fill(visited.local(), 0);
        // The bits behind the last vertex count as visited.
        const std::span<std::uint64_t> own = visited.local();
        if (n % k_word_bits != 0 && !own.empty() && visited.local_begin() + own.size() == words_of(n)) {
          own.back() = ~std::uint64_t{0} << (n % k_word_bits);
        }
        core_levels& mine = lists.here();
        mine.order.clear();
        mine.unlisted.clear();
        mine.begin.assign(1, 0);
      });
  depth_ = 0;
}

/// Ends a level: what was found becomes the newest listed level, and visited.
void search::list_unlisted() {
  on_all_cores(
      [out = adjacency(g_.out), in = adjacency(g_.in), visited = visited_.handle(), lists = lists_.handle()] {
        core_levels& mine = lists.here();
        const std::span<std::uint64_t> own = visited.local();
        const std::uint64_t first = visited.local_begin();
        mine.out_edges = mine.in_edges = 0;
        pass_over(k_pass, mine.unlisted, [&](vertex_id v) { own[v / k_word_bits - first] |= bit_of(v); });
        pass_over(k_pass, mine.unlisted, [&](vertex_id v) {
          mine.out_edges += out.degree(v);
          mine.in_edges += in.degree(v);
        });
        mine.order.insert(mine.order.end(), mine.unlisted.begin(), mine.unlisted.end());
        mine.begin.push_back(mine.order.size());
        mine.unlisted.clear();
      });
  ++depth_;
}

search::level_facts search::newest_level() const {
  level_facts all{0, 0, 0};
  for (const level_facts& one : collect(lists_.handle(), [](core_levels& c) {
         return level_facts{c.level(c.begin.size() - 2).size(), c.out_edges, c.in_edges};
       })) {
    all.vertices += one.vertices;
    all.out_edges += one.out_edges;
    all.in_edges += one.in_edges;
  }
  return all;
}

/// Makes `level` the active level. Owners reset the active values of the previous level to 0. Then they set
/// those of `level` to sigma (or quotient).
void search::carry(std::size_t level) {
  on_all_cores([from = active_level_, to = level, sigma = sigma_.handle(),
                active_values = active_values_.handle(), lists = lists_.handle()] {
    const std::span<const double> values = sigma.local();
    const std::span<double> own = active_values.local();
    const std::uint64_t first = sigma.local_begin();
    if (from != k_nothing)
      pass_over(k_pass, lists.here().level(from), [&](vertex_id v) { own[v - first] = 0; });
    if (to != k_nothing)
      pass_over(k_pass, lists.here().level(to), [&](vertex_id v) { own[v - first] = values[v - first]; });
  });
  active_level_ = level;
  if (processes() > 1) replicate(level);
}

struct level_part {
  std::span<const double> values;
  std::span<const vertex_id> vertices;
};

/// Returns the values of a level, then its vertices, as bytes.
std::vector<std::byte> packed(std::span<const core_levels* const> cores, std::size_t level,
                              const double* values) {
  std::size_t n = 0;
  for (const core_levels* c : cores) n += c->level(level).size();
  std::vector<std::byte> bytes(n * (sizeof(double) + sizeof(vertex_id)));
  auto* value = reinterpret_cast<double*>(bytes.data());
  auto* vertex = reinterpret_cast<vertex_id*>(value + n);
  for (const core_levels* c : cores)
    for (const vertex_id v : c->level(level)) {
      *value++ = values[v];
      *vertex++ = v;
    }
  return bytes;
}
level_part unpacked(std::span<const std::byte> bytes) {
  const std::size_t n = bytes.size() / (sizeof(double) + sizeof(vertex_id));
  const auto* const values = reinterpret_cast<const double*>(bytes.data());
  return {{values, n}, {reinterpret_cast<const vertex_id*>(values + n), n}};
}

/// Sends the owners' `active_values` of `level` to all processes that cannot read them in place, where they replace the
/// previous ones.
void search::replicate(std::size_t level) {
  on_all_processes([level, lists = lists_.handle(), active_values = elements_of(active_values_),
                    old = replicas_.handle()] {
    std::vector<vertex_id>& replicas = old.here();
    for (const vertex_id v : replicas) active_values[v] = 0;
    replicas.clear();
    if (level == k_nothing) return;
    std::vector<const core_levels*> cores;
    for (core_id c = 0; c < local::cores(); ++c) cores.push_back(&lists.at(first_core(process()) + c));
    std::vector<std::vector<std::byte>> parts(processes(), packed(cores, level, active_values));
    for (unsigned p = 0; p < processes(); ++p)
      if (memory::lies_here(first_core(p))) parts[p].clear();
    for (const auto& bytes : exchange(std::move(parts))) {
      const level_part part = unpacked(bytes);
      for (std::size_t i = 0; i < part.vertices.size(); ++i) active_values[part.vertices[i]] = part.values[i];
      replicas.insert(replicas.end(), part.vertices.begin(), part.vertices.end());
    }
  });
}

/// Calls f(v) for each vertex of a level. Each core starts with its own and takes pieces from other cores of
/// its process.
template <class F>
void search::for_level(std::size_t level, F f) const {
  on_all_processes([level, f, lists = lists_.handle()] {
    const auto starts = std::make_unique<std::vector<std::uint64_t>>(1, 0);  // cores reach it: on the heap
    const core_id first = first_core(process());
    for (core_id c = 0; c < local::cores(); ++c)
      starts->push_back(starts->back() + lists.at(first + c).level(level).size());
    local::forall_chunks(*starts, k_level_grain,
                         [level, f, lists, first, all = starts.get()](std::uint64_t b, std::uint64_t e) {
                           const std::vector<std::uint64_t>& start = *all;
                           auto c =
                               static_cast<core_id>(std::ranges::upper_bound(start, b) - start.begin() - 1);
                           for (; b < e; ++c) {
                             const std::span<const vertex_id> part = lists.at(first + c).level(level);
                             const std::uint64_t last = std::min(e, start[c + 1]);
                             for (; b < last; ++b) f(part[b - start[c]]);
                           }
                         });
  });
}

void search::push(std::size_t level) {
  on_all_cores(
      [level, g = g_, sigma = sigma_.handle(), lists = lists_.handle(), seen = elements_of(visited_)] {
        const std::span<double> own = sigma.local();
        const std::uint64_t first = sigma.local_begin();
        const vertex_range local = own_vertices(g);
        const adjacency& out = g.out;
        scan_meter meter(k_push);
        for (vertex_id v : lists.here().level(level)) {
          const double paths = own[v - first];
          scan_row(meter, directed_adjacency{out}, v, [&](vertex_id w) {
            if (local.has(w) && test_bit(seen, w)) return;
            if (w - first < own.size())
              add_paths{paths, lists, w, seen}(own[w - first]);
            else
              sigma.async(w, add_paths{paths, lists, w, seen});
          });
        }
      });
}

/// Counts for every unvisited vertex the paths from the level of the active values.
void search::pull() {
  forall_chunks(blocks_, k_pull_blocks_per_piece,
                [in = puller(g_.in, g_.arcs), n = g_.vertices, sigma = elements_of(sigma_),
                 visited = elements_of(visited_),
                 active_values = elements_of(active_values_)](std::uint64_t begin, std::uint64_t end) {
                  constexpr std::uint64_t words_per_block = k_vertex_alignment / k_word_bits;
                  const std::uint64_t last = std::min(end * words_per_block, words_of(n));
                  scan_meter meter(k_pull);
                  for (std::uint64_t w = begin * words_per_block; w < last; ++w) {
                    meter.rows += static_cast<unsigned>(std::popcount(~visited[w]));
                    for_each_bit(~visited[w], w, [&](std::uint64_t v) {
                      sigma[v] = in.sum(active_values, static_cast<vertex_id>(v));
                      meter.arcs += in.arcs(v, v + 1);
                    });
                  }
                });
  on_all_cores([sigma = sigma_.handle(), visited = visited_.handle(), lists = lists_.handle()] {
    const std::span<const double> own = sigma.local();
    const std::uint64_t first = sigma.local_begin();
    std::uint64_t w = visited.local_begin();
    scan_meter meter(k_pass);
    for (std::uint64_t word : visited.local()) {
      meter.rows += static_cast<unsigned>(std::popcount(~word));
      for_each_bit(~word, w++, [&](std::uint64_t v) {
        if (own[v - first] != 0) lists.here().unlisted.push_back(static_cast<vertex_id>(v));
      });
    }
  });
}

void search::count_paths(vertex_id source) {
  clear();
  sigma_.call(source, [lists = lists_.handle(), source](double& sigma) {
    sigma = 1;
    lists.here().unlisted.push_back(source);
  });
  list_unlisted();
  level_facts now = newest_level();
  std::uint64_t unvisited_edges = g_.arcs - now.in_edges;
  while (now.vertices > 0) {
    const std::size_t newest = depth_ - 1;
    if (now.out_edges * k_push_cost > unvisited_edges) {
      carry(newest);
      pull();
    } else {
      push(newest);
    }
    list_unlisted();
    now = newest_level();
    unvisited_edges -= now.in_edges;
  }
  carry(k_nothing);
}

void search::accumulate() {
  // The last listed level is empty: it ended the search. The one before has no successors, so delta is 0.
  for (std::size_t level = depth_ - 1; level-- > 0;) {
    for_level(level, [out = puller(g_.out, g_.arcs), is_source = level == 0, sigma = elements_of(sigma_),
                      sum = elements_of(sum_), active_values = elements_of(active_values_)](vertex_id v) {
      scan_meter meter(k_pull);
      meter.rows = 1;
      meter.arcs = out.arcs(v, v + 1);
      const double delta = sigma[v] * out.sum(active_values, v);
      sigma[v] = (1 + delta) / sigma[v];
      if (!is_source) sum[v] += delta;
    });
    carry(level);
  }
  carry(k_nothing);
}

}  // namespace

std::vector<double> dependencies_by_levels(const graph_view& g, std::span<const vertex_id> sources,
                                           const progress_hook& progress) {
  if (g.vertices == 0) return {};
  search s(g);
  std::uint64_t done = 0;
  for (vertex_id source : sources) {
    s.count_paths(source);
    report(progress, "betweenness", done, sources.size());
    s.accumulate();
    report(progress, "betweenness", ++done, sources.size());
  }
  return s.sums();
}

}  // namespace gossamer::graph
