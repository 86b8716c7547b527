// Checks of centralities by iteration: the same number of serial steps in double, in which every vertex pushes its value along its arcs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

namespace {

/// The matrix of the arcs, which a serial run multiplies by.
class serial_matrix {
 public:
  serial_matrix(const graph_view& g, bool weighted)
      : out_(g, g.out), vertices_(g.vertices), type_(weighted ? g.weights : weight_type::none) {}

  /// Calls f(u, v, weight) for each arc from u to v.
  template <class F>
  void for_arcs(F f) {
    for (std::uint64_t i = 0; i < vertices_; ++i) {
      const auto u = static_cast<vertex_id>(i);
      const auto row = out_[u];
      const std::byte* const bytes = type_ == weight_type::none || row.empty()
                                         ? nullptr
                                         : out_.weights(out_.offsets()[u], out_.offsets()[u + 1]);
      for (std::size_t k = 0; k < row.size(); ++k) f(u, row[k], weight(bytes, k));
    }
  }
  /// Returns the sums of x at the vertices from which arcs lead to each.
  std::vector<double> pushed(const std::vector<double>& x) {
    std::vector<double> sums(vertices_, 0);
    for_arcs([&](vertex_id u, vertex_id v, double w) { sums[v] += w * x[u]; });
    return sums;
  }
  /// Returns the sums of x at the vertices to which arcs lead from each.
  std::vector<double> gathered(const std::vector<double>& x) {
    std::vector<double> sums(vertices_, 0);
    for_arcs([&](vertex_id u, vertex_id v, double w) { sums[u] += w * x[v]; });
    return sums;
  }
  /// Returns the mean weight of the arcs; 1 if it is 0.
  double mean_weight() {
    std::uint64_t arcs = 0;
    for_arcs([&](vertex_id, vertex_id, double) { ++arcs; });
    double mean = 0;
    for_arcs([&](vertex_id, vertex_id, double w) { mean += w / static_cast<double>(arcs); });
    return mean > 0 && std::isfinite(mean) ? mean : 1;
  }

 private:
  double weight(const std::byte* bytes, std::size_t k) const {
    if (bytes == nullptr) return 1;
    return with_weight_type(type_, [&]<class Weight>(std::type_identity<Weight>) {
      return static_cast<double>(reinterpret_cast<const Weight*>(bytes)[k]);
    });
  }

