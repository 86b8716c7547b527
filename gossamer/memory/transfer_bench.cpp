// One-sided transfers between the first core and the last, beside memcpy() of as many bytes by the first core. The three take
// turns every millisecond, so that all have as much of a busy machine. Started by a launcher, between two processes; then the
// processes other than 0 report nothing. Where those share no memory (GOSSAMER_NODE_MEMORY=off, other nodes), beside the
// transport's own messages of that size.

#include "gossamer/memory/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/launcher.hpp"
#include "micro/benches.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_sizes[] = {16 << 10, 64 << 10, 256 << 10, 1 << 20};
constexpr std::uint64_t k_words = k_sizes[std::size(k_sizes) - 1] / 8;

struct rates {
  std::string where;
  bool in_place = false;  // the first core reaches the elements of the last one by loads and stores
  struct of_size {
    samples copied, put, put_at_once, got;
  } sizes[std::size(k_sizes)];
  bool right = true;
};

/// Returns gigabytes a second of so many calls of f(), which moves `bytes`.
template <class F>
double rate_of(std::uint64_t bytes, unsigned times, F f) {
  const double ns = wall_ns_of([&] {
    for (unsigned i = 0; i < times; ++i) f();
  });
  return static_cast<double>(times * bytes) / ns;
}

/// Measures on the main fiber.
rates measure_transfers(const settings& s) {
  constexpr std::uint64_t k_bytes_of_turn = 10 << 20;
  constexpr unsigned k_at_once = 8;
  const unsigned turns = s.pick(50U, 3U);
  const scoped_array<std::uint64_t> owner(k_words * cores());
  const array<std::uint64_t> far = owner.handle();
  const std::uint64_t first = k_words * (cores() - 1);
  std::vector<std::uint64_t> from(k_words), to(k_words);
  for (std::uint64_t i = 0; i < k_words; ++i) from[i] = hash64(i);
  rates r;
  r.where = processes() == 1 ? fmt::format("{} cores", cores()) : fmt::format("{} processes", processes());
  r.in_place = memory::lies_here(cores() - 1);
  for (std::size_t size = 0; size < std::size(k_sizes); ++size) {
    const std::uint64_t bytes = k_sizes[size], words = bytes / 8;
    const auto times = static_cast<unsigned>(k_bytes_of_turn / bytes);
    for (unsigned i = 0; i <= s.repeats; ++i) {
      samples copied, put_rate, at_once, got;
      for (unsigned turn = 0; turn < turns; ++turn) {
        copied.push_back(rate_of(bytes, times, [&] {
          std::memcpy(to.data(), from.data(), bytes);
          hand_over(to.data());
        }));
        put(far, first, std::span(from).first(words));  // the other side may have fallen asleep meanwhile
        put_rate.push_back(rate_of(bytes, times, [&] { put(far, first, std::span(from).first(words)); }));
        at_once.push_back(k_at_once * rate_of(bytes, divide_up(times, k_at_once), [&] {
                            finish([&] {
                              for (unsigned k = 0; k < k_at_once; ++k)
                                spawn([&] { async_put(far, first, std::span(from).first(words)); });
                            });
                          }));
        to.assign(k_words, 0);
        got.push_back(rate_of(bytes, times, [&] { get(far, first, std::span(to).first(words)); }));
        r.right &= std::equal(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(words), from.begin());
      }
      if (i == 0) continue;  // it warms up
      r.sizes[size].copied.push_back(median_of(copied));
      r.sizes[size].put.push_back(median_of(put_rate));
      r.sizes[size].put_at_once.push_back(median_of(at_once));
      r.sizes[size].got.push_back(median_of(got));
    }
  }
  return r;
}

/// Measures the transport's own messages from process 0 to 1. Collective, outside of jobs; empty in one process.
std::vector<samples> measure_plain(const settings& s) {
  constexpr std::uint64_t k_bytes_of_turn = 100 << 20;
  auto* const others = fabric::connected_transport();
  if (others == nullptr) return {};
  std::vector<samples> rates(std::size(k_sizes));
  for (std::size_t size = 0; size < std::size(k_sizes); ++size)
    for (unsigned i = 0; i <= s.repeats; ++i) {
      const auto messages = static_cast<unsigned>(k_bytes_of_turn / k_sizes[size]);
      others->barrier();
      if (others->rank() > 1) continue;
      const double seconds = others->plain_stream(0, 1, k_sizes[size], messages);
      if (i != 0) rates[size].push_back(static_cast<double>(messages * k_sizes[size]) / seconds / 1e9);
    }
  others->barrier();
  return rates;
}

}  // namespace

void transfers(const settings& s, const report& out) {
  constexpr double k_of_memcpy = 0.9, k_of_transport = 0.95;
  job_options o = job_options::from_environment();
  o.cores = machine::find_launch().several() ? 1 : 2;
  std::optional<rates> measured;
  const std::vector<samples> plain = measure_plain(s);
  run(o, [&] { measured = measure_transfers(s); });
  if (!measured) return;
  for (std::size_t size = 0; size < std::size(k_sizes); ++size) {
    const rates::of_size& of = measured->sizes[size];
    const auto named = [&](std::string_view what, const samples& values) {
      const std::string name = fmt::format("{}, {}, {}", what, format_bytes(k_sizes[size]), measured->where);
      return checked(row_of("transfers", name, "GB/s", values), measured->right);
    };
    const bool largest = size + 1 == std::size(k_sizes);  // the size of the budgets
    const row copy = named("memcpy", of.copied);
    out.add(copy);
    double budget = largest && measured->in_place ? k_of_memcpy * copy.value : k_none;
    if (!plain.empty() && !measured->in_place) {
      const row alone = named("messages of the transport", plain[size]);
      out.add(alone);
      if (largest) budget = k_of_transport * alone.value;
    }
    out.add(within(named("put", of.put), measured->in_place ? budget : k_none));
    out.add(within(named("puts of 8 fibers", of.put_at_once), budget));
    out.add(within(named("get", of.got), budget));
  }
}

}  // namespace gossamer::bench
