// Brandes' algorithm with all cores on one source.
//
// Algorithm: per source, forward: breadth-first levels and sigma(v), the number of shortest paths to v.
//   Backward, from the deepest level: delta(v) = sigma(v) * sum over successors w of (1 + delta(w)) /
//   sigma(w), added to the sum of every vertex but the source [U. Brandes, "A Faster Algorithm for
//   Betweenness Centrality", J. Mathematical Sociology 2001]. A small level pushes its path counts to the
//   owners of the neighbours by messages (path 1). A large one is pulled: every unvisited vertex sums the
//   counts of its neighbours in the frontier (path 2). The backward pass always pulls.
// Encoding: each core lists the vertices it owns level by level (vertex_levels). sigma is 0 until a path is
//   found; counts are doubles, exact to 2^53. Once a level is complete, its sigma is replaced by the quotient
//   (1 + delta) / sigma, which is all that the level above needs. Pulling reads `active_values`: sigma or
//   quotient of the active level, and 0 elsewhere. So an edge needs no test, which would be a branch that the
//   processor cannot predict.
// Phases: pulling reads `active_values` in place, and writes sigma and sum of the chunk. Between two levels,
//   the owners move `active_values` to the next level. Each process has a copy of it; for each vertex of the
//   level, 12 bytes are sent to the other processes. A level is most often a small part of the vertices.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/path_count.hpp"
#include "gossamer/graph/engine/edge_map.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_level_grain = 256;  // accumulating: vertices per chunk, dealt out dynamically
constexpr std::uint64_t k_push_cost = 4;  // pushing along an edge costs about as much as so many pulls
// If a level is more than so many times as large as the next one, only predecessors of the next one pull.
constexpr std::uint64_t k_marks_from = 8;

using core_lists = vertex_levels::core_lists;

/// Adds the paths that reach w through one neighbour, at the owner of w.
struct add_paths {
  const std::uint64_t* seen;  // bits of visited vertices; the sending process may not know that w is visited
  bool operator()(double& sigma, vertex_id w, double paths) const {
    if (test_bit(seen, w)) return false;
    const bool is_first = sigma == 0;
    sigma += paths;
    return is_first;
  }
};

/// Counts the shortest paths to the vertices of the next level.
struct count_paths_step {
  array<double> values;  // sigma
  add_paths push;
  puller in;
  const double* active;
  static constexpr bool k_asks_front = false;
  static constexpr scan_cost k_pull_cost = k_pull;

  double offer(vertex_id, double sigma) const { return sigma; }
  template <class Front>
  bool pull(double& sigma, vertex_id w, Front& front) const {
    sigma = in.sum(active, w);
    front.arcs += in.arcs(w, w + 1);
    return sigma != 0;
  }
};

class search {
 public:
  explicit search(const graph_view& g)
      : g_(g),
        go_(g, {.pull_over = k_push_cost, .pull_over_nodes = k_push_cost}),
        levels_(go_, directed_adjacency{g.in}, vertex_levels::keeps::all_levels),
        sigma_(go_.values<double>()),
        active_values_(go_.values<double>()),
        sum_(go_.values<double>()),
        marks_(go_.values<std::uint8_t>()) {}

  void count_paths(vertex_id source);
  void accumulate();
  std::vector<double> sums() const { return copy_of(sum_.handle()); }
  /// Adds the data from which a later start continues, between two sources.
  void keep(checkpoint& work) const { work.add("sums", sum_.handle()); }

 private:
  static constexpr auto k_nothing = static_cast<std::size_t>(-1);

  void activate_level(std::size_t level);
  void mark_predecessors(std::size_t level);
  void replicate(std::size_t level);
  template <class F>
  void for_level(std::size_t level, F f) const;

  graph_view g_;
  traversal go_;
  vertex_levels levels_;
  scoped_array<double> sigma_, active_values_, sum_;
  scoped_array<std::uint8_t> marks_;  // 1: may have a successor. Old marks stay: their vertices pull 0
  scoped_per_process<std::vector<vertex_id>> replicas_;  // vertices of others with values in `active_values_`
  std::size_t active_level_ = k_nothing;  // the level whose values `active_values_` has
};

