// The diameter by searches from the fringe.
//
// Algorithm: iFUB [P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, "On computing the diameter of
//   real-world undirected graphs", Theoretical Computer Science 2013]. For a vertex c in the middle, let
//   l(v) be the distance of v. The distance of two vertices is at most l(v) + l(w). So once all vertices
//   with l(v) > i have been searched from, the diameter is the largest distance found or at most 2i.
//   Searches take the farthest vertices first, 64 at a time (engine/multi_search.hpp). Each sweep, from a
//   vertex s, bounds the eccentricity of each v: at least d(v, s) and ecc(s) - d(v, s), at most ecc(s) +
//   d(v, s) [F. W. Takes, W. A. Kosters, "Computing the Eccentricity Distribution of Large Graphs",
//   Algorithms 2013]. c is the vertex with the smallest lower bound after sweeps from the ends of long
//   paths; the midpoint of one path may be a corner of the graph. Vertices are skipped if their upper bound
//   is not above the largest distance found.
// Directed: searches start from x by its distance to c, along arcs, and from y by its distance from c,
//   against arcs [P. Crescenzi, R. Grossi, L. Lanzi, A. Marino, "On computing the diameter of real-world
//   directed (weighted) graphs", SEA 2012]. c is the midpoint of the longest path of four sweeps.
// Components: all at once. They share no vertex, so a bit of a search word stands for a vertex of each. A
//   distance found in one component bounds the others.
// Encoding: owners store distances of a sweep; they are copied to process 0, which has the bounds and the
//   vertices still to search from. In a long thin graph of one process, one core sweeps alone: a level takes
//   less time than to wake the other cores.
#include "gossamer/graph/algorithms/diameter.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/internal/fringe.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/lone_search.hpp"
#include "gossamer/graph/engine/multi_search.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

using vertex_distances = std::vector<vertex_id>;  // by vertex; k_no_vertex: not reached
using one_each = std::vector<vertex_id>;  // a vertex of each component; k_no_vertex: the component is skipped

/// Stores the level of each vertex, at its owner.
struct store_level {
  static constexpr bool k_anywhere = true;
  vertex_id* levels;
  void reached(vertex_id v, source_word, std::uint64_t level) const {
    levels[v] = static_cast<vertex_id>(level);
  }
  void end_level(std::uint64_t) const {}
};
/// Stores nothing.
struct store_nothing {
  static constexpr bool k_anywhere = true;
  void reached(vertex_id, source_word, std::uint64_t) const {}
  void end_level(std::uint64_t) const {}
};

constexpr int k_middles = 4;  // middle vertices that are tried in each component

class bounding {
 public:
  bounding(const graph_view& g, const diameter_options& options, const progress_hook& progress)
      : g_(g), progress_(progress), go_(g, options.policy) {}

  diameter_result run();

 private:
  using search = multi_search<directed_adjacency>;

  void find_components();
  const vertex_distances& sweep(bool is_along, const one_each& from);
  bool lone_sweep(bool is_along);
  template <class Visitor>
  void run_search(bool is_along, std::span<const search_source> sources, const Visitor& visitor);
  void take_search(bool is_along, std::span<const search_source> sources, std::uint64_t distance,
                   const reached_vertex& last);
  one_each farthest(const vertex_distances& from) const;
  one_each half_way(const one_each& end, const vertex_distances& from_start,
                    const vertex_distances& to_end) const;
  one_each middle_of_path(const one_each& start);
  void bound_by(const vertex_distances& levels);
  one_each unknown(one_each some) const;
  vertex_distances from_middle(const one_each& start);
  bool may_end_longer_path(vertex_id v, vertex_id distance) const;
  bool are_few_left(const vertex_distances& levels) const;
  fringe by_distance(const vertex_distances& levels, bool is_bounded) const;
  void search_from(fringe& all, bool is_along, std::uint64_t least);
  void check_connected(const one_each& start);
  void close_undirected(const one_each& start);
  void close_directed(const one_each& start);

  graph_view g_;
  const progress_hook& progress_;
  traversal go_;
  bool is_thin_ = processes() == 1;  // no sweep had a wide level: this core sweeps alone
  lone_search lone_;
  std::optional<search> along_, against_;  // searches of all cores; made at first use
  std::optional<scoped_array<vertex_id>> level_;
  std::vector<vertex_id> component_;  // by vertex: counted from 0
  std::vector<std::uint64_t> size_;  // of components
  std::vector<vertex_id> least_, most_;  // undirected, by vertex: bounds of the eccentricity
  vertex_distances swept_;  // of the newest sweep
  std::vector<search_source> sources_;
  diameter_result r_;
  std::uint64_t upper_ = 0;  // 0: unknown
};

