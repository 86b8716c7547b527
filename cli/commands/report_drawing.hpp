#pragma once
// The drawings of a report: some vertices of a graph, and the edges between them.

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

/// Properties of each vertex, by vertex.
struct vertex_facts {
  std::span<const double> pagerank;  ///< scores
  std::span<const graph::vertex_id> community, core;  ///< names of communities, and core numbers
};

/// Selects the vertices, and sets keys of the JSON object of the report. By the main fiber. Fetches rows of
/// other processes.
class report_drawing {
 public:
  /// `g` and `facts` must outlive the drawing.
  report_drawing(const loaded_graph& g, const vertex_facts& facts);

  /// Sets the key "neighbourhood": a vertex, its neighbours with the best scores, and the edges between them.
  void set_neighbourhood(json_object& j, graph::vertex_id centre);
  /// Sets the key "drawing": some vertices, and the edges between them. The vertices are those that have
  /// edges, or as many with the best scores as a page can show. The edges are a flat array of two vertex
  /// numbers per edge.
  void set_drawing(json_object& j);

 private:
  /// Returns the edges between some vertices, in ascending order, as indices into `vertices`; each undirected
  /// edge once. Returns nothing if there are more than `most`.
  std::optional<std::vector<std::uint64_t>> edges_among(std::span<const graph::vertex_id> vertices,
                                                        std::uint64_t most);
  /// Returns {vertex, pagerank, community, core} of some vertices. Numbers communities in order of
  /// appearance; that of `first` is 0.
  std::vector<json_object> describe(std::span<const graph::vertex_id> vertices, graph::vertex_id first) const;

  const loaded_graph& g_;
  const vertex_facts facts_;
  graph::graph_view view_;
  graph::remote_row_cache out_, in_;
};

}  // namespace gossamer::cli
