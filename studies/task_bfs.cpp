#include "studies/task_bfs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/clock.hpp"
#include "studies/internal/level_tasks.hpp"
#include "studies/internal/reached_edges.hpp"

namespace gossamer::studies {

namespace {

/// The state of one core in the search. Its functions run in tasks.
class bfs_part : public level_tasks<bfs_part> {
 public:
  void open(const level_setup& s, const array<vertex_id>& parent, std::uint64_t grain) {
    level_tasks::open(s);
    parent_ = parent;
    grain_ = grain;
  }
  /// Visits the vertices of a range. Starts tasks for halves of the range while it is larger than the grain.
  void visit(per_core<bfs_part> parts, vertex_range places) const {
    check_interrupt();
    while (places.size() > grain_) {
      const vertex_range rest{places.begin + places.size() / 2, places.end};
      start([parts, rest] { parts.here().visit(parts, rest); });
      places.end = rest.begin;
    }
    each_vertex(places, [&](vertex_id v) { visit_row(parts, v, 0, degree(v)); });
  }
  /// Visits a range of neighbours of v in the same way.
  void visit_row(per_core<bfs_part> parts, vertex_id v, std::uint64_t begin, std::uint64_t end) const {
    while (end - begin > grain_) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      start([parts, v, middle, end] { parts.here().visit_row(parts, v, middle, end); });
      end = middle;
    }
    charge(end - begin);
    each_neighbour(parts, v, parent_.owner(v), begin, end,
                   [&](vertex_id n) { parent_.call(n, compare_and_exchange{parts, n, v}); });
  }

  /// Makes v the parent of n if n has none, at the owner of n. Returns whether it did.
  struct compare_and_exchange {
    per_core<bfs_part> parts;
    vertex_id n, v;
    bool operator()(vertex_id& parent) const {
      if (parent != k_no_vertex) return false;
      parent = v;
      parts.here().add(n);
      return true;
    }
  };

 private:
  static void charge(std::uint64_t arcs) {
    scan_meter meter(k_top_down);
    meter.rows = 1;
    meter.arcs = arcs;
  }

  array<vertex_id> parent_;
  std::uint64_t grain_ = 1;
};

/// Returns the most iterations of a loop that one task runs. By default the grain makes about 2,048 tasks of
/// the arcs of a core, with grain rows of grain arcs each, so that tasks hide the latency of one another.
std::uint64_t grain_of(const task_bfs_options& o, const graph_view& g) {
  constexpr std::uint64_t k_tasks = 2048, k_most = 32;  // the paper's threshold
  if (o.grain != 0) return o.grain;
  if (const std::uint64_t set = parallel::core::here().loop_grain(); set != 0) return set;
  const double arcs_of_task = static_cast<double>(g.arcs) / (k_tasks * cores());
  return std::clamp<std::uint64_t>(std::llround(std::sqrt(arcs_of_task)), 1, k_most);
}

}  // namespace

struct task_bfs::state {
  state(const graph_view& graph, const task_bfs_options& o)
      : g(graph),
        bounds(core_bounds(g)),
        parent(g.vertices, by_boundaries(bounds)),
        order(g.vertices, by_boundaries(bounds)) {
    on_all_cores([setup = level_setup{g, order.handle(), o.stealable}, parent = parent.handle(),
                  grain = grain_of(o, g),
                  parts = parts.handle()] { parts.here().open(setup, parent, grain); });
  }

  void thaw() {
    if (std::exchange(frozen, false)) parent.thaw();
  }

  graph_view g;
  std::vector<std::uint64_t> bounds;
  scoped_array<vertex_id> parent, order;
  scoped_per_core<bfs_part> parts;
  gossamer::frozen<vertex_id> everywhere;  // the parents
  bool frozen = false;
};

task_bfs::task_bfs(const graph_view& g, const task_bfs_options& o) : state_(std::make_unique<state>(g, o)) {}
task_bfs::~task_bfs() { state_->thaw(); }

bfs_result task_bfs::run(vertex_id source, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < state_->g.vertices);
  bfs_result r;
  r.source = source;
  state_->thaw();
  const per_core<bfs_part> parts = state_->parts.handle();
  const array<vertex_id> parent = state_->parent.handle();
  const std::uint64_t start = machine::now_ns();
  on_all_cores([parent, parts] {
    fill(parent.local(), k_no_vertex);
    parts.here().clear();
  });
  parent.call(source, bfs_part::compare_and_exchange{parts, source, source});
  while (const std::uint64_t found = end_level(parts)) {
    r.levels.push_back(found);
    r.reached += found;
    report(progress, "bfs", r.levels.size(), 0);
    visit_level(parts, r.levels.size() - 1,
                [parts](const bfs_part& mine, vertex_range places) { mine.visit(parts, places); });
  }
  r.seconds = machine::seconds_since(start);
  r.edges = reached_edges(state_->g, parent);
  return r;
}

std::span<const vertex_id> task_bfs::parents() const {
  if (!state_->frozen) state_->everywhere = state_->parent.freeze();
  state_->frozen = true;
  return {state_->everywhere.data(), static_cast<std::size_t>(state_->g.vertices)};
}

}  // namespace gossamer::studies