/// Numbers the components. A directed graph has one.
void bounding::find_components() {
  if (g_.directed) {
    component_.assign(g_.vertices, 0);
    size_.assign(1, g_.vertices);
  } else {
    component_ = connected_components(g_).component;
    // The id of a component is its smallest vertex, which comes first.
    for (std::size_t v = 0; v < component_.size(); ++v) {
      const bool is_first = component_[v] == v;
      if (is_first) size_.push_back(0);
      component_[v] = is_first ? static_cast<vertex_id>(size_.size() - 1) : component_[component_[v]];
      ++size_[component_[v]];
    }
  }
  r_.components = size_.size();
  r_.connected = size_.size() == 1;
}

/// Searches with all cores from the sources, in one direction.
template <class Visitor>
void bounding::run_search(bool is_along, std::span<const search_source> sources, const Visitor& visitor) {
  if (sources.empty()) return;
  const directed_adjacency out{g_.out}, in{g_.in};
  std::optional<search>& made = is_along ? along_ : against_;
  if (!made) made.emplace(go_, is_along ? out : in, is_along ? in : out);
  search& s = *made;
  std::uint64_t distance = 0;
  reached_vertex last;
  s.start(sources, visitor);
  while (s.size() != 0) {
    distance = s.level();
    last = s.first();
    s.go_on(visitor);
    report(progress_, "diameter", std::max(distance, r_.diameter), upper_);
  }
  take_search(is_along, sources, distance, last);
}

/// Counts a search, and raises the lower bound to its largest distance. `last` has that distance.
void bounding::take_search(bool is_along, std::span<const search_source> sources, std::uint64_t distance,
                           const reached_vertex& last) {
  ++r_.searches;
  r_.sources += sources.size();
  if (distance <= r_.diameter) return;
  r_.diameter = distance;
  for (const search_source& one : sources)
    if ((one.bit & last.sources) != 0 && component_[one.vertex] == component_[last.vertex]) {
      r_.from = is_along ? one.vertex : last.vertex;
      r_.to = is_along ? last.vertex : one.vertex;
      break;
    }
}

/// Returns the distances from one vertex of each component, or to it. They are valid until the next sweep.
const vertex_distances& bounding::sweep(bool is_along, const one_each& from) {
  sources_.clear();
  for (const vertex_id v : from)
    if (v != k_no_vertex) sources_.push_back({v, 1});
  is_thin_ = is_thin_ && lone_sweep(is_along);
  if (is_thin_) return swept_;
  if (!level_) level_.emplace(g_.vertices, by_boundaries(go_.bounds()));
  on_all_cores([levels = level_->handle()] { fill(levels.local(), k_no_vertex); });
  run_search(is_along, sources_, store_level{elements_of(*level_)});
  swept_ = copy_of(level_->handle());
  return swept_;
}

/// Sweeps from sources_ on this core alone. Returns false if a level is wide; then the sweep is incomplete.
bool bounding::lone_sweep(bool is_along) {
  swept_.assign(g_.vertices, k_no_vertex);
  if (sources_.empty()) return true;
  std::vector<vertex_id> sources;
  for (const search_source& s : sources_) sources.push_back(s.vertex);
  reached_vertex last{k_no_vertex, 1};
  std::size_t widest = 0;
  const std::uint64_t distance =
      lone_.run(directed_adjacency{is_along ? g_.out : g_.in}, g_.vertices, sources,
                [&](std::span<const vertex_id> found, std::uint64_t level) {
                  for (const vertex_id v : found) swept_[v] = static_cast<vertex_id>(level);
                  last.vertex = std::ranges::min(found);
                  widest = std::max(widest, found.size());
                  report(progress_, "diameter", std::max(level, r_.diameter), upper_);
                  return widest <= go_.policy().alone_vertices;
                });
  if (widest > go_.policy().alone_vertices) return false;
  take_search(is_along, sources_, distance, last);
  return true;
}

