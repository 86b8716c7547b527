#include "gossamer/message/two_sided.hpp"

#include <array>
#include <bit>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace message {

// Hands a run of eager messages to the mailbox. The lines that a match touches depend on each other: bucket,
// request, fiber and buffer. Each is fetched while earlier records are worked on, so that their misses
// overlap. What an earlier step has found is kept: no fiber runs meanwhile, so a request stays where it is.
void eager_record::run(const dispatch& d, std::byte* records, std::uint32_t count) {
  constexpr std::uint32_t k_bucket = 24, k_request = 14, k_receiver = 7;  // records ahead
  constexpr std::uint32_t k_kept = std::bit_ceil(k_bucket + 1);
  mailbox& mail = d.self.mail();
  const auto at = [&](std::uint32_t i) -> const eager_record& {
    return *std::launder(reinterpret_cast<const eager_record*>(records + std::size_t{i} * d.record_bytes));
  };
  const auto deliver = [&](const hashed_key& key, const eager_record& r) {
    mail.arrive(key, d.source, r.tag, reinterpret_cast<const std::byte*>(&r) + sizeof r, r.bytes);
  };
  if (count == 1) return deliver(mail.key_of_message(d.source, at(0).tag), at(0));
  std::array<hashed_key, k_kept> keys;
  std::array<const request*, k_kept> expected;
  // A message with the tag of the one before has its key, and most likely waits in the same queue.
  const auto repeats = [&](std::uint32_t i) { return i > 0 && at(i).tag == at(i - 1).tag; };
  const auto fetch_bucket = [&](std::uint32_t i) {
    if (i >= count) return;
    if (repeats(i)) {
      keys[i % k_kept] = keys[(i - 1) % k_kept];
      return;
    }
    keys[i % k_kept] = mail.key_of_message(d.source, at(i).tag);
    mail.prefetch_bucket(keys[i % k_kept]);
  };
  const auto fetch_request = [&](std::uint32_t i) {
    if (i >= count) return;
    expected[i % k_kept] = repeats(i) ? nullptr : mail.expected_by(keys[i % k_kept]);
    __builtin_prefetch(expected[i % k_kept], 1);
  };
  const auto fetch_receiver = [&](std::uint32_t i) {
    if (i < count) mailbox::prefetch_receiver(expected[i % k_kept]);
  };
  for (std::uint32_t i = 0; i < k_bucket; ++i) fetch_bucket(i);
  for (std::uint32_t i = 0; i < k_request; ++i) fetch_request(i);
  for (std::uint32_t i = 0; i < k_receiver; ++i) fetch_receiver(i);
  for (std::uint32_t i = 0; i < count; ++i) {
    fetch_bucket(i + k_bucket);
    fetch_request(i + k_request);
    fetch_receiver(i + k_receiver);
    deliver(keys[i % k_kept], at(i));
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
