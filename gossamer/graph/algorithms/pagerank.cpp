// PageRank by pulled power iteration.
//
// Algorithm: score'(v) = (1-d)/n + d * (sum of contribution(u) over arcs u -> v + dangling/n)
//   with contribution(u) = score(u) / outdegree(u) and dangling = sum of score over outdegree 0
//   [L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", Stanford 1999].
//   Jacobi iteration: an iteration reads only contributions of the previous one. Each row is summed in its
//   own order. Sums over all vertices are made for blocks of k_vertex_alignment vertices, each in order. Sums
//   of blocks are added as integers (exact_sum), so their order does not matter. So the result is the same to
//   the last bit on any number of cores and processes.
// Encoding: scores are doubles, at their owners. The inner loop reads contributions at random, so they are
//   floats (half the cache) if the tolerance allows. Each is rounded by at most one part in 2^24. That moves
//   an iteration by at most d * 2^-24 = 5.1e-8 in L1, and the fixed point by at most d/(1-d) * 2^-24 =
//   3.4e-7. With weights, a contribution is score(u) / (sum of the weights of the arcs that leave u). It is
//   multiplied by the weight of the arc along which it is pulled.
// Phases: two contribution arrays; one is frozen and read by all (path 2), the other is written by the
// owners.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/checkpoint/checkpoint.hpp"
#include "gossamer/graph/engine/exact_sum.hpp"
#include "gossamer/graph/engine/fingerprint.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/transfer.hpp"

namespace gossamer::graph {

namespace {

constexpr double k_float_tolerance = 1e-5;  // float contributions from this tolerance up
constexpr double k_least_weight = 0x1p-1022;  // of all arcs of a vertex: a score divided by less may overflow

/// The first vertex whose arcs have too large or too small weights, and their sum.
struct first_vertex {
  std::uint64_t vertex = k_no_vertex;
  double sum = 0;
  void add(const first_vertex& other) {
    if (other.vertex < vertex) *this = other;
  }
};

/// Sums over an iteration: the L1 distance between its scores and the previous ones, and the score of
/// vertices without outgoing edges.
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
  iteration(const graph_view& g, const pagerank_options& options)
      : g_(g),
        go_(g),
        weighted_(options.weighted && g.weights != weight_type::none),
        preference_(shares(options.preference)),
        spread_(shares(options.dangling)),
        leaving_(weighted_ ? go_.values<double>() : scoped_array<double>()),
        scores_(go_.values<double>()),
        now_(go_.values<Contribution>()),
        next_(go_.values<Contribution>()) {}

  /// Adds the data from which a later start continues.
  void keep(checkpoint& work) const { work.add("scores", scores_.handle()); }
  /// Starts from 1/n for each vertex, or from the restored scores.
  void start(bool has_scores);
  /// Makes one pass over all arcs. Returns the L1 change.
  double step(double damping);
  std::vector<double> scores() const { return copy_of(scores_.handle()); }

 private:
  /// The sum of the weights of the arcs that leave a vertex, or their number.
  struct outgoing {
    adjacency out;
    const double* weights;  // null: arcs are counted
    double operator()(vertex_id v) const {
      return weights != nullptr ? weights[v] : static_cast<double>(out.degree(v));
    }
  };
  /// The part of each new score that comes along no arc.
  struct base_scores {
    double begin, dangling;  // of all vertices: of restarts, and of vertices without outgoing weight
    double each;  // of a vertex, if both are divided evenly
    const double *preference, *spread;  // shares of the two; null: divided evenly; `spread` as `preference`
    double operator()(std::uint64_t v) const {
      return preference == nullptr && spread == nullptr ? each : shared(v);
    }

   private:
    double shared(std::uint64_t v) const {
      const double at_begin = preference != nullptr ? begin * preference[v] : begin;
      const double* const to = spread != nullptr ? spread : preference;
      return at_begin + (to != nullptr ? dangling * to[v] : dangling);
    }
  };

  scoped_array<double> shares(const std::vector<double>& values) const;
  void sum_weights();
  outgoing leaving() const { return {adjacency(g_.out), weighted_ ? elements_of(leaving_) : nullptr}; }
  base_scores base(double damping) const;

