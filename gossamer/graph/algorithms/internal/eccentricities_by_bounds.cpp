// Eccentricities of all vertices of an undirected graph, most of them without a search of their own.
//
// Algorithm: a search from s, with eccentricity ecc(s), bounds the eccentricity of each v that it reaches:
//   at least d(v, s) and ecc(s) - d(v, s), at most ecc(s) + d(v, s). If the bounds meet, it is known [F. W.
//   Takes, W. A. Kosters, "Computing the Eccentricity Distribution of Large Graphs", Algorithms 2013]. The
//   next sources are vertices with the largest upper and with the smallest lower bounds, and some drawn at
//   random. When searches no longer improve many bounds, the remaining vertices have their own searches
//   (sum_distances).
// Encoding: 64 sources at a time, in two searches. The first one finds their eccentricities; then they are
//   numbered by these, in ascending order. So, of the sources that reach a vertex on a level, the lowest
//   bit has the smallest upper bound, and the highest bit the largest lower one.
// Phases: owners of vertices write bounds; process 0 has a copy to choose sources from.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/internal/distance_methods.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/multi_search.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_seed = 1;
constexpr std::uint64_t k_worth = 4;  // vertices whose eccentricity should become known, for each source
constexpr int k_in_vain = 3;  // bounding ends after so many batches in a row with fewer

/// Bounds of the eccentricity of a vertex.
struct bounds_of_vertex {
  vertex_id least = 0, most = k_no_vertex;
  bool known() const { return least == most; }
  bool was_reached() const { return most != k_no_vertex; }
  /// Return the keys by which sources are chosen. Vertices that no source has reached come last: they are
  /// only drawn at random.
  vertex_id upper() const { return was_reached() ? most : 0; }
  vertex_id lower() const { return was_reached() ? least : k_no_vertex; }
};

/// Improves the bounds of the vertices that a search reaches.
struct bound_eccentricities {
  static constexpr bool k_anywhere = true;
  bounds_of_vertex* bounds;
  std::array<vertex_id, k_word_sources> far;  // by source: its eccentricity, ascending

  void reached(vertex_id v, source_word sources, std::uint64_t level) const {
    bounds_of_vertex& mine = bounds[v];
    const auto distance = static_cast<vertex_id>(level);
    const auto nearest =
        far[static_cast<unsigned>(std::countr_zero(sources)) % far.size()];  // of 1 to 64 sources
    const auto farthest = far[static_cast<unsigned>(std::bit_width(sources)) - 1];
    mine.least = std::max({mine.least, distance, static_cast<vertex_id>(farthest - distance)});
    mine.most = static_cast<vertex_id>(std::min<std::uint64_t>(mine.most, level + nearest));
  }
  void end_level(std::uint64_t) const {}
};

struct ignore_reached {
  static constexpr bool k_anywhere = true;
  void reached(vertex_id, source_word, std::uint64_t) const {}
  void end_level(std::uint64_t) const {}
};

class eccentricity_bounds {
 public:
  eccentricity_bounds(const graph_view& g, const distance_options& options, const progress_hook& progress)
      : g_(g),
        options_(options),
        progress_(progress),
        go_(g, options.policy),
        bounds_(go_.values<bounds_of_vertex>()),
        search_(go_, directed_adjacency{g.out}, directed_adjacency{g.in}),
        random_(k_seed) {}

  std::vector<std::uint64_t> run();

 private:
  void choose();
  void bound();

  graph_view g_;
  const distance_options& options_;
  const progress_hook& progress_;
  traversal go_;
  scoped_array<bounds_of_vertex> bounds_;
  multi_search<directed_adjacency> search_;
  splitmix64 random_;
  std::vector<bounds_of_vertex> copy_;  // process 0
  std::vector<vertex_id> unknown_;  // process 0
  std::vector<search_source> sources_;
};

/// Chooses the next sources, and moves them to the front of the unknown vertices: three quarters of a batch
/// by their bounds, the others at random.
void eccentricity_bounds::choose() {
  const auto count = std::min<std::size_t>(k_word_sources, unknown_.size()), part = 3 * count / 8;
  const auto first = unknown_.begin();
  const auto at = [&](std::size_t i) { return first + static_cast<std::ptrdiff_t>(i); };
  std::ranges::partial_sort(first, at(part), unknown_.end(), [&](vertex_id a, vertex_id b) {
    return std::pair(copy_[b].upper(), a) < std::pair(copy_[a].upper(), b);
  });
  std::ranges::partial_sort(at(part), at(2 * part), unknown_.end(), [&](vertex_id a, vertex_id b) {
    return std::pair(copy_[a].lower(), a) < std::pair(copy_[b].lower(), b);
  });
  for (std::size_t i = 2 * part; i < count; ++i)
    std::swap(unknown_[i], unknown_[i + bounded(random_, unknown_.size() - i)]);
  sources_.clear();
  for (std::size_t i = 0; i < count; ++i) sources_.push_back({unknown_[i], source_word{1} << i});
}

/// Searches from the sources twice, and improves the bounds of the vertices that they reach.
void eccentricity_bounds::bound() {
  std::array<std::pair<vertex_id, vertex_id>, k_word_sources> far{};  // eccentricity, source
  for (std::size_t i = 0; i < sources_.size(); ++i) far[i] = {0, sources_[i].vertex};
  const auto go_on = [&](const auto& visitor) {
    search_.go_on(visitor);
    report(progress_, "eccentricities", g_.vertices - unknown_.size(), g_.vertices);
  };
  for (search_.start(sources_, ignore_reached{}); search_.size() != 0; go_on(ignore_reached{}))
    for_each_bit(search_.sources(), 0,
                 [&](std::uint64_t s) { far[s].first = static_cast<vertex_id>(search_.level()); });
  std::sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(sources_.size()));
  bound_eccentricities visitor{elements_of(bounds_), {}};
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    visitor.far[i] = far[i].first;
    sources_[i] = {far[i].second, source_word{1} << i};
  }
  for (search_.start(sources_, visitor); search_.size() != 0;) go_on(visitor);
}

std::vector<std::uint64_t> eccentricity_bounds::run() {
  go_.vertex_map(k_pass, bounds_.handle(), [rows = adjacency(g_.out)](vertex_id v, bounds_of_vertex& b) {
    b = {0, rows.degree(v) == 0 ? 0 : k_no_vertex};
  });
  copy_ = copy_of(bounds_.handle());
  for (std::uint64_t v = 0; v < g_.vertices; ++v)
    if (!copy_[v].known()) unknown_.push_back(static_cast<vertex_id>(v));
  for (int in_vain = 0; in_vain < k_in_vain && !unknown_.empty();) {
    choose();
    const std::size_t before = unknown_.size();
    bound();
    copy_ = copy_of(bounds_.handle());
    std::erase_if(unknown_, [&](vertex_id v) { return copy_[v].known(); });
    in_vain = before - unknown_.size() > k_worth * sources_.size() ? 0 : in_vain + 1;
  }
  std::vector<std::uint64_t> found;
  for (const bounds_of_vertex& b : copy_) found.push_back(b.least);
  distance_options rest = options_;
  rest.sources = unknown_;
  const distances_result own = sum_distances(g_, rest, progress_);
  for (std::size_t i = 0; i < unknown_.size(); ++i) found[unknown_[i]] = own.distances[i].farthest;
  return found;
}

}  // namespace

std::vector<std::uint64_t> eccentricities_by_bounds(const graph_view& g, const distance_options& options,
                                                    const progress_hook& progress) {
  return eccentricity_bounds(g, options, progress).run();
}

}  // namespace gossamer::graph
