#include "studies/queue_bfs.hpp"

#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/clock.hpp"
#include "studies/internal/direction_optimising.hpp"
#include "studies/internal/reached_edges.hpp"

namespace gossamer::studies {

struct queue_bfs::state {
  state(const graph_view& graph, const queue_bfs_options& o)
      : g(graph),
        search(g, directed_adjacency{g.out}, directed_adjacency{g.in},
               {.where = o.combining, .singly = o.singly || o.locked, .locked = o.locked}) {}

  void thaw() {
    if (std::exchange(frozen, false)) search.parents().thaw();
  }

  graph_view g;
  direction_optimising<directed_adjacency> search;
  gossamer::frozen<vertex_id> everywhere;  // the parents
  bool frozen = false;
};

queue_bfs::queue_bfs(const graph_view& g, const queue_bfs_options& o)
    : state_(std::make_unique<state>(g, o)) {}
queue_bfs::~queue_bfs() { state_->thaw(); }

bfs_result queue_bfs::run(vertex_id source, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < state_->g.vertices);
  bfs_result r;
  r.source = source;
  state_->thaw();
  const std::uint64_t start = machine::now_ns();
  r.levels = state_->search.run(source, progress);
  r.seconds = machine::seconds_since(start);
  for (const std::uint64_t n : r.levels) r.reached += n;
  r.edges = reached_edges(state_->g, state_->search.parents());
  return r;
}

std::span<const vertex_id> queue_bfs::parents() const {
  if (!state_->frozen) state_->everywhere = state_->search.parents().freeze();
  state_->frozen = true;
  return {state_->everywhere.data(), static_cast<std::size_t>(state_->g.vertices)};
}

}  // namespace gossamer::studies
