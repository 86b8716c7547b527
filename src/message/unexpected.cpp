#include "gossamer/message/unexpected.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/base/assert.hpp"

namespace gossamer::message {

unexpected_store::unexpected_store(std::size_t messages, std::size_t bytes, std::size_t largest)
    : most_(messages),
      // The largest packet must fit an empty store.
      most_bytes_(std::max(bytes, std::size_t{1} << 19)),
      heads_(messages + 1, sizeof(unexpected), "unexpected messages") {
  for (std::size_t c = 0; c < k_classes; ++c) {
    const std::size_t size = k_line_bytes << c;
    pieces_[c] = slab(std::min(messages, most_bytes_ / size) + 1, size, "unexpected messages, bytes");
    if (size >= largest) break;
  }
}

void unexpected_store::keep_copy(const std::byte* data, std::size_t bytes) {
  unexpected& e = *std::exchange(next_, nullptr);
  std::byte* to = e.inside;
  e.size_class = k_inside;
  if (bytes > sizeof e.inside) {
    e.size_class = static_cast<std::uint8_t>(log2_up(divide_up(bytes, k_line_bytes)));
    slab& from = pieces_[e.size_class];
    GOSSAMER_DEBUG_ASSERT(from.bytes() >= bytes);
    to = from.take();
    bytes_ += from.bytes();
  }
  std::memcpy(to, data, bytes);
  e.data = to;
  e.bytes = bytes;
  e.sender = nullptr;
  ++kept_;
}

void unexpected_store::keep_sender(const std::byte* data, std::size_t bytes, request* sender) {
  unexpected& e = *std::exchange(next_, nullptr);
  e.size_class = k_inside;
  e.data = data;
  e.bytes = bytes;
  e.sender = sender;
  ++kept_;
}

void unexpected_store::forget(unexpected& e) {
  if (e.size_class != k_inside) {
    slab& from = pieces_[e.size_class];
    bytes_ -= from.bytes();
    from.give(const_cast<std::byte*>(e.data));
  }
  --kept_;
  heads_.give(reinterpret_cast<std::byte*>(&e));
}

}  // namespace gossamer::message
