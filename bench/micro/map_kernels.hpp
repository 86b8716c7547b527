#pragma once
// What the map functions of the MapReduce benchmarks compute over a chunk of their input, in local variables. Integers are exact: they wrap
// as those of the serial loops do.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace gossamer::bench {

inline constexpr unsigned k_colours = 768;  // 256 each of three channels

/// Counts the bytes of each channel. A store for each byte is what a core does in a cycle: its limit.
inline std::array<std::uint64_t, k_colours> count_colours(const unsigned char* pixels, std::uint64_t n) {
  std::uint32_t counts[k_colours] = {};
  for (std::uint64_t i = 0; i < 3 * n; i += 3)
    for (unsigned c = 0; c < 3; ++c) ++counts[256 * c + pixels[i + c]];
  std::array<std::uint64_t, k_colours> sums;
  std::ranges::copy(counts, sums.begin());
  return sums;
}

/// Returns the sums of x, y, x x, y y and x y over points of two bytes.
inline std::array<std::uint64_t, 5> sum_points(const unsigned char* points, std::uint64_t n) {
  constexpr std::uint64_t k_block = 4096;  // sums of squares fit 32 bits
  std::array<std::uint64_t, 5> sums{};
  for (std::uint64_t begin = 0; begin < n; begin += k_block) {
    const std::uint64_t end = std::min(n, begin + k_block);
    std::uint32_t s[5] = {};
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t x = points[2 * i], y = points[2 * i + 1];
      s[0] += x;
      s[1] += y;
      s[2] += x * x;
      s[3] += y * y;
      s[4] += x * y;
    }
    for (unsigned k = 0; k < sums.size(); ++k) sums[k] += s[k];
  }
  return sums;
}

/// Returns the checksum of each row of a product: the sum of its elements, each times 2 x column + 1.
/// Multiplies `rows` rows from `a` on by the n x n matrix b, by tiles that stay in registers: a panel of b is copied so that it lies together.
inline std::vector<std::uint64_t> multiply_rows(const std::uint32_t* a, std::uint64_t rows,
                                                const std::uint32_t* b, std::uint64_t n) {
  constexpr std::uint64_t k_columns = 64, k_depth = 256, k_tile_rows = 4;
  using vec = std::uint32_t __attribute__((vector_size(64), aligned(4), may_alias));
  constexpr std::uint64_t k_lanes = 16, k_vectors = k_columns / k_lanes;
  std::vector<std::uint64_t> sums(rows);
  std::vector<std::uint32_t> panel(k_depth * k_columns), product(rows * k_columns);
  for (std::uint64_t j = 0; j < n; j += k_columns) {
    const std::uint64_t width = std::min(k_columns, n - j);
    std::ranges::fill(product, 0);
    for (std::uint64_t k = 0; k < n; k += k_depth) {
      const std::uint64_t depth = std::min(k_depth, n - k);
      for (std::uint64_t d = 0; d < depth; ++d)
        std::copy_n(b + (k + d) * n + j, width, panel.data() + d * k_columns);
      for (std::uint64_t r = 0; r < rows; r += k_tile_rows) {
        const std::uint64_t high = std::min(k_tile_rows, rows - r);
        vec tile[k_tile_rows][k_vectors] = {};
        const std::uint32_t* of[k_tile_rows];
        for (std::uint64_t t = 0; t < k_tile_rows; ++t) of[t] = a + (r + std::min(t, high - 1)) * n + k;
        for (std::uint64_t d = 0; d < depth; ++d) {
          const auto* const columns = reinterpret_cast<const vec*>(panel.data() + d * k_columns);
#pragma GCC unroll 4
          for (std::uint64_t t = 0; t < k_tile_rows; ++t)
#pragma GCC unroll 4
            for (std::uint64_t v = 0; v < k_vectors; ++v) tile[t][v] += columns[v] * of[t][d];
        }
#pragma GCC unroll 4
        for (std::uint64_t t = 0; t < k_tile_rows; ++t) {
          if (t >= high) break;
          auto* const found = reinterpret_cast<vec*>(product.data() + (r + t) * k_columns);
#pragma GCC unroll 4
          for (std::uint64_t v = 0; v < k_vectors; ++v) found[v] += tile[t][v];
        }
      }
    }
    for (std::uint64_t r = 0; r < rows; ++r)
      for (std::uint64_t c = 0; c < width; ++c)
        sums[r] += std::uint64_t{product[r * k_columns + c]} * (2 * (j + c) + 1);
  }
  return sums;
}

}  // namespace gossamer::bench
