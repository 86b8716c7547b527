#pragma once
// The graph as commands see it: rows, labels, and the sentences about it that every answer begins with.

#include <string>
#include <vector>

#include "gossamer/graph/distributed/graph.hpp"
#include "gossamer/graph/formats/progress.hpp"
#include "label.hpp"
#include "session.hpp"

namespace gossamer::cli {

class loaded_graph {
 public:
  /// Reads or generates what was asked for; inside run(), main fiber. Says what it is, in text and JSON.
  explicit loaded_graph(session& s);

  graph::graph_view view() const { return graph_.view(); }
  const graph::graph& whole() const { return graph_; }
  label label_of(graph::vertex_id v) const;
  std::string text_of(graph::vertex_id v) const { return printable(label_text(label_of(v))); }

  /// The vertex with that label. Throws gossamer::error with the nearest labels when there is none.
  graph::vertex_id find(const std::string& label) const;

 private:
  graph::graph graph_;
  std::string source_;
};

struct ranked_vertex {
  graph::vertex_id vertex;
  double score;
};

/// The k best of scores, ties by the smaller vertex. O(n log k).
std::vector<ranked_vertex> best(std::span<const double> scores, std::uint64_t k);
std::vector<ranked_vertex> best(std::uint64_t vertices, std::uint64_t k,
                                const std::function<double(graph::vertex_id)>& score);

/// The key "top": {vertex, score} each.
void set_top(session& s, const loaded_graph& g, const std::vector<ranked_vertex>& top);

/// A hook that shows where an algorithm is: its phase, what it is about, how much is done.
graph::progress_hook hook(session& s, const std::string& about = {});

}  // namespace gossamer::cli
