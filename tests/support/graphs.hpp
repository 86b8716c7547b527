#pragma once
// Small graphs for tests: a builder so plain that it doubles as an oracle of the real one, random
// graphs by seed, and the shapes that break algorithms.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::test {

using edge_list = std::vector<std::pair<graph::vertex_id, graph::vertex_id>>;

/// Rows in both directions. Self-loops and duplicates are removed as the real builder does.
class csr {
 public:
  csr(std::uint64_t vertices, edge_list edges, bool directed) : vertices_(vertices), directed_(directed) {
    if (!directed) {
      const std::size_t n = edges.size();
      for (std::size_t i = 0; i < n; ++i) edges.emplace_back(edges[i].second, edges[i].first);
    }
    std::erase_if(edges, [](auto e) { return e.first == e.second; });
    fill(edges, out_offsets_, out_targets_);
    for (auto& e : edges) std::swap(e.first, e.second);
    fill(edges, in_offsets_, in_targets_);
  }

  graph::graph_view view() const {
    graph::graph_view v;
    v.vertices = vertices_;
    v.arcs = out_targets_.size();
    v.directed = directed_;
    v.out = {out_offsets_.data(), out_targets_.data()};
    v.in = directed_ ? graph::rows{in_offsets_.data(), in_targets_.data()} : v.out;
    return v;
  }

 private:
  /// Sorts by the target, then by the source, each by counting: in a build without optimisation std::sort takes most of a test.
  void fill(edge_list& edges, std::vector<std::uint64_t>& offsets,
            std::vector<graph::vertex_id>& targets) const {
    sort_by(edges, &edge_list::value_type::second);
    sort_by(edges, &edge_list::value_type::first);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    offsets.assign(vertices_ + 1, 0);
    for (auto [from, to] : edges) {
      ++offsets[from + 1];
      targets.push_back(to);
    }
    for (std::uint64_t v = 0; v < vertices_; ++v) offsets[v + 1] += offsets[v];
  }
  /// Sorts edges by one end. Those of the same end stay in their order.
  void sort_by(edge_list& edges, graph::vertex_id edge_list::value_type::* end) const {
    std::vector<std::uint64_t> places(vertices_ + 1, 0);
    for (const auto& e : edges) ++places[e.*end + 1];
    for (std::uint64_t v = 0; v < vertices_; ++v) places[v + 1] += places[v];
    edge_list sorted(edges.size());
    for (const auto& e : edges) sorted[places[e.*end]++] = e;
    edges = std::move(sorted);
  }

  std::uint64_t vertices_;
  bool directed_;
  std::vector<std::uint64_t> out_offsets_, in_offsets_;
  std::vector<graph::vertex_id> out_targets_, in_targets_;
};

inline edge_list uniform_edges(std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list all;
  for (std::uint64_t i = 0; i < edges; ++i) {
    const auto from = static_cast<graph::vertex_id>(bounded(random, vertices));
    all.emplace_back(from, static_cast<graph::vertex_id>(bounded(random, vertices)));
  }
  return all;
}

/// Draws skewed edges: the recursive matrix of Graph500, A 0.57, B 0.19, C 0.19.
inline edge_list kronecker_edges(unsigned scale, std::uint64_t edge_factor, std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list all;
  for (std::uint64_t i = 0; i < edge_factor << scale; ++i) {
    graph::vertex_id from = 0, to = 0;
    for (unsigned bit = 0; bit < scale; ++bit) {
      const double x = unit_double(random);
      from = from * 2 + (x >= 0.76);
      to = to * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95);
    }
    all.emplace_back(from, to);
  }
  return all;
}

inline edge_list path_edges(graph::vertex_id vertices) {
  edge_list all;
  for (graph::vertex_id v = 1; v < vertices; ++v) all.emplace_back(v - 1, v);
  return all;
}

/// Returns a star. Its centre is the last vertex.
inline edge_list star_edges(graph::vertex_id vertices) {
  edge_list all;
  for (graph::vertex_id v = 0; v + 1 < vertices; ++v) all.emplace_back(vertices - 1, v);
  return all;
}

