#pragma once
// Sorted runs of unsigned keys in scratch files, and their merge. The counterpart of line_runs, for keys. A
// range of the order takes the keys between two splitters from each block; splitters are first keys of
// blocks. Equal keys are assigned to ranges by their block.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/scratch_blocks.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/sort/key_sort.hpp"

namespace gossamer::sorting {

/// The runs of one process. Its first core calls its functions, except write().
template <class Key>
class key_runs {
 public:
  /// Consecutive keys of a run.
  struct block {
    io::block_place place;
    unsigned writer = 0;  // the core that owns its file
    Key first = 0, last = 0;
    std::uint64_t origin = 0;  // the index of its run, its process, and its own index
  };
  using splitter = std::pair<Key, std::uint64_t>;  // a key, and its origin

  /// Opens a scratch file for each core. A merge may use `memory_bytes`.
  key_runs(const std::string& folder, std::uint64_t memory_bytes)
      : memory_bytes_(memory_bytes),
        block_bytes_(std::clamp<std::size_t>(memory_bytes / (k_blocks_of_core * local::cores()) / sizeof(Key),
                                             k_least_block_keys, k_most_block_keys) *
                     sizeof(Key)) {
    for (unsigned c = 0; c < local::cores(); ++c) files_.at(c).file = machine::scratch_file::in(folder);
  }

  /// Writes sorted keys on this core and returns their blocks. Never suspends.
  std::vector<block> write(std::span<const Key> keys) {
    std::vector<block> blocks;
    core_file& mine = files_.here();
    while (!keys.empty()) {
      const auto chunk = keys.first(std::min<std::size_t>(keys.size(), block_bytes_ / sizeof(Key)));
      blocks.push_back(
          {mine.codec.write(mine.file, std::as_bytes(chunk)), local::here(), chunk.front(), chunk.back(), 0});
      keys = keys.subspan(chunk.size());
    }
    return blocks;
  }
  /// Appends a run, or this process's block of one. Throws gossamer::error if a merge of that many runs
  /// exceeds the memory.
  void append(std::vector<block> run) {
    if (++runs_ > memory_bytes_ / (4 * block_bytes_))
      throw error(fmt::format(
          "sorting numbers: expected at most {} runs with {} of memory, found more: give more memory",
          runs_ - 1, format_bytes(memory_bytes_)));
    for (std::size_t b = 0; b < run.size(); ++b)
      run[b].origin = runs_ << k_block_bits << k_process_bits | std::uint64_t{process()} << k_block_bits | b;
    blocks_.insert(blocks_.end(), run.begin(), run.end());
  }
  std::uint64_t size() const { return runs_; }

  /// Returns the blocks of all runs.
  const std::vector<block>& blocks() const { return blocks_; }
  /// Replaces the blocks; the number of runs must stay the same.
  void set_blocks(std::vector<block> blocks) { blocks_ = std::move(blocks); }
  /// Reads the keys of a block. On any core.
  std::vector<Key> read(const block& from) {
    std::vector<std::byte> raw;
    files_.here().codec.read(files_.at(from.writer).file, from.place, raw);
    std::vector<Key> keys(raw.size() / sizeof(Key));
    std::memcpy(keys.data(), raw.data(), raw.size());
    return keys;
  }
  /// Reads the stored bytes of a block.
  void read_stored(const block& from, std::span<std::byte> into) const {
    files_.at(from.writer).file.read(from.place.at, into);
  }
  /// Appends the stored bytes of a block to this core's file.
  void add_stored(block& to, std::span<const std::byte> stored) {
    to.place.at = files_.here().file.append(stored);
    to.writer = local::here();
  }
  /// Returns the position of the first key not before a splitter in a block of that origin: before all equal
  /// keys, unless the splitter is from a later block.
  static std::size_t position(std::span<const Key> keys, const splitter& s, std::uint64_t origin) {
    const auto at =
        s.second > origin ? std::ranges::upper_bound(keys, s.first) : std::ranges::lower_bound(keys, s.first);
    return static_cast<std::size_t>(at - keys.begin());
  }
  /// Returns the number of splitters that are not greater.
  static std::size_t range_of(const std::vector<splitter>& splitters, const splitter& key) {
    return static_cast<std::size_t>(std::ranges::upper_bound(splitters, key) - splitters.begin());
  }
  /// Chooses splitters for this number of ranges from candidates.
  static std::vector<splitter> choose(std::vector<splitter> all, std::uint64_t ranges) {
    std::vector<splitter> chosen;
    std::ranges::sort(all);
    for (std::uint64_t r = 1; r < ranges && !all.empty(); ++r) chosen.push_back(all[all.size() * r / ranges]);
    chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
    return chosen;
  }

