#pragma once
// A lane between cores of two processes of a node: a ring of bytes in memory that both have mapped, with one
// writer and one reader. Packets lie in it side by side, in whole lines, and are read in place. A small
// message is one line. A mark in the packet's head (its field `owner`, which no pool uses here) shows that it
// is complete. A packet is staged in a buffer while it has few lines, and lies in the ring when it is larger,
// because the reader polls its first line.
//
//   mark   packet: one begins here    skip: continue at the start of the ring    other values: nothing yet
//
// A mark contains the lap number, so contents of an earlier lap are no mark, and no core needs to touch the
// line of the next packet before that arrives: the reader keeps polling its own copy. But a line that held no
// mark may hold any bytes. The writer clears such a line before it publishes the packet in front of it.
//
//   field           writes    reads           protected by
//   marks           writer    reader          release (publishes the packet) / acquire
//   consumed        reader    writer          release (frees bytes) / acquire
//   at, copies      one side  that side       one side only
//   counts, waits   one side  any thread      the search for a stall (world.hpp): relaxed, received by release
//
// A block, part of a large message, is a packet that may be larger than others. An opened packet reserves its
// largest size; publishing frees the unused rest. All bytes zero is an empty lane.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

/// Address and size of a lane, equal on both sides.
struct node_lane {
  std::atomic<std::uint64_t>* consumed;  // bytes that the reader has released
  std::byte* ring;
  std::size_t bytes;  // of the ring, a power of two
  std::size_t
      packet_bytes;  // of the largest packet, head included: whole lines, an eighth of the ring at most

  enum class kind : std::uint16_t { packet = 1, skip = 2 };
  static constexpr unsigned k_kind_bits = 2;
  static constexpr std::size_t k_packets = 8;  // minimum of a ring
  static constexpr std::size_t k_blocks = 8;  // of the largest size, minimum of a ring
  static constexpr std::size_t k_most_block_bytes = 32 << 10;

  /// Returns the size of the largest block, head included: a packet with part of a large message, which may
  /// be larger than others. At this size both cores copy at memory bandwidth, wherever the other core runs.
  std::size_t block_bytes() const {
    return bytes / k_blocks < k_most_block_bytes ? bytes / k_blocks : k_most_block_bytes;
  }

  /// Returns the position of a byte count in the ring. Uses a mask: dividing by a variable takes as long as
  /// copying a small packet.
  std::size_t offset(std::uint64_t at) const { return at & (bytes - 1); }
  packet& place(std::uint64_t at) const { return *reinterpret_cast<packet*>(ring + offset(at)); }
  std::atomic_ref<std::uint16_t> mark_at(std::uint64_t at) const {
    return std::atomic_ref<std::uint16_t>(place(at).owner);
  }
  /// Returns the mark for such a beginning; never 0.
  std::uint16_t mark_of(kind what, std::uint64_t at) const {
    const std::uint64_t lap = at >> std::countr_zero(bytes);
    return static_cast<std::uint16_t>(lap << k_kind_bits | static_cast<std::uint16_t>(what));
  }
  /// Returns the bytes that a packet takes.
  static std::size_t bytes_of(std::size_t payload_bytes) {
    return round_up(packet::k_head_bytes + payload_bytes, k_line_bytes);
  }
  static std::size_t bytes_of(const packet& p) { return bytes_of(std::size_t{p.bytes}); }
};

/// The writing end. One core.
class alignas(k_line_bytes) node_lane_writer {
  static constexpr std::size_t k_staged_lines = 4;

 public:
  explicit node_lane_writer(const node_lane& l) : lane_(l) {}

  /// Returns whether open() would return a packet. Only if none is open.
  bool has_room() const { return has_room_for(lane_.packet_bytes); }
  /// Returns whether open_block() would return a place after the open packet is published.
  bool has_block_room(bool opened) const {
    // The end of the open packet is unknown: the rest of the ring behind it may be too short for a block.
    return opened ? holds(lane_.packet_bytes + 2 * block_bytes()) : has_room_for(block_bytes());
  }
  std::size_t block_bytes() const { return lane_.block_bytes(); }
  /// Returns how many packets of any sizes can certainly be opened one after another before the reader takes
  /// any. `opened`: one is open, which does not count.
  std::size_t packets_left(bool opened) const {
    // The skipped end of the ring, once, and the mark behind the last packet take less than a packet
    // together.
    const std::size_t lost = (opened ? 2 : 1) * lane_.packet_bytes;
    const std::size_t free = free_bytes();
    return free <= lost ? 0 : (free - lost) / lane_.packet_bytes;
  }
  /// Returns how many packets an empty lane can certainly hold while another one is open.
  std::size_t most_packets() const { return lane_.bytes / lane_.packet_bytes - 2; }

