// One-sided transfers of 1 MiB between the first core and the last, beside memcpy() of as many bytes by the first core. The
// three take turns every millisecond, so that all have as much of a busy machine. Started by a launcher, between two processes; then the processes other than 0 report nothing.

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
  bool in_place = false;  // the first core reaches the last one's slice by loads and stores
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
  constexpr unsigned k_times = 10;
  const unsigned turns = s.pick(100U, 3U);
  const scoped_array<std::uint64_t> owner(k_words * cores());
  const array<std::uint64_t> far = owner.handle();
  const std::uint64_t first = k_words * (cores() - 1);
  std::vector<std::uint64_t> from(k_words), to(k_words);
  for (std::uint64_t i = 0; i < k_words; ++i) from[i] = hash64(i);
  rates r;
  r.where = processes() == 1 ? fmt::format("{} cores", cores()) : fmt::format("{} processes", processes());
  r.in_place = memory::lies_here(cores() - 1);
  for (unsigned i = 0; i <= s.repeats; ++i) {
    samples copied, put_rate, got;
    for (unsigned turn = 0; turn < turns; ++turn) {
      copied.push_back(rate_of(k_times, [&] {
        std::memcpy(to.data(), from.data(), k_words * 8);
        hand_over(to.data());
      }));
      put_rate.push_back(rate_of(k_times, [&] { put(far, first, from); }));
      to.assign(k_words, 0);
      got.push_back(rate_of(k_times, [&] { get(far, first, std::span(to)); }));
      r.right &= to == from;
    }
    if (i == 0) continue;  // it warms up
    r.copied.push_back(median_of(copied));
    r.put.push_back(median_of(put_rate));
    r.got.push_back(median_of(got));
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
    return checked(row_of("transfers", fmt::format("{}, 1 MiB, {}", what, measured->where), "GB/s", values),
                   measured->right);
  };
  const row copy = named("memcpy", measured->copied);
  out.add(copy);
  const double budget = measured->in_place ? 0.9 * copy.value : k_none;
  out.add(within(named("put", measured->put), budget));
  out.add(within(named("get", measured->got), budget));
}

}  // namespace gossamer::bench
