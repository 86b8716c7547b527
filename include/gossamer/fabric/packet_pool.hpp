#pragma once
// The packets of one core: a private magazine, from which the owner takes, and a locked depot, to which
// other cores return whole chains. So a get or a return is a few plain instructions, and the lock
// is taken once per chain by the returning core and once per refill by the owner. Bounded: no packet
// is ever made after the start; get() gives null when all are out.
//
//   field       writes                 reads              protected by
//   magazine    owner                  owner              owner only
//   depot       owner, any core        owner, any core    depot lock
//   returned_   any core, owner        owner              seq_cst: published before notify()

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/packet.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

/// Packets of one owner on their way home, collected by the core that has emptied them.
struct packet_chain {
  packet* head = nullptr;
  packet* tail = nullptr;
  std::uint32_t count = 0;

  void push(packet& p) {
    p.next = head;
    if (head == nullptr) tail = &p;
    head = &p;
    ++count;
  }
};

class packet_pool {
 public:
  /// `count` packets of `bytes` each (head included). Touches nothing yet.
  packet_pool(std::uint16_t owner, std::size_t count, std::size_t bytes);

  /// Owner only. Null when all packets are out.
  packet* get() {
    if (magazine_.head == nullptr && !refill()) return nullptr;
    packet* p = magazine_.head;
    magazine_.head = p->next;
    --magazine_.count;
    return p;
  }
  /// Owner only.
  void put(packet& p) { magazine_.push(p); }

  /// From any core: gives a whole chain back and empties it. The caller then notifies the owner.
  void put_chain(packet_chain& chain);

  /// Owner only: packets that get() can give without waiting for anybody.
  std::size_t available() const {
    return magazine_.count + fresh() + returned_.load(std::memory_order_relaxed);
  }
  /// Whether packets have come back; seq_cst pairs with put_chain() when the owner goes to sleep.
  bool any_returned() const { return returned_.load(std::memory_order_seq_cst) != 0; }

  std::size_t payload_bytes() const { return packet_bytes_ - k_line_bytes; }
  std::size_t capacity() const { return count_; }

 private:
  bool refill();
  std::size_t fresh() const { return count_ - made_; }

  packet_chain magazine_;
  std::uint16_t owner_;
  std::size_t count_, packet_bytes_;
  std::size_t made_ = 0;  // packets in use at least once: the region's first
  machine::memory_region region_;
  alignas(k_line_bytes) std::mutex lock_;
  packet_chain depot_;
  std::atomic<std::uint32_t> returned_{0};
};

}  // namespace gossamer::fabric
