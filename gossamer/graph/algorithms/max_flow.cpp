// The maximum flow between two vertices: the cores push flow (push_relabel.hpp) through a residual network
// (flow_network.hpp). The vertices that the last search from the sink reached are the sink's side of the cut.
// Capacities of the cut are added in the order of their arcs.
#include "gossamer/graph/algorithms/max_flow.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/internal/push_relabel.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

namespace {

constexpr unsigned k_blocks = 16;  // if flows of edges are computed: on any number of cores

/// The part of the cut that starts in a block.
struct cut_part {
  std::vector<double> capacities;
  std::uint64_t sink_side = 0;
};

/// Finds the sides and the cut arcs of the vertices from begin to end - 1.
void find_cut(flow_network& network, max_flow_result& r, const push_relabel& pushed, std::uint64_t begin,
              std::uint64_t end, cut_part& mine) {
  scan_meter meter(k_pass);
  meter.rows = end - begin;
  for (std::uint64_t i = begin; i < end; ++i) {
    const auto v = static_cast<vertex_id>(i);
    r.side[v] = pushed.reaches_sink(v) ? 1 : 0;
    mine.sink_side += r.side[v];
    if (r.side[v] == 0)
      network.for_each_capacity(v, [&](vertex_id n, double capacity) {
        if (capacity > 0 && pushed.reaches_sink(n)) mine.capacities.push_back(capacity);
      });
  }
}

void take_cut(flow_network& network, max_flow_result& r, push_relabel& pushed) {
  r.side.resize(network.vertices());
  std::vector<cut_part> parts(pushed.blocks());
  pushed.over_blocks(network.in_place(), [&](unsigned block, std::uint64_t begin, std::uint64_t end) {
    find_cut(network, r, pushed, begin, end, parts[block]);
  });
  for (const cut_part& each : parts) {
    for (const double capacity : each.capacities) r.value += capacity;
    r.cut_arcs += each.capacities.size();
    r.sink_side += each.sink_side;
  }
  if (!std::isfinite(r.value)) throw error("max-flow: the flow exceeds what a double holds");
}

/// Adds the flows of the arcs of the vertices from begin to end - 1.
void add_flow(flow_network& network, max_flow_result::carried_by_arcs& mine, std::uint64_t begin,
              std::uint64_t end) {
  scan_meter meter(k_pass);
  meter.rows = end - begin;
  for (std::uint64_t v = begin; v < end; ++v)
    network.for_each_flow(static_cast<vertex_id>(v), [&](vertex_id n, double flow) {
      mine.from.push_back(static_cast<vertex_id>(v));
      mine.to.push_back(n);
      mine.flow.push_back(flow);
    });
}

/// Collects the flow of each arc, after all flow has reached the sink or returned to the source.
void take_flow(flow_network& network, max_flow_result& r, push_relabel& pushed) {
  std::vector<max_flow_result::carried_by_arcs> parts(pushed.blocks());
  pushed.over_blocks(network.in_place(), [&](unsigned block, std::uint64_t begin, std::uint64_t end) {
    add_flow(network, parts[block], begin, end);
  });
  std::uint64_t arcs = 0;
  for (const auto& each : parts) arcs += each.flow.size();
  machine::require_memory(arcs * (2 * sizeof(vertex_id) + sizeof(double)), "the flow of the edges");
  for (max_flow_result::carried_by_arcs& each : parts) {
    r.carried.from.insert(r.carried.from.end(), each.from.begin(), each.from.end());
    r.carried.to.insert(r.carried.to.end(), each.to.begin(), each.to.end());
    r.carried.flow.insert(r.carried.flow.end(), each.flow.begin(), each.flow.end());
    each = {};
  }
}

}  // namespace

max_flow_result max_flow(const graph_view& g, vertex_id source, vertex_id sink,
                         const max_flow_options& options, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < g.vertices && sink < g.vertices, "max_flow: a vertex is none of the graph");
  if (source == sink) throw error("max-flow: expected two vertices, found one as source and sink");
  if (!options.unit_capacities) {
    if (g.weights == weight_type::none) throw error("max-flow: expected weights, as they are capacities");
    if (const auto bad = find_bad_length(g))
      throw vertex_error(
          {{fmt::format("max-flow: expected capacities of 0 or more, found {} from ", bad->weight),
            bad->from},
           {" to ", bad->to}});
  }
  max_flow_result r;
  report(progress, "max-flow", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  flow_network network(g, source, sink, options.unit_capacities);
  push_relabel pushed(network, source, sink, options.edges ? k_blocks : local::cores());
  pushed.run(progress);
  take_cut(network, r, pushed);
  if (options.edges) {
    pushed.give_back(progress);
    take_flow(network, r, pushed);
  }
  const push_counts counts = pushed.counts();
  r.rounds = counts.rounds;
  r.searches = counts.searches;
  r.pushes = counts.pushes;
  r.raises = counts.raises;
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
