// Runtime: an empty call of a host program, while the cores are awake and while they sleep (wall time,
// submission to answer). For comparison: the time of the system to wake a sleeping thread that answers at
// once, which is a lower limit.

#include <atomic>
#include <cstdint>
#include <thread>

#include "gossamer/host/runtime.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/futex.hpp"
#include "micro/benches.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_until_asleep_ns = 1'000'000;  // the cores look for work for spin_us before

/// Returns the median of many runs of once(), each after all cores have gone to sleep.
template <class F>
double median_after_sleep(std::uint64_t times, F once) {
  samples ns;
  for (std::uint64_t i = 0; i < times; ++i) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(k_until_asleep_ns));
    ns.push_back(wall_ns_of(once));
  }
  return median_of(std::move(ns));
}

/// Measures the answer of a thread that sleeps until it is woken. The waking thread spins.
row wake_of_the_system(const settings& s) {
  std::atomic<std::uint32_t> asked{0}, answered{0};
  constexpr std::uint32_t k_end = ~std::uint32_t{0};
  std::thread sleeper([&] {
    for (std::uint32_t seen = 0; seen != k_end;) {
      while (asked.load(std::memory_order_acquire) == seen) machine::futex_wait(asked, seen);
      seen = asked.load(std::memory_order_acquire);
      answered.store(seen, std::memory_order_release);
    }
  });
  std::uint32_t number = 0;
  const auto ask = [&](std::uint32_t what) {
    asked.store(what, std::memory_order_release);
    machine::futex_wake_one(asked);
    while (answered.load(std::memory_order_acquire) != what) machine::cpu_relax();
  };
  const samples ns =
      repeat(s, [&] { return median_after_sleep(s.pick<std::uint64_t>(500, 5), [&] { ask(++number); }); });
  ask(k_end);
  sleeper.join();
  return row_of("runtime", "wake of a sleeping thread by the system, and its answer", "ns", ns);
}

}  // namespace

void host_calls(const settings& s, const report& out) {
  out.add(wake_of_the_system(s));
  job_options o = job_options::from_environment();
  o.cores = s.cores != 0 ? s.cores : 2;
  runtime r(o);
  std::uint64_t run = 0, submitted = 0;
  const auto once = [&] {
    ++submitted;
    r.call([&run] { ++run; });
  };
  const samples asleep = repeat(s, [&] { return median_after_sleep(s.pick<std::uint64_t>(500, 5), once); });
  const std::uint64_t rounds = s.pick<std::uint64_t>(10'000, 50);
  const samples awake = repeat(s, [&] {
    return wall_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) once();
           }) /
           static_cast<double>(rounds);
  });
  out.add(checked(row_of("runtime", "empty call, cores asleep", "ns", asleep), run == submitted));
  out.add(checked(row_of("runtime", "empty call, one after the other", "ns", awake), run == submitted));
}

}  // namespace gossamer::bench
