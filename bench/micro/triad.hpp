#pragma once
// The bandwidth of memory as STREAM's triad measures it (a = b + s c; McCalpin, 1995): what jobs that only read are held against.

#include <cstddef>
#include <memory>

#include "micro/measure.hpp"

namespace gossamer::bench {

/// Returns GB/s of `threads` pinned threads, 24 bytes for each element as STREAM counts them. Arrays are 64 MiB each.
inline samples triad_gb_per_s(const settings& s, unsigned threads) {
  const std::size_t n = s.pick<std::size_t>(8 << 20, 1 << 16);
  const auto a = std::make_unique_for_overwrite<double[]>(n), b = std::make_unique_for_overwrite<double[]>(n),
             c = std::make_unique_for_overwrite<double[]>(n);
  const auto on_shares = [&](auto f) {  // f(thread, begin, end)
    on_threads(threads, [&](unsigned t) { f(t, n * t / threads, n * (t + 1) / threads); });
  };
  on_shares([&](unsigned, std::size_t begin, std::size_t end) {  // whose pages then lie near it
    for (std::size_t i = begin; i < end; ++i) a[i] = 0, b[i] = 1, c[i] = 2;
  });
  return repeat(s, [&] {
    constexpr unsigned k_rounds = 10;
    std::vector<double> ns(threads);
    on_shares([&](unsigned t, std::size_t begin, std::size_t end) {
      double *to = a.get(), *from = b.get(), *times = c.get();
      ns[t] = wall_ns_of([&] {
        for (unsigned r = 0; r < k_rounds; ++r) {
          for (std::size_t i = begin; i < end; ++i) to[i] = from[i] + 3.0 * times[i];
          hand_over(to);
        }
      });
    });
    return 24.0 * static_cast<double>(n) * k_rounds / *std::ranges::max_element(ns);
  });
}

}  // namespace gossamer::bench
