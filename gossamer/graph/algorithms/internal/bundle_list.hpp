#pragma once
// Arcs between components; arcs with the same ends form one bundle. Equal bundles are merged whenever a chunk
// is full, so memory depends on the number of bundles, not of arcs. Owned by one core.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The arcs from one component to another.
struct arc_bundle {
  vertex_id from, to;
  std::uint64_t arcs;  // how many
};

/// Takes memory for at most four times as many bundles as there are, and for a first chunk.
class bundle_list {
 public:
  static constexpr std::size_t k_first_chunk = 1 << 12;

  /// Adds arcs. Throws gossamer::error if memory for a larger chunk is not available.
  void add(const arc_bundle& arcs) {
    if (all_.size() == most_) make_room();
    all_.push_back(arcs);
  }
  /// Sorts by the ends, and merges bundles with the same ends.
  void merge();
  std::vector<arc_bundle>& bundles() { return all_; }

 private:
  void make_room();

  std::vector<arc_bundle> all_;
  std::size_t most_ = 0;  // before equal bundles are merged
};

}  // namespace gossamer::graph
