#pragma once
// A graph between tasks. Over several processes its rows are memory of all of them, which only core 0 gives back: the runtime keeps
// such a graph, and it is gone when the job ends. In one process it is plain memory, and stays.

#include <memory>
#include <utility>

#include "gossamer/graph/distributed/graph.hpp"
#include "host.hpp"

namespace gossamer::python {

/// Holds a graph. Shared by Python objects and tasks; any thread may be the last to let go of it.
class held_graph {
 public:
  /// Takes over a graph that was made in `in`. On the main fiber.
  held_graph(graph::graph g, runtime& in) {
    if (in.processes() == 1)
      plain_ = std::move(g);
    else
      kept_ = in.keep([&g] { return std::move(g); }), of_several_ = true;
  }
  /// Takes over another view of a graph, and shares in its memory. Any thread.
  held_graph(graph::graph view, const std::shared_ptr<const held_graph>& of)
      : plain_(std::move(view)), owner_(of->owner_ != nullptr ? of->owner_ : of) {}

  /// Returns the graph. Throws no_job where it has gone with its job.
  const graph::graph& get() const {
    if (owner_ != nullptr) (void)owner_->get();
    if (!of_several_) return plain_;
    if (!kept_) throw no_job("the graph is gone: the job of all processes has ended");
    return *kept_;
  }

 private:
  graph::graph plain_;
  kept<graph::graph> kept_;
  bool of_several_ = false;
  std::shared_ptr<const held_graph> owner_;
};

}  // namespace gossamer::python
