// The smallest operations, each in a function of its own that callgrind can be told to count in:
// operations NAME COUNT runs one of them so many times. instructions_test.py holds the counts.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/parallel/loop.hpp"

namespace {

using namespace gossamer;

constexpr std::uint64_t k_waiting = 1'000;

void run_yield(std::uint64_t n) {
  auto other = start([n] {
    for (std::uint64_t i = 0; i < n / 2; ++i) yield();
  });
  for (std::uint64_t i = 0; i < n / 2; ++i) yield();
}

[[gnu::noinline]] void counted_wake(fiber::scheduler& core, const std::vector<fiber::fiber*>& all) {
  for (fiber::fiber* f : all) core.wake(*f);
}

void run_wake(std::uint64_t total) {
  auto& core = *fiber::scheduler::current();
  std::vector<fiber::fiber*> asleep;
  std::vector<joinable<void>> all;
  for (std::uint64_t i = 0; i < k_waiting; ++i)
    all.push_back(start([&, total] {
      for (std::uint64_t n = 0; n < total / k_waiting; ++n) {
        asleep.push_back(core.running());
        core.suspend("to be woken");
      }
    }));
  for (std::uint64_t n = 0; n < total / k_waiting; ++n) {
    while (asleep.size() < k_waiting) yield();
    const std::vector<fiber::fiber*> them = std::move(asleep);
    asleep.clear();
    counted_wake(core, them);
  }
}

[[gnu::noinline]] void counted_issue(array<std::uint64_t> table, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) table.async(i & 1023, [i](std::uint64_t& cell) { cell += i; });
}

/// Runs updates on one core: the records go the way of all records, but no core waits for another meanwhile.
void run_update(std::uint64_t n) {
  scoped_array<std::uint64_t> table(1024);
  finish([&] { counted_issue(table.handle(), n); });
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < table.size(); ++i) sum += table.read(i);
  if (sum != n * (n - 1) / 2) throw error("an update was lost");
}

[[gnu::noinline]] std::uint64_t counted_call(array<std::uint64_t> table, std::uint64_t n) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i)
    sum += table.call(i & 511, [](std::uint64_t& cell) { return ++cell; });
  return sum;
}

void run_call(std::uint64_t n) {
  scoped_array<std::uint64_t> table(1024);
  if (counted_call(table.handle(), n) == 0) throw error("nothing was called");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 3 ? argv[1] : "";
  const std::uint64_t n = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  return parallel::report_errors([&] {
    run(job_options{.cores = name == "call" ? 2U : 1U}, [&] {
      if (name == "yield") return run_yield(n);
      if (name == "wake") return run_wake(n);
      if (name == "update") return run_update(n);
      if (name == "call") return run_call(n);
      throw error("operations: expected yield, wake, update or call, and how often");
    });
  });
}
