#include "gossamer/graph/algorithms/join_pairs.hpp"

#include <numeric>

#include "gossamer/graph/algorithms/internal/hooking.hpp"

namespace gossamer::graph {
namespace {

/// Points each vertex to its root. Starts from the vertices whose label is another vertex: several levels may
/// lie between that and the root.
void jump_to_roots(hooking& forest) {
  on_all_cores([labels = forest.labels(), parts = forest.parts()] {
    auto v = static_cast<vertex_id>(labels.local_begin());
    for (const vertex_id label : labels.local()) {
      if (label != v) parts.here().jumping.push_back(v);
      ++v;
    }
  });
  forest.jump_to_roots();
}

}  // namespace

scoped_array<vertex_id> join_pairs(std::uint64_t vertices, const std::vector<std::uint64_t>& bounds,
                                   per_core<vertex_pairs> pairs, std::uint64_t few,
                                   const progress_hook& progress) {
  hooking forest(vertices, bounds);
  on_all_cores([labels = forest.labels(), parts = forest.parts(), pairs] {
    std::iota(labels.local().begin(), labels.local().end(), static_cast<vertex_id>(labels.local_begin()));
    std::vector<root_pair>& open = parts.here().open;
    for (const auto& [a, b] : std::exchange(pairs.here(), {}))
      if (a != b) open.push_back(root_pair::of(a, b));
  });
  const std::uint64_t open = forest.open_edges();
  if (open == 0) return forest.take_labels();
  report(progress, "components", 1, 0);
  if (open <= few) {
    forest.local_union();
  } else {
    forest.join_in_rounds(progress);
    jump_to_roots(forest);
  }
  return forest.take_labels();
}

}  // namespace gossamer::graph
