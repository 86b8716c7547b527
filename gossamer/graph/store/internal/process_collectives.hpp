#pragma once
// Small collectives of the processes of a job, made of exchange() and all_gather_processes(). Functions
// marked collective are called by one fiber of every process, inside on_all_processes(), all in the same
// order. So between them no process may throw alone: operations that can fail belong to a separate phase.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Returns the beginning of part number `part` of n elements divided into `parts` equal ones.
inline std::uint64_t block_begin(std::uint64_t n, std::uint64_t part, std::uint64_t parts) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * part / parts);
}

/// Returns the values of every process, by process, in process 0; nothing elsewhere. Collective.
template <class U>
std::vector<std::vector<U>> to_first(std::vector<U> values) {
  std::vector<std::vector<U>> parts(processes());
  parts[0] = std::move(values);
  return exchange(std::move(parts));
}

/// Reduces the values of all processes by op(a, b), element by element. Returns the result in every process.
/// Collective. All processes pass equally many values. Sends each value twice, whatever the number of
/// processes.
template <class U, class Operation>
std::vector<U> all_reduce_elements(const std::vector<U>& values, Operation op) {
  if (processes() == 1) return values;
  const std::uint64_t n = values.size(), all = processes();
  std::vector<std::vector<U>> parts(all);
  for (std::uint64_t p = 0; p < all; ++p)
    parts[p].assign(values.begin() + static_cast<std::ptrdiff_t>(block_begin(n, p, all)),
                    values.begin() + static_cast<std::ptrdiff_t>(block_begin(n, p + 1, all)));
  const auto mine = exchange(std::move(parts));
  std::vector<U> folded = mine[0];
  for (std::uint64_t p = 1; p < all; ++p)
    for (std::size_t i = 0; i < folded.size(); ++i) folded[i] = op(folded[i], mine[p][i]);
  std::vector<U> result;
  result.reserve(n);
  for (const auto& part : exchange(std::vector<std::vector<U>>(all, folded)))
    result.insert(result.end(), part.begin(), part.end());
  return result;
}

}  // namespace gossamer::graph
