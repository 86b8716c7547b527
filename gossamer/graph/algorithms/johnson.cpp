// Shortest paths from many vertices with weights of any sign.
//
// Algorithm: Bellman-Ford from all vertices at once gives each vertex a potential. The weight of an edge,
//   plus the potential of its start, minus that of its end, is 0 or more, so Dijkstra's algorithm uses
//   these reduced weights [D. B. Johnson, "Efficient Algorithms for Shortest Paths in Sparse Networks",
//   Journal of the ACM 1977]. Without negative weights the potentials are 0. Each core searches from one
//   source at a time; source i belongs to process i modulo their number.
// Encoding: lengths are sums of the original weights along the path, and are compared as such; potentials
//   only order the queue. So rounding changes only the order, and a vertex that is reached again by a
//   shorter path is processed again. Parents follow from the lengths: level by level along the edges on
//   shortest paths.
// Phases: rows, sources and potentials are written before the searches; each core writes rows of its own
//   sources.
#include "gossamer/graph/algorithms/johnson.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/bellman_ford.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/engine/length_heap.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/graph/store/weights.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

constexpr double k_far = std::numeric_limits<double>::infinity();
constexpr double k_most_whole = 9'007'199'254'740'992;  // 2^53
constexpr const char* k_what = "johnson";
constexpr std::uint64_t k_row_bytes = 3 * sizeof(vertex_id) + sizeof(double);  // of the result

struct found_path {
  vertex_id to, parent;
  double length;
};

/// The arrays of a core. reset() undoes the changes of the previous search.
struct path_space {
  std::vector<double> length;
  std::vector<vertex_id> level, parent;
  std::vector<vertex_id> reached, queue;
  length_heap<double> heap;
  std::vector<vertex_id> beyond;  // vertices to which the length of a path overflows a double
  std::uint64_t searched = 0;  // settled vertices of all searches

  void reserve(std::uint64_t vertices) {
    if (!length.empty()) return;
    length.assign(vertices, k_far);
    level.assign(vertices, k_no_vertex);
    parent.assign(vertices, k_no_vertex);
  }
  void reset() {
    for (const vertex_id v : reached) {
      length[v] = k_far;
      level[v] = parent[v] = k_no_vertex;
    }
    reached.clear();
    queue.clear();
    heap.clear();
    beyond.clear();
  }
};

/// A search from one source.
template <class Weight>
class path_search {
 public:
  path_search(path_space& space, const adjacency& rows, bool weighted, const std::vector<double>& potentials)
      : space_(space),
        rows_(rows),
        weights_(weighted ? rows.weights_as<Weight>() : nullptr),
        potentials_(potentials) {}

  std::vector<found_path> run(vertex_id source) {
    space_.reset();
    find_lengths(source);
    find_parents(source);
    return rows_found();
  }

 private:
  void find_lengths(vertex_id source);
  void shorten_in_rounds();
  void check_lengths() const;
  void find_parents(vertex_id source);
  bool shorten(vertex_id v, double length);
  std::vector<found_path> rows_found();

  /// Calls f(n, length) for each arc from v to a vertex n; length is that of the path to n by v.
  template <class F>
  void for_each_offer(vertex_id v, F f) {
    ++meter_.rows;
    meter_.arcs += rows_.degree(v);
    const double length = space_.length[v];
    for (std::uint64_t i = rows_.offsets[v]; i < rows_.offsets[v + 1]; ++i)
      f(rows_.targets[i], length + static_cast<double>(weights_ == nullptr ? Weight{1} : weights_[i]));
  }
  double key(vertex_id v) const { return space_.length[v] - potentials_[v]; }

  path_space& space_;
  const adjacency& rows_;
  const Weight* weights_;
  const std::vector<double>& potentials_;
  scan_meter meter_{k_push};
};

/// Stores the length of a path to v if it is shorter than the known one. Returns whether it is.
template <class Weight>
bool path_search<Weight>::shorten(vertex_id v, double length) {
  if (!(length < space_.length[v])) {
    if (length == k_far) space_.beyond.push_back(v);
    return false;
  }
  if (space_.length[v] == k_far) space_.reached.push_back(v);
  space_.length[v] = length;
  return true;
}

