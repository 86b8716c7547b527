#include "gossamer/graph/store/internal/partition.hpp"

#include <algorithm>

#include "gossamer/base/assert.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

/// Returns the work from vertex `first` to v: the arcs of the rows between them, plus one unit for each
/// vertex.
std::uint64_t work_before(const adjacency& rows, std::uint64_t first, std::uint64_t v) {
  return rows.offsets[v] - rows.offsets[first] + (v - first);
}

std::uint64_t first_with_work(const adjacency& rows, vertex_range range, std::uint64_t work) {
  std::uint64_t low = range.begin, high = range.end;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (work_before(rows, range.begin, middle) < work) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

vertex_range own_vertices(const graph_view& g) {
  if (g.process_bounds == nullptr) return {0, g.vertices};
  return {g.process_bounds[process()], g.process_bounds[process() + 1]};
}

vertex_range vertices_here(const graph_view& g) {
  if (g.process_bounds == nullptr) return {0, g.vertices};
  std::uint32_t first = process(), last = first;
  while (first > 0 && memory::lies_here(first_core(first - 1))) --first;
  while (last + 1 < processes() && memory::lies_here(first_core(last + 1))) ++last;
  return {g.process_bounds[first], g.process_bounds[last + 1]};
}

std::vector<std::uint64_t> equal_edge_bounds(const adjacency& rows, vertex_range range, unsigned parts) {
  GOSSAMER_ASSERT(parts > 0);
  std::vector<std::uint64_t> bounds(parts + 1, range.end);
  bounds[0] = range.begin;
  if (range.size() == 0) return bounds;
  const std::uint64_t total = work_before(rows, range.begin, range.end);
  for (unsigned p = 1; p < parts; ++p) {
    const std::uint64_t cut = first_with_work(rows, range, total / parts * p + total % parts * p / parts);
    const std::uint64_t aligned = (cut + k_vertex_alignment / 2) / k_vertex_alignment * k_vertex_alignment;
    bounds[p] = std::clamp(aligned, bounds[p - 1], range.end);
  }
  return bounds;
}

std::vector<std::uint64_t> core_bounds(const graph_view& g) {
  if (g.process_bounds == nullptr) return equal_edge_bounds(g.in, g.vertices, cores());
  scoped_per_core<std::uint64_t> first;
  on_all_cores([g, first = first.handle()] {
    first.here() = equal_edge_bounds(g.in, own_vertices(g), cores_per_process())[local::here()];
  });
  auto bounds = collect(first.handle(), [](std::uint64_t v) { return v; });
  bounds.push_back(g.vertices);
  return bounds;
}

std::vector<std::uint64_t> grouped_bounds(const std::vector<std::uint64_t>& bounds, std::uint64_t group) {
  std::vector<std::uint64_t> grouped;
  grouped.reserve(bounds.size());
  for (std::uint64_t b : bounds) grouped.push_back((b + group - 1) / group);
  return grouped;
}

}  // namespace gossamer::graph
