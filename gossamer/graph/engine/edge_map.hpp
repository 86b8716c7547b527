#pragma once
// One step of a search from level to level, in the direction that reads fewer arcs
// [S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012; J. Shun, G. Blelloch, "Ligra", PPoPP
// 2013].
//
//   push:  each vertex of the frontier sends step.offer() along its arcs, and the owner of the target accepts it or not. A core
//          handles targets that it owns at once, and ships offers to other targets (path 1).
//   pull:  each unvisited vertex reads its arcs backward, in chunks that idle cores take (path 2). If the
//          step tests which vertices are in the frontier, the frontier is a frozen bitmap: n/8 bytes per
//          level to processes of other nodes.
//   hops:  a search whose levels stay thin advances several levels at once (several_hops.hpp).
//
// A Step is a trivially copyable struct:
//
//   array<T> values;                                     // of the vertices
//   static constexpr bool k_asks_front;                  // whether pull() tests if neighbours are in it
//   static constexpr scan_cost k_pull_cost;
//   U offer(vertex_id v, const T& value);                // the value that v sends along its arcs
//   Push push;                                           // bool push(T& value, vertex_id n, U offered): true: n is reached now. Runs at
//                                                        // the owner of n, one call at a time
//   bool pull(T& value, vertex_id v, dense_front<Rows>&); // true: v is reached now
//   static void correct(T& value, U offered);            // optional: a shorter path to a vertex was found

#include <bit>
#include <utility>

#include "gossamer/base/then_always.hpp"
#include "gossamer/graph/engine/several_hops.hpp"
#include "gossamer/graph/engine/vertex_levels.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// The frontier, for pull().
template <class Rows>
struct dense_front {
  Rows rows;  ///< the arcs backward
  const std::uint64_t* bits;  ///< bitmap of the frontier
  std::uint64_t arcs = 0;  ///< number of arcs read

  /// Returns the first neighbour of v in the frontier, or k_no_vertex.
  vertex_id first(vertex_id v) {
    return rows.find(v, arcs, [front = bits](vertex_id u) { return test_bit(front, u); });
  }
};

/// A step of a search from the frontier of `levels`. Made for one call.
template <class Rows, class Step>
class level_map {
 public:
  /// Keeps the arguments of edge_map().
  level_map(const traversal& go, const Rows& forward, const Rows& backward, vertex_levels& levels,
            const Step& step)
      : go_(go), forward_(forward), backward_(backward), levels_(levels), step_(step) {}

  /// Advances by one level.
  void go_on() const {
    const bool pulls = levels_.pulls_next(go_);
    levels_.sizes_.push_back(levels_.size_);
    if (pulls)
      pull();
    else
      push();
  }

 private:
  void push() const;
  void pull() const;

  using core_lists = vertex_levels::core_lists;
  using value = std::remove_cvref_t<decltype(std::declval<Step>().values.local()[0])>;
  using offer = decltype(std::declval<const Step&>().offer(vertex_id{}, std::declval<const value&>()));

  /// Handles an offer at the owner of n.
  struct push_remotely {
    per_core<core_lists> lists;
    [[no_unique_address]] decltype(Step::push) push;
    vertex_id n;
    offer offered;
    void operator()(value& v) const {
      if (push(v, n, offered)) lists.here().next.push_back(n);
    }
  };

  const traversal& go_;
  const Rows& forward_;
  const Rows& backward_;
  vertex_levels& levels_;
  const Step& step_;
};

/// Sends offers along the arcs of the frontier. Waits until the offers of all processes are handled, then
/// lists the vertices reached.
template <class Rows, class Step>
void level_map<Rows, Step>::push() const {
  const auto offers = [g = go_.graph(), rows = forward_, step = step_, seen = elements_of(levels_.visited_),
                       lists = levels_.lists()] {
    const std::span<value> own = step.values.local();
    const std::uint64_t first = step.values.local_begin();
    const vertex_range near = vertices_here(g);
    core_lists& mine = lists.here();
    scan_meter meter(k_top_down);
    for (vertex_id v : mine.now) {
      const offer offered = step.offer(v, own[v - first]);
      scan_row(meter, rows, v, [&](vertex_id n) {
        if (n - first < own.size()) {
          if (step.push(own[n - first], n, offered)) mine.next.push_back(n);
        } else if (!near.has(n) || !test_bit(seen, n)) {
          step.values.async(n, push_remotely{lists, step.push, n, offered});
        }
      });
    }
  };
  levels_.begin_level(reduce_on_all_processes([offers, advance = levels_.advance_body(go_, forward_),
                                               rounds = levels_.rounds_.handle(), lists = levels_.lists()] {
    then_always([&] { local::on_all_cores(offers); },
                [&] {
                  if (processes() > 1) rounds.here().meet();
                  local::on_all_cores(advance);
                });
    return vertex_levels::take_statistics(lists);
  }));
}

