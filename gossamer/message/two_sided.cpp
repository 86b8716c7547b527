#include "gossamer/message/two_sided.hpp"

#include <fmt/core.h>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace message {

// Hands a run of eager messages to the mailbox. The lines that a match touches depend on each other: bucket,
// request, fiber and buffer. Each is fetched while earlier records are worked on, so that their misses
// overlap.
void eager_record::run(const dispatch& d, std::byte* records, std::uint32_t count) {
  constexpr std::uint32_t k_bucket = 16, k_request = 10, k_receiver = 5;  // records ahead
  mailbox& mail = d.self.mail();
  const auto at = [&](std::uint32_t i) -> const eager_record& {
    return *std::launder(reinterpret_cast<const eager_record*>(records + std::size_t{i} * d.record_bytes));
  };
  const auto bucket = [&](std::uint32_t i) {
    if (i < count) mail.prefetch_bucket(d.source, at(i).tag);
  };
  const auto expected = [&](std::uint32_t i) -> const request* {
    return i < count ? mail.expected_by(d.source, at(i).tag) : nullptr;
  };
  if (count > 1) {
    for (std::uint32_t i = 0; i < k_bucket; ++i) bucket(i);
    for (std::uint32_t i = 0; i < k_request; ++i) __builtin_prefetch(expected(i), 1);
    for (std::uint32_t i = 0; i < k_receiver; ++i) mailbox::prefetch_receiver(expected(i));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    bucket(i + k_bucket);
    __builtin_prefetch(expected(i + k_request), 1);
    mailbox::prefetch_receiver(expected(i + k_receiver));
    const eager_record& r = at(i);
    mail.arrive(d.source, r.tag, reinterpret_cast<const std::byte*>(&r) + sizeof r, r.bytes);
  }
}

void send_here(core_id to, message_tag tag, std::span<const std::byte> data) {
  GOSSAMER_ASSERT(!endpoint::here().in_handler(),
                  "only a fiber can send (a handler spawns a task that does)");
  mailbox& mail = mailbox::here();
  mail.wait_for_room();
  mail.arrive(to, tag, data.data(), data.size());
}

void throw_wrong_size(core_id from, message_tag tag, std::size_t found, std::size_t expected) {
  throw error(
      fmt::format("receive: a message of {} bytes from core {}, tag {:#x}, where {} bytes were expected",
                  found, from, tag, expected));
}

void throw_own_tag(const char* call, message_tag tag) {
  throw error(fmt::format("{}: tag {:#x} lies in space {:#x}: spaces from {:#x} on are the library's own",
                          call, tag, tag >> 48, k_first_own_space));
}

}  // namespace message
}  // namespace gossamer