  graph_view g_;
  traversal go_;
  bool weighted_;
  scoped_array<double> preference_, spread_;  // as in base_scores; empty instead of null
  scoped_array<double> leaving_;  // by vertex: sum of the weights of outgoing arcs; empty: count
  scoped_array<double> scores_;
  scoped_array<Contribution> now_, next_;
  double dangling_ = 0;
};

/// Divides values per vertex by their sum, and stores them at the owners. Returns an empty array for no
/// values.
template <class Contribution>
scoped_array<double> iteration<Contribution>::shares(const std::vector<double>& values) const {
  if (values.empty()) return {};
  GOSSAMER_ASSERT(values.size() == g_.vertices);
  scoped_array<double> all = go_.values<double>();
  double unit = 1, sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (!std::isfinite(sum)) {  // smaller units do not overflow
    unit = 0x1p-64;
    sum = 0;
    for (const double value : values) sum += value * unit;
  }
  put(all.handle(), 0, std::span<const double>(values));
  go_.vertex_map(k_pass, all.handle(), [unit, sum](vertex_id, double& share) { share = share * unit / sum; });
  return all;
}

/// Sums the weights of the arcs that leave each vertex.
template <class Contribution>
void iteration<Contribution>::sum_weights() {
  with_weight_type(g_.weights, [&]<class Weight>(std::type_identity<Weight>) {
    go_.vertex_map(k_pull, leaving_.handle(), [out = adjacency(g_.out)](vertex_id v, double& sum) {
      const Weight* const weights = out.weights_as<Weight>();
      sum = 0;
      for (std::uint64_t i = out.offsets[v]; i < out.offsets[v + 1]; ++i)
        sum += static_cast<double>(weights[i]);
    });
  });
  const auto bad = go_.core_reduce<first_vertex>([leaving = leaving_.handle()] {
    first_vertex mine;
    std::uint64_t v = leaving.local_begin();
    for (const double sum : leaving.local()) {
      if (sum != 0 && !(sum >= k_least_weight && sum < std::numeric_limits<double>::infinity()))
        mine.add({v, sum});
      ++v;
    }
    return mine;
  });
  if (bad.vertex != k_no_vertex)
    throw vertex_error(
        {{"pagerank: the weights of the arcs from vertex ", bad.vertex}},
        fmt::format(" sum to {}: expected 0, or from {} to what a double holds", bad.sum, k_least_weight));
}

template <class Contribution>
auto iteration<Contribution>::base(double damping) const -> base_scores {
  const auto n = static_cast<double>(g_.vertices);
  base_scores b{.begin = 1 - damping,
                .dangling = damping * dangling_,
                .each = (1 - damping) / n + damping * dangling_ / n,
                .preference = preference_ ? elements_of(preference_) : nullptr,
                .spread = spread_ ? elements_of(spread_) : nullptr};
  if (b.preference == nullptr) b.begin /= n;
  if (b.preference == nullptr && b.spread == nullptr) b.dangling /= n;
  return b;
}

template <class Contribution>
void iteration<Contribution>::start(bool has_scores) {
  if (weighted_) sum_weights();
  const double initial = 1 / static_cast<double>(g_.vertices);
  const changes all = go_.block_reduce<changes>(
      k_pull, [out = leaving(), initial, has_scores = std::uint64_t{has_scores}, score = elements_of(scores_),
               contribution = elements_of(now_)](vertex_range some, changes& mine, scan_meter&) {
        double dangling = 0;
        for (std::uint64_t v = some.begin; v < some.end; ++v) {
          const double leaving = out(static_cast<vertex_id>(v));
          if (has_scores == 0) score[v] = initial;
          contribution[v] = leaving > 0 ? static_cast<Contribution>(score[v] / leaving) : Contribution{0};
          if (leaving == 0) dangling += score[v];
        }
        mine.dangling.add(dangling);
      });
  dangling_ = all.dangling.value();
}

template <class Contribution>
double iteration<Contribution>::step(double damping) {
  const changes all = with_puller(g_, g_.in, weighted_, [&](const auto& along) {
    return go_.block_reduce<changes>(
        k_pull, [along, out = leaving(), damping, base = base(damping), score = elements_of(scores_),
                 frozen_now = now_.freeze(),
                 next = elements_of(next_)](vertex_range some, changes& mine, scan_meter& meter) {
          const Contribution* const contribution = frozen_now.data();
          meter.arcs += along.arcs(some.begin, some.end);
          double change = 0, dangling = 0;
          for (std::uint64_t v = some.begin; v < some.end; ++v) {
            const double updated = base(v) + damping * along.sum(contribution, static_cast<vertex_id>(v));
            const double leaving = out(static_cast<vertex_id>(v));
            change += std::abs(updated - score[v]);
            score[v] = updated;
            next[v] = leaving > 0 ? static_cast<Contribution>(updated / leaving) : Contribution{0};
            if (leaving == 0) dangling += updated;
          }
          mine.change.add(change);
          mine.dangling.add(dangling);
        });
  });
  now_.thaw();
  std::swap(now_, next_);
  dangling_ = all.dangling.value();
  return all.change.value();
}

/// Opens the checkpoint of this job; empty if none is requested.
checkpoint open_work(const graph_view& g, const pagerank_options& o) {
  if (o.resume.folder.empty()) return {};
  const auto sum_of = [](const std::vector<double>& all) {
    return io::checksum(std::as_bytes(std::span(all)));
  };
  return {o.resume, fmt::format("pagerank, damping {}, tolerance {}, {} iterations, weighted {}, preference "
                                "{:016x}, dangling {:016x}\n{}",
                                o.damping, o.tolerance, o.max_iterations, o.weighted, sum_of(o.preference),
                                sum_of(o.dangling), fingerprint(g))};
}

template <class Contribution>
pagerank_result iterate(const graph_view& g, const pagerank_options& options, const progress_hook& progress) {
  pagerank_result r;
  iteration<Contribution> power(g, options);
  const std::uint64_t start = machine::now_ns();
  checkpoint work = open_work(g, options);
  r.saved = work.folder();
  power.keep(work);
  work.add("iterations", &r.iterations);
  work.add("change", &r.change);
  const bool is_restored = work.restore();
  r.iterations_before = r.iterations;
  r.converged = is_restored && r.change < options.tolerance;
  power.start(is_restored);
  while (r.iterations < options.max_iterations && !r.converged) {
    r.change = power.step(options.damping);
    r.converged = r.change < options.tolerance;
    ++r.iterations;
    if (work.is_due()) work.save();
    report(progress, "pagerank", r.iterations, 0);
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
  // With weights, a contribution may exceed a float: a score divided by a small weight.
  const bool in_float =
      options.tolerance >= k_float_tolerance && (!options.weighted || g.weights == weight_type::none);
  return in_float ? iterate<float>(g, options, progress) : iterate<double>(g, options, progress);
}

}  // namespace gossamer::graph
