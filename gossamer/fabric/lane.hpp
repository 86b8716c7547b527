#pragma once
// A lane: bounded ring of packets from one core to another of the same process, one producer, one consumer. Its lines
// hold addresses of packets, eight to a line, or one small packet each: then a message is one line, and the
// consumer finds it in the line that it polls. All bytes zero is an empty lane (mesh.hpp).
//
//   a line of addresses   places 0 to 7, in words 1 to 7 and 0:   address of a packet | mark
//   a line of one packet  place 0:                                a packet of one line, whose mark is in word 1
//
// A word says itself whether it is full: a bit of its mark, the top byte, alternates from lap to lap. Word 1 of a packet ends
// with the byte packet::mark, so both kinds of line are recognised there. Full words without an address and without a
// packet end their line early: the next place is the next line's first.
//
// The producer looks at the consumer's index only when its copy of it says full. Replies always find room
// (message/endpoint.hpp): small packets and requests leave 64 places to them.
//
//   field               writes     reads      protected by
//   word 1, addresses   producer   consumer   release and fence (publishes; before the look at the sleeper) / acquire
//   other words         producer   consumer   word 1, since the consumer reads them after it
//   head_               consumer   producer   release (frees places) / acquire
//   tail_, head_copy_   producer   producer   one side only

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"
#include "gossamer/machine/simulated.hpp"

// The thread sanitizer knows no fences.
#if defined(__SANITIZE_THREAD__)
#define GOSSAMER_FABRIC_NO_FENCES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GOSSAMER_FABRIC_NO_FENCES 1
#endif
#endif

namespace gossamer::fabric {

class lane {
 public:
  static constexpr std::uint32_t k_requests =
      96;  // packets that try_push() adds at most; fewer beside small ones
  static constexpr std::uint32_t k_replies = 64;  // packets that always find room
  static constexpr std::size_t k_small_bytes = k_line_bytes - packet::k_head_bytes;  // of payload

  /// Adds a packet. Producer only. Returns false when the lane is full: the packet stays the caller's.
  [[nodiscard]] bool try_push(packet& p) {
    if (!has_room(p.kind == traffic::reply ? k_places : k_requests)) return false;
    if (tail_ % k_line_places == 0) clear_line();
    publish(reinterpret_cast<std::uintptr_t>(&p));
    ++tail_;
    return true;
  }
  /// Adds a copy of a packet of k_small_bytes of payload at most. Producer only. Returns false where many lie here.
  [[nodiscard]] bool try_push_copy(const packet& p) {
    const std::uint32_t next = round_up(tail_, k_line_places) + k_line_places;
    if (next - head_copy_ > k_small_places && next - look_at_head() > k_small_places) return false;
    if (tail_ % k_line_places != 0) {
      publish(0);  // ends the line
      tail_ = next - k_line_places;
      machine::preemption_point();
    }
    std::array<std::uint64_t, k_line_places> words;
    std::memcpy(words.data(), static_cast<const void*>(&p), sizeof words);
    for (std::uint32_t place = 1; place < k_line_places; ++place)
      word(tail_ + place).store(words[index(place)], std::memory_order_relaxed);
    publish((words[index(0)] & k_address) | k_small);
    tail_ = next;
    if (next + k_line_places - head_copy_ > k_small_places)
      look_at_head();  // now, while the message is on its way
    return true;
  }
  /// Returns whether try_push() of a request would succeed. Producer only.
  bool has_room() const { return has_room(k_requests); }

  /// Returns the oldest packet and leaves it in place; null when there is none. Consumer only.
  packet* front() {
    while (true) {
      const std::uint64_t found = word(head()).load(std::memory_order_acquire);  // pairs with publish()
      if (!is_full(found)) return nullptr;
      if ((found & k_small) != 0) return reinterpret_cast<packet*>(line(head()).data());
      if ((found & k_address) != 0) return reinterpret_cast<packet*>(found & k_address);
      leave(round_up(head(), k_line_places));
    }
  }
  /// Returns whether there is a packet. For the consumer before it sleeps; true now and then where there is none yet.
  bool waiting() const {
    return is_full(word(head()).load(std::memory_order_seq_cst));  // pairs with publish()
  }
  /// Returns whether a packet of this lane is a copy that lies here until pop(). Consumer only.
  bool holds(const packet& p) const { return static_cast<const void*>(&p) == line(head()).data(); }
  /// Takes front() away. Consumer only.
  void pop() {
    const bool small = (word(head()).load(std::memory_order_relaxed) & k_small) != 0;
    leave(head() + (small ? k_line_places : 1));
  }

 private:
  static_assert(std::endian::native == std::endian::little, "a packet's mark is the top byte of its word 1");
  static_assert(offsetof(packet, mark) == 2 * sizeof(std::uint64_t) - 1);
  static constexpr std::uint32_t k_line_places = k_line_bytes / sizeof(std::uint64_t);
  static constexpr std::uint32_t k_places = 16 * k_line_places;
  static constexpr std::uint32_t k_small_places = k_places - k_replies - k_line_places;
  static constexpr std::uint64_t k_lap = std::uint64_t{1} << 56, k_small = std::uint64_t{2} << 56;
  static constexpr std::uint64_t k_address = k_lap - 1;  // user addresses have fewer bits

  using line_words = std::array<std::uint64_t, k_line_places>;

  /// Returns the word of a place of a line.
  static constexpr std::uint32_t index(std::uint32_t place) { return (place + 1) % k_line_places; }
  /// Returns the mark of words that are full in this lap; set in the first one, since lanes are zero at first.
  static constexpr std::uint64_t lap(std::uint32_t at) { return (at / k_places & 1) == 0 ? k_lap : 0; }

  bool has_room(std::uint32_t places) const {
    return tail_ - head_copy_ < places || tail_ - look_at_head() < places;
  }
  std::uint32_t look_at_head() const {
    return head_copy_ = head_.load(
               std::memory_order_acquire);  // the consumer has read those places; pairs with leave()
  }
  std::uint32_t head() const { return head_.load(std::memory_order_relaxed); }  // the consumer's own
  void leave(std::uint32_t next) {
    head_.store(next, std::memory_order_release);
  }  // pairs with look_at_head()

  line_words& line(std::uint32_t at) const { return lines_[at / k_line_places % lines_.size()]; }
  std::atomic_ref<std::uint64_t> word(std::uint32_t at) const {
    return std::atomic_ref(line(at)[index(at % k_line_places)]);
  }
  bool is_full(std::uint64_t found) const { return (found & k_lap) == lap(head()); }
  /// Fills the word at tail_. Publishes the packet: pairs with front(). Orders a later look at the consumer's sleep after
  /// it: pairs with waiting().
  void publish(std::uint64_t what) {
#if defined(GOSSAMER_FABRIC_NO_FENCES)
    word(tail_).store(what | lap(tail_), std::memory_order_seq_cst);
#else
    // A store and a fence, not an exchange: all words of a line leave together, before the consumer asks for the line again.
    word(tail_).store(what | lap(tail_), std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }
  /// Makes the line at tail_ one of addresses: a packet may have lain in it.
  void clear_line() {
    for (std::uint32_t place = 1; place < k_line_places; ++place)
      word(tail_ + place).store(lap(tail_) ^ k_lap, std::memory_order_relaxed);
  }

  alignas(k_line_bytes) std::uint32_t tail_ = 0;
  mutable std::uint32_t head_copy_ = 0;
  alignas(k_line_bytes) std::atomic<std::uint32_t> head_{0};
  alignas(k_line_bytes) mutable std::array<line_words, k_places / k_line_places> lines_{};
};

}  // namespace gossamer::fabric
