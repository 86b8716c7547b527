#pragma once
// The vertices that diameter.cpp searches from, in order: in each component those farthest from its middle
// first.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/engine/source_words.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The vertices that may still be searched from, in process 0.
class fringe {
 public:
  /// A vertex, and its distance from the middle of its component.
  struct vertex {
    vertex_id component, distance, number;
  };
  /// Adds the vertices, in any order.
  explicit fringe(std::vector<vertex> all) : all_(std::move(all)) {
    std::ranges::sort(all_, [](const vertex& a, const vertex& b) {
      if (a.component != b.component) return a.component < b.component;
      return a.distance != b.distance ? a.distance > b.distance : a.number < b.number;
    });
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (i == 0 || all_[i].component != all_[i - 1].component) open_.push_back({i, i});
    for (std::size_t k = 0; k < open_.size(); ++k)
      open_[k].end = k + 1 == open_.size() ? all_.size() : open_[k + 1].next;
  }
  /// Returns the largest distance of a remaining vertex, or 0.
  std::uint64_t farthest() const {
    std::uint64_t most = 0;
    for (const part& p : open_) most = std::max<std::uint64_t>(most, all_[p.next].distance);
    return most;
  }
  /// Removes up to 64 vertices of each component for which may_matter(vertex) is true, and calls use(vertex,
  /// bit) for each. Removes the rest of a component if its farthest remaining vertex is nearer than `least`.
  template <class Test, class Use>
  void take(std::uint64_t least, Test may_matter, Use use) {
    for (part& p : open_) {
      std::size_t taken = 0;
      for (; taken < k_word_sources && has_more(p, least); ++p.next)
        if (may_matter(all_[p.next])) use(all_[p.next], source_word{1} << taken++);
    }
    drop(least);
  }
  /// Removes the components in which no vertex is at least so far from the middle.
  void drop(std::uint64_t least) {
    std::erase_if(open_, [&](const part& p) { return !has_more(p, least); });
  }

 private:
  /// The remaining vertices of a component.
  struct part {
    std::size_t next, end;
  };
  bool has_more(const part& p, std::uint64_t least) const {
    return p.next < p.end && all_[p.next].distance >= least;
  }
  std::vector<vertex> all_;
  std::vector<part> open_;
};

}  // namespace gossamer::graph
