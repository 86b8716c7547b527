#pragma once
// Messages between fibers of any cores: send and receive meet by (source core, tag).
//
// Order: what one fiber sends to one core under one tag is received in that order, by receives in the
// order in which they were started, whatever the sizes and forms. Different tags or senders: no order.
// Kept or not: up to k_eager_bytes (1 KiB) a message is copied, and kept at its destination until it is
// received; its sender goes on at once. A larger one is copied by the receiver straight from the sender's
// memory, and its sender waits for that. What is kept is bounded (endpoint_options::unexpected_*): where
// nobody receives, senders to that core suspend, and so does everything behind their messages in the same
// lane. A job in which nothing can move ends with a report of who waits for which source and tag. Messages to
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

/// What a receive asks for: 16 bits of tag space, 48 of the program's choice.
using message_tag = std::uint64_t;
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

}  // namespace message

/// Starts a receive into `buffer`, which must stay until it is done. Never suspends with less than a million
/// receives open. `from` is any_core or without meaning where the tag's space is matched by tag.
inline void ireceive(request& r, core_id from, message_tag tag, std::span<std::byte> buffer) {
  (void)message::inside("receive");
  message::mailbox::here().start_receive(r, from, tag, buffer);
}

/// Sends; returns when `data` may be reused. Suspends where isend() does, and for more than k_eager_bytes
/// until it has been received. Up to k_eager_bytes: a copy into an aggregated packet and 16 bytes there.
inline void send(core_id to, message_tag tag, std::span<const std::byte> data) {
  message::endpoint& self = message::inside("send", to);
  if (data.size() > message::k_eager_bytes) {
    request r;
    self.mail().start_send(r, to, tag, data);
    r.wait();
  } else if (to != self.id()) {
    message::send_eager(self, to, tag, data);
  } else {
    message::send_here(to, tag, data);
  }
}

/// Starts a send. Up to k_eager_bytes `r` is done when it returns; otherwise `data` and `r` must stay as
/// they are until it is. Suspends only when packets (to the own core: room) are exhausted.
inline void isend(request& r, core_id to, message_tag tag, std::span<const std::byte> data) {
  (void)message::inside("isend", to);
  if (data.size() > message::k_eager_bytes) return message::mailbox::here().start_send(r, to, tag, data);
  send(to, tag, data);
  message::mailbox::sent(r, to, tag, data.size());
}

/// Receives; returns the bytes of the message. Suspends until it has come. Throws gossamer::error where it is
/// longer than `buffer`: the buffer is left alone, the message is lost, the sender goes on.
inline std::size_t receive(core_id from, message_tag tag, std::span<std::byte> buffer) {
  request r;
  ireceive(r, from, tag, buffer);
  r.wait();
  return r.bytes();
}

/// Suspends until one of the requests is done and makes that one idle; its position. Null and idle ones are
/// passed over; one at least must be open or done. Throws what that one's wait() would.
std::size_t wait_any(std::span<request* const> requests);

/// On this core, from now on and for what has come already: messages whose tag lies in `space` match by tag
/// alone, whoever sent them. Senders need not know.
inline void match_by_tag(std::uint16_t space) {
  (void)message::inside("match_by_tag");
  message::mailbox::here().match_by_tag(space);
}

/// One value, copied as bytes.
template <class T>
void send_value(core_id to, message_tag tag, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "what is sent to another core is copied as bytes");
  send(to, tag, std::as_bytes(std::span<const T, 1>(&value, 1)));
}
/// Throws gossamer::error where the message has another size.
template <class T>
T receive_value(core_id from, message_tag tag) {
  static_assert(std::is_trivially_copyable_v<T>, "what is received is copied as bytes");
  alignas(T) std::byte bytes[sizeof(T)];
  const std::size_t n = receive(from, tag, bytes);
  if (n != sizeof(T)) [[unlikely]]
    message::throw_wrong_size(from, tag, n, sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace gossamer
