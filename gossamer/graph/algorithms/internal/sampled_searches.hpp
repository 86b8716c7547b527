#pragma once
// The searches of sampled_closeness.cpp. All cores search from 64 samples at once (engine/multi_search.hpp).
// In a long thin graph the samples reach a vertex on different levels, so such a search shares no work. Then
// each core searches from one sample at a time, with sums of its own.

#include <bit>
#include <cstdint>
#include <span>

#include "gossamer/graph/algorithms/sampled_closeness.hpp"
#include "gossamer/graph/engine/traversal.hpp"

namespace gossamer::graph {

/// The unit of sums of 1/distance: a power of 2. Sums are integers, so the order of addition does not matter.
class inverse_unit {
 public:
  /// Chooses the unit so that the sum over so many samples fits 63 bits.
  explicit inverse_unit(std::uint64_t samples) : shift_(63 - std::bit_width(samples)) {}
  /// Returns 1/level in units, rounded.
  std::uint64_t units_of(std::uint64_t level) const {
    return ((std::uint64_t{1} << shift_) + level / 2) / level;
  }
  /// Returns the value of a sum in units.
  double value(std::uint64_t units) const {
    return static_cast<double>(units) / static_cast<double>(std::uint64_t{1} << shift_);
  }

 private:
  int shift_;
};

/// The distances from samples to a vertex.
struct distance_sums {
  std::uint64_t reached = 0;
  std::uint64_t sum = 0;
  std::uint64_t inverse_units = 0;  // of 1/distance, in units
  /// Adds `count` samples that reach the vertex on a level above 0. `units`: those of the level.
  void add(std::uint64_t count, std::uint64_t level, std::uint64_t units) {
    reached += count;
    sum += count * level;
    inverse_units += count * units;
  }
  /// Adds the sums of other samples.
  void add(const distance_sums& other) {
    reached += other.reached;
    sum += other.sum;
    inverse_units += other.inverse_units;
  }
};

/// Sums the distances from the samples to each vertex. `sums` are zeros at first. Returns the smallest
/// eccentricity of a sample. Main fiber; suspends. Progress counts samples.
std::uint64_t search_from_samples(const traversal& go, std::span<const vertex_id> samples,
                                  const array<distance_sums>& sums, const progress_hook& progress);

}  // namespace gossamer::graph
