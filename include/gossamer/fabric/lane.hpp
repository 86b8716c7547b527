#pragma once
// A lane: bounded ring of packets from one core to another of the same process, one producer, one
// consumer. Each side keeps a copy of the other's index and looks at the real one only when its copy
// says full or empty, so a stream moves the index lines rarely.
//
//   field                      writes      reads       protected by
//   tail_                      producer    consumer    release (publishes slots) / acquire
//   head_                      consumer    producer    release (frees slots) / acquire
//   head_copy_, tail_copy_     own side    own side    one side only

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/packet.hpp"

namespace gossamer::fabric {

class lane {
 public:
  static constexpr std::uint32_t k_slots = 64;

  /// Producer. False when full: the packet stays the caller's.
  [[nodiscard]] bool try_push(packet& p) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_copy_ == k_slots) {
      head_copy_ =
          head_.load(std::memory_order_acquire);  // the consumer has read those slots; pairs with pop()
      if (tail - head_copy_ == k_slots) return false;
    }
    slots_[tail % k_slots] = &p;
    tail_.store(tail + 1, std::memory_order_release);  // publishes slot and packet; pairs with front()
    return true;
  }
  /// Producer: whether try_push would succeed.
  bool has_room() {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_copy_ < k_slots) return true;
    head_copy_ = head_.load(std::memory_order_acquire);  // pairs with pop()
    return tail - head_copy_ < k_slots;
  }

  /// Consumer: the oldest packet, left in place; null when there is none.
  packet* front() {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_copy_) {
      tail_copy_ = tail_.load(std::memory_order_acquire);  // pairs with try_push()
      if (head == tail_copy_) return nullptr;
    }
    return slots_[head % k_slots];
  }
  /// Consumer: takes front() away.
  void pop() {
    head_.store(head_.load(std::memory_order_relaxed) + 1,
                std::memory_order_release);  // pairs with has_room()
  }

 private:
  alignas(k_line_bytes) std::atomic<std::uint32_t> tail_{0};
  std::uint32_t head_copy_ = 0;
  alignas(k_line_bytes) std::atomic<std::uint32_t> head_{0};
  std::uint32_t tail_copy_ = 0;
  alignas(k_line_bytes) std::array<packet*, k_slots> slots_{};
};

}  // namespace gossamer::fabric
