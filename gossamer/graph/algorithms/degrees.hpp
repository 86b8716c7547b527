#pragma once
// Degree distribution of a graph, as `gossamer info` prints it. Two parallel passes over the offsets.

#include <array>
#include <cstdint>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The distribution of one kind of degree.
struct degree_summary {
  std::uint64_t min = 0;  // the smallest
  std::uint64_t max = 0;  // the largest
  /// The mean: arcs divided by vertices.
  double mean = 0;
  double median = 0;                     // mean of the middle two when even
  vertex_id max_vertex = k_no_vertex;    // the smallest vertex of largest degree; k_no_vertex: empty graph
  std::vector<std::uint64_t> histogram;  // [0]: degree 0; [b]: degrees 2^(b-1) .. 2^b - 1; no trailing zeros
};

/// The result.
struct degrees_result {
  /// Of outgoing and of incoming arcs.
  degree_summary out, in;  // undirected: equal
  std::uint64_t isolated = 0;  // vertices without arcs
};

/// Computes the degree distributions. Collective over all cores; main fiber.
degrees_result degrees(const graph_view& g);

}  // namespace gossamer::graph