/// Returns the farthest vertex of each swept component.
one_each bounding::farthest(const vertex_distances& from) const {
  one_each most(size_.size(), k_no_vertex);
  for (std::size_t v = 0; v < from.size(); ++v) {
    if (from[v] == k_no_vertex) continue;
    vertex_id& best = most[component_[v]];
    if (best == k_no_vertex || from[v] > from[best]) best = static_cast<vertex_id>(v);
  }
  return most;
}

/// Returns the midpoint of a shortest path to `end`, in each component.
one_each bounding::half_way(const one_each& end, const vertex_distances& from_start,
                            const vertex_distances& to_end) const {
  one_each middle(size_.size(), k_no_vertex);
  for (std::size_t v = 0; v < from_start.size(); ++v) {
    const vertex_id c = component_[v];
    if (middle[c] != k_no_vertex || end[c] == k_no_vertex) continue;
    const vertex_id length = from_start[end[c]];
    if (from_start[v] == length / 2 && to_end[v] == length - length / 2)
      middle[c] = static_cast<vertex_id>(v);
  }
  return middle;
}

/// Bounds the eccentricity of each vertex by a sweep.
void bounding::bound_by(const vertex_distances& levels) {
  const one_each far = farthest(levels);
  for (std::size_t v = 0; v < levels.size(); ++v) {
    if (levels[v] == k_no_vertex) continue;
    const std::uint64_t distance = levels[v], most = levels[far[component_[v]]];
    least_[v] = static_cast<vertex_id>(std::max({std::uint64_t{least_[v]}, distance, most - distance}));
    most_[v] = static_cast<vertex_id>(std::min(std::uint64_t{most_[v]}, distance + most));
  }
}

/// Replaces vertices whose eccentricity is known by k_no_vertex.
one_each bounding::unknown(one_each some) const {
  for (vertex_id& v : some)
    if (v != k_no_vertex && least_[v] == most_[v]) v = k_no_vertex;
  return some;
}

/// Returns the distances from a middle vertex of each component: one of small eccentricity. Tries the vertex
/// with the smallest lower bound. Then sweeps from its farthest vertex, to improve the bounds of others.
/// Repeats that a few times, and keeps the best.
vertex_distances bounding::from_middle(const one_each& start) {
  const auto bounded_sweep = [&](const one_each& from) -> const vertex_distances& {
    bound_by(sweep(true, from));
    return swept_;
  };
  const one_each one_end = farthest(bounded_sweep(start));
  bounded_sweep(farthest(bounded_sweep(one_end)));
  vertex_distances best(g_.vertices, k_no_vertex);
  std::vector<vertex_id> best_most(size_.size(), k_no_vertex);
  for (int tries = 0; tries < k_middles; ++tries) {
    one_each middle(size_.size(), k_no_vertex);
    for (std::size_t v = 0; v < least_.size(); ++v) {
      vertex_id& m = middle[component_[v]];
      if (start[component_[v]] != k_no_vertex && (m == k_no_vertex || least_[v] < least_[m]))
        m = static_cast<vertex_id>(v);
    }
    if (tries > 0) middle = unknown(std::move(middle));
    if (std::ranges::all_of(middle, [](vertex_id v) { return v == k_no_vertex; })) break;
    const vertex_distances& levels = bounded_sweep(middle);
    const one_each far = farthest(levels);
    for (std::size_t v = 0; v < levels.size(); ++v)
      if (const vertex_id c = component_[v]; far[c] != k_no_vertex && levels[far[c]] < best_most[c])
        best[v] = levels[v];
    for (std::size_t c = 0; c < far.size(); ++c)
      if (far[c] != k_no_vertex) best_most[c] = std::min(best_most[c], levels[far[c]]);
    if (are_few_left(best)) break;
    if (const one_each ends = unknown(far);
        std::ranges::any_of(ends, [](vertex_id v) { return v != k_no_vertex; }))
      bounded_sweep(ends);
  }
  return best;
}

/// Sweeps a directed graph from `start`, then to the vertex that is farthest from it. Returns the midpoint of
/// the longest shortest path to that vertex.
one_each bounding::middle_of_path(const one_each& start) {
  const one_each end = farthest(sweep(true, start));
  const vertex_distances to_end = sweep(false, end);  // a copy
  return half_way(end, sweep(true, farthest(to_end)), to_end);
}

