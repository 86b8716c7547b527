#pragma once
// The inner loop of pulling kernels.

#include <cstdint>
#include <span>

#include "gossamer/graph/view.hpp"

namespace gossamer::graph {

/// Sum of values[u] over a row, in double. Four partial sums, so that an addition need not wait for the one
/// before it: on a random gather that is a quarter of the time. The same order on any number of cores.
template <class T>
double gather(const T* values, std::span<const vertex_id> row) {
  double sum[4] = {0, 0, 0, 0};
  const vertex_id* u = row.data();
  const vertex_id* const end = u + row.size();
  for (; end - u >= 4; u += 4) {
    for (int i = 0; i < 4; ++i) sum[i] += static_cast<double>(values[u[i]]);
  }
  for (; u != end; ++u) sum[0] += static_cast<double>(values[*u]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace gossamer::graph
