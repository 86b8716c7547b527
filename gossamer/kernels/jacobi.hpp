#pragma once
// Jacobi's method for heat in a square plate: each iteration sets each point to the mean of its four
// neighbours, until an iteration changes little. Rows are divided among the cores, which exchange boundary
// rows and sums of errors.
//
//   puts       boundary rows are put into the neighbours' mailboxes with a notification, sums into mailboxes
//              of all cores in the pattern of a dissemination barrier: the hybrid of Papagiannis &
//              Nikolopoulos, "Hybrid address spaces", section 6
//   messages   the same by send and receive, and all_reduce
//   blocked    `depth` iterations in one pass over the rows, while they are in the cache; rows and sums are
//              exchanged once for all of them. A core also computes up to depth - 1 of its neighbours' rows
//              on either side (trapezoids in time)

#include <cstdint>
#include <functional>
#include <string_view>

#include "gossamer/base/check.hpp"

namespace gossamer::kernels {

enum class jacobi_method : std::uint8_t { puts, messages, blocked };
inline constexpr std::string_view k_jacobi_methods[] = {"puts", "messages", "blocked"};

struct jacobi_work {
  std::uint64_t n = 1024;  // points of a side; each edge has one more row or column, which does not change
  std::uint64_t iterations = 0;  // maximum; 0: no limit
  double difference = 0.01;  // stops when the root of the sum of squared changes is below this
  jacobi_method method = jacobi_method::puts;
  std::uint64_t depth = 8;  // iterations of a pass (blocked); at most the rows of a core
  bool verify = false;
};

struct jacobi_result {
  std::uint64_t iterations = 0;
  std::uint64_t depth = 1;  // iterations of a pass
  double difference = 0;  // of the last iteration
  double seconds = 0;
  check verified{};  // points, iterations or differences that differ from the serial solver's

  double mpoints(std::uint64_t n) const {
    return seconds > 0 ? static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(iterations) /
                             seconds / 1e6
                       : 0;
  }
};

/// Called by the core that calls jacobi(), after each pass, with the number of iterations so far.
using jacobi_progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Solves with the upper edge at 1 and the others at 0. Inside run(), by one fiber. The result equals that of
/// a serial solver to the last bit: every method sums squares by row, by core and over the cores in that
/// order. Throws gossamer::error if there are more cores than rows, or the plate does not fit the memory.
jacobi_result jacobi(const jacobi_work& work, const jacobi_progress& progress = {});

}  // namespace gossamer::kernels
