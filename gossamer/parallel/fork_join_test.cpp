// Recursion by spawn() and finish(): it terminates for any breadth and depth, with few fibers and small
// stacks, whatever the tasks do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

constexpr bool k_sanitized = test::k_thread_sanitizer || test::k_address_sanitizer;

enum class way { plain, stealable, mixed };

/// spawn() or spawn_stealable().
template <class F>
void fork(way how, std::uint64_t key, F f) {
  if (how == way::plain || (how == way::mixed && key % 2 == 0))
    spawn(f);
  else
    spawn_stealable(f);
}

void fib(way how, unsigned n, std::uint64_t* out) {
  if (n < 2) {
    *out = n;
    return;
  }
  const auto two = std::make_unique<std::uint64_t[]>(2);
  std::uint64_t* const p = two.get();
  finish([how, p, n] {
    fork(how, n, [how, p, n] { fib(how, n - 1, p); });
    fork(how, n + 1, [how, p, n] { fib(how, n - 2, p + 1); });
  });
  *out = p[0] + p[1];
}

std::uint64_t fib_of(way how, unsigned n) {
  const auto result = std::make_unique<std::uint64_t>();
  fib(how, n, result.get());
  return *result;
}

class ForkJoinOn : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(ForkJoinOn);

TEST_P(ForkJoinOn, FibonacciNumbers) {
  run(job_options{.cores = GetParam()}, [] {
    for (const way how : {way::plain, way::stealable, way::mixed})
      EXPECT_EQ(fib_of(how, k_sanitized ? 16 : 21), k_sanitized ? 987U : 10946U);
  });
}

TEST_P(ForkJoinOn, FewFibersWithLittleStacks) {
  run(job_options{.cores = GetParam(), .stack_bytes = 16 << 10, .fibers = 16}, [] {
    for (const way how : {way::plain, way::stealable, way::mixed}) EXPECT_EQ(fib_of(how, 18), 2584U);
  });
}

/// The actions of the nodes of a random tree, besides counting themselves.
struct deeds {
  bool yields, calls, throws;
};

/// Visits a tree whose shape follows from `key`; returns how many nodes it has.
void visit(way how, deeds d, std::uint64_t key, unsigned depth, std::uint64_t* out) {
  const std::uint64_t draw = hash64(key, 1);
  if (d.yields && draw % 4 == 0) yield();
  if (d.calls && draw % 8 == 1) {
    EXPECT_EQ(call_on((here() + 1) % cores(), [key] { return key; }), key);
  }
  const std::size_t children = depth == 0 ? 0 : depth % 16 == 0 ? 3 : 1 + (draw >> 8) % 16 / 15;
  std::vector<std::uint64_t> counted(children);
  try {
    finish([&] {
      for (std::size_t c = 0; c < children; ++c)
        fork(how, hash64(key, 2 + c),
             [=, into = &counted[c]] { visit(how, d, hash64(key, 2 + c), depth - 1, into); });
      if (d.throws && draw % 8 == 2) throw std::runtime_error("a node");
    });
  } catch (const std::runtime_error&) {  // finish() waits for the others nevertheless
    EXPECT_TRUE(d.throws);
  }
  *out = 1;
  for (const std::uint64_t n : counted) *out += n;
}

std::uint64_t nodes(std::uint64_t key, unsigned depth) {
  const std::uint64_t draw = hash64(key, 1);
  const std::size_t children = depth == 0 ? 0 : depth % 16 == 0 ? 3 : 1 + (draw >> 8) % 16 / 15;
  std::uint64_t n = 1;
  for (std::size_t c = 0; c < children; ++c) n += nodes(hash64(key, 2 + c), depth - 1);
  return n;
}

TEST_P(ForkJoinOn, RandomTreesWideAndDeepWhoseNodesYieldCallAndThrow) {
  constexpr unsigned k_depth = 60;
  constexpr std::uint64_t k_seed = 5;
  const std::uint64_t expected = nodes(k_seed, k_depth);
  RecordProperty("nodes", static_cast<int>(expected));
  for (const deeds d :
       {deeds{}, deeds{true, false, false}, deeds{false, true, false}, deeds{true, true, true}}) {
    run(job_options{.cores = GetParam(), .stack_bytes = 16 << 10}, [&] {
      for (const way how : {way::plain, way::stealable, way::mixed}) {
        const auto counted = std::make_unique<std::uint64_t>();
        visit(how, d, k_seed, k_depth, counted.get());
        EXPECT_EQ(*counted, expected);
      }
    });
  }
}

}  // namespace
}  // namespace gossamer
