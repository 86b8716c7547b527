#pragma once
// A priority queue of vertices by length, for Dijkstra's algorithm on one core. Keys are integers of 128 bits, so a comparison has no
// branch; a node has four children, so the tree is half as high as a binary one (ADR 0091).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// A heap of vertices, the shortest length first; of equal lengths the smallest vertex. Length: std::uint64_t, or double without NaN.
template <class Length>
class length_heap {
 public:
  /// An entry.
  struct entry {
    Length length;  ///< when it was pushed
    vertex_id vertex;  ///< may be pushed several times
  };

  /// Returns whether there is no entry.
  bool empty() const { return keys_.empty(); }
  /// Removes all entries.
  void clear() { keys_.clear(); }
  /// Adds an entry.
  void push(Length length, vertex_id v) {
    const key added = key{ordered(length)} << 64 | v;
    std::size_t at = keys_.size();
    keys_.push_back(added);
    for (; at > 0 && added < keys_[(at - 1) / k_children]; at = (at - 1) / k_children)
      keys_[at] = keys_[(at - 1) / k_children];
    keys_[at] = added;
  }
  /// Removes the first entry and returns it. There must be one.
  entry pop() {
    const key first = keys_.front(), moved = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) sink(moved);
    return {length_of(static_cast<std::uint64_t>(first >> 64)), static_cast<vertex_id>(first)};
  }

 private:
  __extension__ using key = unsigned __int128;  // a length, then a vertex
  static constexpr std::size_t k_children = 4;
  static constexpr std::uint64_t k_sign = std::uint64_t{1} << 63;

  /// Returns an integer with the order of the lengths.
  static std::uint64_t ordered(Length length) {
    if constexpr (std::is_integral_v<Length>) {
      return length;
    } else {
      const auto bits = std::bit_cast<std::uint64_t>(length + 0.0);  // -0.0 is 0.0
      return (bits & k_sign) != 0 ? ~bits : bits | k_sign;
    }
  }
  static Length length_of(std::uint64_t bits) {
    if constexpr (std::is_integral_v<Length>)
      return bits;
    else
      return std::bit_cast<double>((bits & k_sign) != 0 ? bits ^ k_sign : ~bits);
  }
  /// Puts a key in place of the first.
  void sink(key moved) {
    const std::size_t size = keys_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = k_children * at + 1) {
      std::size_t least = child;
      key best = keys_[child];
      for (std::size_t i = child + 1; i < std::min(child + k_children, size); ++i) {
        const bool is_less = keys_[i] < best;
        least = is_less ? i : least;
        best = is_less ? keys_[i] : best;
      }
      if (moved <= best) break;
      keys_[at] = best;
      at = least;
    }
    keys_[at] = moved;
  }

  std::vector<key> keys_;
};

}  // namespace gossamer::graph