inline edge_list grid_edges(graph::vertex_id rows, graph::vertex_id columns) {
  edge_list all;
  for (graph::vertex_id r = 0; r < rows; ++r) {
    for (graph::vertex_id c = 0; c < columns; ++c) {
      if (c + 1 < columns) all.emplace_back(r * columns + c, r * columns + c + 1);
      if (r + 1 < rows) all.emplace_back(r * columns + c, (r + 1) * columns + c);
    }
  }
  return all;
}

/// Returns the same graph with its vertices renamed at random.
inline edge_list shuffled(edge_list edges, std::uint64_t vertices, std::uint64_t seed) {
  xoshiro256 random(seed);
  std::vector<graph::vertex_id> name(vertices);
  for (std::uint64_t v = 0; v < vertices; ++v) {
    name[v] = static_cast<graph::vertex_id>(v);
    std::swap(name[v], name[bounded(random, v + 1)]);
  }
  for (auto& [from, to] : edges) {
    from = name[from];
    to = name[to];
  }
  return edges;
}

/// Edges are made when they are asked for: every test program lists all of its cases at each start.
struct named_graph {
  std::string name;
  std::uint64_t vertices;
  std::function<edge_list()> edges;
  bool directed;

  csr build() const { return {vertices, edges(), directed}; }
};
inline void PrintTo(const named_graph& g, std::ostream* to) { *to << g.name; }

inline edge_list two_grids_edges() {
  edge_list edges = grid_edges(30, 50);
  for (auto e : shuffled(grid_edges(40, 40), 1600, 10)) edges.emplace_back(e.first + 2000, e.second + 2000);
  return edges;
}

/// Returns corner cases and random graphs, each undirected and directed. The names carry the seeds.
inline std::vector<named_graph> graph_collection() {
  const auto none = [] { return edge_list{}; };
  std::vector<named_graph> shapes{
      {"one_vertex", 1, none, false},
      {"two_vertices_without_edges", 2, none, false},
      {"one_edge", 2, [] { return edge_list{{1, 0}}; }, false},
      {"self_loops_and_duplicates", 5,
       [] { return edge_list{{0, 0}, {1, 2}, {2, 1}, {1, 2}, {4, 4}, {2, 4}}; }, false},
      {"star", 3000, [] { return star_edges(3000); }, false},
      {"path", 700, [] { return path_edges(700); }, false},
      {"shuffled_path", 3000, [] { return shuffled(path_edges(3000), 3000, 7); }, false},
      {"grid", 40 * 60, [] { return shuffled(grid_edges(40, 60), 40 * 60, 8); }, false},
      {"two_grids_and_isolated", 5000, two_grids_edges, false},
      {"many_small_components", 6000, [] { return uniform_edges(6000, 2500, 9); }, false},
  };
  for (std::uint64_t seed : {11, 12}) {
    const std::string by = "_seed_" + std::to_string(seed);
    shapes.push_back({"uniform" + by, 4000, [=] { return uniform_edges(4000, 30000, seed); }, false});
    shapes.push_back({"kronecker" + by, 1 << 12,
                      [=] { return shuffled(kronecker_edges(12, 12, seed), 1 << 12, seed); }, false});
    shapes.push_back({"sparse_kronecker" + by, 1 << 13, [=] { return kronecker_edges(13, 2, seed); }, false});
  }
  const std::size_t undirected = shapes.size();
  for (std::size_t i = 0; i < undirected; ++i) {
    shapes.push_back(shapes[i]);
    shapes.back().name = "directed_" + shapes[i].name;
    shapes.back().directed = true;
  }
  return shapes;
}

/// Runs body() as the main fiber of a job of so many cores.
template <class F>
void on_cores(unsigned cores, F body) {
  job_options options;
  options.cores = cores;
  run(options, std::move(body));
}

}  // namespace gossamer::test
