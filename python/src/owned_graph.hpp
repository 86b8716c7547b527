#pragma once
// A graph between tasks (runtime_owned.hpp), or another view of one.

#include <memory>
#include <utility>

#include "gossamer/graph/store/graph.hpp"
#include "runtime_owned.hpp"

namespace gossamer::python {

/// Holds a graph. Shared by Python objects and tasks; any thread may be the last to let go of it.
class owned_graph {
 public:
  /// Takes over a graph that was made in `in`. On the main fiber.
  owned_graph(graph::graph g, runtime& in) : graph_("graph", std::move(g), in) {}
  /// Takes over another view of a graph, and shares in its memory. Any thread.
  owned_graph(graph::graph view, const std::shared_ptr<const owned_graph>& of)
      : graph_(std::move(view)), owner_(of->owner_ != nullptr ? of->owner_ : of) {}

  /// Returns the graph. Throws no_job where it has gone with its job.
  const graph::graph& get() const {
    if (owner_ != nullptr) (void)owner_->get();
    return graph_.get();
  }

 private:
  runtime_owned<graph::graph> graph_;
  std::shared_ptr<const owned_graph> owner_;
};

using kept_graph = std::shared_ptr<const owned_graph>;

/// What Python holds. Tasks copy the pointer, so that the graph outlives them.
struct graph_object {
  kept_graph owned;

  /// Returns the graph.
  const graph::graph& all() const { return owned->get(); }
  /// Returns its rows.
  graph::graph_view view() const { return all().view(); }
};

}  // namespace gossamer::python
