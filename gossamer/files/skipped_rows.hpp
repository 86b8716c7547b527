#pragma once
// The rows of text that map functions leave out because something is wrong with them: each core counts its own and
// keeps the first one, whose place it finds at once. The first one of all does not depend on the number of cores.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/text_input.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// The rows that one core leaves out.
class skipped_rows {
 public:
  /// Counts a row at `at` of a chunk. Where the row comes before those that this core has met, asks what is wrong with it, and reads its file
  /// up to there.
  void add(const text_chunk& chunk, std::size_t at, function_ref<std::string()> what);

  /// Where the first one is, in the order of the input. Trivially copyable. Eight-byte words without a gap.
  struct summary {
    std::uint64_t rows = 0;  ///< how many there are
    std::uint64_t file = 0;  ///< of the first one
    std::uint64_t block_begin = 0;  ///< as of text_chunk
    std::uint64_t at = 0;  ///< in the text of that block

    /// Returns whether the first row comes before that of another.
    bool is_before(const summary& other) const {
      if (rows == 0 || other.rows == 0) return rows != 0;
      return std::tie(file, block_begin, at) < std::tie(other.file, other.block_begin, other.at);
    }
  };
  /// Adds rows that were left out elsewhere: how many, and the place and problem of the first one.
  void add(const summary& rows, std::string_view first);
  /// Returns how many, and which is the first.
  const summary& all() const { return all_; }
  /// Returns "<path>:<line>: <what>" of the first one.
  std::string_view first() const { return first_; }

 private:
  summary all_;
  std::string first_;
};

/// What all cores have left out.
struct all_skipped_rows {
  std::uint64_t rows = 0;  ///< how many
  std::string first = {};  ///< place and problem of the first one
};

/// Adds up what the cores have left out: `of(slot)` is the skipped_rows of a core. By one fiber; suspends.
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
