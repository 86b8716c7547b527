#include "gossamer/machine/clock.hpp"

namespace gossamer::machine {
namespace {

// Reads both clocks as close together as a few tries allow.
struct instant {
  std::uint64_t ns, ticks;
};

[[maybe_unused]] instant read_both() noexcept {
  instant best{};
  std::uint64_t best_gap = ~std::uint64_t{0};
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t before = ticks();
    const std::uint64_t ns = now_ns();
    const std::uint64_t gap = ticks() - before;
    if (gap < best_gap) best_gap = gap, best = {ns, before + gap / 2};
  }
  return best;
}

std::uint64_t measure() noexcept {
#if defined(__aarch64__)
  std::uint64_t hertz;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  const std::uint64_t rate = hertz / 1'000'000;
#elif defined(__x86_64__)
  const instant start = read_both();
  instant end = start;
  while (end.ns - start.ns < 2'000'000) cpu_relax(), end = read_both();
  const std::uint64_t rate = (end.ticks - start.ticks) * 1000 / (end.ns - start.ns);
#else
  const std::uint64_t rate = 1000;
#endif
  return rate == 0 ? 1 : rate;
}

}  // namespace

std::uint64_t ticks_per_us() noexcept {
  if (simulated() != nullptr) return 1000;
  static const std::uint64_t rate = measure();
  return rate;
}

}  // namespace gossamer::machine
