#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "examples/peers.hpp"
#include "gossamer/base/random.hpp"

namespace example_peers {
namespace {

using gossamer::hash64;

// Sorts halves as tasks, and merges them.
void sort_halves(std::uint64_t* begin, std::uint64_t* end) {
  if (end - begin < 50'000) return std::sort(begin, end);
  std::uint64_t* middle = begin + (end - begin) / 2;
#pragma omp task
  sort_halves(begin, middle);
  sort_halves(middle, end);
#pragma omp taskwait
  std::inplace_merge(begin, middle, end);
}

struct point {
  std::int64_t x, y;
};

}  // namespace

void prefix_sums(const arguments& given) {
  const std::uint64_t n = given.number(0, 100'000'000), blocks = 64;
  std::vector<std::uint64_t> sums(n), before(blocks + 1);
#pragma omp parallel for
  for (std::uint64_t b = 0; b < blocks; ++b) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = n * b / blocks; i < n * (b + 1) / blocks; ++i)
      sums[i] = sum += i % 1000 * (i % 1000) % 10;
    before[b + 1] = sum;
  }
  std::partial_sum(before.begin(), before.end(), before.begin());
#pragma omp parallel for
  for (std::uint64_t b = 0; b < blocks; ++b)
    for (std::uint64_t i = n * b / blocks; i < n * (b + 1) / blocks; ++i) sums[i] += before[b];
  std::printf("%lu up to the middle, %lu up to the end\n", sums[n / 2], sums[n - 1]);
}

void sample_sort(const arguments& given) {
  std::vector<std::uint64_t> keys(given.number(0, 10'000'000));
#pragma omp parallel for
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i * 0x9e3779b97f4a7c15;
#pragma omp parallel
#pragma omp single
  sort_halves(keys.data(), keys.data() + keys.size());
  std::printf("the median of %zu keys is %lu\n", keys.size(), keys[keys.size() / 2]);
}

void sparse_matrix_vector(const arguments& given) {
  const std::uint64_t n = given.number(0, 1'000'000);
  std::vector<std::array<std::uint64_t, 8>> columns(n);
#pragma omp parallel for
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t k = 0; k < 8; ++k) columns[i][k] = hash64(i, k) % n;
  std::vector<double> x(n), next(n);
  int steps = 0;
  double worst = 0;
  for (double change = 1; change > 1e-9; ++steps) {
    change = worst = 0;
#pragma omp parallel for reduction(max : change, worst)
    for (std::uint64_t i = 0; i < n; ++i) {
      double sum = 1;
      for (const std::uint64_t column : columns[i]) sum += x[column];
      next[i] = sum / 9;
      change = std::max(change, std::abs(next[i] - x[i]));
      worst = std::max(worst, std::abs(next[i] - 1));
    }
    std::swap(x, next);
  }
  std::printf("%d steps; no element is off by more than %s\n", steps, worst < 1e-7 ? "1e-7" : "it should");
}

void k_means(const arguments& given) {
  const std::uint64_t n = given.number(0, 3'000'000), rounds = given.number(1, 20);
  std::vector<point> points(n);
#pragma omp parallel for
  for (std::uint64_t i = 0; i < n; ++i)
    points[i] = {static_cast<std::int64_t>(i % 3 * 20'000 + i * 31 % 10'000) - 5000,
                 static_cast<std::int64_t>(i * 17 % 10'000) - 5000};
  std::array<point, 3> centres{{{-5000, 0}, {0, 1000}, {5000, 0}}};
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::int64_t xs[3] = {}, ys[3] = {}, counts[3] = {};
#pragma omp parallel for reduction(+ : xs, ys, counts)
    for (std::uint64_t i = 0; i < n; ++i) {
      std::array<std::int64_t, 3> distance;
      for (int c = 0; c < 3; ++c) {
        const std::int64_t x = points[i].x - centres[c].x, y = points[i].y - centres[c].y;
        distance[c] = x * x + y * y;
      }
      const auto c = std::ranges::min_element(distance) - distance.begin();
      xs[c] += points[i].x, ys[c] += points[i].y, ++counts[c];
    }
    for (int c = 0; c < 3; ++c)
      if (counts[c] != 0) centres[c] = {xs[c] / counts[c], ys[c] / counts[c]};
  }
  for (const point& c : centres) std::printf("centre %ld %ld\n", c.x, c.y);
}

}  // namespace example_peers
