#pragma once
// A lane: bounded ring of packets from one core to another of the same process, with one producer and one
// consumer. A bit in each slot says whether it is full; its meaning alternates from lap to lap. So a packet
// costs the consumer one line besides its own, which it only reads. The producer reads the consumer's index
// only if its copy of the index says that the ring is full. All bytes zero is an empty lane
// (mesh.hpp).
//
// The slots of a lane are words, which hold the addresses of packets. The slots of a line_lane are cache
// lines. A packet that fits a line is copied into it, so that it moves one line and remains the sender's. For
// a large packet the line holds the address. A packet that fits a few lines is copied into as many slots.
// Each slot has its own mark, so that a slot of the previous lap is not mistaken for a new one. So the
// payload is not contiguous there, and front() assembles it. A line_lane takes eight times the memory.
//
//   field               writes     reads      protected by
//   slots_              producer   consumer   seq_cst (publishes the packet; before the look at the sleeper)
//                                             / acquire
//   head_               consumer   producer   release (frees slots) / acquire
//   tail_, head_copy_   producer   producer   one side only

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"

namespace gossamer::fabric {

/// The positions of producer and consumer.
class lane_ends {
 public:
  static constexpr std::uint32_t k_slots = 64;

  /// Returns whether a packet can be added. Producer only.
  bool has_room() const { return has_room_for(1); }
  /// Returns whether the consumer has taken all packets. Producer only.
  bool all_taken() const { return head_.load(std::memory_order_acquire) == tail_; }  // pairs with pop_slots()
  /// Removes the oldest packet. Consumer only.
  void pop() { pop_slots(1); }

 protected:
  bool has_room_for(std::uint32_t slots) const {
    if (tail_ - head_copy_ + slots <= k_slots) return true;
    head_copy_ =
        head_.load(std::memory_order_acquire);  // the consumer has read those slots; pairs with pop_slots()
    return tail_ - head_copy_ + slots <= k_slots;
  }
  void pop_slots(std::uint32_t slots) {
    head_.store(head() + slots, std::memory_order_release);  // pairs with has_room_for()
  }
  /// Returns the bit that marks a full slot on this lap. 1 first: slots are zeroed.
  static std::uint32_t lap(std::uint32_t index) { return (index / k_slots + 1) & 1; }
  std::uint32_t head() const { return head_.load(std::memory_order_relaxed); }  // the consumer's own
  std::uint32_t tail() const { return tail_; }
  void pushed(std::uint32_t slots = 1) { tail_ += slots; }

 private:
  alignas(k_line_bytes) std::uint32_t tail_ = 0;
  mutable std::uint32_t head_copy_ = 0;
  alignas(k_line_bytes) std::atomic<std::uint32_t> head_{0};
};

class lane : public lane_ends {
 public:
  /// Adds a packet. Producer only. Returns false if the lane is full: the caller keeps the packet.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room()) return false;
    // seq_cst: publishes the packet, pairs with front(); and orders a later look at the consumer's sleep
    // after it, pairs with waiting().
    slots_[tail() % k_slots].store(reinterpret_cast<std::uintptr_t>(&p) | lap(tail()),
                                   std::memory_order_seq_cst);
    pushed();
    return true;
  }

  /// Returns the oldest packet and leaves it in place; null if there is none. Consumer only.
  packet* front() const {
    return packet_of(slots_[head() % k_slots].load(std::memory_order_acquire));  // pairs with try_push()
  }
  /// Returns whether there is a packet. For the consumer before it sleeps.
  bool waiting() const {
    return packet_of(slots_[head() % k_slots].load(std::memory_order_seq_cst)) !=
           nullptr;  // pairs with try_push()
  }
  /// Returns whether front() lies in the lane: never. For code that uses both kinds of lanes.
  static bool is_inside(const packet& /*p*/) { return false; }

 private:
  packet* packet_of(std::uintptr_t slot) const {
    return (slot & 1) == lap(head()) ? reinterpret_cast<packet*>(slot & ~std::uintptr_t{1}) : nullptr;
  }

  alignas(k_line_bytes) std::array<std::atomic<std::uintptr_t>, k_slots> slots_{};
};

