#include "gossamer/message/internal/unexpected.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/base/assert.hpp"

namespace gossamer::message {

unexpected_store::unexpected_store(const limits& l)
    : messages_(l.sources, l.messages, l.packet_messages),
      bytes_(l.sources, l.bytes, chunk_bytes(l.packet_messages, l.packet_bytes)),
      heads_(messages_.most() + l.senders + 1, sizeof(unexpected), "unexpected messages") {
  for (std::size_t c = 0; c < k_classes; ++c) {
    const std::size_t size = k_line_bytes << c;
    slabs_[c] =
        slab(std::min(messages_.most(), bytes_.most() / size) + 1, size, "unexpected messages, bytes");
    if (size >= l.largest) break;
  }
}

void unexpected_store::keep_copy(const std::byte* data, std::size_t bytes) {
  unexpected& e = *std::exchange(next_, nullptr);
  std::byte* to = e.inside;
  e.size_class = k_inside;
  if (bytes > sizeof e.inside) {
    e.size_class = static_cast<std::uint8_t>(log2_up(divide_up(bytes, k_line_bytes)));
    slab& from = slabs_[e.size_class];
    GOSSAMER_DEBUG_ASSERT(from.bytes() >= bytes);
    to = from.take();
    bytes_.take(e.source, from.bytes());
  }
  if (bytes == sizeof e.inside)  // size known to the compiler: no call
    std::memcpy(to, data, sizeof e.inside);
  else if (bytes != 0)
    std::memcpy(to, data, bytes);
  e.data = to;
  e.bytes = bytes;
  e.sender = nullptr;
  messages_.take(e.source, 1);
  ++kept_;
}

void unexpected_store::keep_sender(const std::byte* data, std::size_t bytes, request* sender) {
  unexpected& e = *std::exchange(next_, nullptr);
  e.size_class = k_inside;
  e.data = data;
  e.bytes = bytes;
  e.sender = sender;
}

bool unexpected_store::forget(unexpected& e) {
  bool common = false;
  if (e.size_class != k_inside) {
    slab& from = slabs_[e.size_class];
    common = bytes_.give(e.source, from.bytes());
    from.give(const_cast<std::byte*>(e.data));
  }
  if (e.sender == nullptr) {
    common |= messages_.give(e.source, 1);
    --kept_;
  }
  heads_.give(reinterpret_cast<std::byte*>(&e));
  return common;
}

}  // namespace gossamer::message
