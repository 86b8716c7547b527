// The diameter by searches from the fringe.
//
// Algorithm: iFUB [P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, "On computing the diameter of real-world undirected graphs",
//   Theoretical Computer Science 2013]. From a vertex c in the middle, let l(v) be the distance of v. Two vertices are at most l(v) + l(w)
//   apart, so where all vertices with l(v) > i were searched from, the diameter is the largest distance found or at most 2i. Searches
//   take the farthest vertices first, 64 at a time (engine/multi_search.hpp). c is half-way between the ends of a long path, found by four
//   sweeps: the farthest vertex from a vertex, and the farthest from that one, twice.
//   A vertex is passed over where a sweep has shown that nothing is farther from it than what was found: by d(v, s) and the farthest of s.
//   Directed: x is searched from by its distance to c, along arcs, and y by its distance from c, against them [P. Crescenzi, R. Grossi,
//   L. Lanzi, A. Marino, "On computing the diameter of real-world directed (weighted) graphs", SEA 2012].
// Components: all at once. They share no vertex, so a bit stands for a vertex of each. What is found in one component bounds the others.
// Encoding: vertex_distances from the vertex in the middle, and the candidates by component, farthest first, in process 0.
#include "gossamer/graph/algorithms/diameter.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/multi_search.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

using vertex_distances = std::vector<vertex_id>;  // by vertex; k_no_vertex: not reached
using one_each = std::vector<vertex_id>;  // a vertex of each component; k_no_vertex: it is passed over

/// Notes the level of each vertex, at its owner.
struct note_level {
  vertex_id* levels;
  void reached(vertex_id v, source_word, std::uint64_t level) const {
    levels[v] = static_cast<vertex_id>(level);
  }
  void end_level(std::uint64_t) const {}
};
/// Notes nothing.
struct note_nothing {
  void reached(vertex_id, source_word, std::uint64_t) const {}
  void end_level(std::uint64_t) const {}
};

/// Vertices that are to be searched from, by component, the farthest from the middle first.
class candidates {
 public:
  struct vertex {
    vertex_id component, distance, number;
  };
  /// Takes the vertices in any order.
  explicit candidates(std::vector<vertex> all) : all_(std::move(all)) {
    std::ranges::sort(all_, [](const vertex& a, const vertex& b) {
      if (a.component != b.component) return a.component < b.component;
      return a.distance != b.distance ? a.distance > b.distance : a.number < b.number;
    });
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (i == 0 || all_[i].component != all_[i - 1].component) open_.push_back({i, i});
    for (std::size_t k = 0; k < open_.size(); ++k)
      open_[k].end = k + 1 == open_.size() ? all_.size() : open_[k + 1].next;
  }
  /// Returns the largest distance of a vertex that is left, or 0.
  std::uint64_t farthest() const {
    std::uint64_t most = 0;
    for (const part& p : open_) most = std::max<std::uint64_t>(most, all_[p.next].distance);
    return most;
  }
  /// Takes out up to 64 vertices of each component where may_matter(vertex) holds. Calls use(vertex, bit). Of a component in which the
  /// farthest vertex left is not at least `least` away the rest goes.
  template <class Test, class Use>
  void take(std::uint64_t least, Test may_matter, Use use) {
    for (part& p : open_) {
      std::size_t taken = 0;
      for (; taken < k_word_sources && has_more(p, least); ++p.next)
        if (may_matter(all_[p.next])) use(all_[p.next], source_word{1} << taken++);
    }
    drop(least);
  }
  /// Forgets the components in which no vertex is at least so far away.
  void drop(std::uint64_t least) {
    std::erase_if(open_, [&](const part& p) { return !has_more(p, least); });
  }

 private:
  /// What is left of a component.
  struct part {
    std::size_t next, end;
  };
  bool has_more(const part& p, std::uint64_t least) const {
    return p.next < p.end && all_[p.next].distance >= least;
  }
  std::vector<vertex> all_;
  std::vector<part> open_;
};

class bounding {
 public:
  bounding(const graph_view& g, const diameter_options& options, const progress_hook& progress)
      : g_(g),
        progress_(progress),
        go_(g, options.policy),
        level_(go_.values<vertex_id>()),
        along_(go_, directed_adjacency{g.out}, directed_adjacency{g.in}) {
    if (g.directed) against_.emplace(go_, directed_adjacency{g.in}, directed_adjacency{g.out});
  }

  diameter_result run();

 private:
  using search = multi_search<directed_adjacency>;

  void find_components();
  vertex_distances sweep(bool is_along, const one_each& from);
  template <class Visitor>
  void run_search(bool is_along, std::span<const search_source> sources, const Visitor& visitor);
  one_each farthest(const vertex_distances& from) const;
  one_each half_way(const one_each& end, const vertex_distances& from_start,
                    const vertex_distances& to_end) const;
  one_each middle_of_path(const one_each& start);
  void bound_by(const one_each& from, const vertex_distances& levels);
  candidates by_distance(const vertex_distances& from_middle, bool is_bounded) const;
  void search_from(candidates& all, bool is_along, std::uint64_t least);
  void close_undirected(const one_each& middle);
  void close_directed(const one_each& middle);

  graph_view g_;
  const progress_hook& progress_;
  traversal go_;
  scoped_array<vertex_id> level_;
  search along_;
  std::optional<search> against_;  // directed
  std::vector<vertex_id> component_;  // by vertex: counted from 0
  std::vector<std::uint64_t> size_;  // of components
  std::vector<vertex_id> most_;  // undirected: by vertex: nothing is farther from it
  std::vector<search_source> sources_;
  diameter_result r_;
  std::uint64_t upper_ = 0;  // 0: not known
};

