#include "gossamer/simulation/network_probe.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::simulation {

namespace {

constexpr unsigned k_window = 16;  // messages under way
constexpr std::size_t k_small = 64, k_large = 64 << 10;
constexpr unsigned k_small_count = 4096, k_large_count = 256, k_repeats = 7;

/// Times of one message, in thousandths of a tick.
struct times {
  std::uint64_t one_way = 0;    // to and fro, halved
  std::uint64_t every = 0;      // of a stream
  std::uint64_t sending = 0;    // of the processor, in a stream
  std::uint64_t receiving = 0;
};

class probe {
 public:
  explicit probe(fabric::transport& between) : between_(between), sends_(between.rank() == 0) {
    buffers_.resize(k_window, std::vector<std::byte>(k_large));
    std::array<std::uint64_t, 256> nothing;
    for (auto& one : nothing) one = clocked([] {});
    clock_ = median(nothing);
  }

  void measure_poll() {
    meet();
    between_.receive(0, word_);
    std::array<std::uint64_t, 1001> polls{};
    std::size_t n = 0;
    bool come = false;
    while (n < polls.size() && !come) polls[n++] = clocked([&] { come = between_.received(0).has_value(); });
    poll_ = median(std::span(polls).first(n));
    put(0, go_);
    if (!come) await(0);
    finish(0);
  }

  /// Medians of several goes.
  times measure(std::size_t bytes, unsigned count) {
    std::array<times, k_repeats> all;
    for (times& t : all) t = {echo(bytes, count / 8), 0, 0, 0};
    for (times& t : all) stream(bytes, count, t);
    times middle;
    for (auto field : {&times::one_way, &times::every, &times::sending, &times::receiving}) {
      std::array<std::uint64_t, k_repeats> values;
      std::ranges::transform(all, values.begin(), [field](const times& t) { return t.*field; });
      middle.*field = median(values);
    }
    return middle;
  }

  std::uint64_t poll() const { return 1000 * poll_; }

 private:
  template <class Range>
  static std::uint64_t median(Range&& values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
  }

  template <class F>
  std::uint64_t clocked(F f) {
    const std::uint64_t start = machine::ticks();
    f();
    const std::uint64_t took = machine::ticks() - start;
    return took > clock_ ? took - clock_ : 0;
  }

  unsigned other() const { return sends_ ? 1 : 0; }
  std::span<std::byte> buffer(unsigned slot, std::size_t bytes) {
    return std::span(buffers_[slot]).first(bytes);
  }
  void put(unsigned slot, std::span<const std::byte> data) { between_.send(slot, other(), data); }
  void await(unsigned slot) {
    while (!between_.received(slot)) {}
  }
  void finish(unsigned slot) {
    while (!between_.sent(slot)) {}
  }
  /// Both are here.
  void meet() {
    between_.receive(0, word_);
    put(0, go_);
    await(0);
    finish(0);
  }

  std::uint64_t echo(std::size_t bytes, unsigned rounds) {
    meet();
    between_.receive(0, buffer(0, bytes));
    const std::uint64_t start = machine::ticks();
    for (unsigned i = 0; i < rounds; ++i) {
      if (sends_) put(1, buffer(1, bytes));
      await(0);
      if (i + 1 < rounds) between_.receive(0, buffer(0, bytes));
      if (!sends_) put(1, buffer(1, bytes));
      finish(1);
    }
    return 1000 * (machine::ticks() - start) / (2 * rounds);
  }

  /// A call that does what it was called for counts whole; of one in vain what it took beyond an idle look.
  template <class Try>
  std::uint64_t until(Try done) {
    std::uint64_t busy = 0;
    while (true) {
      bool is_done = false;
      const std::uint64_t took = clocked([&] { is_done = done(); });
      if (is_done) return busy + took;
      busy += took - std::min(took, 2 * poll_);
    }
  }