/// Makes `level` the active level. Owners reset the active values of the previous level to 0. Then they set
/// those of `level` to sigma (or quotient).
void search::activate_level(std::size_t level) {
  on_all_cores([from = active_level_, to = level, sigma = sigma_.handle(),
                active_values = active_values_.handle(), lists = levels_.lists()] {
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
std::vector<std::byte> packed(std::span<const core_lists* const> cores, std::size_t level,
                              const double* values) {
  std::size_t n = 0;
  for (const core_lists* c : cores) n += c->level(level).size();
  std::vector<std::byte> bytes(n * (sizeof(double) + sizeof(vertex_id)));
  auto* value = reinterpret_cast<double*>(bytes.data());
  auto* vertex = reinterpret_cast<vertex_id*>(value + n);
  for (const core_lists* c : cores)
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

/// Sends the owners' `active_values` of `level` to all processes that cannot read them in place. There they
/// replace those of the previous level.
void search::replicate(std::size_t level) {
  on_all_processes([level, lists = levels_.lists(), active_values = elements_of(active_values_),
                    old = replicas_.handle()] {
    std::vector<vertex_id>& replicas = old.here();
    for (const vertex_id v : replicas) active_values[v] = 0;
    replicas.clear();
    if (level == k_nothing) return;
    std::vector<const core_lists*> cores;
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

/// Calls f(v) for each vertex of a level. Each core starts with its own and takes chunks from other cores of
/// its process.
template <class F>
void search::for_level(std::size_t level, F f) const {
  on_all_processes([level, f, lists = levels_.lists()] {
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

void search::count_paths(vertex_id source) {
  levels_.clear([sigma = sigma_.handle()] { fill(sigma.local(), 0); });
  const directed_adjacency out{g_.out}, in{g_.in};
  levels_.start(out, sigma_.handle(), source, 1.0);
  const count_paths_step step{
      sigma_.handle(), {elements_of(levels_.visited())}, puller(g_.in, g_.arcs), elements_of(active_values_)};
  while (levels_.size() > 0) {
    if (levels_.pulls_next(go_)) activate_level(levels_.sizes().size());
    edge_map(go_, out, in, levels_, step);
  }
  activate_level(k_nothing);
}

/// Marks the vertices with an arc to a vertex of the level.
void search::mark_predecessors(std::size_t level) {
  on_all_cores([level, in = adjacency(g_.in), lists = levels_.lists(), marks = marks_.handle()] {
    scan_meter meter(k_push);
    for (const vertex_id w : lists.here().level(level)) {
      ++meter.rows;
      meter.arcs += in.degree(w);
      for (const vertex_id v : in[w]) marks.async(v, [](std::uint8_t& mark) { mark = 1; });
    }
  });
}

void search::accumulate() {
  const std::span<const std::uint64_t> sizes = levels_.sizes();
  for (std::size_t level = sizes.size(); level-- > 0;) {
    // The last level has no successors, so delta is 0.
    const bool is_last = level + 1 == sizes.size();
    const bool uses_marks = is_last || sizes[level + 1] * k_marks_from < sizes[level];
    if (uses_marks && !is_last) mark_predecessors(level + 1);
    for_level(level, [out = puller(g_.out, g_.arcs), is_source = level == 0, is_last, uses_marks,
                      sigma = elements_of(sigma_), sum = elements_of(sum_), marks = elements_of(marks_),
                      active_values = elements_of(active_values_)](vertex_id v) {
      if (!(sigma[v] <= k_most_paths)) [[unlikely]]
        sum[v] = std::numeric_limits<double>::quiet_NaN();
      if (uses_marks && (is_last || marks[v] == 0)) {
        sigma[v] = 1 / sigma[v];
        return;
      }
      scan_meter meter(k_pull);
      meter.rows = 1;
      meter.arcs = out.arcs(v, v + 1);
      const double delta = sigma[v] * out.sum(active_values, v);
      sigma[v] = (1 + delta) / sigma[v];
      if (!is_source) sum[v] += delta;
    });
    activate_level(level);
  }
  activate_level(k_nothing);
}

}  // namespace

std::vector<double> dependencies_by_levels(const graph_view& g, std::span<const vertex_id> sources,
                                           kept_sources& kept, const progress_hook& progress) {
  if (g.vertices == 0) return {};
  search s(g);
  std::uint64_t done = 0;
  s.keep(kept.work);
  kept.work.add("sources", &done);
  (void)kept.work.restore();
  kept.before = done;
  for (const vertex_id source : sources.subspan(done)) {
    s.count_paths(source);
    report(progress, "betweenness", done, sources.size());
    s.accumulate();
    ++done;
    if (kept.work.is_due()) kept.work.save();
    report(progress, "betweenness", done, sources.size());
  }
  return s.sums();
}

}  // namespace gossamer::graph