/// Numbers the components. A directed graph is one.
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

/// Searches, and raises the lower bound to the largest distance found.
template <class Visitor>
void bounding::run_search(bool is_along, std::span<const search_source> sources, const Visitor& visitor) {
  if (sources.empty()) return;
  search& s = is_along ? along_ : *against_;
  std::uint64_t distance = 0;
  reached_vertex last;
  s.start(sources, visitor);
  while (s.size() != 0) {
    distance = s.level();
    last = s.first();
    s.go_on(visitor);
    report(progress_, "diameter", std::max(distance, r_.diameter), upper_);
  }
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

/// Returns the vertex_distances from a vertex of each component, or to it.
vertex_distances bounding::sweep(bool is_along, const one_each& from) {
  on_all_cores([levels = level_.handle()] { fill(levels.local(), k_no_vertex); });
  sources_.clear();
  for (const vertex_id v : from)
    if (v != k_no_vertex) sources_.push_back({v, 1});
  run_search(is_along, sources_, note_level{elements_of(level_)});
  return copy_of(level_.handle());
}

/// Returns the farthest vertex of each component that the sweep was in.
one_each bounding::farthest(const vertex_distances& from) const {
  one_each most(size_.size(), k_no_vertex);
  for (std::size_t v = 0; v < from.size(); ++v) {
    if (from[v] == k_no_vertex) continue;
    vertex_id& best = most[component_[v]];
    if (best == k_no_vertex || from[v] > from[best]) best = static_cast<vertex_id>(v);
  }
  return most;
}

/// Returns a vertex half-way on a shortest path to `end`, in each component.
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

/// Notes what follows from a sweep: v is at most d(v, s) and the farthest of s away from anything.
void bounding::bound_by(const one_each& from, const vertex_distances& levels) {
  const one_each far = farthest(levels);
  for (std::size_t v = 0; v < levels.size(); ++v)
    if (const vertex_id c = component_[v]; from[c] != k_no_vertex)
      most_[v] = static_cast<vertex_id>(
          std::min<std::uint64_t>(most_[v], std::uint64_t{levels[v]} + levels[far[c]]));
}

/// Sweeps from `start`, then from the farthest vertex, and returns the middle of that path.
one_each bounding::middle_of_path(const one_each& start) {
  const vertex_distances from_start = sweep(true, start);
  const one_each one_end = farthest(from_start);
  const vertex_distances one = sweep(!g_.directed, one_end);
  const one_each other_end = farthest(one);
  const vertex_distances other = sweep(true, other_end);
  if (!g_.directed) {
    bound_by(start, from_start);
    bound_by(one_end, one);
    bound_by(other_end, other);
  }
  return half_way(one_end, other, one);
}

/// Returns the vertices that may be ends of a longer path than was found.
candidates bounding::by_distance(const vertex_distances& from_middle, bool is_bounded) const {
  std::vector<candidates::vertex> all;
  for (std::size_t v = 0; v < from_middle.size(); ++v)
    if (from_middle[v] != k_no_vertex &&
        (!is_bounded || (2 * std::uint64_t{from_middle[v]} > r_.diameter && most_[v] > r_.diameter)))
      all.push_back({component_[v], from_middle[v], static_cast<vertex_id>(v)});
  return candidates(std::move(all));
}

/// Searches from the next vertices of each component.
void bounding::search_from(candidates& all, bool is_along, std::uint64_t least) {
  sources_.clear();
  all.take(
      least, [&](const candidates::vertex& v) { return g_.directed || most_[v.number] > r_.diameter; },
      [&](const candidates::vertex& v, source_word bit) { sources_.push_back({v.number, bit}); });
  run_search(is_along, sources_, note_nothing{});
}

void bounding::close_undirected(const one_each& middle) {
  const vertex_distances from_middle = sweep(true, middle);
  bound_by(middle, from_middle);
  candidates all = by_distance(from_middle, true);
  // Vertices at most i away from the middle are at most 2i apart.
  const auto least = [&] { return r_.diameter / 2 + 1; };
  for (all.drop(least()); all.farthest() != 0; all.drop(least())) {
    upper_ = std::max(r_.diameter, 2 * all.farthest());
    search_from(all, true, least());
  }
}

void bounding::close_directed(const one_each& middle) {
  candidates starts = by_distance(sweep(false, middle), false),
             ends = by_distance(sweep(true, middle), false);
  while (starts.farthest() + ends.farthest() > r_.diameter) {
    upper_ = starts.farthest() + ends.farthest();
    const bool takes_starts = starts.farthest() >= ends.farthest();
    search_from(takes_starts ? starts : ends, takes_starts, 0);
  }
}

diameter_result bounding::run() {
  const std::uint64_t begin = machine::now_ns();
  find_components();
  r_.from = r_.to = 0;
  one_each start(size_.size(), k_no_vertex);
  for (std::size_t v = component_.size(); v-- > 0;)
    if (size_[component_[v]] > 1) start[component_[v]] = static_cast<vertex_id>(v);
  if (g_.directed && g_.vertices > 1)
    for (const bool is_along : {true, false}) {
      const vertex_distances found = sweep(is_along, start);
      const auto missing = std::ranges::find(found, k_no_vertex);
      if (missing != found.end())
        throw error("diameter: expected a strongly connected graph, found no path " +
                    std::string(is_along ? "from vertex 0 to " : "to vertex 0 from ") +
                    std::to_string(missing - found.begin()));
    }
  most_.assign(g_.directed ? 0 : g_.vertices, k_no_vertex);
  const one_each middle = middle_of_path(middle_of_path(start));
  if (g_.directed)
    close_directed(middle);
  else
    close_undirected(middle);
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
