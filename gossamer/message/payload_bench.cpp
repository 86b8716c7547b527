// Bandwidth: payloads of one size from core 0 to core 1, copied into a buffer there, as an MPI receive would.
// Each leaves in company with others (aggregated), or in a packet of its own (job_options::aggregate off).
// Wall time.

#include <cstring>

#include "gossamer/message/payload.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::size_t k_buffers = 64;

struct sink {
  explicit sink(std::size_t bytes) : size(bytes), buffers(k_buffers * bytes) {}
  std::size_t size;
  std::vector<std::byte> buffers;
  std::uint64_t received = 0, sum = 0;  // core 1

  void take(std::span<const std::byte> payload) {
    std::byte* const to = buffers.data() + received++ % k_buffers * size;
    std::memcpy(to, payload.data(), payload.size());
    std::uint64_t number;
    std::memcpy(&number, to, sizeof number);
    sum += number;
  }
};

row send_payloads(const settings& s, std::uint64_t bytes, bool aggregated) {
  const std::uint64_t most_bytes = s.pick<std::uint64_t>(256 << 20, 1 << 20);
  const std::uint64_t most = s.pick<std::uint64_t>(aggregated ? 4'000'000 : 400'000, 5000);
  const std::uint64_t messages = std::min(most, most_bytes / bytes);
  const auto at = std::make_unique<sink>(bytes);
  std::vector<std::byte> payload(bytes);
  std::uint64_t sent = 0;
  const samples rates = repeat(s, [&] {
    const double ns = wall_ns_of([&] {
      finish([&] {
        for (std::uint64_t i = 0; i < messages; ++i) {
          ++sent;
          std::memcpy(payload.data(), &sent, sizeof sent);
          async_on(1, [to = at.get()](std::span<const std::byte> p) { to->take(p); }, payload);
        }
      });
    });
    return static_cast<double>(messages * bytes) / ns;
  });
  const bool right = at->received == sent && at->sum == sent * (sent + 1) / 2;
  const row r = row_of("bandwidth", bandwidth_case(bytes, aggregated), "GB/s", rates);
  return point(checked(r, right), aggregated ? k_aggregated_curve : k_unaggregated_curve,
               static_cast<double>(bytes));
}

}  // namespace

void bandwidth(const settings& s, const report& out) {
  for (const std::uint64_t bytes : message_sizes(s)) {
    row alone, together;
    job_options o = core_job(2);
    run(o, [&] { together = send_payloads(s, bytes, true); });
    o.aggregate = false;
    run(o, [&] { alone = send_payloads(s, bytes, false); });
    out.add(alone);
    out.add(bytes == 32 ? within(together, 12 * alone.value) : together);
  }
}

}  // namespace gossamer::bench
