// Streams: small messages from core 0 to core 1 until all have been handled there. As active messages, whose
// handler adds up what they carry; and by send and receive, with a window of open receives. Wall time. Started by a launcher,
// the two cores are of two processes; then process 1 reports nothing.

#include <array>

#include "gossamer/message/two_sided.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

struct total {
  std::uint64_t sum = 0;  // core 1
};

template <std::size_t Words>
struct sized_message {
  total* at;  // of core 1
  std::array<std::uint64_t, Words> words;
  const void* target() const { return at; }
  void operator()() const {
    for (const std::uint64_t w : words) at->sum += w;
  }
};
// "64 bytes" is the whole record, "8 bytes" what it carries besides its destination.
static_assert(sizeof(sized_message<7>) == 64 && sizeof(sized_message<1>) == 16);

template <std::size_t Words>
row active(const settings& s, std::string_view name) {
  const std::uint64_t messages = s.pick(4'000'000, 20'000);
  const scoped_per_core<total> totals;
  total* const there = totals.handle().pointer(1).address();
  std::uint64_t sent = 0;
  const samples rates = repeat(s, [&] {
    const double ns = wall_ns_of([&] {
      finish([&] {
        sized_message<Words> m{there, {}};
        for (std::uint64_t i = 0; i < messages; ++i) m.words.back() = ++sent, async_on(1, m);
      });
    });
    return static_cast<double>(messages) * 1e3 / ns;
  });
  const std::uint64_t sum = on_core(1, [totals = totals.handle()] { return totals.here().sum; });
  return checked(row_of("stream", placed(std::string(name)), "M/s", rates), sum == sent * (sent + 1) / 2);
}

struct conversation {
  samples rates;  // core 0
  bool right = true;
};

void talk(std::uint64_t messages) {
  for (std::uint64_t i = 0; i < messages; ++i) send_value(1, 0, i);
}

bool listen(std::uint64_t messages) {
  std::array<std::uint64_t, k_stream_window> heard;
  std::array<request, k_stream_window> open;
  const auto expect = [&](std::size_t slot) {
    ireceive(open[slot], 0, 0, std::as_writable_bytes(std::span(&heard[slot], 1)));
  };
  bool right = true;
  for (std::size_t slot = 0; slot < k_stream_window; ++slot) expect(slot);
  for (std::uint64_t i = 0; i < messages; ++i) {
    const std::size_t slot = i % k_stream_window;
    open[slot].wait();
    right &= heard[slot] == i;
    if (i + k_stream_window < messages) expect(slot);
  }
  return right;
}

row two_sided(const settings& s) {
  const std::uint64_t messages = s.pick(1'000'000, 10'000);
  const scoped_per_core<conversation> all;
  on_all_cores([all = all.handle(), messages, repeats = s.repeats] {
    conversation& mine = all.here();
    settings asked;
    asked.repeats = repeats;
    mine.rates = repeat(asked, [&] {
      barrier();
      const double ns = wall_ns_of([&] {
        if (here() == 0) talk(messages);
        if (here() == 1) mine.right &= listen(messages);
        barrier();
      });
      return static_cast<double>(messages) * 1e3 / ns;
    });
  });
  const bool right = on_core(1, [all = all.handle()] { return all.here().right; });
  const std::string name = placed(std::string(k_stream_two_sided_case));
  return checked(row_of("stream", name, "M/s", all.here().rates), right);
}

}  // namespace

void stream(const settings& s, const report& out) {
  constexpr double k_least = 40;  // M/s
  std::vector<row> rows;
  run(two_core_job(),
      [&] { rows = {active<1>(s, k_stream8_case), active<7>(s, k_stream64_case), two_sided(s)}; });
  if (rows.empty()) return;
  out.add(of_two_processes() ? within(rows[0], k_least) : rows[0]);
  out.add(of_two_processes() ? rows[1] : within(rows[1], k_least));
  out.add(rows[2]);
}

}  // namespace gossamer::bench