  void stream(std::size_t bytes, unsigned count, times& t) {
    meet();
    const std::uint64_t start = machine::ticks();
    std::uint64_t busy = 0;
    if (sends_) {
      between_.receive(0, word_);
      for (unsigned i = 0; i < count; ++i) {
        const unsigned slot = i % k_window;
        if (i >= k_window) busy += until([&] { return between_.sent(slot); });
        busy += clocked([&] { put(slot, buffer(slot, bytes)); });
      }
      for (unsigned slot = 0; slot < k_window; ++slot) busy += until([&] { return between_.sent(slot); });
      await(0);
      t.every = 1000 * (machine::ticks() - start) / count;
      t.sending = 1000 * busy / count;
      return;
    }
    for (unsigned slot = 0; slot < k_window; ++slot) between_.receive(slot, buffer(slot, bytes));
    for (unsigned i = 0; i < count; ++i) {
      const unsigned slot = i % k_window;
      busy += until([&] { return between_.received(slot).has_value(); });
      if (i + k_window < count) busy += clocked([&] { between_.receive(slot, buffer(slot, bytes)); });
    }
    t.receiving = 1000 * busy / count;
    put(0, go_);
    finish(0);
  }

  fabric::transport& between_;
  const bool sends_;
  std::vector<std::vector<std::byte>> buffers_;
  std::array<std::byte, 8> word_{}, go_{};
  std::uint64_t clock_ = 0, poll_ = 0;
};

struct found {
  times small, large;
  std::uint64_t poll = 0, ticks_per_us = 1;
};

/// Picoseconds of thousandths of a tick.
std::uint64_t ps(std::uint64_t milliticks, const found& f) { return milliticks * 1000 / f.ticks_per_us; }
std::uint64_t ns(std::uint64_t ps) { return (ps + 500) / 1000; }
std::uint64_t without(std::uint64_t all, std::uint64_t part) { return all > part ? all - part : 0; }

/// A line through two sizes: what a byte takes, and what remains for the message.
struct line {
  std::uint64_t byte_ps, message_ns;
  line(std::uint64_t small_ps, std::uint64_t large_ps)
      : byte_ps(without(large_ps, small_ps) / (k_large - k_small)),
        message_ns(ns(without(small_ps, byte_ps * k_small))) {}
};

network network_of(const found& f, network n) {
  const auto of = [&f](std::uint64_t times::* what) {
    return line(ps(f.small.*what, f), ps(f.large.*what, f));
  };
  const line sending = of(&times::sending), receiving = of(&times::receiving), every = of(&times::every);
  n.send_ns = sending.message_ns;
  n.send_byte_ps = sending.byte_ps;
  n.receive_ns = receiving.message_ns;
  n.receive_byte_ps = receiving.byte_ps;
  n.poll_ns = std::max<std::uint64_t>(1, ns(ps(f.poll, f)));
  n.gap_ns = every.message_ns;
  n.link_byte_ps = 0;
  const std::uint64_t slower_end = std::max(f.large.sending, f.large.receiving);
  n.process_byte_ps = f.large.every > slower_end + slower_end / 10 ? every.byte_ps : 0;
  const std::uint64_t ends_ps = ps(f.small.sending + f.small.receiving, f) + 500 * n.poll_ns;
  n.latency_ns = std::max<std::uint64_t>(1, ns(without(ps(f.small.one_way, f), ends_ps)));
  n.rendezvous_bytes = 0;
  return n;
}

}  // namespace

network measure_network(fabric::transport& between, const network& like) {
  if (between.size() < 2) throw error("network: expected two processes to measure between, found one");
  found mine;
  mine.ticks_per_us = machine::ticks_per_us();
  if (between.rank() < 2) {
    probe p(between);
    p.measure_poll();
    mine.small = p.measure(k_small, k_small_count);
    mine.large = p.measure(k_large, k_large_count);
    mine.poll = p.poll();
  }
  std::vector<found> all(between.size());
  between.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  found& whole = all[0];
  whole.small.receiving = all[1].small.receiving;
  whole.large.receiving = all[1].large.receiving;
  network n = network_of(whole, like);
  n.name = "measured";
  return n;
}

}  // namespace gossamer::simulation
