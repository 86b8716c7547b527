#pragma once
// Reads the lines of a process's texts on all of its cores: divides the texts into chunks, draws samples, and
// distributes the lines to buckets. Each core fills its own buckets.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/sort/internal/line_rule.hpp"
#include "gossamer/sort/internal/line_splitters.hpp"
#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/key_sort.hpp"

namespace gossamer::sorting {

/// Whole records of a text.
struct line_chunk {
  std::string_view text;
  std::uint64_t place;  // of its first byte
  std::uint32_t file;
};

/// Divides the texts into chunks. With quotes, uses all cores of the process; suspends.
std::vector<line_chunk> cut_lines(const line_texts& texts, bool quotes);

/// Draws about `wanted` lines at regular distances. Skips lines without a key.
std::vector<line_sample> draw_lines(const std::vector<line_chunk>& chunks, const line_rule& rule,
                                    std::uint64_t wanted,
                                    function_ref<std::uint64_t(std::uint32_t file)> origin);

/// The entries of one core, by bucket. An entry has the first step of the key, and the line.
class line_buckets {
 public:
  /// Makes this number of empty buckets.
  void prepare(std::size_t buckets) { all_ = std::vector<bucket>(buckets); }

  /// Appends an entry. Throws gossamer::error if memory does not suffice.
  void add(std::size_t to, std::uint64_t step, std::uint64_t line) {
    bucket& b = all_[to];
    if (b.next == b.end) [[unlikely]]
      grow(b);
    *b.next++ = {line, step};
  }

  /// Returns the number of entries of a bucket.
  std::size_t size(std::size_t of) const {
    const bucket& b = all_[of];
    return b.regions.size() * k_region_entries - static_cast<std::size_t>(b.end - b.next);
  }
  /// Refers to a flag of a bucket: whether it has numbers that their steps do not decide.
  bool& has_long_numbers(std::size_t of) { return all_[of].long_numbers; }
  /// Copies the entries of a bucket, frees them here, and returns where the copies end.
  wide_key* take(std::size_t from, wide_key* to);

 private:
  static constexpr std::size_t k_region_entries = std::size_t{1}
                                                  << 14;  // entries; pages are allocated when written
  struct bucket {
    wide_key* next = nullptr;
    wide_key* end = nullptr;
    std::vector<machine::memory_region> regions;
    bool long_numbers = false;
  };
  static void grow(bucket& b);

  std::vector<bucket> all_;
};

/// The callbacks of a scan.
struct scan_calls {
  function_ref<void(const line_chunk&)> before;  // each chunk
  function_ref<std::uint64_t(std::uint32_t file)> origin;  // of the lines of a file
  function_ref<void(std::uint64_t place, function_ref<std::string()> what)>
      problem;  // throws; if it returns, the line is skipped
};

/// Calls f(step, key, line, is_decided) for each line of a chunk without problems: one written by a sort.
void scan_lines(
    const line_chunk& chunk, const line_rule& rule,
    function_ref<void(std::uint64_t step, std::string_view key, std::uint64_t line, bool is_decided)> f);

/// Distributes the lines of a chunk to the buckets of this core.
void deal_lines(const line_chunk& chunk, const line_rule& rule, const line_splitters& splitters,
                line_buckets& into, const scan_calls& calls);

}  // namespace gossamer::sorting
