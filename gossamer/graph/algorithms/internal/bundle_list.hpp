#pragma once
// Arcs between components, those with the same ends as one bundle. Equal ones are merged in chunks, as they
// come: memory is by the bundles, not by
// the arcs. Owned by one core.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Arcs from one component to another.
struct arc_bundle {
  vertex_id from, to;
  std::uint64_t arcs;  // how many
};

/// Takes memory for at most four times as many bundles as there are, and for a first chunk.
class bundle_list {
 public:
  static constexpr std::size_t k_first_chunk = 1 << 12;

  /// Adds arcs. Throws gossamer::error where memory for a larger chunk is not there.
  void add(const arc_bundle& arcs) {
    if (all_.size() == most_) make_room();
    all_.push_back(arcs);
  }
  /// Sorts by the ends, and makes one bundle of those with the same.
  void merge();
  std::vector<arc_bundle>& bundles() { return all_; }

 private:
  void make_room();

  std::vector<arc_bundle> all_;
  std::size_t most_ = 0;  // before equal ones are merged
};

}  // namespace gossamer::graph
