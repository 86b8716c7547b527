#pragma once
// Iterations that multiply a value per vertex by the matrix of the arcs: the steps that eigenvector centrality, Katz centrality and HITS are
// made of. Values are pulled along rows, as in pagerank.cpp. Sums over all vertices are of blocks, each in order; those of blocks are added
// as whole numbers (exact_sum). So every value is the same to the last bit on any number of cores and processes.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// A value per vertex, each at the core that has its row.
struct vertex_vector {
  scoped_array<double> values;  ///< one by vertex
  double largest = 0;  ///< of their magnitudes, or more
};

/// What pulling makes of the value x of a vertex and the sum s along its row: keep * x + times * s + plus.
struct pull_terms {
  double keep = 0;  ///< of the value before
  double times = 1;  ///< of the sum
  double plus = 0;  ///< added to each
};

/// The steps of an iteration over a graph. By the main fiber; every function suspends until all cores are done.
class power_iteration {
 public:
  /// Goes by the weights of arcs where that is asked for and the graph has some.
  power_iteration(const graph_view& g, bool by_weights) : go_(g), by_weights_(by_weights) {}

  /// Makes a vector of equal values. Collective over processes.
  vertex_vector filled(double value) const;
  /// Sets each value of `to` from those of `from` at the other ends of the vertex' arcs in rows: g.in or g.out.
  void pull(const adjacency& rows, const vertex_vector& from, vertex_vector& to,
            const pull_terms& terms) const;
  /// Returns the sum of magnitudes.
  double sum(const vertex_vector& x) const;
  /// Returns the root of the sum of squares.
  double length(const vertex_vector& x) const;
  /// Multiplies all values.
  void scale(vertex_vector& x, double factor) const;
  /// Multiplies all values, and returns the sum of their distances from `last`.
  double scale(vertex_vector& x, double factor, const vertex_vector& last) const;

 private:
  template <class Term>
  double sum_of(Term term) const;

  traversal go_;
  bool by_weights_;
};

}  // namespace gossamer::graph
