#pragma once
// The graphs that vertices move in: the one that was given, then those whose vertices are communities of the one before. Weights are whole
// numbers, so that sums do not depend on their order. What belongs to vertices lies in every process, the rows in those of their owners, or
// in all where there are few.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Sums of weights by community: a table of a core, as large as the longest row wants it.
class community_sums {
 public:
  struct entry {
    vertex_id community = k_no_vertex;
    std::int64_t weight = 0;
  };

  /// Empties the table, and makes room for so many communities.
  void clear(std::uint64_t most) {
    for (const std::uint64_t at : used_) table_[at].community = k_no_vertex;
    used_.clear();
    std::uint64_t size = 16;
    unsigned bits = 4;
    for (; size < 2 * most; size *= 2) ++bits;
    if (table_.size() < size) table_.resize(size);
    mask_ = size - 1;
    shift_ = 64 - bits;
  }
  void add(vertex_id community, std::int64_t weight) {
    const std::uint64_t at = place_of(community);
    entry& e = table_[at];
    if (e.community == k_no_vertex) {
      e = {community, 0};
      used_.push_back(at);
    }
    e.weight += weight;
  }
  /// Returns 0 where nothing was added.
  std::int64_t of(vertex_id community) const {
    const entry& e = table_[place_of(community)];
    return e.community == k_no_vertex ? 0 : e.weight;
  }
  template <class F>
  void for_each(F f) const {
    for (const std::uint64_t at : used_) f(table_[at].community, table_[at].weight);
  }
  std::uint64_t size() const { return used_.size(); }

 private:
  std::uint64_t place_of(vertex_id community) const {
    std::uint64_t at = (community * 0x9e3779b97f4a7c15ULL) >> shift_;
    while (table_[at].community != community && table_[at].community != k_no_vertex) at = (at + 1) & mask_;
    return at;
  }

  std::vector<entry> table_;
  std::vector<std::uint64_t> used_;
  std::uint64_t mask_ = 0;
  unsigned shift_ = 60;
};

/// An arc of a graph of communities.
struct community_arc {
  vertex_id from, to;
  std::int64_t weight;
};

/// One graph. Of a directed one each arc is in two rows, that of either end.
struct community_level {
  /// Rows as in adjacency. No weights: each is 1.
  struct direction {
    const std::uint64_t* offsets;
    const vertex_id* targets;
    const std::int64_t* weights;
  };

  std::uint64_t vertices = 0;
  vertex_range own;  // whose rows are gone through here
  bool is_alone = false;  // each process goes through all of it by itself
  std::vector<direction> directions;  // one; two at first, of a directed graph
  /// The weight of the arcs of each vertex, of its community at first; of a directed graph outgoing and incoming, in turn.
  std::vector<std::int64_t> mass;

  std::uint64_t degree(vertex_id v) const {
    std::uint64_t n = 0;
    for (const direction& d : directions) n += d.offsets[v + 1] - d.offsets[v];
    return n;
  }
  /// Calls f(other end, weight) for the arcs of v.
  template <class F>
  void for_each(vertex_id v, F f) const {
    for (const direction& d : directions) {
      const std::uint64_t end = d.offsets[v + 1];
      std::uint64_t at = d.offsets[v];
      if (d.weights == nullptr)
        for (; at < end; ++at) f(d.targets[at], std::int64_t{1});
      else
        for (; at < end; ++at) f(d.targets[at], d.weights[at]);
    }
  }
  /// Takes the rows of [first, first + offsets.size() - 1), whose offsets begin with 0.
  void keep(std::uint64_t first, std::vector<std::uint64_t> offsets, std::vector<vertex_id> targets,
            std::vector<std::int64_t> weights) {
    offsets_ = std::move(offsets);
    targets_ = std::move(targets);
    weights_[0] = std::move(weights);
    own = {first, first + offsets_.size() - 1};
    directions = {{offsets_.data() - first, targets_.data(), weights_[0].data()}};
  }
  /// Takes weights, of arcs from `first` on, and returns where that of arc 0 would be.
  const std::int64_t* keep_weights(unsigned way, std::vector<std::int64_t> weights, std::uint64_t first) {
    weights_[way] = std::move(weights);
    return weights_[way].data() - first;
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<vertex_id> targets_;
  std::vector<std::int64_t> weights_[2];
};

}  // namespace gossamer::graph