  std::uint64_t stored_bytes() const {
    return files_.fold(std::uint64_t{0},
                       [](std::uint64_t sum, const core_file& f) { return sum + f.file.bytes(); });
  }

  /// Merges all keys in order, in chunks. Calls make(chunk) on any core, and take() with its results, in
  /// order.
  void merge(function_ref<std::string(std::span<const Key> keys)> make,
             function_ref<void(const std::string& chunk)> take,
             function_ref<void(std::uint64_t done, std::uint64_t total)> progress) {
    const auto at_once = static_cast<unsigned>(std::clamp<std::uint64_t>(
        memory_bytes_ / (4 * block_bytes_ * std::max<std::uint64_t>(runs_, 1)), 1, local::cores()));
    const std::uint64_t fit = memory_bytes_ / (2 * block_bytes_ * at_once);
    std::vector<splitter> firsts;
    for (const block& b : blocks_) firsts.emplace_back(b.first, b.origin);
    const auto splitters = choose(std::move(firsts), blocks_.size() / (fit > runs_ ? fit - runs_ : 1) + 1);
    const std::size_t ranges = splitters.size() + 1;
    std::vector<std::vector<const block*>> of(ranges);
    for (const block& b : blocks_)
      for (std::size_t r = range_of(splitters, {b.first, b.origin});
           r <= range_of(splitters, {b.last, b.origin}); ++r)
        of[r].push_back(&b);
    for (std::size_t begin = 0; begin < ranges; begin += at_once) {
      std::vector<std::string> chunks(std::min<std::size_t>(at_once, ranges - begin));
      local::forall_chunks(0, chunks.size(), 1, [&](std::uint64_t p, std::uint64_t end) {
        for (; p < end; ++p) chunks[p] = make(load(splitters, begin + p, of[begin + p]));
      });
      for (const std::string& chunk : chunks) take(chunk);
      progress(begin + chunks.size(), ranges);
    }
  }

 private:
  static constexpr std::size_t k_blocks_of_core = 256;
  static constexpr unsigned k_process_bits = 20, k_block_bits = 24;  // number of bits in an origin
  static constexpr std::size_t k_least_block_keys = 1 << 10, k_most_block_keys = 32 << 10;
  struct core_file {
    machine::scratch_file file;
    io::block_codec codec;
  };

  /// Returns the keys of a range, sorted.
  std::vector<Key> load(const std::vector<splitter>& splitters, std::size_t range,
                        const std::vector<const block*>& blocks) {
    std::uint64_t bytes = 0;
    for (const block* b : blocks) bytes += b->place.raw;
    machine::require_chunk(bytes, "merging numbers");
    std::vector<Key> keys;
    keys.reserve(bytes / sizeof(Key));
    for (const block* b : blocks) {
      const std::vector<Key> chunk = read(*b);
      const std::size_t begin = range == 0 ? 0 : position(chunk, splitters[range - 1], b->origin);
      const std::size_t end =
          range == splitters.size() ? chunk.size() : position(chunk, splitters[range], b->origin);
      if (begin < end)
        keys.insert(keys.end(), chunk.begin() + static_cast<std::ptrdiff_t>(begin),
                    chunk.begin() + static_cast<std::ptrdiff_t>(end));
    }
    sort_keys(std::span(keys));
    return keys;
  }

  std::uint64_t memory_bytes_;
  std::size_t block_bytes_;
  local::scoped_per_core<core_file> files_;
  std::vector<block> blocks_;
  std::uint64_t runs_ = 0;
};

}  // namespace gossamer::sorting
