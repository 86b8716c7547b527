#include "gossamer/memory/get.hpp"

#include <algorithm>
#include <cstring>

#include "gossamer/message/payload.hpp"

namespace gossamer::memory {

namespace {

struct got_piece {
  std::byte* into;
  std::uint64_t bytes;
  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    message::each_with_payload<got_piece>(d, records, count, [](got_piece& r, const std::byte* payload) {
      std::memcpy(r.into, payload, r.bytes);
    });
  }
};

struct get_question {
  static constexpr std::size_t k_bytes = 960;  // an answer is at most ~1 KiB
  const std::byte* from;
  got_piece piece;
  void operator()(const message::dispatch& d) const {
    d.self.request_flush();  // a fiber waits for all of it
    std::byte* const to =
        d.self.reply_room_counted<got_piece>(d, message::payload_stride(sizeof piece, piece.bytes));
    std::memcpy(to, &piece, sizeof piece);
    std::memcpy(to + sizeof piece, from, piece.bytes);
  }
};

}  // namespace

void get(core_id owner, const std::byte* from, std::span<std::byte> into) {
  auto& self = message::endpoint::here();
  for (std::size_t at = 0; at < into.size(); at += get_question::k_bytes) {
    const std::size_t bytes = std::min(get_question::k_bytes, into.size() - at);
    const auto answer = static_cast<std::uint32_t>(message::payload_stride(sizeof(got_piece), bytes));
    self.issue_question(owner, get_question{from + at, {into.data() + at, bytes}}, answer + 16);
  }
}

}  // namespace gossamer::memory
