#pragma once
// Messages between fibers of any cores: send and receive meet by (source core, tag).
//
// Order: what one fiber sends to one core under one tag is received in that order, by receives in the
// order in which they were started, whatever the sizes and forms. Different tags or senders: no order.
// Kept or not: up to k_eager_bytes (1 KiB) a message is copied, and kept at its destination until it is
// received; its sender goes on at once. A larger one is copied by the receiver straight from the sender's
// memory, and its sender waits for that. What is kept is bounded (endpoint_options::unexpected_*): where
// no fiber receives, senders to that core suspend, and so does everything behind their messages in the same
// lane. A job in which nothing can move ends with a report of the fibers that wait, with source and tag. Messages to
// the own core take no packet; otherwise the same holds. Only fibers send and receive; handlers do not (they
// spawn a task that does).

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

/// What a receive asks for: 16 bits of tag space, 48 of the program's choice. The spaces from
/// k_first_own_space on are the library's own (collectives); calls that name one throw gossamer::error.
using message_tag = std::uint64_t;
/// The first tag space that is the library's own.
inline constexpr std::uint16_t k_first_own_space = 0xfff0;
/// Returns the tag of a number in a space.
constexpr message_tag tag_in(std::uint16_t space, std::uint64_t number) {
  return std::uint64_t{space} << 48 | (number & ((std::uint64_t{1} << 48) - 1));
}

/// As a source: any core, in tag spaces that are matched by tag.
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

// The calls below under any tag, for the library itself.

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
  alignas(T) std::byte bytes[sizeof(T)];
  const std::size_t n = message::receive(from, tag, bytes);
  if (n != sizeof(T)) [[unlikely]]
    throw_wrong_size(from, tag, n, sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace message

/// Starts a receive into `buffer`, which must stay until it is done. Never suspends with less than a million
/// receives open. `from` is any_core or without meaning where the tag's space is matched by tag.
inline void ireceive(request& r, core_id from, message_tag tag, std::span<std::byte> buffer) {
  (void)message::inside("ireceive");
  message::check_tag("ireceive", tag);
  message::ireceive(r, from, tag, buffer);
}

/// Sends; returns when `data` may be reused. Suspends where isend() does, and for more than k_eager_bytes
/// until it has been received. Up to k_eager_bytes: a copy into an aggregated packet and 16 bytes there.
inline void send(core_id to, message_tag tag, std::span<const std::byte> data) {
  (void)message::inside("send", to);
  message::check_tag("send", tag);
  message::send(to, tag, data);
}

/// Starts a send. Up to k_eager_bytes `r` is done when it returns; otherwise `data` and `r` must stay as
/// they are until it is. Suspends when packets (to the own core: room) are exhausted, and lets other fibers run where
/// this one has not for long.
inline void isend(request& r, core_id to, message_tag tag, std::span<const std::byte> data) {
  (void)message::inside("isend", to);
  message::check_tag("isend", tag);
  message::isend(r, to, tag, data);
}

/// Receives; returns the bytes of the message. Suspends until it has come. Throws gossamer::error where it is
/// longer than `buffer`: the buffer is left alone, the message is lost, the sender goes on.
inline std::size_t receive(core_id from, message_tag tag, std::span<std::byte> buffer) {
  (void)message::inside("receive");
  message::check_tag("receive", tag);
  return message::receive(from, tag, buffer);
}

/// Suspends until one of the requests is done and makes that one idle; its position. Null and idle ones are
/// passed over; one at least must be open or done. Throws what that one's wait() would.
std::size_t wait_any(std::span<request* const> requests);

/// Makes messages whose tag lies in `space` match by tag alone, from any source, on this core. Holds from now
/// on, and for messages that have come already. Senders need not know.
inline void match_by_tag(std::uint16_t space) {
  (void)message::inside("match_by_tag");
  message::check_tag("match_by_tag", tag_in(space, 0));
  message::mailbox::here().match_by_tag(space);
}

/// Sends one value, copied as bytes.
template <class T>
void send_value(core_id to, message_tag tag, const T& value) {
  (void)message::inside("send_value", to);
  message::check_tag("send_value", tag);
  message::send_value(to, tag, value);
}
/// Throws gossamer::error where the message has another size.
template <class T>
T receive_value(core_id from, message_tag tag) {
  (void)message::inside("receive_value");
  message::check_tag("receive_value", tag);
  return message::receive_value<T>(from, tag);
}

}  // namespace gossamer
