#pragma once
// The two-sided messages of one core. One matching table holds the receives without a message, and the
// messages without a receive. Small messages arrive as records with their bytes (eager). Of a large message
// only the address arrives: the core that matches it copies from the sender's memory, then notifies the
// sender (one process). Owner core only.
//
//   sender: small   copies into a packet                                            done
//   sender: large   ships {tag, address, bytes, request}  ...waits...    receipt -> done
//   here:   handler matches -> copies into the receiver's buffer, wakes it (large: replies the receipt)
//           handler does not match -> keeps the bytes, or the address (has_room() was called before)
//           a receive that matches copies from there itself (large: its fiber answers the receipt)
//   other processes, large: the matching core answers with a grant. If there are many bytes, the transport moves them
//   from the sender's memory to the receiver's (message/bulk.hpp). Otherwise the sender's core sends them in chunks from
//   poll(), without a fiber, because all fibers may be waiting for this message

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/internal/unexpected.hpp"
#include "gossamer/message/matching_table.hpp"
#include "gossamer/message/request.hpp"

namespace gossamer::message {

inline constexpr std::uint32_t k_any_source = ~std::uint32_t{0};
/// Larger messages are sent by address (zero-copy).
inline constexpr std::size_t k_eager_bytes = 1024;

class mailbox {
 public:
  static constexpr std::size_t k_most_messages = (std::size_t{1} << 21) - 1;

  /// Keeps copies of up to `unexpected_messages` messages with up to `unexpected_bytes`, or a full packet of
  /// each core if that is more. Both are at most k_most_messages, which also bounds the messages of a packet
  /// (endpoint::most_matches()).
  mailbox(endpoint& self, std::size_t unexpected_messages, std::size_t unexpected_bytes);

  static mailbox& here() { return endpoint::here().mail(); }

  /// Counts the messages that have arrived and were not received.
  std::size_t kept() const { return store_.kept(); }
  std::size_t most_kept() const { return store_.most_kept(); }
  bool has_room(std::uint32_t source, std::size_t messages, std::size_t bytes) const {
    return store_.has_room(source, messages, bytes);
  }
  /// Returns how much of the space shared by all sources those messages take. common_room() returns what is
  /// free of it.
  copy_room common_need(std::uint32_t source, std::size_t messages, std::size_t bytes) const {
    return store_.common_need(source, messages, bytes);
  }
  copy_room common_room() const { return store_.common_room(); }

  /// Receives a message from `source`, or keeps a copy of it. The caller has checked that there is space.
  /// From handlers
  /// and fibers.
  void arrive(std::uint32_t source, std::uint64_t tag, const std::byte* data, std::size_t bytes) {
    arrive(key_of_message(source, tag), source, tag, data, bytes);
  }
  /// Does the same for a message whose key_of_message() is known.
  void arrive(const hashed_key& key, std::uint32_t source, std::uint64_t tag, const std::byte* data,
              std::size_t bytes);
  /// Accepts a message that stays in its sender's memory. Returns true if it has been received, or (from
  /// another process) is granted to `granted_to`.
  bool arrive_large(std::uint32_t source, std::uint64_t tag, const std::byte* data, std::size_t bytes,
                    request* sender, request*& granted_to);
  /// How a large message comes from another process.
  struct way {
    bool moves = false;  // false: in chunks
    unsigned tag = 0;  // tag of the move
  };
  way begin_to_take(request& r);
  void take_chunk(request& r, std::uint64_t offset, const std::byte* chunk, std::size_t bytes);
  static void moved_in(request& r) { r.complete(); }
  /// Lets a message of this core leave, which its receiver in another process has granted.
  void granted(request& sender, unsigned to, request* receiver, way how);
  /// Calls f(destination) for each message that was granted and has not left whole.
  template <class F>
  void each_granted(F f) const {
    for (const transfer& t : granted_) f(t.to);
  }
  /// Returns whether find_granted() would find one.
  template <class HasRoom>
  bool any_granted(HasRoom has_room) const {
    const auto tries = static_cast<std::ptrdiff_t>(std::min(granted_.size(), k_granted_tries));
    return std::any_of(granted_.begin(), granted_.begin() + tries,
                       [&](const transfer& t) { return has_room(t.to); });
  }
  /// Selects the oldest granted message whose destination `has_room` for push_chunk(). Returns false if there
  /// is none: a message that cannot continue does not delay others.
  template <class HasRoom>
  bool find_granted(HasRoom has_room) {
    for (std::size_t tries = std::min(granted_.size(), k_granted_tries); tries > 0; --tries) {
      if (has_room(granted_.front().to)) return true;
      granted_.push_back(granted_.front());
      granted_.pop_front();
    }
    return false;
  }
  /// Sends the next chunk of the selected message. The caller has checked that there is a packet. Returns
  /// false if nothing is left. Outside of handlers.
  bool push_chunk();
  /// Suspends until there is space for a copy of any size. For sends to the own core.
  void wait_for_room();

