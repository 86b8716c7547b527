#pragma once
// Multiplication of a value per vertex by the adjacency matrix: the steps of eigenvector centrality, Katz
// centrality and HITS. Values are pulled along rows, as in pagerank.cpp. Sums over all vertices are made by
// block, in order; sums of blocks are added as integers (exact_sum). So every value is equal to the last bit
// on any number of cores and processes.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// A vector: a value per vertex, on the core that owns its row.
struct vertex_vector {
  scoped_array<double> values;  ///< by vertex
  double largest = 0;  ///< upper bound of their magnitudes
};

/// The new value of a vertex with value x and sum s along its row: keep * x + times * s + plus.
struct pull_terms {
  double keep = 0;  ///< factor of the old value
  double times = 1;  ///< factor of the sum
  double plus = 0;  ///< constant
};

/// The steps of an iteration over a graph. Main fiber only; every function suspends until all cores are done.
class power_iteration {
 public:
  /// Returns a change between two steps. Throws gossamer::error if a value was infinite or not a number.
  static double checked(double change, const char* question);

  /// Uses the weights of arcs if that is requested and the graph has some.
  power_iteration(const graph_view& g, bool by_weights) : go_(g), by_weights_(by_weights) {}

  /// Makes a vector of equal values. Collective over processes.
  vertex_vector filled(double value) const;
  /// Computes each value of `to` from those of `from` at the other ends of the vertex's arcs in rows: g.in or
  /// g.out.
  void pull(const adjacency& rows, const vertex_vector& from, vertex_vector& to,
            const pull_terms& terms) const;
  /// Returns the sum of magnitudes (L1 norm).
  double sum(const vertex_vector& x) const;
  /// Returns the square root of the sum of squares (L2 norm).
  double length(const vertex_vector& x) const;
  /// Divides all values by a power of two if the largest is near the ends of doubles, so that sums of values,
  /// and products with weights, stay within. Returns its exponent, or 0.
  int keep_in_range(vertex_vector& x) const;
  /// Multiplies all values.
  void scale(vertex_vector& x, double factor) const;
  /// Multiplies all values, and returns the sum of their absolute differences from `last`.
  double scale(vertex_vector& x, double factor, const vertex_vector& last) const;

 private:
  template <class Term>
  double sum_of(Term term) const;

  traversal go_;
  bool by_weights_;
};

}  // namespace gossamer::graph
