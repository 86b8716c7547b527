#pragma once
// The tags of a core's bulk moves. A fiber that begins a move takes a tag, and waits while all are in use.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gossamer/fabric/bulk_mover.hpp"
#include "gossamer/fiber/sync.hpp"

namespace gossamer::message {

class endpoint;

/// What a core does when one of its bulk moves is over.
class bulk_end : public fabric::move_end {
 public:
  virtual void over(endpoint& self) = 0;
};

class bulk_tags {
 public:
  static constexpr unsigned k_most = 64;  // of a core: large messages that programs usually have in flight

  /// `all`: number of tags; 0: no block is large enough. `core`: number in its process, of `cores`.
  /// `least_bytes`: smallest block that is moved; 0: none is.
  bulk_tags(unsigned all, unsigned core, unsigned cores, std::uint64_t least_bytes)
      : units_(least_bytes == 0 ? 0 : std::min(k_most, all / (2 * cores))) {
    const unsigned mine = std::min(k_most, all / (2 * cores));
    if (mine == 0 || least_bytes == 0) return;
    least_bytes_ = least_bytes;
    for (unsigned i = mine; i-- > 0;) free_.push_back(core * mine + i);
  }

  std::uint64_t least_bytes() const { return least_bytes_; }
  /// Takes a tag if one is free that no fiber waits for. Never suspends.
  std::optional<unsigned> try_take() {
    if (!units_.try_acquire()) return std::nullopt;
    return pop();
  }
  /// Takes a tag. Suspends while all are in use.
  unsigned take() {
    units_.acquire();
    return pop();
  }
  void give_back(unsigned tag) {
    free_.push_back(tag);
    units_.release();  // wakes the fiber that has waited longest
  }

  /// Returns the transport's tag of a move that brings data to the other process, or gets data from there. A
  /// put of one process and a get of the other move data in the same direction, and have different tags.
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
