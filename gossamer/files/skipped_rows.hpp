#pragma once
// Rows of text that map functions skip because they are invalid. Each core counts its own, and stores
// position and problem of the first. The first row of all cores does not depend on the number of cores.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/text_input.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// The rows that one core skips.
class skipped_rows {
 public:
  /// Counts a row at `at` of a chunk. If the row comes before those that this core has counted, calls what()
  /// for its problem, and reads its file up to there to find the line.
  void add(const text_chunk& chunk, std::size_t at, function_ref<std::string()> what);

  /// The position of the first row, in the order of the input. Trivially copyable: eight-byte words without
  /// padding.
  struct summary {
    std::uint64_t rows = 0;  ///< number of rows
    std::uint64_t file = 0;  ///< of the first row
    std::uint64_t block_begin = 0;  ///< as of text_chunk
    std::uint64_t at = 0;  ///< in the text of that block

    /// Returns whether the first row comes before that of another.
    bool is_before(const summary& other) const {
      if (rows == 0 || other.rows == 0) return rows != 0;
      return std::tie(file, block_begin, at) < std::tie(other.file, other.block_begin, other.at);
    }
  };
  /// Adds rows that were skipped elsewhere: their number, and the position and problem of the first.
  void add(const summary& rows, std::string_view first);
  /// Returns the number of rows, and the position of the first.
  const summary& all() const { return all_; }
  /// Returns "<path>:<line>: <what>" of the first row.
  std::string_view first() const { return first_; }

 private:
  summary all_;
  std::string first_;
};

/// The rows that all cores have skipped.
struct all_skipped_rows {
  std::uint64_t rows = 0;  ///< number of rows
  std::string first = {};  ///< position and problem of the first row
};

/// Adds up the skipped rows of all cores: `of(slot)` is the skipped_rows of a core. By one fiber; suspends.
template <class T, class F>
all_skipped_rows collect_skipped(const per_core<T>& from, F of) {
  all_skipped_rows all;
  const auto summaries = collect(from, [of](T& slot) { return of(slot).all(); });
  std::size_t first = 0;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    all.rows += summaries[c].rows;
    if (summaries[c].is_before(summaries[first])) first = c;
  }
  if (all.rows == 0) return all;
  const auto texts = collect_spans<char>(from, [of](T& slot) {
    return std::span<const char>(of(slot).first().data(), of(slot).first().size());
  });
  all.first.assign(texts[first].begin(), texts[first].end());
  return all;
}

}  // namespace gossamer
