#pragma once
// Whether a text edge list of names, as a writer makes it, is read back as the same edges. The reader's own functions find that out:
// they guess a header, a separator, and whether vertices are numbers, so a writer cannot know their answer by itself.
//
//   header, separator   by the first lines: header_for() says what is to stand above them
//   numbers or names    the first line with a vertex that is no integer decides (join())
//   fields              each line is scanned, and compared with the names that it was written for (check())

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

/// The check of one text. Chunks are checked by any cores, and joined in order.
class read_back {
 public:
  /// What is known of a chunk of text.
  struct chunk {
    problem numbers = problem::none;  // where the reader, which takes vertices for numbers at first, stops
    std::string not_numbers;  // the first name that is no number, or is another one's, as "02"
    std::string lost;  // the first name that a reader of names does not find where it was written
  };

  /// Takes the names, the path for errors, and whether edges have weights.
  read_back(labels names, std::string path, bool has_weights)
      : names_(std::move(names)), path_(std::move(path)), has_weights_(has_weights) {}

  /// Returns the line that has to stand between comments and edges, or nothing. `lines`: the first ones of edges, ten if there are as
  /// many. Throws gossamer::error where no line helps.
  std::string header_for(std::string_view comments, std::string_view lines);

  /// Checks a chunk of whole lines, which was written for these edges. Any core, after header_for().
  chunk check(std::string_view text, const std::vector<edge>& edges) const;

  /// Takes the chunks in order. Throws gossamer::error for what would not be read back.
  void join(const chunk& next);
  /// Does the same at the end of the text.
  void finish() const;

 private:
  bool takes(const std::string& text, bool has_header);
  [[noreturn]] void refuse(std::string_view name) const;

  labels names_;
  std::string path_;
  bool has_weights_;
  line_format format_;
  bool is_names_ = false;  // the reader has seen that vertices are names
  std::string not_numbers_;  // of the chunks so far
};

}  // namespace gossamer::graph
