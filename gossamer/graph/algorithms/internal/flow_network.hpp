#pragma once
// The residual network of a flow: a row for each vertex, with an arc for each neighbour in either direction.
// It lies in process 0, whose cores read the rows of other processes through a cache. Capacities are integers
// (in units), so sums are exact in any order.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// An arc of a residual network.
struct flow_arc {
  std::int64_t room;  // residual capacity, in units
  vertex_id to;
  vertex_id back;  // index of the reverse arc in the row of `to`
};

/// The network. The main fiber makes it; the cores that push write its arcs.
class flow_network {
 public:
  /// Builds the network of a graph; suspends.
  flow_network(const graph_view& g, vertex_id source, vertex_id sink, bool has_unit_capacities);

  std::uint64_t vertices() const { return offsets_.size() - 1; }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  std::span<flow_arc> row(vertex_id v) {
    return {arcs_.data() + offsets_[v], static_cast<std::size_t>(offsets_[v + 1] - offsets_[v])};
  }
  flow_arc& arc(vertex_id v, vertex_id place) { return arcs_[offsets_[v] + place]; }
  flow_arc& reverse(const flow_arc& a) { return arcs_[offsets_[a.to] + a.back]; }

  /// Calls f(target, capacity) for each arc of the graph that leaves v, ascending.
  template <class F>
  void for_each_capacity(vertex_id v, F f) {
    const std::uint64_t begin = out_.offsets()[v], end = out_.offsets()[v + 1];
    const vertex_id* const targets = out_.arcs(begin, end);
    with_capacities(out_, begin, end, [&](const auto& capacity) {
      for (std::uint64_t i = 0; i < end - begin; ++i) f(targets[i], capacity(i));
    });
  }
  /// Calls f(target, flow) for each arc of the graph that leaves v and has flow, ascending. An undirected
  /// edge appears in the direction of its net flow.
  template <class F>
  void for_each_flow(vertex_id v, F f) {
    const flow_arc* at = arcs_.data() + offsets_[v];
    for_each_capacity(v, [&](vertex_id n, double capacity) {
      while (at->to != n) ++at;
      const std::int64_t units = units_of(capacity) - at->room;
      if (units > 0) f(n, std::min(capacity, std::ldexp(static_cast<double>(units), -scale_)));
    });
  }
  /// Returns whether several cores may call for_each_capacity() at once.
  bool in_place() const { return out_.in_place() && in_.in_place(); }

 private:
  template <class F>
  void over_vertices(F f);
  /// Calls f with a function that returns the capacities of the arcs begin to end - 1, by index from 0.
  template <class F>
  void with_capacities(remote_row_cache& rows, std::uint64_t begin, std::uint64_t end, F f) {
    if (!has_weights_) return f([](std::uint64_t) { return 1.0; });
    const std::byte* const weights = rows.weights(begin, end);
    with_weight_type(graph_.weights, [&]<class Weight>(std::type_identity<Weight>) {
      f([all = reinterpret_cast<const Weight*>(weights)](std::uint64_t i) {
        return static_cast<double>(all[i]);
      });
    });
  }
  void choose_unit(vertex_id source, vertex_id sink);
  void set_unit(vertex_id source, double most);
  double most_into(vertex_id sink);
  double least_capacity();
  double capacity_of_narrow_cut(vertex_id source, vertex_id sink);
  bool reach(vertex_id source, vertex_id sink, int exponent, std::vector<bool>& reached);
  std::int64_t units_of(double capacity) const;
  template <class F>
  void merge_ends(vertex_id v, F f);
  void count_arcs();
  void fill_row(vertex_id v);
  void find_reverses(vertex_id v);

  graph_view graph_;
  bool has_weights_;
  remote_row_cache out_, in_;
  int scale_ = 0;  // a unit is 2^-scale_
  double units_ = 0;  // 2^scale_ if a double can hold it; else 0
  std::int64_t unbounded_ = 0;  // units: more than any flow
  std::vector<std::uint64_t> offsets_;
  buffer<flow_arc> arcs_;
};

}  // namespace gossamer::graph
