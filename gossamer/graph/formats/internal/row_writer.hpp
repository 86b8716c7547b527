#pragma once
// Writes text from the rows of a graph. The cores of process 0, which writes files, format (and compress)
// chunks of rows in rounds, and the chunks are written in order. A derived class formats the lines.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

class row_writer {
 public:
  row_writer(const row_writer&) = delete;
  row_writer& operator=(const row_writer&) = delete;

 protected:
  row_writer(const graph& g, const std::string& path);
  virtual ~row_writer() = default;

  /// Returns the text of the rows of vertices [begin, end). Any core. target() and append_weight() work for
  /// the arcs of these rows.
  virtual std::string format(std::uint64_t begin, std::uint64_t end) const = 0;
  /// Inspects the text of some rows. Any core. `slot` is less than slots(), and unique within a round.
  virtual void inspect_text(std::size_t, const std::string&, std::uint64_t, std::uint64_t) {}
  /// Prepares to write the text of a slot. Called in order.
  virtual void written(std::size_t) {}
  /// Runs checks that need all rows, before the file is renamed. May throw.
  virtual void finished() {}

  /// Writes the heading, all rows, and the file. By the main fiber.
  void write_rows(const std::string& heading, const progress_hook& progress);

  /// Makes the arcs of the rows of vertices [begin, end) readable. By the main fiber.
  void bring(std::uint64_t begin, std::uint64_t end);
  vertex_id target(std::uint64_t arc) const { return targets_[arc - first_arc_]; }
  bool has_weights() const { return g_.weights != weight_type::none; }
  /// Appends a separator and the weight of an arc, exactly and in the fewest digits. Appends nothing without
  /// weights.
  void append_weight(std::uint64_t arc, char separator, std::string& text) const;
  std::size_t slots() const { return chunks_.size(); }

  graph_view g_;
  remote_row_cache rows_;

 private:
  static constexpr std::uint64_t k_chunk_arcs = 1 << 16;  // formatted by one core at a time

  std::uint64_t first_arc_ = 0;  // the first readable arc
  const vertex_id* targets_ = nullptr;
  const std::byte* weights_ = nullptr;
  machine::output_file file_;
  io::compression how_;
  std::vector<std::uint64_t> cuts_;  // first vertex of each chunk, then the number of vertices
  std::vector<std::string> chunks_;  // of one round
};

}  // namespace gossamer::graph