  hashed_key key_of_message(std::uint32_t source, std::uint64_t tag) const {
    return hashed_key(key_of(source, tag));
  }
  void prefetch_bucket(const hashed_key& key) const { table_->prefetch(key); }
  /// Returns the receive that a message would match now, if one line of the table shows it; otherwise null.
  const request* expected_by(const hashed_key& key) const {
    return static_cast<const request*>(table_->peek(key, match_kind::receive));
  }
  static void prefetch_receiver(const request* r) {
    if (r == nullptr) return;
    __builtin_prefetch(r->poster_, 1);
    __builtin_prefetch(r->data_, 1);
  }

  void start_receive(request& r, std::uint32_t source, std::uint64_t tag, std::span<std::byte> buffer);
  void start_send(request& r, unsigned to, std::uint64_t tag, std::span<const std::byte> data);
  static void sent(request& r, unsigned to, std::uint64_t tag, std::size_t bytes) {
    r.start(false, tag, to, nullptr, bytes);
    r.complete();
  }
  /// Completes a send whose zero-copy message has been received.
  void received(request& sender) {
    --sends_;
    send_waiters_.wake_one();
    sender.complete();
  }
  /// Cancels a receive. Returns false if it is not open.
  bool cancel(request& r);

  /// Makes messages with this space in the upper 16 bits of their tag match by tag alone, on this core.
  void match_by_tag(std::uint16_t space);

  /// Describes what a fiber waits for: "a message from core 3, tag 0x17". Returns an empty string if it waits
  /// for no message.
  std::string describe_wait(const fiber::fiber& f);
  std::string describe_unmatched();

 private:
  static constexpr std::size_t k_most_moved = std::size_t{1} << 30;  // bytes of one move
  static constexpr std::size_t k_first_capacity = 2048;
  static constexpr std::size_t k_word_bytes = sizeof(std::uint64_t);
  static constexpr std::size_t k_granted_tries = 16;  // of find_granted(); the next call continues there
  static constexpr std::size_t k_most_receives = std::size_t{1} << 20;  // open at once
  static constexpr std::size_t k_most_senders = std::size_t{1} << 20;  // open zero-copy sends to one core
  static constexpr std::size_t k_most_entries = k_most_messages + k_most_receives + k_most_senders;

  struct transfer {
    request* sender;
    request* receiver;
    unsigned to;
    std::size_t at;  // bytes sent so far
  };
  struct pair {
    request* to;
    unexpected* from;
  };

  bool by_tag(std::uint64_t tag) const {
    return spaces_ != nullptr && spaces_->test(static_cast<std::size_t>(tag >> 48));
  }
  match_key key_of(std::uint32_t source, std::uint64_t tag) const {
    return {tag, by_tag(tag) ? k_any_source : source};
  }
  static void deliver(request& r, std::uint32_t source, const std::byte* data, std::size_t bytes) {
    r.source_ = source;
    r.bytes_ = bytes;
    r.too_long_ = bytes > r.size_;
    if (!r.too_long_) {
      if (bytes == k_word_bytes)  // size known to the compiler: no call
        std::memcpy(r.data_, data, k_word_bytes);
      else if (bytes != 0)
        std::memcpy(r.data_, data, bytes);
    }
    r.complete();
  }
  match_result match(const hashed_key& key, match_kind kind, void* value);
  match_result match(const match_key& key, match_kind kind, void* value) {
    return match(hashed_key(key), kind, value);
  }
  void grow();
  bool expect_large(request& r, std::uint32_t source, std::size_t bytes);
  bool own_room() const { return has_room(self_.id(), 1, k_eager_bytes); }
  bool take_out(const match_key& key, match_kind kind, void* value);
  void hand_over(request& to, unexpected& from);
  void tell_sender(std::uint32_t source, request* sender);

  endpoint& self_;
  unexpected_store store_;
  std::unique_ptr<local_matching_table> table_;  // no larger than needed so far, to stay in the cache
  std::size_t entries_ = 0;  // in the table
  std::unique_ptr<std::bitset<65536>> spaces_;  // matched by tag alone; null: none
  std::uint64_t sequence_ = 0;
  std::size_t receives_ = 0;  // in the table
  const std::size_t most_sends_;
  std::size_t sends_ = 0;  // zero-copy sends of this core that are not received yet
  std::deque<transfer> granted_;  // bounded by sends_
  fiber::wait_queue receive_waiters_, room_waiters_, send_waiters_;
};

}  // namespace gossamer::message
