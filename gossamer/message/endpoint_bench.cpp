// Streams: small messages from core 0 to core 1 until all have been handled there. As active messages, whose
// handler adds up what they carry; and by send and receive, with a window of open receives. Wall time.

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
  total* at;
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
  const auto t = std::make_unique<total>();
  std::uint64_t sent = 0;
  const samples rates = repeat(s, [&] {
    const double ns = wall_ns_of([&] {
      finish([&] {
        sized_message<Words> m{t.get(), {}};
        for (std::uint64_t i = 0; i < messages; ++i) m.words.back() = ++sent, async_on(1, m);
      });
    });
    return static_cast<double>(messages) * 1e3 / ns;
  });
  return checked(row_of("stream", std::string(name), "M/s", rates), t->sum == sent * (sent + 1) / 2);
}

struct conversation {
  settings asked;
  samples rates = {};
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
  const auto c = std::make_unique<conversation>(s);
  on_all_cores([c = c.get(), messages] {
    const samples rates = repeat(c->asked, [&] {
      barrier();
      const double ns = wall_ns_of([&] {
        if (here() == 0) talk(messages);
        if (here() == 1) c->right &= listen(messages);
        barrier();
      });
      return static_cast<double>(messages) * 1e3 / ns;
    });
    if (here() == 0) c->rates = rates;
  });
  return checked(row_of("stream", std::string(k_stream_two_sided_case), "M/s", c->rates), c->right);
}

}  // namespace

void stream(const settings& s, const report& out) {
  run(core_job(2), [&] {
    out.add(active<1>(s, k_stream8_case));
    out.add(within(active<7>(s, k_stream64_case), 40));
    out.add(two_sided(s));
  });
}

}  // namespace gossamer::bench
