#pragma once
// The rows of one core, and passes over them. A row is computed in the place of the one before it, which is
// no longer needed. So one array is enough, and each pass reads each row from memory once and writes it once.
// A pass moves all rows by one place with each of its iterations: passes alternate between down and up, and
// the rows move up and down.
//
//   places:  |  depth  |  depth: rows of the core above  |  own rows  |  depth: rows of the core below  |
//   a pass down:  iteration t of row i lies t places before row i;  i - t was row i - 1 of iteration t - 1
//   order:        row s of iteration 1, s - 1 of iteration 2, s - 2 of iteration 3, ...;  then s + 1, s, s - 1, ...
// The first and the last core have a boundary instead of a neighbour. A place includes the columns at both
// edges, which are never written.

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "gossamer/base/bits.hpp"

namespace gossamer::kernels {

/// The layout of a row: one edge column, n points from the beginning of a cache line, another edge column.
struct jacobi_rows {
  static constexpr std::uint64_t k_first = 8;  // the first point

  explicit jacobi_rows(std::uint64_t points) : n(points), stride(round_up(k_first + points + 1, 8)) {}
  std::uint64_t n;
  std::uint64_t stride;
};

/// Computes a row of n points from the three that it depends on; `out` may be `up` or `down`. Each has its
/// edge columns at [-1] and [n].
inline void jacobi_row(double* out, const double* up, const double* mid, const double* down,
                       std::uint64_t n) {
#pragma GCC ivdep
  for (std::uint64_t j = 0; j < n; ++j) out[j] = 0.25 * ((up[j] + down[j]) + (mid[j - 1] + mid[j + 1]));
}

/// Does the same and returns the sum of squared changes: eight sums over columns that are equal modulo 8,
/// added from the first to the last.
inline double jacobi_row_with_sum(double* out, const double* up, const double* mid, const double* down,
                                  std::uint64_t n) {
  using four = double __attribute__((vector_size(32)));
  constexpr std::uint64_t k_lanes = 8;
  const auto load = [](four& v, const double* from) { std::memcpy(&v, from, sizeof v); };
  four sums[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  std::uint64_t j = 0;
  for (; j + k_lanes <= n; j += k_lanes)
    for (std::uint64_t half = 0; half < 2; ++half) {
      const std::uint64_t at = j + 4 * half;
      four above, below, left, right, old;
      load(above, up + at);
      load(below, down + at);
      load(left, mid + at - 1);
      load(right, mid + at + 1);
      load(old, mid + at);
      const four now = 0.25 * ((above + below) + (left + right));
      const four change = now - old;
      sums[half] += change * change;
      std::memcpy(out + at, &now, sizeof now);
    }
  double lanes[k_lanes];
  std::memcpy(lanes, sums, sizeof lanes);
  for (std::uint64_t lane = 0; j < n; ++j, ++lane) {
    const double now = 0.25 * ((up[j] + down[j]) + (mid[j - 1] + mid[j + 1]));
    const double change = now - mid[j];
    lanes[lane] += change * change;
    out[j] = now;
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

class jacobi_slab {
 public:
  static std::uint64_t places(std::uint64_t rows, std::uint64_t depth) { return rows + 3 * depth; }

  /// `memory`: places() rows of zeroes. `above`, `below`: whether there are neighbours. Without them the row
  /// before the first is `top`, and the row behind the last is zero.
  jacobi_slab(double* memory, const jacobi_rows& form, std::uint64_t rows, std::uint64_t depth, bool above,
              bool below, double top)
      : memory_(memory),
        form_(form),
        rows_(static_cast<std::int64_t>(rows)),
        depth_(static_cast<std::int64_t>(depth)),
        above_(above),
        below_(below),
        shift_(depth_),
        top_(form.stride, top),
        bottom_(form.stride, 0),
        sums_(rows) {}

  /// Returns the place of row i; -1 and before, rows() and behind are rows of neighbours.
  std::uint64_t place(std::int64_t i) const { return static_cast<std::uint64_t>(i + depth_ + shift_); }
  /// Returns where row i begins, edge column included.
  double* row(std::int64_t i) const { return memory_ + place(i) * form_.stride; }
  std::int64_t rows() const { return rows_; }

  /// Returns the rows that so many iterations compute: the own ones each time, and those of neighbours that the next ones need.
  std::uint64_t rows_of_pass(std::uint64_t levels) const {
    const std::uint64_t beyond = levels * (levels - 1) / 2;  // on a side with a neighbour
    return levels * static_cast<std::uint64_t>(rows_) + beyond * ((above_ ? 1U : 0U) + (below_ ? 1U : 0U));
  }

  /// Makes `levels` iterations, at most depth. Returns the sum of squares of the last one.
  double pass(std::int64_t levels) {
    const bool down = shift_ >= levels;
    const std::int64_t step = down ? -1 : 1;  // of places, for each iteration
    const std::int64_t first = down ? low(1, levels) : high(1, levels) - 1;
    const std::int64_t last = down ? high(levels, levels) + levels - 1 : low(levels, levels) - levels;
    for (std::int64_t s = first; s != last; s -= step)
      for (std::int64_t t = 1; t <= levels; ++t) {
        const std::int64_t i = s + step * (t - 1);
        if (low(t, levels) <= i && i < high(t, levels)) compute(i, step * (t - 1), step * t, t == levels);
      }
    shift_ += step * levels;
    return std::accumulate(sums_.begin(), sums_.end(), 0.0);
  }

 private:
  // Iteration t computes the rows [low, high).
  std::int64_t low(std::int64_t t, std::int64_t levels) const { return above_ ? t - levels : 0; }
  std::int64_t high(std::int64_t t, std::int64_t levels) const { return below_ ? rows_ + levels - t : rows_; }

  void compute(std::int64_t i, std::int64_t from, std::int64_t to, bool with_sum) {
    const auto at = [this](std::int64_t k, std::int64_t moved) {
      return row(k) + moved * static_cast<std::int64_t>(form_.stride) + jacobi_rows::k_first;
    };
    const double* const up = i == 0 && !above_ ? top_.data() : at(i - 1, from);
    const double* const under = i + 1 == rows_ && !below_ ? bottom_.data() : at(i + 1, from);
    if (with_sum && i >= 0 && i < rows_)
      sums_[static_cast<std::size_t>(i)] = jacobi_row_with_sum(at(i, to), up, at(i, from), under, form_.n);
    else
      jacobi_row(at(i, to), up, at(i, from), under, form_.n);
  }

  double* const memory_;
  const jacobi_rows form_;
  const std::int64_t rows_, depth_;
  const bool above_, below_;
  std::int64_t shift_;  // offset of row 0, from 0 to depth places behind its first possible place
  const std::vector<double> top_, bottom_;
  std::vector<double> sums_;  // by row
};

}  // namespace gossamer::kernels
