// One-sided transfers of 1 MiB between the first core and the last, beside memcpy() of as many bytes by the first core, in turn.
// Started by a launcher, between two processes; then the processes other than 0 report nothing.

#include "gossamer/memory/transfer.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/machine/launcher.hpp"
#include "micro/benches.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_words = (1 << 20) / 8;

struct rates {
  std::string where;
  samples copied, put, got;
  bool right = true;
};

/// Returns gigabytes a second of so many calls of f(), which moves k_words.
template <class F>
double rate_of(unsigned times, F f) {
  const double ns = wall_ns_of([&] {
    for (unsigned i = 0; i < times; ++i) f();
  });
  return static_cast<double>(times) * k_words * 8 / ns;
}

/// Measures on the main fiber.
rates measure_transfers(const settings& s) {
  const unsigned times = s.pick(200U, 3U);
  const scoped_array<std::uint64_t> owner(k_words * cores());
  const array<std::uint64_t> far = owner.handle();
  const std::uint64_t first = k_words * (cores() - 1);
  std::vector<std::uint64_t> from(k_words), to(k_words);
  for (std::uint64_t i = 0; i < k_words; ++i) from[i] = hash64(i);
  rates r;
  r.where = processes() == 1 ? fmt::format("{} cores", cores()) : fmt::format("{} processes", processes());
  for (unsigned i = 0; i <= s.repeats; ++i) {
    const double copied = rate_of(times, [&] {
      std::memcpy(to.data(), from.data(), k_words * 8);
      hand_over(to.data());
    });
    const double put_rate = rate_of(times, [&] { put(far, first, from); });
    to.assign(k_words, 0);
    const double got = rate_of(times, [&] { get(far, first, std::span(to)); });
    r.right &= to == from;
    if (i == 0) continue;  // it warms up
    r.copied.push_back(copied);
    r.put.push_back(put_rate);
    r.got.push_back(got);
  }
  return r;
}

}  // namespace

void transfers(const settings& s, const report& out) {
  job_options o = job_options::from_environment();
  o.cores = machine::find_launch().several() ? 1 : 2;
  std::optional<rates> measured;
  run(o, [&] { measured = measure_transfers(s); });
  if (!measured) return;
  const auto named = [&](std::string_view what, const samples& values) {
    return checked(
        row_of("transfers", fmt::format("{}, 1 MiB, {}", what, measured->where), "GB/s", values),
        measured->right);
  };
  const row copy = named("memcpy", measured->copied);
  out.add(copy);
  out.add(within(named("put", measured->put), 0.9 * copy.value));
  out.add(within(named("get", measured->got), 0.9 * copy.value));
}

}  // namespace gossamer::bench