  /// The most payload of a staged packet.
  static constexpr std::size_t k_staged_bytes = k_staged_lines * k_line_bytes - packet::k_head_bytes;

  /// Returns the place of a packet of the largest size; null if there is none. Call publish() before the next
  /// call.
  packet* open() { return open_for(lane_.packet_bytes); }
  /// Does the same for a block of at most block_bytes().
  packet* open_block() { return open_for(block_bytes()); }
  /// Does the same as open(), but returns a staging buffer for up to k_staged_bytes of payload. In the ring,
  /// the reader polls a packet's first line and would take it from the writer during writing.
  packet* stage() {
    is_staged_ = open() != nullptr;
    return is_staged_ ? staged_ : nullptr;
  }
  /// Returns whether an open packet is staged.
  bool is_staged(const packet& p) const { return &p == staged_; }
  /// Copies the open packet, which is staged and sealed, to its place in the ring, which has the largest
  /// size. Returns that place.
  packet& promote() {
    is_staged_ = false;
    copy_packet(lane_.place(at_), *staged_);
    return lane_.place(at_);
  }
  /// Publishes the open packet, whose payload has so many bytes. Its head is written, except `owner`. Reads
  /// nothing in the ring: stores alone wait for no line.
  void publish(std::size_t payload_bytes) {
    if (is_staged_) promote();
    const std::uint64_t behind = at_ + node_lane::bytes_of(payload_bytes);
    if (behind - at_ > k_line_bytes) markless_ = behind;
    clear(behind);
    sent_.store(sent() + 1, std::memory_order_relaxed);  // first: a received packet must have been sent
    machine::preemption_point();
    mark(node_lane::kind::packet);
    at_ = behind;
  }

  /// Returns how many packets have been published. Any thread.
  std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }

  /// Notes that something waits for space here. Calls news() first if the reader has freed some since the
  /// last such note: the search for a stall must not miss it.
  template <class News>
  void wait(News news) {
    const std::uint64_t now = lane_.consumed->load(std::memory_order_acquire);
    if (const std::uint64_t since = waits_since_.load(std::memory_order_relaxed);
        since != k_waits_not && since != now)
      news();
    machine::preemption_point();
    waits_since_.store(now, std::memory_order_release);  // after news(); pairs with may_go_on()
  }
  /// Notes that nothing waits.
  void wait_no_more() { waits_since_.store(k_waits_not, std::memory_order_relaxed); }
  /// Returns whether something waits for space, and the reader has freed some since. Any thread, while the
  /// writer sleeps: for the search for a stall.
  bool may_go_on() const {
    const std::uint64_t since = waits_since_.load(std::memory_order_acquire);  // pairs with wait()
    return since != k_waits_not &&
           lane_.consumed->load(std::memory_order_acquire) != since;  // pairs with pop()
  }

 private:
  static constexpr std::uint64_t k_waits_not = ~std::uint64_t{0};

  packet* open_for(std::size_t most) {
    if (!has_room_for(most)) return nullptr;
    if (const std::size_t left = skipped(most); left != 0) {
      skip_ = at_;
      skip_end_ = at_ + left;
      mark(node_lane::kind::skip);
      at_ = skip_end_;
    }
    return &lane_.place(at_);
  }
  void mark(node_lane::kind what) {
    lane_.mark_at(at_).store(lane_.mark_of(what, at_), std::memory_order_release);  // pairs with front()
  }
  /// Makes sure that the line of the next mark holds no bytes that look like it. Before mark().
  void clear(std::uint64_t at) {
    constexpr std::uint16_t k_none = 0;
    if (is_markless(at)) lane_.mark_at(at).store(k_none, std::memory_order_relaxed);
  }
  /// Returns whether a line may hold anything other than a mark of the lap before: part of a packet, or older
  /// contents. The ring's first line always holds a mark.
  bool is_markless(std::uint64_t at) const {
    const std::uint64_t before = at - lane_.bytes;
    return at < markless_ + lane_.bytes || (before > skip_ && before < skip_end_);
  }
  bool has_room_for(std::size_t most) const { return holds(skipped(most) + most + k_line_bytes); }
  /// Returns the bytes to the end of the ring if a packet of at most so many may not fit there.
  std::size_t skipped(std::size_t most) const {
    const std::size_t left = lane_.bytes - lane_.offset(at_);
    return left < most ? left : 0;
  }
  bool holds(std::size_t bytes) const {
    return lane_.bytes - (at_ - consumed_) >= bytes || free_bytes() >= bytes;
  }
  std::size_t free_bytes() const {
    consumed_ =
        lane_.consumed->load(std::memory_order_acquire);  // the reader has read them; pairs with pop()
    return lane_.bytes - (at_ - consumed_);
  }

  const node_lane lane_;
  std::uint64_t at_ = 0;  // bytes published and skipped
  std::uint64_t markless_ = 0;  // the end of the last packet of several lines
  std::uint64_t skip_ = 0, skip_end_ = 0;  // last skip
  bool is_staged_ = false;  // for the open packet
  mutable std::uint64_t consumed_ = 0;  // as last seen
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> waits_since_{k_waits_not};  // consumed bytes at the beginning of the wait
  packet staged_[k_staged_lines]{};
};

