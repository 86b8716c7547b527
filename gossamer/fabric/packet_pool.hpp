#pragma once
// The packets of one core: a private magazine, from which the owner takes packets, and a locked depot, to
// which other cores return batches. So a get or a return is a few plain instructions; the returning core
// takes the lock once per batch, and the owner once per refill. Both hold pointers, not a list through the
// packets: a return moves an eighth of a line, not the packet's own line. Bounded: get() returns null if all
// packets are in use. A packet takes memory at its first use. If memory is short then, the pool does not grow
// (machine::may_take()).
//
//   field       writes                 reads              protected by
//   magazine    owner                  owner              owner only
//   depot       owner, any core        owner, any core    depot lock
//   returned_   any core, owner        owner              seq_cst: published before notify()
//   wanted_     owner                  any core           relaxed: a hint when to return

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

/// Packets of one owner that are being returned, collected by the core that has emptied them. All bytes zero
/// is an empty batch.
class packet_batch {
 public:
  static constexpr std::uint32_t k_most = 16;

  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  bool full() const { return count_ == k_most; }
  /// Adds a packet. Not when full.
  void push(packet& p) { packets_[count_++] = &p; }

 private:
  friend class packet_pool;
  std::uint32_t count_ = 0;
  std::array<packet*, k_most> packets_;
};

class packet_pool {
 public:
  /// `count` packets of `bytes` each (head included). Touches nothing yet.
  packet_pool(std::uint16_t owner, std::size_t count, std::size_t bytes);

  /// Takes a packet; null if all are in use. Owner only.
  packet* get() {
    if (held_ == 0 && !refill()) return nullptr;
    return magazine_[--held_];
  }
  /// Returns a packet. Owner only.
  void put(packet& p) { magazine_[held_++] = &p; }

  /// Returns a batch to the pool and empties it. Any core. The caller then notifies the owner.
  void put_batch(packet_batch& batch);
  /// Announces that lanes of the owner have free slots although no packets were returned. Any core, after it
  /// has taken something from these lanes. The caller then notifies the owner.
  void note_lane_room() {
    returned_.fetch_add(0, std::memory_order_seq_cst);
  }  // pairs with any_returned() before sleep

  /// Returns how many packets get() can give without waiting for another core; fewer where memory is short.
  /// Owner only.
  std::size_t available() const { return held_ + fresh() + returned_.load(std::memory_order_relaxed); }
  /// Returns whether packets have been returned; seq_cst pairs with put_batch() before the owner sleeps.
  bool any_returned() const { return returned_.load(std::memory_order_seq_cst) != 0; }

  /// Makes other cores return packets at once, until some have been returned. Owner only.
  void want() { wanted_.store(true, std::memory_order_relaxed); }
  bool wanted() const { return wanted_.load(std::memory_order_relaxed); }

  std::size_t payload_bytes() const { return packet_bytes_ - packet::k_head_bytes; }
  std::size_t capacity() const { return count_; }

 private:
  static constexpr std::size_t k_always_made = 64;  // made even if memory is short: all of a pool of replies

  bool refill();
  std::size_t fresh() const { return count_ - made_; }

  std::unique_ptr<packet*[]> magazine_;
  std::size_t held_ = 0;  // in the magazine
  std::uint16_t owner_;
  std::size_t count_, packet_bytes_;
  std::size_t made_ = 0;  // packets used at least once: the first of the region
  machine::memory_region region_;
  alignas(k_line_bytes) std::mutex lock_;
  std::unique_ptr<packet*[]> depot_;
  std::atomic<std::size_t> returned_{0};  // in the depot
  alignas(k_line_bytes) std::atomic<bool> wanted_{false};  // its readers keep the line
};

}  // namespace gossamer::fabric
