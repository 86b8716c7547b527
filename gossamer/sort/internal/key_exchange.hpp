#pragma once
// Moves the keys of all sorted runs to the processes of their ranges of the order. The counterpart of
// run_exchange, for keys.
//
//   choose_ranges   chooses splitters from the first keys of blocks
//   cut             rewrites blocks that belong to several ranges, one for each
//   pack, swap      rounds: blocks are sent as stored in the scratch file, a bounded number at a time
//   finish          the remaining and the received blocks become the runs of this process

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/any_process.hpp"
#include "gossamer/sort/internal/key_runs.hpp"

namespace gossamer::sorting {

/// The state of one process. By its first core; suspends. Every function is called in all processes. The
/// collective ones throw nothing while other processes wait for them.
template <class Key>
class key_exchange {
 public:
  /// Starts an exchange. A quarter of `memory_bytes` is used for blocks under way.
  key_exchange(key_runs<Key>& runs, std::uint64_t memory_bytes)
      : runs_(runs),
        round_bytes_(memory_bytes / 8 / processes()),
        blocks_(processes()),
        next_(processes()),
        packed_(processes()) {}

  /// Chooses the ranges of all processes. Collective.
  void choose_ranges();
  /// Assigns blocks to ranges, and rewrites those that belong to several.
  void cut();
  /// Reads the next blocks for other processes from the scratch files.
  void pack();
  /// Sends them, and receives those of others. Collective, except for the end, where received blocks are
  /// written.
  void swap();
  /// Returns whether a process has more to send, as of the last swap().
  bool has_more() const { return has_more_; }
  /// Replaces the blocks of the runs by those in the range of this process.
  void finish() { runs_.set_blocks(std::move(mine_)); }

 private:
  using block = typename key_runs<Key>::block;
  using splitter = typename key_runs<Key>::splitter;
  static constexpr std::uint64_t k_samples = 256;  // for each process

  /// The header of a block under way; its stored bytes follow.
  struct travelling_block {
    std::uint64_t first, last, origin, stored, raw, sum;
  };

  void take(std::span<const char> bytes);

  key_runs<Key>& runs_;
  std::uint64_t round_bytes_;  // for each process
  std::vector<splitter> splitters_;
  std::vector<std::vector<block>> blocks_;  // by range
  std::vector<std::size_t> next_;  // by range: the next block of blocks_ to send
  std::vector<std::vector<char>> packed_;
  std::vector<block> mine_;
  bool has_more_ = true;
};

template <class Key>
void key_exchange<Key>::choose_ranges() {
  struct sample {
    std::uint64_t key, origin;
  };
  std::uint64_t blocks = 0;
  for (const std::uint64_t n : all_gather_processes(std::uint64_t{runs_.blocks().size()})) blocks += n;
  const std::uint64_t distance = blocks / (k_samples * processes()) + 1;  // the same everywhere
  std::vector<sample> drawn;
  for (std::size_t b = 0; b < runs_.blocks().size(); b += distance)
    drawn.push_back({runs_.blocks()[b].first, runs_.blocks()[b].origin});
  std::vector<splitter> all;
  for (const auto& chunk : gossamer::exchange(std::vector<std::vector<sample>>(processes(), drawn)))
    for (const sample& s : chunk) all.emplace_back(static_cast<Key>(s.key), s.origin);
  splitters_ = key_runs<Key>::choose(std::move(all), processes());
}

template <class Key>
void key_exchange<Key>::cut() {
  for (const block& whole : runs_.blocks()) {
    const std::size_t first = key_runs<Key>::range_of(splitters_, {whole.first, whole.origin});
    const std::size_t last = key_runs<Key>::range_of(splitters_, {whole.last, whole.origin});
    if (first == last) {
      blocks_[first].push_back(whole);
      continue;
    }
    const std::vector<Key> keys = runs_.read(whole);
    for (std::size_t range = first, begin = 0; range <= last; ++range) {
      const std::size_t end =
          range == last ? keys.size() : key_runs<Key>::position(keys, splitters_[range], whole.origin);
      for (block& chunk : runs_.write(std::span(keys).subspan(begin, end - begin))) {
        chunk.origin = whole.origin;
        blocks_[range].push_back(chunk);
      }
      begin = end;
    }
  }
  mine_ = std::exchange(blocks_[process()], {});
}

template <class Key>
void key_exchange<Key>::pack() {
  for (std::size_t p = 0; p < blocks_.size(); ++p) {
    std::vector<char>& bytes = packed_[p];
    bytes.clear();
    for (; next_[p] < blocks_[p].size(); ++next_[p]) {
      const block& b = blocks_[p][next_[p]];
      const std::size_t at = bytes.size(), size = sizeof(travelling_block) + b.place.stored;
      if (at != 0 && at + size > round_bytes_) break;
      bytes.resize(at + size);
      const travelling_block head{b.first, b.last, b.origin, b.place.stored, b.place.raw, b.place.sum};
      std::memcpy(bytes.data() + at, &head, sizeof head);
      runs_.read_stored(b, std::as_writable_bytes(std::span(bytes).subspan(at + sizeof head)));
    }
  }
}

template <class Key>
void key_exchange<Key>::swap() {
  const auto got = gossamer::exchange(std::exchange(packed_, std::vector<std::vector<char>>(processes())));
  bool unsent = false;
  for (std::size_t p = 0; p < blocks_.size(); ++p) unsent |= next_[p] < blocks_[p].size();
  has_more_ = any_process(unsent);
  for (const std::vector<char>& bytes : got) take(bytes);
}

/// Stores the blocks received from another process.
template <class Key>
void key_exchange<Key>::take(std::span<const char> bytes) {
  while (!bytes.empty()) {
    travelling_block head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes = bytes.subspan(sizeof head);
    block b;
    b.first = static_cast<Key>(head.first);
    b.last = static_cast<Key>(head.last);
    b.origin = head.origin;
    b.place = {0, head.stored, head.raw, head.sum};
    runs_.add_stored(b, std::as_bytes(bytes.first(head.stored)));
    mine_.push_back(b);
    bytes = bytes.subspan(head.stored);
  }
}

}  // namespace gossamer::sorting
