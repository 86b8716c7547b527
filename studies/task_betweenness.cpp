// Algorithm: for each source, a breadth-first search that counts shortest paths, level by level; then
//   dependencies from the deepest level back [U. Brandes, "A faster algorithm for betweenness centrality",
//   2001].
// Encoding: a vertex has its level, the number of shortest paths to it, and its dependency. The paths of a
//   level are complete before the next level begins.
#include "studies/task_betweenness.hpp"

#include <limits>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/clock.hpp"
#include "studies/internal/level_tasks.hpp"

namespace gossamer::studies {

namespace {

constexpr std::uint32_t k_unreached = std::numeric_limits<std::uint32_t>::max();

struct path_state {
  double paths = 0, dependency = 0;
  std::uint32_t level = k_unreached;
};

/// The state of one core. Its functions run in tasks, one per vertex.
class paths_part : public level_tasks<paths_part> {
 public:
  void open(const level_setup& s, const array<path_state>& states) {
    level_tasks::open(s);
    states_ = states;
  }
  /// Starts a task for each vertex of a level. With `forward` it counts the paths to the next level, else it
  /// sums the dependencies on that level.
  void visit(per_core<paths_part> parts, vertex_range places, std::uint32_t level, bool forward) const {
    each_vertex(places, [&](vertex_id v) {
      start([parts, v, level, forward] {
        check_interrupt();
        forward ? parts.here().count_paths(parts, v, level) : parts.here().sum_dependencies(parts, v, level);
      });
    });
  }

  /// Adds paths to n, at its owner, if n has that level or none yet.
  struct reach {
    per_core<paths_part> parts;
    vertex_id n;
    std::uint32_t level;
    double paths;
    void operator()(path_state& s) const {
      if (s.level == k_unreached) {
        s.level = level;
        parts.here().add(n);
      }
      if (s.level == level) s.paths += paths;
    }
  };

 private:
  void count_paths(per_core<paths_part> parts, vertex_id v, std::uint32_t level) const {
    const double paths = states_.call(v, [](path_state& s) { return s.paths; });
    each_arc(parts, v, [&](vertex_id n) { states_.call(n, reach{parts, n, level + 1, paths}); });
  }
  void sum_dependencies(per_core<paths_part> parts, vertex_id v, std::uint32_t level) const {
    double sum = 0;
    each_arc(parts, v, [&](vertex_id n) {
      sum += states_.call(
          n, [level](path_state& s) { return s.level == level + 1 ? (1 + s.dependency) / s.paths : 0.0; });
    });
    states_.call(v, [sum](path_state& s) { s.dependency = s.paths * sum; });
  }
  template <class F>
  void each_arc(per_core<paths_part> parts, vertex_id v, F f) const {
    const std::uint64_t arcs = degree(v);
    {
      scan_meter meter(k_push);
      meter.rows = 1;
      meter.arcs = arcs;
    }
    each_neighbour(parts, v, states_.owner(v), 0, arcs, f);
  }

  array<path_state> states_;
};

/// Adds the dependencies on the vertices of this core to their scores. The source has none.
void add_scores(const array<path_state>& states, const array<double>& scores, vertex_id source) {
  on_all_cores([states, scores, source] {
    auto v = static_cast<vertex_id>(states.local_begin());
    double* score = scores.local().data();
    pass_over(k_pass, states.local(), [&](const path_state& s) {
      if (v++ != source) *score += s.dependency;
      ++score;
    });
  });
}

}  // namespace

betweenness_result task_betweenness(const graph_view& g, std::span<const vertex_id> sources,
                                    const task_betweenness_options& options, const progress_hook& progress) {
  for (const vertex_id s : sources) GOSSAMER_ASSERT(s < g.vertices);
  const std::vector<std::uint64_t> bounds = core_bounds(g);
  const scoped_array<path_state> all_states(g.vertices, by_boundaries(bounds));
  const scoped_array<vertex_id> order(g.vertices, by_boundaries(bounds));
  const scoped_array<double> scores(g.vertices, by_boundaries(bounds));
  const scoped_per_core<paths_part> all_parts;
  const per_core<paths_part> parts = all_parts.handle();
  const array<path_state> states = all_states.handle();
  on_all_cores([setup = level_setup{g, order.handle(), options.stealable}, states, parts] {
    parts.here().open(setup, states);
  });

  betweenness_result r;
  const std::uint64_t start = machine::now_ns();
  for (const vertex_id source : sources) {
    on_all_cores([states, parts] {
      fill(states.local(), path_state{});
      parts.here().clear();
    });
    states.call(source, paths_part::reach{parts, source, 0, 1});
    std::uint32_t levels = 0;
    const auto visit = [&](std::uint32_t level, bool forward) {
      visit_level(parts, level, [parts, level, forward](const paths_part& mine, vertex_range places) {
        mine.visit(parts, places, level, forward);
      });
    };
    for (; end_level(parts) != 0; ++levels) visit(levels, true);
    for (std::uint32_t level = levels; level-- > 0;) visit(level, false);
    add_scores(states, scores.handle(), source);
    report(progress, "betweenness", ++r.sources, sources.size());
  }
  // Undirected: every pair was counted from both ends.
  const double factor = g.directed ? options.scale : options.scale / 2;
  r.scores = copy_of(scores.handle());
  for (double& score : r.scores) score *= factor;
  r.seconds = machine::seconds_since(start);
  return r;
}

}  // namespace gossamer::studies