template <class Weight>
void path_search<Weight>::find_lengths(vertex_id source) {
  // Settlements per vertex, on average: one, but where potentials are so large that rounding makes keys equal.
  constexpr std::uint64_t k_again = 64;
  const std::uint64_t most = k_again * (potentials_.size() + 1);
  const auto offer = [this](vertex_id v, double length) {
    if (shorten(v, length)) space_.heap.push(key(v), v);
  };
  offer(source, 0);
  const std::uint64_t before = space_.searched;
  while (!space_.heap.empty()) {
    const auto [at, v] = space_.heap.pop();
    if (at != key(v)) continue;  // stale: a shorter path was found since
    if (++space_.searched - before > most) {
      space_.heap.clear();
      shorten_in_rounds();
      break;
    }
    for_each_offer(v, offer);
  }
  check_lengths();
}

/// Shortens lengths along the arcs of all changed vertices, round by round, as Bellman and Ford do: at most one
/// round for each vertex.
template <class Weight>
void path_search<Weight>::shorten_in_rounds() {
  std::vector<vertex_id> changed = space_.reached, next;
  std::vector<bool> is_next(potentials_.size());
  for (std::uint64_t round = 0; !changed.empty(); ++round) {
    if (round > potentials_.size())
      throw error("johnson: the sum of the weights of a cycle is 0 but for rounding");
    for (const vertex_id v : changed)
      for_each_offer(v, [&](vertex_id n, double length) {
        if (!shorten(n, length) || is_next[n]) return;
        is_next[n] = true;
        next.push_back(n);
      });
    for (const vertex_id v : next) is_next[v] = false;
    changed.swap(next);
    next.clear();
  }
}

/// Throws gossamer::error for a length that is not exact.
template <class Weight>
void path_search<Weight>::check_lengths() const {
  for (const vertex_id v : space_.beyond)
    if (space_.length[v] == k_far) throw error("johnson: the length of a path exceeds what a double holds");
  for (const vertex_id v : space_.reached)
    if (std::is_integral_v<Weight> ? std::abs(space_.length[v]) > k_most_whole
                                   : !std::isfinite(space_.length[v]))
      throw error(std::is_integral_v<Weight>
                      ? "johnson: the length of a path exceeds 2^53, up to which sums are exact"
                      : "johnson: the length of a path exceeds what a double holds");
}

template <class Weight>
void path_search<Weight>::find_parents(vertex_id source) {
  space_.level[source] = 0;
  space_.parent[source] = source;
  space_.queue.assign(1, source);
  for (std::size_t i = 0; i < space_.queue.size(); ++i) {
    const vertex_id v = space_.queue[i];
    const vertex_id level = space_.level[v] + 1;
    for_each_offer(v, [&](vertex_id n, double length) {
      if (length != space_.length[n]) return;
      if (space_.level[n] == k_no_vertex) {
        space_.level[n] = level;
        space_.parent[n] = v;
        space_.queue.push_back(n);
      } else if (space_.level[n] == level) {
        space_.parent[n] = std::min(space_.parent[n], v);
      }
    });
  }
  if (space_.queue.size() != space_.reached.size())
    throw error("johnson: the sum of the weights of a cycle is 0 but for rounding");
}

template <class Weight>
std::vector<found_path> path_search<Weight>::rows_found() {
  machine::require_chunk(space_.reached.size() * (sizeof(found_path) + k_row_bytes), k_what);
  std::ranges::sort(space_.reached);
  std::vector<found_path> found;
  found.reserve(space_.reached.size());
  for (const vertex_id v : space_.reached) found.push_back({v, space_.parent[v], space_.length[v]});
  return found;
}

/// The state of a process.
struct process_paths {
  whole_rows rows;
  std::vector<vertex_id> sources;
  std::vector<double> potentials;
  std::vector<std::vector<found_path>> found;  // by source
};

/// Copies all rows, sources and potentials to every process. Collective over the processes.
void share_work(process_paths& mine, const graph_view& g) {
  mine.rows.take(g, g.out, g.weights != weight_type::none);
  if (processes() > 1) {
    share_values(mine.sources);
    share_values(mine.potentials);
  }
  mine.found.resize(mine.sources.size());
}

