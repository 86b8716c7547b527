#pragma once
// The graph of a command: its rows, its labels, and its description at the start of every answer.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "output/label.hpp"
#include "output/session.hpp"

namespace gossamer::cli {

/// Describes the argument G in help texts.
inline constexpr std::string_view k_graph_help =
    "a file (text edge list, Matrix Market, DIMACS, METIS, Pajek, .sg, .wsg or native; also compressed by "
    "gzip, "
    "zstd, bzip2 or xz; - is standard input), "
    "or a generated one: kron:SCALE[:EDGEFACTOR], uniform:SCALE[:EDGEFACTOR], "
    "rmat:SCALE[:EDGEFACTOR[:A,B,C]], "
    "grid:ROWSxCOLUMNS, road:N, ba:N:M, ws:N:K:P, sbm:SIZE,SIZE...:IN:BETWEEN; @LOW..HIGH behind it gives "
    "weights";

/// Options for reading the graph.
struct graph_source {
  std::optional<bool> directed;      // unset: files are directed, generated graphs are not
  std::optional<bool> header;        // unset: detected from the file
  std::vector<std::string> columns;  // source, target, weight: names or numbers
  char separator = '\0';             // '\0': detected from the file
  std::optional<bool> labels;        // unset: names if any vertex is no integer
  bool no_comments = false;          // lines that begin with #, % or // are edges
  bool no_quotes = false;            // quotes have no special meaning
  std::vector<std::string> nulls;    // texts for a missing vertex or weight
  std::string vertices;              // a file of vertices; empty: none
  bool packed_edges = false;         // the packed form of Graph500
  std::optional<graph::duplicate_rule> duplicates = {};  // of weights
};

class loaded_graph {
 public:
  /// Reads or generates the graph of that name. Adds a description of it to the answer, in text and JSON.
  /// Collective; inside run(), by the main fiber.
  loaded_graph(session& s, const std::string& name, const graph_source& from, std::uint64_t seed,
               graph::weight_use weights = graph::weight_use::counted);

  graph::graph_view view() const { return graph_.view(); }
  const graph::graph& whole() const { return graph_; }
  label label_of(graph::vertex_id v) const;
  std::string text_of(graph::vertex_id v) const { return abridged(label_text(label_of(v))); }

  /// Passes properties of the graph to the recorder of --explain: its size, and the process that owns the
  /// vertex of largest degree. Does nothing without a recorder. Collective; by the main fiber.
  void tell(session& s) const;

  /// Returns the vertex with that label. Throws gossamer::error with the option and the nearest labels if
  /// there is none.
  graph::vertex_id find(const std::string& option, const std::string& label) const;

 private:
  graph::graph graph_;
  std::string name_;
};

struct ranked_vertex {
  graph::vertex_id vertex;
  double score;
};

/// Returns the k best of scores, ties by the smaller vertex. O(n log k).
std::vector<ranked_vertex> best(std::span<const double> scores, std::uint64_t k);
std::vector<ranked_vertex> best(std::uint64_t vertices, std::uint64_t k,
                                const std::function<double(graph::vertex_id)>& score);

/// Sets the key "top": an array of {vertex, score}.
void set_top(session& s, const loaded_graph& g, const std::vector<ranked_vertex>& top);

/// Returns a hook that shows the progress of an algorithm: its phase, `about`, and how much is done.
graph::progress_hook hook(session& s, const std::string& about = {});

}  // namespace gossamer::cli
