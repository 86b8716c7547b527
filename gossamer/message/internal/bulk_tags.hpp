#pragma once
// The tags of a core's bulk moves: a fiber that begins one takes a tag, and waits where all are taken.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "gossamer/fiber/sync.hpp"

namespace gossamer::message {

class endpoint;

/// What a core does when a bulk move of its own is over.
class bulk_end {
 public:
  bulk_end() = default;
  virtual ~bulk_end() = default;
  bulk_end(const bulk_end&) = delete;
  bulk_end& operator=(const bulk_end&) = delete;

  virtual void over(endpoint& self) = 0;
};

class bulk_tags {
 public:
  static constexpr unsigned k_most = 16;  // of a core: enough to hide the way there and back

  /// Makes none: no block is large enough.
  bulk_tags() = default;
  /// `all`: how many the transport has. `core`: number in its process, of `cores`. `least_bytes`: of a block that is
  /// worth a move.
  bulk_tags(unsigned all, unsigned core, unsigned cores, std::uint64_t least_bytes) {
    const unsigned mine = std::min(k_most, all / (2 * cores));
    if (mine == 0 || least_bytes == 0) return;
    least_bytes_ = least_bytes;
    for (unsigned i = mine; i-- > 0;) free_.push_back(core * mine + i);
  }

  std::uint64_t least_bytes() const { return least_bytes_; }
  bool any_free() const { return !free_.empty(); }
  /// Takes a tag. Suspends where all are taken.
  unsigned take() {
    while (free_.empty()) waiters_.wait("a bulk move of another fiber");
    const unsigned tag = free_.back();
    free_.pop_back();
    return tag;
  }
  void give_back(unsigned tag) {
    free_.push_back(tag);
    waiters_.wake_one();
  }

  /// Returns the transport's tag of a move that brings data to the other process, or gets data from there. What one
  /// process puts and what the other gets go the same way, and have different tags.
  static unsigned of_put(unsigned tag) { return 2 * tag; }
  static unsigned of_get(unsigned tag) { return 2 * tag + 1; }

 private:
  std::uint64_t least_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<unsigned> free_;
  fiber::wait_queue waiters_;
};

}  // namespace gossamer::message
