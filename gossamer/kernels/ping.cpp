#include "gossamer/kernels/ping.hpp"

#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::kernels {

namespace {

constexpr std::size_t k_buffers = 16;
constexpr message_tag k_ping_tag = 0x70696e67;

/// Buffers in turn, and a sum of what came.
struct sink {
  std::size_t size = 0;
  std::vector<std::byte> buffers;
  std::uint64_t received = 0, sum = 0;

  void start(std::size_t bytes) {
    size = bytes;
    buffers.assign(k_buffers * bytes, std::byte{});
  }
  void take(std::span<const std::byte> payload) {
    std::byte* const to = buffers.data() + received++ % k_buffers * size;
    std::memcpy(to, payload.data(), payload.size());
    std::uint64_t number;
    std::memcpy(&number, to, sizeof number);
    sum += number;
  }
};

}  // namespace

core_id ping_partner() {
  if (cores() < 2) throw error("ping: expected two cores or two processes, found one core (--cores 2)");
  return processes() > 1 ? first_core(1) : 1;
}

stream_result stream_to(core_id to, std::size_t bytes, std::uint64_t messages) {
  GOSSAMER_ASSERT(bytes >= sizeof(std::uint64_t) && here() == 0);
  const scoped_per_core<sink> sinks;
  const per_core<sink> all = sinks.handle();
  on_core(to, [all, bytes] { all.here().start(bytes); });
  std::vector<std::byte> payload(bytes);
  stream_result r{.messages = messages, .bytes = bytes};
  const std::uint64_t start = machine::now_ns();
  finish([&] {
    for (std::uint64_t i = 1; i <= messages; ++i) {
      std::memcpy(payload.data(), &i, sizeof i);
      async_on(to, [all](std::span<const std::byte> p) { all.here().take(p); }, payload);
    }
  });
  r.seconds = machine::seconds_since(start);
  r.right = on_core(to, [all, messages] {
    return all.here().received == messages && all.here().sum == messages * (messages + 1) / 2;
  });
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
