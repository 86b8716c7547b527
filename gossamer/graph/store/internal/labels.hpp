#pragma once
// The labels of the vertices: maps dense ids 0..n-1 to the names in the input, and back. Three forms: a range
// (id + first: no memory), ascending 64-bit integers, or strings. Immutable; any core may read. Memory is
// shared with the code that made them (a build or a mapped file).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

class label_index;

class labels {
 public:
  enum class kind : std::uint8_t { range, integers, strings };

  labels() = default;  // an empty range
  static labels range(std::uint64_t vertices, std::uint64_t first = 0);
  /// Makes integer labels: that of v is ascending[v]. `ascending` is strictly ascending.
  static labels integers(std::span<const std::uint64_t> ascending, storage keep);
  /// Makes string labels: that of v is bytes[offsets[v] .. offsets[v+1]). `offsets` has one more entry than
  /// vertices.
  static labels strings(std::span<const std::uint64_t> offsets, std::span<const char> bytes, storage keep);
  static labels strings(buffer<std::uint64_t> offsets, buffer<char> bytes);

  kind form() const { return form_; }
  std::uint64_t size() const { return size_; }

  std::string label(vertex_id v) const;
  /// Returns the label of v, if labels are strings.
  std::string_view text(vertex_id v) const {
    return {bytes_.data() + values_[v], static_cast<std::size_t>(values_[v + 1] - values_[v])};
  }
  /// Appends the label of v to `text`. For writers; allocates only to grow `text`.
  void append(vertex_id v, std::string& text) const;

  /// Returns the vertex of a label. Range: constant time. Integers: a binary search. Strings: the first call
  /// for these labels, or for their copies, is a linear search, which takes less time than making a table.
  /// The second one makes a table of 12 bytes per name if there is memory. Any thread.
  std::optional<vertex_id> find(std::string_view text) const;
  /// Returns at most k labels near `text`, nearest first. Compares strings by edit distance to the whole
  /// label or a prefix, integers by difference. Reads all strings; for error messages.
  std::vector<std::string> nearest(std::string_view text, std::size_t k) const;

  std::uint64_t memory_bytes() const;

  // The raw arrays, for writers of the native format.
  std::uint64_t first() const { return first_; }
  std::span<const std::uint64_t> values() const { return values_; }  // integers, or offsets of strings
  std::span<const char> bytes() const { return bytes_; }

 private:
  std::optional<vertex_id> find_string(std::string_view text) const;

  kind form_ = kind::range;
  std::uint64_t size_ = 0;
  std::uint64_t first_ = 0;
  std::span<const std::uint64_t> values_;
  std::span<const char> bytes_;
  storage keep_;
  std::shared_ptr<label_index> index_;  // of strings
};

}  // namespace gossamer::graph