/// The reading end. One core.
class alignas(k_line_bytes) node_lane_reader {
 public:
  explicit node_lane_reader(const node_lane& l) : lane_(l) {}

  /// Returns the oldest packet and leaves it in place; null if there is none.
  packet* front() const {
    std::uint64_t at = at_.load(std::memory_order_relaxed);
    const std::uint16_t mark = lane_.mark_at(at).load(std::memory_order_acquire);  // pairs with the writer's
    if (mark == lane_.mark_of(node_lane::kind::packet, at)) return &lane_.place(at);
    if (mark != lane_.mark_of(node_lane::kind::skip, at)) {
      // The next line is polled as soon as a small packet here has been taken: prefetched while nothing waits
      // for it.
      __builtin_prefetch(&lane_.place(at + k_line_bytes));
      return nullptr;
    }
    at += lane_.bytes - lane_.offset(at);
    at_.store(at, std::memory_order_relaxed);
    return front();
  }
  /// Removes front().
  void pop() {
    const std::uint64_t at = at_.load(std::memory_order_relaxed);
    const std::uint64_t behind = at + node_lane::bytes_of(lane_.place(at));
    at_.store(behind, std::memory_order_relaxed);
    lane_.consumed->store(behind, std::memory_order_release);  // pairs with free_bytes()
    machine::preemption_point();
    // Last: the space of a received packet is free, and the wake epoch is bumped; pairs with received().
    received_.store(received_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Notes that front(), and all packets behind it, must wait for a resource of this process.
  void hold_up(bool on) { held_up_.store(on, std::memory_order_relaxed); }
  bool held_up() const { return held_up_.load(std::memory_order_relaxed); }

  /// Returns how many packets the reader knows to have arrived: those taken, and if it is blocked, those
  /// behind. Any thread; exact while the reader sleeps. For the search for a stall.
  std::uint64_t received() const {
    return received_.load(std::memory_order_acquire) + (held_up() ? unread() : 0);  // pairs with pop()
  }

 private:
  std::uint64_t unread() const {
    std::uint64_t count = 0;
    const std::uint64_t first = at_.load(std::memory_order_relaxed);
    for (std::uint64_t at = first; at - first < lane_.bytes;) {
      const std::uint16_t mark =
          lane_.mark_at(at).load(std::memory_order_acquire);  // pairs with the writer's
      const bool skips = mark == lane_.mark_of(node_lane::kind::skip, at);
      if (!skips && mark != lane_.mark_of(node_lane::kind::packet, at)) break;
      at += skips ? lane_.bytes - lane_.offset(at) : node_lane::bytes_of(lane_.place(at));
      count += skips ? 0 : 1;
    }
    return count;
  }

  const node_lane lane_;
  mutable std::atomic<std::uint64_t> at_{0};  // front() passes skips
  std::atomic<std::uint64_t> received_{0};
  std::atomic<bool> held_up_{false};
};

}  // namespace gossamer::fabric
