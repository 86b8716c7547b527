#pragma once
// Base of searches by tasks that wait (task_bfs.hpp, task_betweenness.hpp): the discovered vertices, level by
// level, and the functions by which a task reads vertices and rows.
//
// A handler at the owner discovers a vertex, and appends it to the owner's block of `order`. So a level is a
// range of each core's block. Tasks visit such ranges, also on cores that have stolen them. They read
// vertices of their process in place: a level does not change while it is visited. They read those of another
// process by calls, a batch at a time, and wait.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer::studies {

using namespace graph;

/// Parameters of a search, for all its tasks.
struct level_setup {
  graph_view graph;
  array<vertex_id> order;  // discovered vertices: each owner fills its block
  bool stealable = true;  // idle cores may take tasks
};

/// The state of one core. Part: the class of the search that derives from it.
template <class Part>
class level_tasks {
 public:
  void open(const level_setup& s) {
    setup_ = s;
    here_ = own_vertices(s.graph);
    clear();
  }
  void clear() {
    found_ = 0;
    ends_.clear();
  }
  /// Adds a vertex of this core to the level that is being discovered. In a handler of the owner.
  void add(vertex_id n) { setup_.order.local()[found_++] = n; }
  /// Ends the level that is being discovered. Returns the number of its vertices on this core.
  std::uint64_t end_level() {
    const std::uint64_t before = ends_.empty() ? 0 : ends_.back();
    ends_.push_back(found_);
    return found_ - before;
  }
  /// Returns the range in `order` of level `which` on this core; levels count from 0.
  vertex_range level(std::size_t which) const {
    const std::uint64_t first = setup_.order.local_begin();
    return {first + (which == 0 ? 0 : ends_[which - 1]), first + ends_[which]};
  }

 protected:
  static constexpr std::size_t k_batch = 32;  // vertices that one call fetches

  /// Starts a task of the search.
  template <class F>
  void start(F f) const {
    setup_.stealable ? spawn_stealable(f) : spawn(f);
  }
  /// Returns the number of neighbours of v. Suspends if another process has its row.
  std::uint64_t degree(vertex_id v) const { return setup_.graph.out.degree(v); }

  /// Calls f(v) for the vertices at a range of `order` that has one owner. f may suspend. Suspends if another
  /// process has them.
  template <class F>
  void each_vertex(vertex_range places, F f) const {
    if (places.begin == places.end) return;
    const core_id owner = setup_.order.owner(places.begin);
    if (process_of(owner) == process()) {
      const vertex_id* const at = setup_.order.pointer(places.begin).address();
      for (std::uint64_t i = 0; i < places.size(); ++i) f(at[i]);
      return;
    }
    in_batches(places.begin, places.end, f, [this](std::uint64_t begin, std::size_t count) {
      return setup_.order.call(begin, [count](vertex_id& first) { return batch_of(&first, count); });
    });
  }
  /// Calls f(n) for neighbours [begin, end) of v, whose owner is `owner`. f may suspend. Suspends if another
  /// process has the row.
  template <class F>
  void each_neighbour(per_core<Part> parts, vertex_id v, core_id owner, std::uint64_t begin,
                      std::uint64_t end, F f) const {
    if (here_.has(v)) {
      const adjacency& rows = setup_.graph.out;
      for (std::uint64_t i = begin; i < end; ++i) f(rows[v][i]);
      return;
    }
    in_batches(begin, end, f, [parts, v, owner](std::uint64_t first, std::size_t count) {
      return call_on(owner, [parts, v, first, count] {
        const adjacency& rows = parts.here().setup_.graph.out;
        return batch_of(rows[v].data() + first, count);
      });
    });
  }

 private:
  using batch = std::array<vertex_id, k_batch>;

  static batch batch_of(const vertex_id* first, std::size_t count) {
    batch some{};
    std::copy_n(first, count, some.begin());
    return some;
  }
  template <class F, class Fetch>
  static void in_batches(std::uint64_t begin, std::uint64_t end, F& f, Fetch fetch) {
    for (; begin < end; begin += k_batch) {
      const std::size_t count = std::min<std::uint64_t>(k_batch, end - begin);
      const batch some = fetch(begin, count);
      for (std::size_t i = 0; i < count; ++i) f(some[i]);
    }
  }

  level_setup setup_;
  vertex_range here_;  // whose rows this process has
  std::uint64_t found_ = 0;  // on this core
  std::vector<std::uint64_t> ends_;  // of the levels, in this core's block of the order
};

/// Ends the level that all cores are discovering. Returns the number of its vertices.
template <class Part>
std::uint64_t end_level(const per_core<Part>& parts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : collect(parts, [](Part& one) { return one.end_level(); })) sum += n;
  return sum;
}

/// Calls visit(part, range) on every core that has vertices of a level, and waits for all tasks that this
/// starts.
template <class Part, class Visit>
void visit_level(const per_core<Part>& parts, std::size_t which, Visit visit) {
  on_all_cores([parts, which, visit] {
    const vertex_range places = parts.here().level(which);
    if (places.size() != 0) finish([&] { visit(parts.here(), places); });
  });
}

}  // namespace gossamer::studies
