#pragma once
// Messages between fibers of any cores. A send and a receive match by (source core, tag).
//
// Order: messages from one fiber to one core under one tag match receives in the order in which these were
// started, whatever the sizes and forms. Different tags or senders have no order.
// Buffering: a message of up to k_eager_bytes (1 KiB) is copied, and kept at its destination until it is
// received; its sender continues at once. The receiver copies a larger message from the sender's memory, and
// the sender waits until that is done. Kept messages are bounded (endpoint_options::unexpected_*). Where no
// fiber receives, senders to that core suspend, and all messages behind theirs in the same lane wait. A job
// in which nothing can progress ends with a report of the waiting fibers, with source and tag. Messages to
// the own core take no packet; otherwise the same holds. Only fibers send and receive; a handler spawns a
// task that does.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "gossamer/message/core_id.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/request.hpp"

namespace gossamer {

/// A tag: 16 bits of tag space, 48 bits of the program's choice. The library uses the spaces from
/// k_first_own_space on (collectives); calls that name one of these throw gossamer::error.
using message_tag = std::uint64_t;
/// The first tag space that the library reserves.
inline constexpr std::uint16_t k_first_own_space = 0xfff0;
/// Returns the tag of a number in a space.
constexpr message_tag tag_in(std::uint16_t space, std::uint64_t number) {
  return std::uint64_t{space} << 48 | (number & ((std::uint64_t{1} << 48) - 1));
}

/// Receives from any core. Only in tag spaces for which match_by_tag() was called.
inline constexpr core_id any_core = message::k_any_source;

namespace message {

struct eager_record {
  std::uint64_t tag;
  std::uint32_t bytes;

  static void run(const dispatch& d, std::byte* records, std::uint32_t count);
};

inline void send_eager(endpoint& self, core_id to, message_tag tag, std::span<const std::byte> data) {
  const eager_record head{tag, static_cast<std::uint32_t>(data.size())};
  std::byte* const at =
      self.issue_room<eager_record>(to, payload_stride(sizeof head, data.size()), {.matches = 1});
  std::memcpy(at, &head, sizeof head);
  if (!data.empty()) std::memcpy(at + sizeof head, data.data(), data.size());
}
void send_here(core_id to, message_tag tag, std::span<const std::byte> data);
[[noreturn]] void throw_wrong_size(core_id from, message_tag tag, std::size_t found, std::size_t expected);
[[noreturn]] void throw_own_tag(const char* call, message_tag tag);

inline void check_tag(const char* call, message_tag tag) {
  if (tag >> 52 == k_first_own_space >> 4) [[unlikely]]
    throw_own_tag(call, tag);
}

// The calls below with any tag, for the library itself.

inline void ireceive(request& r, core_id from, message_tag tag, std::span<std::byte> buffer) {
  mailbox::here().start_receive(r, from, tag, buffer);
}

inline void send(core_id to, message_tag tag, std::span<const std::byte> data) {
  endpoint& self = endpoint::here();
  GOSSAMER_DEBUG_ASSERT(to < self.cores());
  if (data.size() > k_eager_bytes) {
    request r;
    self.mail().start_send(r, to, tag, data);
    r.wait();
  } else if (to != self.id()) {
    send_eager(self, to, tag, data);
  } else {
    send_here(to, tag, data);
  }
}

inline void isend(request& r, core_id to, message_tag tag, std::span<const std::byte> data) {
  if (data.size() > k_eager_bytes) return mailbox::here().start_send(r, to, tag, data);
  message::send(to, tag, data);
  mailbox::sent(r, to, tag, data.size());
}

inline std::size_t receive(core_id from, message_tag tag, std::span<std::byte> buffer) {
  request r;
  message::ireceive(r, from, tag, buffer);
  r.wait();
  return r.bytes();
}

template <class T>
void send_value(core_id to, message_tag tag, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "what is sent to another core is copied as bytes");
  message::send(to, tag, std::as_bytes(std::span<const T, 1>(&value, 1)));
}

template <class T>
T receive_value(core_id from, message_tag tag) {
  static_assert(std::is_trivially_copyable_v<T>, "what is received is copied as bytes");
  std::array<std::byte, sizeof(T)> bytes;
  request r;
  message::ireceive(r, from, tag, bytes);
  r.wait();
  if (r.bytes() != sizeof(T)) [[unlikely]]
    throw_wrong_size(r.source(), tag, r.bytes(), sizeof(T));
  return std::bit_cast<T>(bytes);
}

}  // namespace message

/// Starts a receive into `buffer`, which must stay in place until the request is done. Never suspends with
/// less than a million open receives. `from` is any_core, or ignored, where the tag's space is matched by
/// tag.
inline void ireceive(request& r, core_id from, message_tag tag, std::span<std::byte> buffer) {
  (void)message::inside("ireceive");
  message::check_tag("ireceive", tag);
  message::ireceive(r, from, tag, buffer);
}

/// Sends `data`, and returns when it may be reused. Suspends where isend() does, and for more than
/// k_eager_bytes until the message has been received. Costs up to k_eager_bytes: a copy into an aggregated
/// packet, and 16 bytes there.
inline void send(core_id to, message_tag tag, std::span<const std::byte> data) {
  (void)message::inside("send", to);
  message::check_tag("send", tag);
  message::send(to, tag, data);
}

/// Starts a send. Up to k_eager_bytes `r` is done when the call returns; otherwise `data` and `r` must stay
/// in place until `r` is done. Suspends when packets (to the own core: buffers) are exhausted. Yields to
/// other fibers where this one has run for 0.4 ms without a switch.
inline void isend(request& r, core_id to, message_tag tag, std::span<const std::byte> data) {
  (void)message::inside("isend", to);
  message::check_tag("isend", tag);
  message::isend(r, to, tag, data);
}

/// Receives a message and returns its bytes. Suspends until it has arrived. Throws gossamer::error where the
/// message is longer than `buffer`: then the buffer is unchanged, the message is lost, and the sender
/// continues.
inline std::size_t receive(core_id from, message_tag tag, std::span<std::byte> buffer) {
  (void)message::inside("receive");
  message::check_tag("receive", tag);
  return message::receive(from, tag, buffer);
}

/// Suspends until one of the requests is done, makes it idle, and returns its position. Skips null and idle
/// requests; at least one must be open or done. Throws what wait() of that request would throw.
std::size_t wait_any(std::span<request* const> requests);

/// Makes messages whose tag lies in `space` match by tag alone, from any source, on this core. Applies also
/// to messages that have arrived already. Senders do not need to know.
inline void match_by_tag(std::uint16_t space) {
  (void)message::inside("match_by_tag");
  message::check_tag("match_by_tag", tag_in(space, 0));
  message::mailbox::here().match_by_tag(space);
}

/// Sends one value, copied as bytes, as send() does.
template <class T>
void send_value(core_id to, message_tag tag, const T& value) {
  (void)message::inside("send_value", to);
  message::check_tag("send_value", tag);
  message::send_value(to, tag, value);
}
/// Receives one value as receive() does. Throws gossamer::error where the message has another size.
template <class T>
T receive_value(core_id from, message_tag tag) {
  (void)message::inside("receive_value");
  message::check_tag("receive_value", tag);
  return message::receive_value<T>(from, tag);
}

}  // namespace gossamer
