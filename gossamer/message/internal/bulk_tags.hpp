#pragma once
// The tags of a core's bulk moves: a fiber that begins one takes a tag, and waits where all are taken.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gossamer/fabric/bulk_mover.hpp"
#include "gossamer/fiber/sync.hpp"

namespace gossamer::message {

class endpoint;

/// What a core does when a bulk move of its own is over.
class bulk_end : public fabric::move_end {
 public:
  virtual void over(endpoint& self) = 0;
};

class bulk_tags {
 public:
  static constexpr unsigned k_most = 64;  // of a core: as many large messages as programs have under way

  /// `all`: how many there are; 0: no block is large enough. `core`: number in its process, of `cores`. `least_bytes`: of a block
  /// that is worth a move; 0: none is.
  bulk_tags(unsigned all, unsigned core, unsigned cores, std::uint64_t least_bytes)
      : units_(least_bytes == 0 ? 0 : std::min(k_most, all / (2 * cores))) {
    const unsigned mine = std::min(k_most, all / (2 * cores));
    if (mine == 0 || least_bytes == 0) return;
    least_bytes_ = least_bytes;
    for (unsigned i = mine; i-- > 0;) free_.push_back(core * mine + i);
  }

  std::uint64_t least_bytes() const { return least_bytes_; }
  /// Takes a tag where one is free that no fiber waits for. Never suspends.
  std::optional<unsigned> try_take() {
    if (!units_.try_acquire()) return std::nullopt;
    return pop();
  }
  /// Takes a tag. Suspends where all are taken.
  unsigned take() {
    units_.acquire();
    return pop();
  }
  void give_back(unsigned tag) {
    free_.push_back(tag);
    units_.release();  // to the fiber that has waited longest
  }

  /// Returns the transport's tag of a move that brings data to the other process, or gets data from there. What one
  /// process puts and what the other gets go the same way, and have different tags.
  static unsigned of_put(unsigned tag) { return 2 * tag; }
  static unsigned of_get(unsigned tag) { return 2 * tag + 1; }

 private:
  unsigned pop() {
    const unsigned tag = free_.back();
    free_.pop_back();
    return tag;
  }

  std::uint64_t least_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<unsigned> free_;
  fiber::semaphore units_;
};

}  // namespace gossamer::message