class line_lane : public lane_ends {
 public:
  static constexpr std::size_t k_most_lines = 5;  // of a packet that is copied
  static constexpr std::size_t k_of_line_bytes = k_line_bytes - packet::k_head_bytes;  // payload of a line
  /// Payload of the largest packet that is copied.
  static constexpr std::size_t k_inside_bytes = k_most_lines * k_of_line_bytes;

  /// Adds a packet by its address. Producer only. Returns false if the lane is full: the caller keeps the
  /// packet.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room()) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(&p);
    std::memcpy(slot(tail()).payload(), &address, sizeof address);
    publish(k_address);
    return true;
  }
  /// Adds a copy of a packet of at most k_inside_bytes; the caller keeps the packet. Producer only. Returns
  /// false if the lane has too few free slots for a copy; one for an address may be free.
  [[nodiscard]] bool try_copy(const packet& p) {
    const auto further =
        p.bytes <= k_of_line_bytes ? 0U : static_cast<std::uint32_t>((p.bytes - 1) / k_of_line_bytes);
    if (!has_room_for(1 + further)) return false;
    for (std::uint32_t i = 1; i <= further; ++i) {
      packet& s = slot(tail() + i);
      const std::size_t at = i * k_of_line_bytes;
      copy_words(s.payload(), p.payload() + at, std::min(k_of_line_bytes, p.bytes - at));
      mark_of(s).store(
          static_cast<std::uint16_t>(lap(tail() + i)),
          std::memory_order_relaxed);  // publish() releases it: a lap later front() sees nothing older
    }
    copy_head(slot(tail()), p);
    copy_words(slot(tail()).payload(), p.payload(), std::min<std::size_t>(k_of_line_bytes, p.bytes));
    publish(static_cast<std::uint16_t>(further << k_further_shift));
    return true;
  }

  /// Returns the oldest packet, and leaves it where it lies in the lane until pop(); null if there is none.
  /// Consumer only.
  packet* front() const {
    packet& s = slot(head());
    const std::uint32_t mark = mark_of(s).load(std::memory_order_acquire);  // pairs with publish()
    if ((mark & k_lap) != lap(head())) {
      fetch_next();
      return nullptr;
    }
    if (mark <= k_lap) return &s;
    if ((mark & k_address) == 0) return &gathered(mark >> k_further_shift);
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
  bool is_inside(const packet& p) const { return &p == &slot(head()) || &p == gathered_.data(); }
  /// Removes front(). Consumer only.
  void pop() {
    const std::uint32_t mark =
        mark_of(slot(head())).load(std::memory_order_relaxed);  // front() has acquired it
    pop_slots(1 + (mark >> k_further_shift));
  }

 private:
  static constexpr std::uint32_t k_lap = 1, k_address = 2;  // of a mark; above: number of further slots
  static constexpr unsigned k_further_shift = 2;

  packet& slot(std::uint32_t index) const { return slots_[index % k_slots]; }
  /// Returns the mark of a slot, stored in `owner`, which no pool uses here.
  static std::atomic_ref<std::uint16_t> mark_of(packet& slot) {
    return std::atomic_ref<std::uint16_t>(slot.owner);
  }
  /// Prefetches the line behind an empty slot. The consumer polls it as soon as it has taken the next packet,
  /// before the woken fibers run.
  void fetch_next() const { __builtin_prefetch(&slot(head() + 1)); }
  void publish(std::uint32_t form) {
    // seq_cst: as in lane::try_push(); pairs with front() and waiting().
    mark_of(slot(tail())).store(static_cast<std::uint16_t>(lap(tail()) | form), std::memory_order_seq_cst);
    pushed(1 + (form >> k_further_shift));
  }
  /// Assembles the oldest packet, which has so many further slots.
  packet& gathered(std::uint32_t further) const {
    packet& to = gathered_[0];
    const packet& first = slot(head());
    copy_head(to, first);
    for (std::uint32_t i = 0; i <= further; ++i)
      std::memcpy(to.payload() + i * k_of_line_bytes, slot(head() + i).payload(), k_of_line_bytes);
    return to;
  }

  mutable std::array<packet, k_slots> slots_{};
  mutable std::array<packet, divide_up(packet::k_head_bytes + k_inside_bytes, k_line_bytes)>
      gathered_{};  // the consumer's buffer
};

}  // namespace gossamer::fabric