/// Searches from the sources of [begin, end) that belong to this process.
void search_share(process_paths* mine, per_core<path_space> spaces, const graph_view& g, std::uint64_t begin,
                  std::uint64_t end) {
  const unsigned p = process(), all = processes();
  const auto before = [p, all](std::uint64_t n) { return (n + all - 1 - p) / all; };
  local::forall_chunks(
      before(begin), before(end), 1, [mine, spaces, g, p, all](std::uint64_t k, std::uint64_t last) {
        path_space& space = spaces.here();
        space.reserve(g.vertices);
        const auto search = [&]<class Weight>(std::type_identity<Weight>) {
          path_search<Weight> from(space, mine->rows.all(), g.weights != weight_type::none, mine->potentials);
          for (; k < last; ++k) mine->found[k * all + p] = from.run(mine->sources[k * all + p]);
        };
        if (g.weights == weight_type::none)
          search(std::type_identity<std::uint32_t>{});
        else
          with_weight_type(g.weights, search);
      });
}

/// Collects the rows of all processes in process 0. Collective over the processes.
void collect_paths(process_paths& mine) {
  if (processes() == 1) return;
  std::vector<found_path> own;
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t i = process(); i < mine.found.size(); i += processes()) {
    sizes.push_back(mine.found[i].size());
    own.insert(own.end(), mine.found[i].begin(), mine.found[i].end());
    mine.found[i] = {};
  }
  const auto all_sizes = to_first(std::move(sizes));
  const auto all = to_first(std::move(own));
  if (process() != 0) return;
  for (unsigned p = 0; p < processes(); ++p) {
    const found_path* at = all[p].data();
    for (std::uint64_t k = 0; k < all_sizes[p].size(); ++k) {
      mine.found[k * processes() + p].assign(at, at + all_sizes[p][k]);
      at += all_sizes[p][k];
    }
  }
}

/// Moves the rows of each source to the result, and frees their memory.
void take_rows(johnson_result& r, process_paths& work) {
  std::uint64_t rows = 0;
  for (const auto& each : work.found) rows += each.size();
  for (auto* column : {&r.from, &r.to, &r.parent}) column->reserve(rows);
  r.length.reserve(rows);
  for (std::size_t i = 0; i < work.found.size(); ++i) {
    for (const found_path& path : work.found[i]) {
      r.from.push_back(work.sources[i]);
      r.to.push_back(path.to);
      r.length.push_back(path.length);
      r.parent.push_back(path.parent);
    }
    work.found[i] = {};
  }
}

/// Returns how many vertices the cores have searched: as many rows have been found, but for rounding.
std::uint64_t searched_by(per_core<path_space> spaces) {
  std::uint64_t all = 0;
  for (const std::uint64_t each : collect(spaces, [](path_space& s) { return s.searched; })) all += each;
  return all;
}

/// Returns the number of sources between two reports: about a quarter of a second of work per core.
std::uint64_t sources_of_round(const graph_view& g) {
  return std::max<std::uint64_t>(1, 5'000'000 / (g.arcs + g.vertices + 1)) * cores();
}

}  // namespace

johnson_result johnson(const graph_view& g, std::span<const vertex_id> sources,
                       const progress_hook& progress) {
  for (const vertex_id v : sources) GOSSAMER_ASSERT(v < g.vertices, "johnson: a source is no vertex");
  johnson_result r;
  const std::uint64_t begin = machine::now_ns();
  scoped_per_core<path_space> spaces;
  scoped_per_process<process_paths> owner;
  const auto work = owner.handle();
  work.here().sources.assign(sources.begin(), sources.end());
  if (g.weights != weight_type::none && find_bad_length(g)) {
    bellman_ford_result everywhere = bellman_ford(g, {}, progress);
    r.cycle = std::move(everywhere.cycle);
    work.here().potentials = std::move(everywhere.lengths);
  } else {
    work.here().potentials.assign(g.vertices, 0);
  }
  if (r.cycle.empty()) {
    on_all_processes([work, g] { share_work(work.here(), g); });
    for (std::uint64_t done = 0; done < sources.size();) {
      const std::uint64_t end = std::min<std::uint64_t>(done + sources_of_round(g), sources.size());
      on_all_processes([work, g, done, end, spaces = spaces.handle()] {
        search_share(&work.here(), spaces, g, done, end);
      });
      machine::require_memory(k_row_bytes * searched_by(spaces.handle()), k_what);
      report(progress, k_what, done = end, sources.size());
    }
    on_all_processes([work] { collect_paths(work.here()); });
    take_rows(r, work.here());
    r.searched = searched_by(spaces.handle());
  }
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
