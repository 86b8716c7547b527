#pragma once
// Checks that a text edge list of names, as written, is read back as the same edges. Calls the functions of
// the reader: they infer a header, a separator, and whether vertices are numbers, so a writer cannot predict
// their results.
//
//   header, separator   from the first lines: header_for() returns the header that they need
//   numbers or names    the first line with a vertex that is no integer decides (join())
//   fields              each line is scanned, and compared with the names written there (check())

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

/// Checks one text. Any cores check chunks, which are then joined in order.
class read_back {
 public:
  /// The result for a chunk of text.
  struct chunk {
    problem numbers = problem::none;  // where the reader stops, which first expects numbers
    std::string not_numbers;  // the first name that is not read as a number, or as another one, like "02"
    std::string lost;  // the first name that is not read back from its place
  };

  /// Takes the names, the path for errors, and whether edges have weights.
  read_back(labels names, std::string path, bool has_weights)
      : names_(std::move(names)), path_(std::move(path)), has_weights_(has_weights) {}

  /// Returns the header that the edges need, or nothing. `lines`: the first lines of edges, up to ten. Throws
  /// gossamer::error if no header helps.
  std::string header_for(std::string_view comments, std::string_view lines);

  /// Checks a chunk of whole lines, written for these edges. Any core, after header_for().
  chunk check(std::string_view text, const std::vector<edge>& edges) const;

  /// Joins the results of chunks, in order. Throws gossamer::error for text that would not be read back.
  void join(const chunk& next);
  /// Checks the end of the text.
  void finish() const;

 private:
  bool takes(const std::string& text, bool has_header);
  [[noreturn]] void refuse(std::string_view name) const;

  labels names_;
  std::string path_;
  bool has_weights_;
  line_format format_;
  bool is_names_ = false;  // the reader has found that vertices are names
  std::string not_numbers_;  // of the chunks so far
};

}  // namespace gossamer::graph