/// Returns whether a vertex at this distance from the middle may be an end of a path longer than the longest
/// found. Undirected graphs only.
bool bounding::may_end_longer_path(vertex_id v, vertex_id distance) const {
  return distance != k_no_vertex && 2 * std::uint64_t{distance} > r_.diameter && most_[v] > r_.diameter;
}

/// Returns whether one search from all such vertices completes the work, given the distances from the middle.
bool bounding::are_few_left(const vertex_distances& levels) const {
  std::uint64_t left = 0;
  for (std::size_t v = 0; v < levels.size(); ++v)
    left += static_cast<std::uint64_t>(may_end_longer_path(static_cast<vertex_id>(v), levels[v]));
  return left <= k_word_sources;
}

/// Returns the vertices that still have to be searched from, by their distance from the middle. `is_bounded`:
/// leaves out those that cannot be ends of a path longer than the longest found.
fringe bounding::by_distance(const vertex_distances& levels, bool is_bounded) const {
  std::vector<fringe::vertex> all;
  for (std::size_t v = 0; v < levels.size(); ++v)
    if (is_bounded ? may_end_longer_path(static_cast<vertex_id>(v), levels[v]) : levels[v] != k_no_vertex)
      all.push_back({component_[v], levels[v], static_cast<vertex_id>(v)});
  return fringe(std::move(all));
}

/// Searches from the next vertices of each component: at most 64, at least so far from the middle.
void bounding::search_from(fringe& all, bool is_along, std::uint64_t least) {
  sources_.clear();
  all.take(
      least, [&](const fringe::vertex& v) { return g_.directed || most_[v.number] > r_.diameter; },
      [&](const fringe::vertex& v, source_word bit) { sources_.push_back({v.number, bit}); });
  run_search(is_along, sources_, store_nothing{});
}

void bounding::close_undirected(const one_each& start) {
  least_.assign(g_.vertices, 0);
  most_.assign(g_.vertices, k_no_vertex);
  fringe all = by_distance(from_middle(start), true);
  // The distance of vertices at most i away from the middle is at most 2i.
  const auto least = [&] { return r_.diameter / 2 + 1; };
  for (all.drop(least()); all.farthest() != 0; all.drop(least())) {
    upper_ = std::max(r_.diameter, 2 * all.farthest());
    search_from(all, true, least());
  }
}

void bounding::close_directed(const one_each& start) {
  const one_each middle = middle_of_path(middle_of_path(start));
  fringe starts = by_distance(sweep(false, middle), false), ends = by_distance(sweep(true, middle), false);
  // A path has at most vertices - 1 arcs: in a directed cycle, whose vertices all look alike, nothing else ends
  // the searches early.
  while (std::min(starts.farthest() + ends.farthest(), g_.vertices - 1) > r_.diameter) {
    upper_ = std::min(starts.farthest() + ends.farthest(), g_.vertices - 1);
    const bool takes_starts = starts.farthest() >= ends.farthest();
    search_from(takes_starts ? starts : ends, takes_starts, 0);
  }
}

/// Throws gossamer::error if a directed graph is not strongly connected.
void bounding::check_connected(const one_each& start) {
  for (const bool is_along : {true, false}) {
    const vertex_distances found = sweep(is_along, start);
    const auto missing = std::ranges::find(found, k_no_vertex);
    if (missing != found.end())
      throw vertex_error({{std::string("diameter: expected a strongly connected graph, found no path ") +
                               (is_along ? "from vertex " : "to vertex "),
                           start[0]},
                          {is_along ? " to " : " from ", static_cast<vertex_id>(missing - found.begin())}});
  }
}

diameter_result bounding::run() {
  const std::uint64_t begin = machine::now_ns();
  find_components();
  r_.from = r_.to = 0;
  one_each start(size_.size(), k_no_vertex);
  for (std::size_t v = component_.size(); v-- > 0;)
    if (size_[component_[v]] > 1) start[component_[v]] = static_cast<vertex_id>(v);
  if (g_.directed && g_.vertices > 1) check_connected(start);
  if (g_.directed)
    close_directed(start);
  else
    close_undirected(start);
  r_.seconds = machine::seconds_since(begin);
  report(progress_, "diameter", r_.diameter, r_.diameter);
  return r_;
}

}  // namespace

diameter_result diameter(const graph_view& g, const diameter_options& options,
                         const progress_hook& progress) {
  if (g.vertices == 0) return {};
  return bounding(g, options, progress).run();
}

}  // namespace gossamer::graph
