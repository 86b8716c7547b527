// PageRank by pulled power iteration.
//
// Algorithm: score'(v) = (1-d)/n + d * (sum of contribution(u) over arcs u -> v + dangling/n)
//   with contribution(u) = score(u) / outdegree(u) and dangling = sum of score over outdegree 0
//   [L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", Stanford 1999].
//   Jacobi iteration: all of an iteration reads the contributions of the one before, and rows are summed in
//   their own order. The sums over all vertices are of blocks of k_vertex_alignment vertices, each in order,
//   and those of blocks are added as whole numbers (exact_sum), whose order does not matter. So the answer is
//   the same to the last bit on any number of cores and processes.
// Encoding: scores in double, owned. Contributions are what the inner loop gathers at random, so they are
//   float (half the cache) where the tolerance allows: rounding each by at most one part in 2^24 moves an
//   iteration by at most d * 2^-24 = 5.1e-8 in L1 and the fixed point by at most d/(1-d) * 2^-24 = 3.4e-7.
// Phases: two contribution arrays; one is frozen and read by all (path 2), the other is written by the
// owners.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/engine/exact_sum.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr double k_float_tolerance = 1e-5;  // float contributions from this tolerance up
/// What an iteration changes: the L1 distance between its scores and the last ones, and the score of vertices without outgoing edges.
struct changes {
  exact_sum change, dangling;
  void add(const changes& other) {
    change.add(other.change);
    dangling.add(other.dangling);
  }
};

template <class Contribution>
class iteration {
 public:
  explicit iteration(const graph_view& g)
      : g_(g),
        go_(g),
        scores_(go_.values<double>()),
        now_(go_.values<Contribution>()),
        next_(go_.values<Contribution>()) {}

  /// Every vertex 1/n.
  void start();
  /// One pass over all arcs; returns the L1 change.
  double step(double damping);
  std::vector<double> scores() const { return copy_of(scores_.handle()); }

 private:
  graph_view g_;
  traversal go_;
  scoped_array<double> scores_;
  scoped_array<Contribution> now_, next_;
  double dangling_ = 0;
};

template <class Contribution>
void iteration<Contribution>::start() {
  const double initial = 1 / static_cast<double>(g_.vertices);
  const changes all = go_.block_reduce<changes>(
      k_pull, [out = adjacency(g_.out), initial, score = elements_of(scores_),
               contribution = elements_of(now_)](vertex_range some, changes& mine, scan_meter&) {
        double dangling = 0;
        for (std::uint64_t v = some.begin; v < some.end; ++v) {
          const auto degree = static_cast<double>(out.degree(static_cast<vertex_id>(v)));
          score[v] = initial;
          contribution[v] = degree > 0 ? static_cast<Contribution>(initial / degree) : Contribution{0};
          if (degree == 0) dangling += initial;
        }
        mine.dangling.add(dangling);
      });
  dangling_ = all.dangling.value();
}

template <class Contribution>
double iteration<Contribution>::step(double damping) {
  const auto n = static_cast<double>(g_.vertices);
  const double base = (1 - damping) / n + damping * dangling_ / n;
  const changes all = go_.block_reduce<changes>(
      k_pull, [in = puller(g_.in, g_.arcs), out = adjacency(g_.out), damping, base,
               score = elements_of(scores_), frozen_now = now_.freeze(),
               next = elements_of(next_)](vertex_range some, changes& mine, scan_meter& meter) {
        const Contribution* const contribution = frozen_now.data();
        meter.arcs += in.arcs(some.begin, some.end);
        double change = 0, dangling = 0;
        for (std::uint64_t v = some.begin; v < some.end; ++v) {
          const double updated = base + damping * in.sum(contribution, static_cast<vertex_id>(v));
          const auto degree = static_cast<double>(out.degree(static_cast<vertex_id>(v)));
          change += std::abs(updated - score[v]);
          score[v] = updated;
          next[v] = degree > 0 ? static_cast<Contribution>(updated / degree) : Contribution{0};
          if (degree == 0) dangling += updated;
        }
        mine.change.add(change);
        mine.dangling.add(dangling);
      });
  now_.thaw();
  std::swap(now_, next_);
  dangling_ = all.dangling.value();
  return all.change.value();
}

template <class Contribution>
pagerank_result iterate(const graph_view& g, const pagerank_options& options, const progress_hook& progress) {
  pagerank_result r;
  iteration<Contribution> power(g);
  const std::uint64_t start = machine::now_ns();
  power.start();
  while (r.iterations < options.max_iterations && !r.converged) {
    r.change = power.step(options.damping);
    r.converged = r.change < options.tolerance;
    report(progress, "pagerank", ++r.iterations, 0);
  }
  r.seconds = machine::seconds_since(start);
  r.scores = power.scores();
  return r;
}

}  // namespace

pagerank_result pagerank(const graph_view& g, const pagerank_options& options,
                         const progress_hook& progress) {
  GOSSAMER_ASSERT(options.damping >= 0 && options.damping < 1);
  if (g.vertices == 0) {
    pagerank_result r;
    r.converged = true;
    return r;
  }
  return options.tolerance >= k_float_tolerance ? iterate<float>(g, options, progress)
                                                : iterate<double>(g, options, progress);
}

}  // namespace gossamer::graph
