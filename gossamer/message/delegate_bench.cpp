// Calls: 1,024 fibers on every core, each of which asks the next core for a number and waits for it, again
// and again. No fiber does more than send messages. Wall time.

#include "gossamer/base/random.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_callers = 1024;

/// Counters of the next core, one of them for each caller.
void call_next(array<std::uint64_t> counters, std::uint64_t caller, std::uint64_t calls,
               std::atomic<bool>* right) {
  const std::uint64_t to = (here() + 1) % cores();
  const std::uint64_t cell = to * k_callers + caller;
  std::uint64_t last = counters.call(cell, [](std::uint64_t& c) { return ++c; });
  for (std::uint64_t i = 1; i < calls; ++i) {
    const std::uint64_t next = counters.call(cell, [](std::uint64_t& c) { return ++c; });
    if (next != last + 1) *right = false;
    last = next;
  }
}

row call_around(const settings& s) {
  const std::uint64_t calls = s.pick(1000, 10);
  const scoped_array<std::uint64_t> owner(k_callers * cores());
  const auto right = std::make_unique<std::atomic<bool>>(true);
  const samples rates = repeat(s, [&] {
    return rate_on_all_cores(calls * k_callers * cores(), [all = owner.handle(), calls, right = right.get()] {
      std::vector<joinable<void>> callers;
      for (std::uint64_t c = 0; c < k_callers; ++c)
        callers.push_back(start([=] { call_next(all, c, calls, right); }));
      for (auto& c : callers) c.join();
    });
  });
  std::uint64_t counted = 0;
  for (std::uint64_t i = 0; i < owner.size(); ++i) counted += owner.read(i);
  const bool all_there = counted == calls * k_callers * cores() * (s.repeats + 1);
  return checked(
      row_of("call", fmt::format("{} fibers per core, {} cores", amount(k_callers), cores()), "M/s", rates),
      *right && all_there);
}

}  // namespace

void call(const settings& s, const report& out) {
  double first = k_none;
  for (const unsigned n : core_counts(s)) {
    row r;
    run(core_job(n), [&] { r = call_around(s); });
    r = within(r, std::isfinite(first) ? first / 2 : 20);
    if (!std::isfinite(first)) first = r.value;
    out.add(r);
  }
}

}  // namespace gossamer::bench
