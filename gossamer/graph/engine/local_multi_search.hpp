#pragma once
// A search from up to 64 sources at once by one core, over rows that are in its process: no barrier, no
// message. For many batches of sources, which the cores take dynamically. multi_search.hpp searches from one
// batch on all cores, and describes the algorithm. Memory: 24 bytes per vertex, and 20 for the frontier.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/source_words.hpp"
#include "gossamer/graph/engine/traversal_policy.hpp"

namespace gossamer::graph {

/// The arrays of a core, reused by its searches.
class local_multi_search {
 public:
  /// Searches from sources[i], which has bit i, for each i. Calls visitor.reached(v, sources, level) for each vertex of a level,
  /// with the sources that reach it there, then visitor.end_level(level). Level 0 has the sources.
  template <class Rows, class Visitor>
  void run(const graph_view& g, const Rows& forward, const Rows& backward, const traversal_policy& policy,
           std::span<const vertex_id> sources, Visitor& visitor);

 private:
  /// Adds a reached vertex to the frontier.
  template <class Rows, class Visitor>
  void take(const Rows& forward, const Rows& backward, vertex_id v, reach_words& state, Visitor& visitor) {
    const source_word found = state.next;
    state.seen |= found;
    state.next = 0;
    front_arcs_ += forward.degree(v);
    if (state.seen == all_) open_arcs_ -= std::min(open_arcs_, backward.degree(v));
    now_.push_back({v, found});
    visitor.reached(v, found, level_);
  }
  template <class Rows>
  void push(const Rows& forward);
  template <class Rows>
  void pull(const Rows& backward);

  std::vector<reach_words> states_;  // by vertex
  std::vector<source_word> front_;  // by vertex; zero except while the frontier is pulled
  std::vector<reached_vertex> now_;  // the frontier
  std::vector<vertex_id> next_;  // one element longer than the number of vertices
  std::size_t found_ = 0;  // vertices in next_
  source_word all_ = 0;
  std::uint64_t level_ = 0;
  std::uint64_t front_arcs_ = 0;  // of the frontier
  std::uint64_t open_arcs_ = 0;  // backward, of vertices that not all sources have reached
};

/// Sends the words of the frontier along its arcs.
template <class Rows>
void local_multi_search::push(const Rows& forward) {
  scan_meter meter(k_top_down);
  vertex_id* const next = next_.data();
  std::size_t found = 0;
  reach_words* const states = states_.data();
  for (const reached_vertex& from : now_)
    scan_row(meter, forward, from.vertex, [&](vertex_id n) {
      reach_words& state = states[n];
      const source_word fresh = from.sources & ~state.seen;
      // Branch-free, because the branch would be mispredicted.
      next[found] = n;
      found += static_cast<std::size_t>((fresh != 0) & (state.next == 0));
      state.next |= fresh;
    });
  found_ = found;
}

/// Lets vertices that some source has not reached read the frontier.
template <class Rows>
void local_multi_search::pull(const Rows& backward) {
  for (const reached_vertex& from : now_) front_[from.vertex] = from.sources;
  scan_meter meter(k_bottom_up);
  found_ = 0;
  vertex_id v = 0;
  for (reach_words& state : states_) {
    if (const source_word missing = all_ & ~state.seen; missing != 0) {
      source_word word = 0;
      ++meter.rows;
      backward.find(v, meter.arcs, [&](vertex_id n) {
        word |= front_[n];
        return (word & missing) == missing;
      });
      state.next = word & missing;
      next_[found_] = v;
      found_ += static_cast<std::size_t>(state.next != 0);
    }
    ++v;
  }
  for (const reached_vertex& from : now_) front_[from.vertex] = 0;
}

template <class Rows, class Visitor>
void local_multi_search::run(const graph_view& g, const Rows& forward, const Rows& backward,
                             const traversal_policy& policy, std::span<const vertex_id> sources,
                             Visitor& visitor) {
  states_.assign(g.vertices, {});
  front_.resize(g.vertices);
  next_.resize(g.vertices + 1);
  all_ = first_sources(sources.size());
  open_arcs_ = g.arcs;
  front_arcs_ = 0;
  found_ = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    reach_words& state = states_[sources[i]];
    if (state.next == 0) next_[found_++] = sources[i];
    state.next |= source_word{1} << i;
  }
  for (level_ = 0;; ++level_) {
    now_.clear();
    front_arcs_ = 0;
    scan_meter meter(k_pass);
    meter.rows = found_;
    for (std::size_t i = 0; i < found_; ++i) take(forward, backward, next_[i], states_[next_[i]], visitor);
    if (now_.empty()) return;
    visitor.end_level(level_);
    if (policy.pulls_words(front_arcs_, open_arcs_, g.vertices))
      pull(backward);
    else
      push(forward);
  }
}

}  // namespace gossamer::graph