/// Lets all unvisited vertices read the frontier. Chunks are counted in blocks of k_vertex_alignment
/// vertices, so they own whole words.
template <class Rows, class Step>
void level_map<Rows, Step>::pull() const {
  const auto look = [rows = backward_, step = step_, n = go_.graph().vertices,
                     front = elements_of(levels_.front_), values = elements_of(step_.values),
                     visited = elements_of(levels_.visited_), next = elements_of(levels_.next_),
                     lists = levels_.lists()](std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t words_per_block = k_vertex_alignment / k_word_bits;
    dense_front<Rows> all{rows, front};
    std::uint64_t found = 0, looked = 0;
    scan_meter meter(Step::k_pull_cost);
    const std::uint64_t last = std::min(end * words_per_block, words_of(n));
    for (std::uint64_t w = begin * words_per_block; w < last; ++w) {
      std::uint64_t reached = 0;
      // Rows are read only in part, so the hardware does not prefetch the next ones.
      if (Step::k_asks_front && w + 1 < last) {
        for_each_bit(~visited[w + 1], w + 1,
                     [&](std::uint64_t v) { rows.prefetch(static_cast<vertex_id>(v)); });
      }
      looked += static_cast<unsigned>(std::popcount(~visited[w]));
      for_each_bit(~visited[w], w, [&](std::uint64_t v) {
        if (step.pull(values[v], static_cast<vertex_id>(v), all)) reached |= bit_of(v);
      });
      next[w] = reached;
      visited[w] |= reached;
      found += static_cast<unsigned>(std::popcount(reached));
    }
    lists.here().found += found;
    meter.rows = looked;
    meter.arcs = all.arcs;
  };
  const bool freezes = Step::k_asks_front && levels_.freeze_front();
  const auto share = levels_.share_body(go_.graph(), Step::k_asks_front && !freezes);
  const vertex_levels::level_statistics found = reduce_on_all_processes(
      [g = go_.graph(), look, share, grain = go_.policy().blocks_per_chunk, lists = levels_.lists()] {
        share();
        local::forall_chunks(vertex_levels::blocks_here(g, lists), grain, look);
        return vertex_levels::take_statistics(lists);
      });
  if (freezes) levels_.front_.thaw();
  if (levels_.keeps_ == vertex_levels::keeps::all_levels) return levels_.list_dense(go_, forward_, true);
  std::swap(levels_.front_, levels_.next_);
  const std::uint64_t before = levels_.size_;
  levels_.begin_level(found);
  levels_.is_dense_ = true;
  if (levels_.size_ > 0 && levels_.size_ < before &&
      levels_.size_ < go_.graph().vertices / go_.policy().push_below) {
    levels_.list_dense(go_, forward_, false);
    levels_.unexplored_ = ~std::uint64_t{0};  // not counted from here on: the tail of a search stays sparse
  }
}

/// Advances from the frontier of `levels` to the next level, or by several levels if they are thin: at most
/// `most_levels`. Suspends until all cores are done.
template <class Rows, class Step>
void edge_map(const traversal& go, const Rows& forward, const Rows& backward, vertex_levels& levels,
              const Step& step, std::uint64_t most_levels = ~std::uint64_t{0}) {
  if constexpr (requires { &Step::correct; }) {
    hop_map<Rows, Step> hops(go, forward, levels, step);
    if (hops.may_go()) return hops.go_on(most_levels);
  }
  level_map<Rows, Step> level(go, forward, backward, levels, step);
  level.go_on();
}

}  // namespace gossamer::graph
