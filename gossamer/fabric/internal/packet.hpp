#pragma once
// A packet: the only thing that travels between cores. A pooled buffer of fixed size: a short head, then
// payload that the fabric does not read. The payload begins in the first line, so that a small message moves
// one line. Its sender writes it until it is pushed into a lane, its receiver until it is returned.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gossamer/base/bits.hpp"

namespace gossamer::fabric {

/// The traffic classes. Requests may have to wait; replies always drain (message/endpoint.hpp explains why).
/// Control messages go between processes and are for the wire itself (wire.hpp).
enum class traffic : std::uint8_t { request, reply, control };
inline constexpr std::size_t k_traffic_classes = 2;  // sent by cores

struct alignas(k_line_bytes) packet {
  static constexpr std::size_t k_head_bytes = 16;

  std::uint32_t bytes = 0;        // of payload in use
  std::uint32_t reply_bytes = 0;  // most buffer bytes that the answers to its requests require
  std::uint16_t owner =
      0;  // core whose pool it belongs to; in a chunk (wire.hpp): destination core; in a lane: its mark
  std::uint16_t source = 0;  // core that filled it
  std::uint16_t matches = 0;  // records that may have to be stored at its destination
  traffic kind = traffic::request;

  std::byte* payload() { return reinterpret_cast<std::byte*>(this) + k_head_bytes; }
  const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this) + k_head_bytes; }
};
static_assert(sizeof(packet) == k_line_bytes && alignof(packet) == k_line_bytes);

/// Copies a packet's head but for `owner`.
inline void copy_head(packet& to, const packet& from) {
  to.bytes = from.bytes;
  to.reply_bytes = from.reply_bytes;
  to.source = from.source;
  to.matches = from.matches;
  to.kind = from.kind;
}
/// Copies whole words, word by word: vector loads of words that were just stored would wait for the store
/// buffer.
inline void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t k_word_bytes = sizeof(std::uint64_t);
  for (std::size_t i = 0; i < bytes; i += k_word_bytes) {
    std::uint64_t word;
    std::memcpy(&word, from + i, sizeof word);
    asm volatile("" : "+r"(word));
    std::memcpy(to + i, &word, sizeof word);
  }
}
/// Copies a packet of whole words, but for `owner`.
inline void copy_packet(packet& to, const packet& from) {
  copy_head(to, from);
  copy_words(to.payload(), from.payload(), from.bytes);
}

}  // namespace gossamer::fabric
