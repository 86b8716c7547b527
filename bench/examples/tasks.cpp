#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>

#include "examples/peers.hpp"
#include "gossamer/base/random.hpp"

namespace example_peers {
namespace {

using gossamer::hash64;

struct item {
  std::uint64_t weight, value;
};

struct knapsack {
  std::vector<item> items;
  std::atomic<std::uint64_t> best = 0;

  void run(std::size_t next, std::uint64_t room, std::uint64_t value) {
    for (std::uint64_t known = best; known < value && !best.compare_exchange_weak(known, value);) {}
    if (next == items.size() || value + room * items[next].value / items[next].weight <= best) return;
#pragma omp task if (next % 4 == 0)
    run(next + 1, room, value);
    if (items[next].weight <= room) run(next + 1, room - items[next].weight, value + items[next].value);
  }
};

std::uint64_t place_queens(std::uint32_t all, std::uint32_t columns, std::uint32_t rising,
                           std::uint32_t falling) {
  if (columns == all) return 1;
  std::uint64_t found = 0;
  for (std::uint32_t free = all & ~(columns | rising | falling); free != 0; free &= free - 1) {
    const std::uint32_t queen = free & -free;
#pragma omp task shared(found) if (std::popcount(columns) < 4)
    {
      const std::uint64_t below =
          place_queens(all, columns | queen, (rising | queen) << 1, (falling | queen) >> 1);
#pragma omp atomic
      found += below;
    }
  }
#pragma omp taskwait
  return found;
}

}  // namespace

void branch_and_bound(const arguments& given) {
  const std::uint64_t n = given.number(0, 40);
  knapsack all;
  for (std::uint64_t i = 0; i < n; ++i) all.items.push_back({20 + hash64(i) % 80, 20 + hash64(i, 1) % 80});
  std::ranges::sort(all.items, [](item a, item b) { return a.value * b.weight > b.value * a.weight; });
#pragma omp parallel
#pragma omp single
  all.run(0, n * 25, 0);
  std::printf("the best choice of %lu items is worth %lu\n", n, all.best.load());
}

void n_queens(const arguments& given) {
  const std::uint64_t n = given.number(0, 13);
  std::uint64_t found = 0;
#pragma omp parallel
#pragma omp single
  found = place_queens((1U << n) - 1, 0, 0, 0);
  std::printf("%lu ways to place %lu queens\n", found, n);
}

void monte_carlo(const arguments& given) {
  const std::uint64_t n = given.number(0, 100'000'000);
  const auto place = [](std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; };
  std::uint64_t inside = 0;
#pragma omp parallel for reduction(+ : inside)
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = place(hash64(i, 0)), y = place(hash64(i, 1));
    inside += x * x + y * y < 1;
  }
  std::printf("pi is about %.6f\n", 4 * static_cast<double>(inside) / static_cast<double>(n));
}

void embedding(const arguments& given) {
  const std::uint64_t n = given.number(0, 200'000);
  for (const std::uint64_t below : {n / 2, n}) {
    std::uint64_t primes = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : primes)
    for (std::uint64_t candidate = 2; candidate < below; ++candidate) {
      bool prime = true;
      for (std::uint64_t d = 2; prime && d * d <= candidate; ++d) prime = candidate % d != 0;
      primes += prime;
    }
    std::printf("%lu primes below %lu\n", primes, below);
  }
}

}  // namespace example_peers
