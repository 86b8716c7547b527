#include "gossamer/graph/partition.hpp"

#include <algorithm>

#include "gossamer/base/assert.hpp"

namespace gossamer::graph {

namespace {

/// Work before vertex v: its preceding rows, and one unit for visiting each.
std::uint64_t work_before(const adjacency& rows, std::uint64_t v) {
  return rows.offsets[v] - rows.offsets[0] + v;
}

std::uint64_t first_with_work(const adjacency& rows, std::uint64_t vertices, std::uint64_t work) {
  std::uint64_t low = 0, high = vertices;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (work_before(rows, middle) < work) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

std::vector<std::uint64_t> equal_edge_bounds(const adjacency& rows, std::uint64_t vertices, unsigned parts) {
  GOSSAMER_ASSERT(parts > 0);
  std::vector<std::uint64_t> bounds(parts + 1, vertices);
  bounds[0] = 0;
  if (vertices == 0) return bounds;
  const std::uint64_t total = work_before(rows, vertices);
  for (unsigned p = 1; p < parts; ++p) {
    const std::uint64_t cut = first_with_work(rows, vertices, total / parts * p + total % parts * p / parts);
    const std::uint64_t aligned = (cut + k_vertex_alignment / 2) / k_vertex_alignment * k_vertex_alignment;
    bounds[p] = std::clamp(aligned, bounds[p - 1], vertices);
  }
  return bounds;
}

std::vector<std::uint64_t> grouped_bounds(const std::vector<std::uint64_t>& bounds, std::uint64_t group) {
  std::vector<std::uint64_t> grouped;
  grouped.reserve(bounds.size());
  for (std::uint64_t b : bounds) grouped.push_back((b + group - 1) / group);
  return grouped;
}

}  // namespace gossamer::graph
