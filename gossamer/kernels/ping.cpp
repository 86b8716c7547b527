#include "gossamer/kernels/ping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::kernels {

namespace {

constexpr std::size_t k_buffers = 16;
constexpr message_tag k_ping_tag = 0x70696e67;

/// Receive buffers, used in turn, and a checksum of the arrivals.
struct sink {
  std::size_t size = 0;
  std::vector<std::byte> buffers;
  std::uint64_t expected = 0, received = 0, sum = 0;

  void start(std::size_t bytes, std::uint64_t messages) {
    size = bytes;
    expected = messages;
    buffers.assign(k_buffers * bytes, std::byte{});
  }
  void take(std::span<const std::byte> payload) {
    std::byte* const to = buffers.data() + received++ % k_buffers * size;
    std::memcpy(to, payload.data(), payload.size());
    std::uint64_t number;
    std::memcpy(&number, to, sizeof number);
    sum += number;
  }
  /// Returns whether exactly the expected messages 1, 2, ... have arrived.
  bool is_complete() const { return received == expected && sum == expected * (expected + 1) / 2; }
};

/// Sends the messages 1, 2, ... to core `to`. The enclosing completion counts them.
void send_stream(core_id to, per_core<sink> all, std::size_t bytes, std::uint64_t messages) {
  std::vector<std::byte> payload(bytes);
  for (std::uint64_t i = 1; i <= messages; ++i) {
    std::memcpy(payload.data(), &i, sizeof i);
    async_on(to, [all](std::span<const std::byte> p) { all.here().take(p); }, payload);
  }
}

check all_arrived(bool is_complete) { return {is_complete, "messages did not all arrive as sent"}; }

}  // namespace

core_id ping_partner() {
  if (cores() < 2) throw error("ping: expected two cores or two processes, found one core (--cores 2)");
  return processes() > 1 ? first_core(1) : 1;
}

stream_result stream_to(core_id to, std::size_t bytes, std::uint64_t messages) {
  GOSSAMER_ASSERT(bytes >= sizeof(std::uint64_t) && here() == 0);
  const scoped_per_core<sink> sinks;
  const per_core<sink> all = sinks.handle();
  on_core(to, [all, bytes, messages] { all.here().start(bytes, messages); });
  stream_result r{.messages = messages, .bytes = bytes};
  const std::uint64_t start = machine::now_ns();
  finish([&] { send_stream(to, all, bytes, messages); });
  r.seconds = machine::seconds_since(start);
  r.verified = all_arrived(on_core(to, [all] { return all.here().is_complete(); }));
  return r;
}

core_id ping_pairs() {
  (void)ping_partner();
  if (processes() > 1 && processes() % 2 != 0)
    throw error(
        fmt::format("ping: expected an even number of processes for all cores, found {}", processes()));
  return static_cast<core_id>(processes() > 1 ? processes() / 2 * cores_per_process() : cores() / 2);
}

stream_result stream_from_all(std::size_t bytes, std::uint64_t messages) {
  GOSSAMER_ASSERT(bytes >= sizeof(std::uint64_t) && here() == 0);
  const core_id pairs = ping_pairs();
  const scoped_per_core<sink> sinks;
  on_all_cores([all = sinks.handle(), pairs, bytes, messages] {
    const bool receives = here() >= pairs && here() < 2U * pairs;
    all.here().start(bytes, receives ? messages : 0);
  });
  stream_result r{.messages = messages * pairs, .bytes = bytes};
  const std::uint64_t start = machine::now_ns();
  on_all_cores([all = sinks.handle(), pairs, bytes, messages] {
    if (here() < pairs) send_stream(static_cast<core_id>(here() + pairs), all, bytes, messages);
  });
  r.seconds = machine::seconds_since(start);
  const auto right = collect(sinks.handle(), [](sink& s) { return std::uint8_t{s.is_complete()}; });
  r.verified = all_arrived(std::ranges::count(right, 0) == 0);
  return r;
}

double one_way_seconds(core_id to, std::size_t bytes, std::uint64_t rounds) {
  std::vector<std::byte> message(bytes);
  double seconds = 0;
  finish([&] {
    spawn_on(to, [bytes, rounds] {
      std::vector<std::byte> back(bytes);
      for (std::uint64_t i = 0; i < rounds; ++i) {
        receive(0, k_ping_tag, back);
        send(0, k_ping_tag, back);
      }
    });
    const std::uint64_t start = machine::now_ns();
    for (std::uint64_t i = 0; i < rounds; ++i) {
      send(to, k_ping_tag, message);
      receive(to, k_ping_tag, message);
    }
    seconds = machine::seconds_since(start);
  });
  return seconds / (2.0 * static_cast<double>(rounds));
}

}  // namespace gossamer::kernels
