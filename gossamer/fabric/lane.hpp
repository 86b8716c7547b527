#pragma once
// A lane: bounded ring of packets from one core to another of the same process, one producer, one
// consumer. A slot says itself whether it is full: by a bit that alternates from lap to lap. So
// a packet costs the consumer one line besides its own, which it only reads. The producer looks at the
// consumer's index only when its copy of it says full. All bytes zero is an empty lane
// (mesh.hpp).
//
// The slots of a lane are words, which hold the addresses of packets. Those of a line_lane are lines: a packet that fits one is
// copied into it, so that it moves one line and stays its sender's; of others a line holds the address. A lane of lines takes eight
// times the memory.
//
//   field               writes     reads      protected by
//   slots_              producer   consumer   seq_cst (publishes the packet; before the look at the sleeper)
//                                             / acquire
//   head_               consumer   producer   release (frees slots) / acquire
//   tail_, head_copy_   producer   producer   one side only

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"

namespace gossamer::fabric {

/// Where producer and consumer of a lane are.
class lane_ends {
 public:
  static constexpr std::uint32_t k_slots = 64;

  /// Returns whether a packet can be added. Producer only.
  bool has_room() const {
    if (tail_ - head_copy_ < k_slots) return true;
    head_copy_ =
        head_.load(std::memory_order_acquire);  // the consumer has read those slots; pairs with pop()
    return tail_ - head_copy_ < k_slots;
  }
  /// Takes the oldest packet away. Consumer only.
  void pop() { head_.store(head() + 1, std::memory_order_release); }  // pairs with has_room()

 protected:
  /// Returns the bit that says, on this lap, that a slot is full. 1 first: slots are 0.
  static std::uint32_t lap(std::uint32_t index) { return (index / k_slots + 1) & 1; }
  std::uint32_t head() const { return head_.load(std::memory_order_relaxed); }  // the consumer's own
  std::uint32_t tail() const { return tail_; }
  void pushed() { ++tail_; }

 private:
  alignas(k_line_bytes) std::uint32_t tail_ = 0;
  mutable std::uint32_t head_copy_ = 0;
  alignas(k_line_bytes) std::atomic<std::uint32_t> head_{0};
};

class lane : public lane_ends {
 public:
  /// Adds a packet. Producer only. Returns false when the lane is full: the packet stays the caller's.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room()) return false;
    // seq_cst: publishes the packet, pairs with front(); and orders a later look at the consumer's sleep
    // after it, pairs with waiting().
    slots_[tail() % k_slots].store(reinterpret_cast<std::uintptr_t>(&p) | lap(tail()),
                                   std::memory_order_seq_cst);
    pushed();
    return true;
  }

  /// Returns the oldest packet and leaves it in place; null when there is none. Consumer only.
  packet* front() const {
    return packet_of(slots_[head() % k_slots].load(std::memory_order_acquire));  // pairs with try_push()
  }
  /// Returns whether there is a packet. For the consumer before it sleeps.
  bool waiting() const {
    return packet_of(slots_[head() % k_slots].load(std::memory_order_seq_cst)) !=
           nullptr;  // pairs with try_push()
  }
  /// Returns whether front() lies in the lane. Never: for callers of both kinds of lanes.
  static bool is_inside(const packet& /*p*/) { return false; }

 private:
  packet* packet_of(std::uintptr_t slot) const {
    return (slot & 1) == lap(head()) ? reinterpret_cast<packet*>(slot & ~std::uintptr_t{1}) : nullptr;
  }

  alignas(k_line_bytes) std::array<std::atomic<std::uintptr_t>, k_slots> slots_{};
};

class line_lane : public lane_ends {
 public:
  /// Payload of the largest packet that fits a line.
  static constexpr std::size_t k_inside_bytes = k_line_bytes - packet::k_head_bytes;

  /// Adds a packet by its address. Producer only. Returns false when the lane is full: the packet stays the caller's.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room()) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(&p);
    std::memcpy(slot(tail()).payload(), &address, sizeof address);
    publish(k_address);
    return true;
  }
  /// Adds a copy of a packet with at most k_inside_bytes; the packet stays the caller's. Producer only. Returns false when
  /// the lane is full.
  [[nodiscard]] bool try_copy(const packet& p) {
    if (!has_room()) return false;
    copy_packet(slot(tail()), p);
    publish(0);
    return true;
  }

  /// Returns the oldest packet and leaves it in place, until pop() where it lies in the lane; null when there is none.
  /// Consumer only.
  packet* front() const {
    packet& s = slot(head());
    const std::uint32_t mark = mark_of(s).load(std::memory_order_acquire);  // pairs with publish()
    if ((mark & k_lap) != lap(head())) {
      fetch_next();
      return nullptr;
    }
    if ((mark & k_address) == 0) return &s;
    std::uintptr_t address;
    std::memcpy(&address, s.payload(), sizeof address);
    return reinterpret_cast<packet*>(address);
  }
  /// Returns whether there is a packet. For the consumer before it sleeps.
  bool waiting() const {
    if ((mark_of(slot(head())).load(std::memory_order_seq_cst) & k_lap) == lap(head()))
      return true;  // pairs with publish()
    fetch_next();
    return false;
  }
  /// Returns whether front() is a copy that lies in the lane.
  bool is_inside(const packet& p) const { return &p == &slot(head()); }

 private:
  static constexpr std::uint32_t k_lap = 1, k_address = 2;  // of a mark

  packet& slot(std::uint32_t index) const { return slots_[index % k_slots]; }
  /// Returns the mark of a slot: the field that no pool needs here.
  static std::atomic_ref<std::uint16_t> mark_of(packet& slot) {
    return std::atomic_ref<std::uint16_t>(slot.owner);
  }
  /// Fetches the line behind an empty slot, while nothing waits for it: it is looked at as soon as the packet that comes has been
  /// taken, before the fibers that it has woken run.
  void fetch_next() const { __builtin_prefetch(&slot(head() + 1)); }
  void publish(std::uint32_t form) {
    // seq_cst: as in lane::try_push(); pairs with front() and waiting().
    mark_of(slot(tail())).store(static_cast<std::uint16_t>(lap(tail()) | form), std::memory_order_seq_cst);
    pushed();
  }

  mutable std::array<packet, k_slots> slots_{};
};

}  // namespace gossamer::fabric
