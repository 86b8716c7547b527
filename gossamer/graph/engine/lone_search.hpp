#pragma once
// Breadth-first search by one core, over rows that lie in its process: no barrier between levels. For long thin graphs, whose levels
// are over before other cores are awake, and for cores that each search by themselves.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The arrays of a core, reused by its searches. Memory: 4 bytes and a bit for each vertex.
class lone_search {
 public:
  /// Searches from distinct sources. Calls visit(vertices, level) for each level that is not empty, from 0 on; each vertex comes once,
  /// in the order in which it was found. Stops if visit returns false. Returns the number of the last level.
  template <class Rows, class Visit>
  std::uint64_t run(const Rows& rows, std::uint64_t vertices, std::span<const vertex_id> sources,
                    Visit visit);

 private:
  static constexpr std::size_t k_ahead = 4;  // prefetched
  std::vector<std::uint64_t> seen_;  // a bit for each vertex
  std::vector<vertex_id> found_;  // level by level, and a place to write in vain
};

template <class Rows, class Visit>
std::uint64_t lone_search::run(const Rows& rows, std::uint64_t vertices, std::span<const vertex_id> sources,
                               Visit visit) {
  seen_.assign(words_of(vertices), 0);
  found_.resize(vertices + 1);
  std::uint64_t* const seen = seen_.data();
  vertex_id* const found = found_.data();
  std::ranges::copy(sources, found);
  for (const vertex_id v : sources) seen[v / k_word_bits] |= bit_of(v);
  scan_meter meter(k_top_down);
  std::uint64_t level = 0;
  for (std::size_t begin = 0, end = sources.size();; ++level) {
    if (!visit(std::span<const vertex_id>(found + begin, end - begin), level)) return level;
    std::size_t last = end;
    for (std::size_t i = begin; i < end; ++i) {
      // Neighbours on a level are seldom neighbours in memory.
      rows.prefetch_degree(found[std::min(i + 2 * k_ahead, last - 1)]);
      rows.prefetch(found[std::min(i + k_ahead, last - 1)]);
      scan_row(meter, rows, found[i], [&](vertex_id n) {
        // Without a branch, because it would be mispredicted.
        std::uint64_t& word = seen[n / k_word_bits];
        found[last] = n;
        last += static_cast<std::size_t>(~word >> (n % k_word_bits) & 1);
        word |= bit_of(n);
      });
    }
    if (last == end) return level;
    begin = end;
    end = last;
  }
}

}  // namespace gossamer::graph
