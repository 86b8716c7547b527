#pragma once
// `graph` owns a loaded or generated graph: rows in both directions, the names of the vertices, and
// statistics about its creation. Move-only; made by load() (load.hpp) or build() (build.hpp), immutable
// afterwards. Kernels capture view(), which must not outlive it.

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/graph/store/internal/labels.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Statistics about the creation of the graph.
struct graph_statistics {
  std::string format;             // "edge list", "edge list, gzip", "matrix market", "kronecker", ...
  std::string header;             // of a text edge list: the line read as its header
  std::string columns;            // of a table with more columns: those read, "2 (src), 3 (dst)"
  std::string left_out;  // of a header: names of numeric columns that were not read, "length, year"
  std::vector<std::string> notes;  // warnings about a text: one line each, with the option that resolves it
  std::uint64_t comments = 0;  // lines of a text skipped as comments
  std::uint64_t edges_read = 0;  // lines with an edge, or generated edges
  std::uint64_t duplicates = 0;  // removed (undirected: a-b and b-a are one edge)
  std::uint64_t self_loops = 0;  // removed, each occurrence counted
  std::uint64_t negative_loops = 0;  // of these, those with a weight below 0, if weights are kept
  std::uint64_t weights = 0;  // edges with a weight; kept if load_options say so
  duplicate_rule rule = duplicate_rule::min;  // that combined them; files do not keep it
  double load_seconds = 0;  // reading and parsing, generating, or opening
  double build_seconds = 0;  // making rows from edges; 0 for the native format
};

/// Owns the rows, names and statistics of a graph.
class graph {
 public:
  graph() = default;
  /// Takes over the parts. For readers and generators.
  graph(graph_view rows, labels names, graph_statistics statistics, std::vector<storage> keep)
      : rows_(rows), names_(std::move(names)), statistics_(std::move(statistics)), keep_(std::move(keep)) {}
  /// Move-only.
  graph(graph&&) noexcept = default;
  /// Move-only.
  graph& operator=(graph&&) noexcept = default;

  /// Returns the handle for algorithms.
  graph_view view() const { return rows_; }
  /// Replaces the rows, or the way they are read; their memory stays. For code that makes graphs.
  void set_view(const graph_view& rows) { rows_ = rows; }
  /// Returns the labels of the vertices.
  const labels& names() const { return names_; }
  /// Returns the statistics.
  const graph_statistics& statistics() const { return statistics_; }
  /// Returns the statistics.
  graph_statistics& statistics() { return statistics_; }
  /// Returns the bytes of rows (each counted once, even if `in` is `out`) and names. A mapped file counts as
  /// memory.
  std::uint64_t memory_bytes() const;

 private:
  graph_view rows_;
  labels names_;
  graph_statistics statistics_;
  std::vector<storage> keep_;
};

}  // namespace gossamer::graph
