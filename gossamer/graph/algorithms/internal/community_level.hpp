#pragma once
// The graphs in which vertices move: the given graph, then graphs whose vertices are communities of the one
// before. Weights are integers, so sums do not depend on their order. Data of vertices lie in every process;
// rows lie in the processes of their owners, or in all processes if they are few.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Sums of weights by community: a hash table of one core, as large as the longest row requires.
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
  /// Returns the sum of a community; 0 if nothing was added.
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

/// One level. In a directed graph each arc is stored in two rows, one for either end.
struct community_level {
  /// Rows as in adjacency. No weights: each is 1.
  struct direction {
    const std::uint64_t* offsets;
    const vertex_id* targets;
    const std::int64_t* weights;
  };

  std::uint64_t vertices = 0;
  vertex_range own;  // vertices whose rows this process evaluates
  bool is_alone = false;  // each process evaluates all of it alone
  std::vector<direction> directions;  // one; on the first level of a directed graph two
  /// The weight of the arcs of each vertex; before the first move, that of its community. In a directed graph
  /// outgoing and incoming alternate.
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
  /// Appends the rows of [first, first + offsets.size() - 1), whose offsets begin with 0.
  void keep(std::uint64_t first, std::vector<std::uint64_t> offsets, std::vector<vertex_id> targets,
            std::vector<std::int64_t> weights) {
    offsets_ = std::move(offsets);
    targets_ = std::move(targets);
    weights_[0] = std::move(weights);
    own = {first, first + offsets_.size() - 1};
    directions = {{offsets_.data() - first, targets_.data(), weights_[0].data()}};
  }
  /// Allocates weights for arcs from `first` on, and returns the address that the weight of arc 0 would have.
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
