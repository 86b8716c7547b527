#ifdef _OPENMP
#include <omp.h>
#endif

#include <cstdio>

#include "examples/peers.hpp"

namespace example_peers {
namespace {

std::uint64_t threads() {
#ifdef _OPENMP
  return static_cast<std::uint64_t>(omp_get_max_threads());
#else
  return 1;
#endif
}

// Returns the value in the middle of a plate or block whose first layer stays at 1.
double middle(std::uint64_t n, unsigned dimensions, std::uint64_t steps) {
  const std::uint64_t width = n + 2, layer = dimensions == 3 ? width * width : width;
  std::vector<double> now(width * layer), next(width * layer);
  for (std::uint64_t i = 0; i < layer; ++i) now[i] = next[i] = 1;
  for (std::uint64_t step = 0; step < steps; ++step) {
#pragma omp parallel for
    for (std::uint64_t i = layer; i < layer + n * layer; ++i) {
      const std::uint64_t x = i % width, y = dimensions == 3 ? i % layer / width : 1;
      if (x % (n + 1) == 0 || y % (n + 1) == 0) continue;
      double sum = now[i - layer] + now[i + layer] + now[i - 1] + now[i + 1];
      if (dimensions == 3) sum += now[i - width] + now[i + width];
      next[i] = sum / (2 * static_cast<double>(dimensions));
    }
    now.swap(next);
  }
  return now[(n / 2 + 1) * layer + layer / width / 2 * width + width / 2];
}

}  // namespace

void stencil(const arguments& given) {
  const std::uint64_t steps = given.number(0, 1000), n = 10'000 * threads();
  std::vector<double> now(n + 2), next(n + 2);
  now[1] = 1000;
  for (std::uint64_t step = 0; step < steps; ++step) {
    now[0] = now[1], now[n + 1] = now[n];
#pragma omp parallel for
    for (std::uint64_t i = 1; i <= n; ++i) next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    now.swap(next);
  }
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (std::uint64_t i = 1; i <= n; ++i) total += now[i];
  std::printf("after %lu steps %.3f of 1000 units of heat are there\n", steps, total);
}

void heat(const arguments& given) {
  const std::uint64_t n = given.number(0, 64), steps = given.number(1, 1000);
  for (const unsigned d : {2U, 3U})
    std::printf("%u-D: %.9f in the middle after %lu steps\n", d, middle(n, d, steps), steps);
}

void game_of_life(const arguments& given) {
  const std::uint64_t n = given.number(0, 1000), steps = given.number(1, 100);
  std::vector<std::uint8_t> now(n * n), next(n * n);
  std::uint64_t living = 0;
  for (std::uint64_t y = 0; y < n; ++y)
    for (std::uint64_t x = 0; x < n; ++x) living += now[y * n + x] = (x * x + 3 * y + x * y) % 7 < 3;
  for (std::uint64_t step = 0; step < steps; ++step) {
    living = 0;
#pragma omp parallel for reduction(+ : living)
    for (std::uint64_t y = 0; y < n; ++y)
      for (std::uint64_t x = 0; x < n; ++x) {
        unsigned alive = 0;
        for (const std::uint64_t row : {(y + n - 1) % n * n, y * n, (y + 1) % n * n})
          alive += now[row + (x + n - 1) % n] + now[row + x] + now[row + (x + 1) % n];
        living += next[y * n + x] = alive == 3 || (alive == 4 && now[y * n + x] != 0);
      }
    now.swap(next);
  }
  std::printf("%lu of %lu cells live after %lu steps\n", living, n * n, steps);
}

}  // namespace example_peers
