// PageRank by pulled power iteration.
//
// Algorithm: score'(v) = (1-d)/n + d * (sum of contribution(u) over arcs u -> v + dangling/n)
//   with contribution(u) = score(u) / outdegree(u) and dangling = sum of score over outdegree 0
//   [L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", Stanford 1999].
//   Jacobi iteration: all of an iteration reads the contributions of the one before, and rows are summed in
//   their own order. The sums over all vertices are of blocks of k_vertex_alignment vertices, each in order,
//   and those of blocks are added as whole numbers (fixed_sum), whose order does not matter. So the answer is
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
#include "gossamer/graph/algorithms/internal/scan_cost.hpp"
#include "gossamer/graph/algorithms/internal/vertex_bitmap.hpp"
#include "gossamer/graph/distributed/internal/partition.hpp"
#include "gossamer/graph/distributed/internal/pull_sums.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

namespace {

constexpr double k_float_tolerance = 1e-5;  // float contributions from this tolerance up
constexpr std::uint64_t k_blocks_per_piece = 8;  // pieces of 4096 vertices, dealt out dynamically

struct sums {
  double change = 0;  // L1 distance between the scores of this iteration and of the last
  double dangling = 0;  // score of the vertices without outgoing edges
};

/// A sum of numbers from 0 to 2, in multiples of 2^-100: the same in any order. Numbers below 2^-48 lose
/// digits, each less than 2^-100.
class fixed_sum {
 public:
  void add(double x) { units_ += static_cast<units>(x * k_one); }
  void add(const fixed_sum& other) { units_ += other.units_; }
  double value() const { return static_cast<double>(units_) / k_one; }

 private:
  __extension__ using units = unsigned __int128;
  static constexpr double k_one = 0x1.0p100;
  units units_ = 0;
};

struct fixed_sums {
  fixed_sum change, dangling;
};

/// Returns the totals of all cores and resets them.
sums take_total(const scoped_per_core<fixed_sums>& parts) {
  fixed_sums all;
  for (const fixed_sums& one :
       collect(parts.handle(), [](fixed_sums& slot) { return std::exchange(slot, {}); })) {
    all.change.add(one.change);
    all.dangling.add(one.dangling);
  }
  return {all.change.value(), all.dangling.value()};
}

template <class Contribution>
class iteration {
 public:
  explicit iteration(const graph_view& g)
      : g_(g),
        bounds_(core_bounds(g)),
        blocks_(grouped_bounds(bounds_, k_vertex_alignment)),
        scores_(g.vertices, by_boundaries(bounds_)),
        now_(g.vertices, by_boundaries(bounds_)),
        next_(g.vertices, by_boundaries(bounds_)) {}

  /// Every vertex 1/n.
  void start();
  /// One pass over all arcs; returns the L1 change.
  double step(double damping);
  std::vector<double> scores() const { return copy_of(scores_.handle()); }

 private:
  template <class F>
  sums for_pieces(F f) const;

  graph_view g_;
  std::vector<std::uint64_t> bounds_, blocks_;
  scoped_array<double> scores_;
  scoped_array<Contribution> now_, next_;
  scoped_per_core<fixed_sums>
      parts_;  // kept: over processes, making one costs as much as an iteration of a small graph
  double dangling_ = 0;
};

/// Calls f(begin, end, sums&) over all vertices, block by block, and returns the total of the sums.
template <class Contribution>
template <class F>
sums iteration<Contribution>::for_pieces(F f) const {
  forall_chunks(blocks_, k_blocks_per_piece,
                [f, n = g_.vertices, slots = parts_.handle()](std::uint64_t begin, std::uint64_t end) {
                  fixed_sums& all = slots.here();
                  for (std::uint64_t block = begin; block < end; ++block) {
                    sums mine;
                    f(block * k_vertex_alignment, std::min((block + 1) * k_vertex_alignment, n), mine);
                    all.change.add(mine.change);
                    all.dangling.add(mine.dangling);
                  }
                });
  return take_total(parts_);
}

template <class Contribution>
void iteration<Contribution>::start() {
  const double initial = 1 / static_cast<double>(g_.vertices);
  const sums s =
      for_pieces([out = adjacency(g_.out), initial, score = elements_of(scores_),
                  contribution = elements_of(now_)](std::uint64_t begin, std::uint64_t end, sums& mine) {
        scan_meter meter(k_pull);
        meter.rows = end - begin;
        for (std::uint64_t v = begin; v < end; ++v) {
          const auto degree = static_cast<double>(out.degree(static_cast<vertex_id>(v)));
          score[v] = initial;
          contribution[v] = degree > 0 ? static_cast<Contribution>(initial / degree) : Contribution{0};
          if (degree == 0) mine.dangling += initial;
        }
      });
  dangling_ = s.dangling;
}

template <class Contribution>
double iteration<Contribution>::step(double damping) {
  const auto n = static_cast<double>(g_.vertices);
  const double base = (1 - damping) / n + damping * dangling_ / n;
  const sums s = for_pieces([in = puller(g_.in, g_.arcs), out = adjacency(g_.out), damping, base,
                             score = elements_of(scores_), frozen_now = now_.freeze(),
                             next = elements_of(next_)](std::uint64_t begin, std::uint64_t end, sums& mine) {
    const Contribution* const contribution = frozen_now.data();
    scan_meter meter(k_pull);
    meter.rows = end - begin;
    meter.arcs = in.arcs(begin, end);
    for (std::uint64_t v = begin; v < end; ++v) {
      const double updated = base + damping * in.sum(contribution, static_cast<vertex_id>(v));
      const auto degree = static_cast<double>(out.degree(static_cast<vertex_id>(v)));
      mine.change += std::abs(updated - score[v]);
      score[v] = updated;
      next[v] = degree > 0 ? static_cast<Contribution>(updated / degree) : Contribution{0};
      if (degree == 0) mine.dangling += updated;
    }
  });
  now_.thaw();
  std::swap(now_, next_);
  dangling_ = s.dangling;
  return s.change;
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
