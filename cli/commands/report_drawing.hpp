#pragma once
// What a report draws of a graph: some vertices, and the edges between them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/loaded_graph.hpp"
#include "gossamer/graph/algorithms/communities.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "output/json.hpp"

namespace gossamer::cli {

/// What is known of each vertex, by vertex.
struct vertex_facts {
  std::span<const double> pagerank;  ///< scores
  std::span<const graph::vertex_id> community, core;  ///< names of communities, and core numbers
};

/// Chooses the vertices and sets keys of the report's object. By the main fiber; rows of other processes are fetched.
class report_drawing {
 public:
  /// Takes the graph and what is known of it, which outlive the drawing.
  report_drawing(const loaded_graph& g, const vertex_facts& facts);

  /// Sets the key "neighbourhood": a vertex, those of its neighbours with the best scores, and the edges between them.
  void set_neighbourhood(json_object& j, graph::vertex_id centre);
  /// Sets the key "drawing": all vertices that have edges, or those with the best scores, as many as a page can show; and the edges
  /// between them, two numbers of vertices each, one behind the other.
  void set_drawing(json_object& j);

 private:
  /// Returns the edges between some vertices, which ascend, by their places among them; an undirected one once. Nothing where there
  /// are more than `most`.
  std::optional<std::vector<std::uint64_t>> edges_among(std::span<const graph::vertex_id> vertices,
                                                        std::uint64_t most);
  /// Returns {vertex, pagerank, community, core} of each of some vertices. Communities get numbers from 0, in order, after that of `first`.
  std::vector<json_object> describe(std::span<const graph::vertex_id> vertices, graph::vertex_id first) const;

  const loaded_graph& g_;
  const vertex_facts facts_;
  graph::graph_view view_;
  graph::remote_row_cache out_, in_;
};

}  // namespace gossamer::cli
