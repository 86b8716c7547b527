#pragma once
// A lane: bounded ring of packets from one core to another of the same process, one producer, one
// consumer. A slot says itself whether it is full: a bit of the pointer that alternates from lap to lap. So
// a packet costs the consumer one line besides its own, which it only reads. The producer looks at the
// consumer's index only when its copy of it says full. All bytes zero is an empty lane
// (mesh.hpp).
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

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"

namespace gossamer::fabric {

class lane {
 public:
  static constexpr std::uint32_t k_slots = 64;

  /// Adds a packet. Producer only. Returns false when the lane is full: the packet stays the caller's.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room()) return false;
    // seq_cst: publishes the packet, pairs with front(); and orders a later look at the consumer's sleep
    // after it, pairs with waiting().
    slots_[tail_ % k_slots].store(reinterpret_cast<std::uintptr_t>(&p) | lap(tail_),
                                  std::memory_order_seq_cst);
    ++tail_;
    return true;
  }
  /// Returns whether try_push() would succeed. Producer only.
  bool has_room() const {
    if (tail_ - head_copy_ < k_slots) return true;
    head_copy_ =
        head_.load(std::memory_order_acquire);  // the consumer has read those slots; pairs with pop()
    return tail_ - head_copy_ < k_slots;
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
  /// Takes front() away. Consumer only.
  void pop() { head_.store(head() + 1, std::memory_order_release); }  // pairs with has_room()

 private:
  static std::uintptr_t lap(std::uint32_t index) {
    return (index / k_slots + 1) & 1;
  }  // 1 first: slots are 0
  std::uint32_t head() const { return head_.load(std::memory_order_relaxed); }  // the consumer's own
  packet* packet_of(std::uintptr_t slot) const {
    return (slot & 1) == lap(head()) ? reinterpret_cast<packet*>(slot & ~std::uintptr_t{1}) : nullptr;
  }

  alignas(k_line_bytes) std::uint32_t tail_ = 0;
  mutable std::uint32_t head_copy_ = 0;
  alignas(k_line_bytes) std::atomic<std::uint32_t> head_{0};
  alignas(k_line_bytes) std::array<std::atomic<std::uintptr_t>, k_slots> slots_{};
};

}  // namespace gossamer::fabric
