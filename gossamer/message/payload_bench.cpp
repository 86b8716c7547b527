// Bandwidth: payloads of one size from core 0 to core 1, copied into a buffer there, as an MPI receive would.
// Each leaves in company with others (aggregated), or in a packet of its own (job_options::aggregate off). Then messages of
// 1 MiB by send and receive, one way and both ways at once, beside memcpy(). Wall time. Started by a launcher, the two cores
// are of two processes; then process 1 reports nothing.

#include <array>
#include <cstring>

#include "gossamer/message/payload.hpp"
#include "gossamer/message/two_sided.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::size_t k_buffers = 64;

struct sink {
  std::size_t size = 0;
  std::vector<std::byte> buffers;
  std::uint64_t received = 0, sum = 0;

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
  const scoped_per_core<sink> sinks;
  on_core(1, [sinks = sinks.handle(), bytes] {
    sinks.here().size = bytes;
    sinks.here().buffers.resize(k_buffers * bytes);
  });
  std::vector<std::byte> payload(bytes);
  std::uint64_t sent = 0;
  const samples rates = repeat(s, [&] {
    const double ns = wall_ns_of([&] {
      finish([&] {
        for (std::uint64_t i = 0; i < messages; ++i) {
          ++sent;
          std::memcpy(payload.data(), &sent, sizeof sent);
          async_on(1, [to = sinks.handle()](std::span<const std::byte> p) { to.here().take(p); }, payload);
        }
      });
    });
    return static_cast<double>(messages * bytes) / ns;
  });
  const bool right = on_core(1, [sinks = sinks.handle(), sent] {
    return sinks.here().received == sent && sinks.here().sum == sent * (sent + 1) / 2;
  });
  const row r = row_of("bandwidth", placed(bandwidth_case(bytes, aggregated)), "GB/s", rates);
  return point(checked(r, right), aggregated ? k_aggregated_curve : k_unaggregated_curve,
               static_cast<double>(bytes));
}

struct exchanged {
  samples copied, rates;  // core 0
  bool right = true;
};

/// Sends one window of messages, receives another one, or both. Returns false where a message held another number than it should.
bool exchange_window(std::vector<std::byte>& out, std::vector<std::byte>& in, std::uint64_t window,
                     bool both) {
  const core_id other = 1 - here();
  const bool sends = both || here() == 0, receives = both || here() == 1;
  const std::size_t bytes = out.size() / k_large_window;
  std::array<request, k_large_window> sent, come;
  for (std::size_t i = 0; i < k_large_window; ++i) {
    const std::uint64_t number = window * k_large_window + i;
    if (receives) ireceive(come[i], other, i, std::span(in).subspan(i * bytes, bytes));
    std::memcpy(out.data() + i * bytes, &number, sizeof number);
    if (sends) isend(sent[i], other, i, std::span(out).subspan(i * bytes, bytes));
  }
  bool right = true;
  for (std::size_t i = 0; i < k_large_window; ++i) {
    sent[i].wait();
    come[i].wait();
    std::uint64_t number;
    std::memcpy(&number, in.data() + i * bytes, sizeof number);
    right &= !receives || number == window * k_large_window + i;
  }
  return right;
}

/// Measures messages of so many bytes by send and receive, on the main fiber.
exchanged exchange_large(const settings& s, std::uint64_t bytes, bool both) {
  const scoped_per_core<exchanged> all;
  on_all_cores([all = all.handle(), bytes, both, repeats = s.repeats, windows = s.pick(50U, 2U)] {
    exchanged& mine = all.here();
    std::vector<std::byte> out(k_large_window * bytes), in(out.size());
    settings asked;
    asked.repeats = repeats;
    mine.copied = repeat(asked, [&] {
      barrier();
      const double ns = wall_ns_of([&] {
        for (unsigned w = 0; here() == 0 && w < windows; ++w) {
          std::memcpy(in.data(), out.data(), out.size());
          hand_over(in.data());
        }
      });
      return static_cast<double>(windows * out.size()) / ns;
    });
    mine.rates = repeat(asked, [&] {
      barrier();
      const double ns = wall_ns_of([&] {
        for (unsigned w = 0; w < windows; ++w) mine.right &= exchange_window(out, in, w, both);
        barrier();
      });
      return static_cast<double>((both ? 2 : 1) * windows * out.size()) / ns;
    });
  });
  exchanged of = all.here();
  of.right &= on_core(1, [all = all.handle()] { return all.here().right; });
  return of;
}

}  // namespace

void bandwidth(const settings& s, const report& out) {
  const auto measured = [](const job_options& o, auto f) {
    std::optional<decltype(f())> found;
    run(o, [&] { found = f(); });
    return found;  // nothing in the other process
  };
  job_options o = two_core_job();
  for (const std::uint64_t bytes : message_sizes(s)) {
    o.aggregate = true;
    const auto together = measured(o, [&] { return send_payloads(s, bytes, true); });
    o.aggregate = false;
    const auto alone = measured(o, [&] { return send_payloads(s, bytes, false); });
    if (!together || !alone) continue;
    out.add(*alone);
    out.add(bytes == 32 && !of_two_processes() ? within(*together, 12 * alone->value) : *together);
  }
  o.aggregate = true;
  for (const bool both : {false, true}) {
    const auto r = measured(o, [&] { return exchange_large(s, k_large_bytes, both); });
    if (!r) continue;
    const row copied = row_of("bandwidth", placed(std::string(k_large_copied_case)), "GB/s", r->copied);
    if (!both) out.add(copied);
    const row sent = checked(row_of("bandwidth", placed(large_case(both)), "GB/s", r->rates), r->right);
    out.add(both ? sent : within(sent, 0.9 * copied.value));
  }
}

}  // namespace gossamer::bench