  remote_row_cache out_;
  std::uint64_t vertices_;
  weight_type type_;
};

double plain_sum(const std::vector<double>& x) {
  double sum = 0;
  for (const double each : x) sum += std::abs(each);
  return sum;
}
double plain_length(const std::vector<double>& x) {
  double most = 0, squares = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  if (most == 0) return 0;
  for (const double each : x) squares += (each / most) * (each / most);
  return std::sqrt(squares) * most;
}
void multiply(std::vector<double>& x, double factor) {
  for (double& each : x) each *= factor;
}
/// Divides values by the largest one.
void divide_by_largest(std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  if (most > 0)
    for (double& each : x) each /= most;
}
double distance_between(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
  return sum;
}

/// Returns a part of the tolerance, and what rounding makes of values of that size.
double slack(const iteration_limits& limits, const std::vector<double>& x) {
  return 0.01 * limits.tolerance + 1e-12 * (1 + plain_sum(x));
}

/// Checks the last change, and what is said of it.
check same_change(const iteration_limits& limits, const iteration_result& r, double change, double allowed) {
  if (!(std::abs(change - r.change) <= allowed))
    return wrong("the last change is {:.6g}, a serial run says {:.6g}", r.change, change);
  if (r.converged != (r.change < limits.tolerance))
    return wrong("said to have{} converged at a change of {:.6g}", r.converged ? "" : " not", r.change);
  if (!r.converged && r.iterations < limits.max_iterations)
    return wrong("stopped after {} iterations of {}", r.iterations, limits.max_iterations);
  return {};
}

check same_values(const char* of, const std::vector<double>& found, const std::vector<double>& expected,
                  double allowed) {
  if (found.size() != expected.size())
    return wrong("{} {} for {} vertices", found.size(), of, expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    if (!(std::abs(found[v] - expected[v]) <= allowed))  // negated: a value that is not a number fails
      return wrong("{} of vertex {}: {:.17g}, a serial run says {:.17g}", of, v, found[v], expected[v]);
  return {};
}

/// Checks that the matrix multiplies the scores by the eigenvalue, as far as the last step still changed them.
check is_eigenvector(serial_matrix& matrix, const eigenvector_result& r, double shift) {
  if (r.iterations < 2) return {};  // the eigenvalue of the first step is of a vector of another length
  std::vector<double> residual = matrix.pushed(r.scores), leaves(r.scores.size(), 0);
  for (std::size_t v = 0; v < residual.size(); ++v) residual[v] -= r.eigenvalue * r.scores[v];
  matrix.for_arcs([&](vertex_id u, vertex_id, double w) { leaves[u] += w; });
  const double most =
      *std::ranges::max_element(leaves) + shift;  // the matrix makes no sum larger than by that
  const double found = plain_sum(residual), allowed = most * (r.change + 1e-12 * (1 + plain_sum(r.scores)));
  if (!(found <= allowed))
    return wrong("A * score and {:.6g} * score are {:.6g} apart, expected at most {:.6g}", r.eigenvalue,
                 found, allowed);
  return {};
}

}  // namespace

check verify_eigenvector(const graph_view& g, const eigenvector_options& options,
                         const eigenvector_result& result) {
  if (g.vertices == 0) return same_values("scores", result.scores, {}, 0);
  serial_matrix matrix(g, options.weighted);
  const double shift = options.weighted ? matrix.mean_weight() : 1;
  std::vector<double> x(g.vertices, 1 / static_cast<double>(g.vertices));
  double change = 0;
  for (std::uint64_t i = 0; i < result.iterations; ++i) {
    std::vector<double> next = matrix.pushed(x);
    for (std::size_t v = 0; v < x.size(); ++v) next[v] += shift * x[v];
    divide_by_largest(next);
    multiply(next, 1 / plain_length(next));
    change = distance_between(next, x);
    x.swap(next);
  }
  const double allowed = slack(options.limits, x);
  if (check c = same_change(options.limits, result, change, allowed); !c) return c;
  if (check c = same_values("scores", result.scores, x, allowed); !c) return c;
  return is_eigenvector(matrix, result, shift);
}

check verify_katz(const graph_view& g, const katz_options& options, const katz_result& result) {
  if (g.vertices == 0) return same_values("scores", result.scores, {}, 0);
  if (result.diverged) return result.converged ? wrong("said to have converged and diverged") : check{};
  serial_matrix matrix(g, options.weighted);
  std::vector<double> x(g.vertices, 0);
  double change = 0;
  for (std::uint64_t i = 0; i < result.iterations; ++i) {
    std::vector<double> next = matrix.pushed(x);
    for (double& each : next) each = options.alpha * each + options.beta;
    change = distance_between(next, x);
    x.swap(next);
  }
  const double allowed = slack(options.limits, x);
  if (check c = same_change(options.limits, result, change, allowed); !c) return c;
  if (!options.raw) divide_by_largest(x);
  if (const double length = options.raw ? 1 : plain_length(x); length > 0) multiply(x, 1 / length);
  return same_values("scores", result.scores, x, slack(options.limits, x));
}

check verify_hits(const graph_view& g, const hits_options& options, const hits_result& result) {
  if (g.vertices == 0) return same_values("hubs", result.hubs, {}, 0);
  serial_matrix matrix(g, options.weighted);
  std::vector<double> hubs(g.vertices, 1 / static_cast<double>(g.vertices)), authorities(g.vertices, 0);
  double change = 0;
  for (std::uint64_t i = 0; i < result.iterations; ++i) {
    authorities = matrix.pushed(hubs);
    divide_by_largest(authorities);  // products of two weights may leave the doubles
    std::vector<double> next = matrix.gathered(authorities);
    divide_by_largest(next);
    if (const double sum = plain_sum(next); sum > 0) multiply(next, 1 / sum);
    change = distance_between(next, hubs);
    hubs.swap(next);
  }
  if (const double sum = plain_sum(authorities); sum > 0) multiply(authorities, 1 / sum);
  const double allowed = slack(options.limits, hubs);
  if (check c = same_change(options.limits, result, change, allowed); !c) return c;
  if (check c = same_values("hubs", result.hubs, hubs, allowed); !c) return c;
  return same_values("authorities", result.authorities, authorities, allowed);
}

check verify_pagerank(const graph_view& g, const pagerank_options& options, const pagerank_result& result) {
  if (result.scores.size() != g.vertices)
    return wrong("{} scores for {} vertices", result.scores.size(), g.vertices);
  if (g.vertices == 0) return {};
  const std::vector<double> even(g.vertices, 1 / static_cast<double>(g.vertices));
  std::vector<double> begin = options.preference.empty() ? even : options.preference;
  divide_by_largest(begin);
  multiply(begin, 1 / plain_sum(begin));
  std::vector<double> from_dangling = options.dangling.empty() ? begin : options.dangling;
  divide_by_largest(from_dangling);
  multiply(from_dangling, 1 / plain_sum(from_dangling));
  serial_matrix matrix(g, options.weighted);
  const std::vector<double> leaving = matrix.gathered(std::vector<double>(g.vertices, 1));
  std::vector<double> score = even;
  for (std::uint64_t i = 0; i < result.iterations; ++i) {
    std::vector<double> each = score;
    double dangling = 0;
    for (std::size_t v = 0; v < score.size(); ++v) {
      if (leaving[v] == 0) dangling += score[v];
      each[v] = leaving[v] == 0 ? 0 : score[v] / leaving[v];
    }
    std::vector<double> next = matrix.pushed(each);
    for (std::size_t v = 0; v < score.size(); ++v)
      next[v] = (1 - options.damping) * begin[v] + options.damping * (next[v] + dangling * from_dangling[v]);
    const double change = distance_between(next, score);
    score.swap(next);
    // The kernel may stop at this iteration only, and not later than here.
    const bool last = i + 1 == result.iterations;
    if (last && std::abs(change - result.change) > 0.01 * options.tolerance + 1e-12)
      return wrong("the last change is {:.6g}, a serial run says {:.6g}", result.change, change);
  }
  if (result.converged != (result.iterations > 0 && result.change < options.tolerance)) {
    return wrong("said to have{} converged at a change of {:.6g}", result.converged ? "" : " not",
                 result.change);
  }
  const double allowed = 0.1 * options.tolerance + 1e-12;
  const double distance = distance_between(score, result.scores), sum = plain_sum(result.scores);
  if (!(distance <= allowed))
    return wrong("scores are {:.3g} (L1) from a serial run's, {:.3g} allowed", distance, allowed);
  if (!(std::abs(sum - 1) <= allowed)) return wrong("scores sum to {:.12g}, not 1", sum);
  return {};
}

}  // namespace gossamer::graph
