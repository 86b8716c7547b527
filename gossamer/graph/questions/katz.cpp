// Katz centrality.
#include "gossamer/graph/algorithms/katz.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/eigenvector.hpp"
#include "gossamer/graph/algorithms/topological.hpp"
#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"
#include "gossamer/parallel/interrupt.hpp"

namespace gossamer::graph {
namespace {

class katz_question final : public question {
  static constexpr real_range k_alpha{"a number of 0 or more",
                                      [](double x) { return x >= 0 && std::isfinite(x); }};
  static constexpr real_range k_beta{"a finite number", [](double x) { return std::isfinite(x); }};
  static constexpr column_text k_columns[] = {{"score", "Its score."}};
  static constexpr python_method k_methods[] = {
      {"katz", 0, "Result",
       "Compute Katz centrality: paths that lead to a vertex, each arc of them times alpha.",
       "Scores of length 1. ``stats[\"converged\"]`` says whether the tolerance was reached."}};
  static constexpr question_text k_text{
      .name = "katz",
      .summary = "vertices that many short paths lead to: Katz centrality",
      .definition =
          "score(v) = α · Σ w · score(u) over arcs u → v + β, iterated from zeros; w is 1, or the weight of "
          "the "
          "arc with `--weighted`. It stops when Σ |new − old| is below the tolerance. Then the vector is "
          "scaled to "
          "length 1, but for `--raw`. It is NetworkX's `katz_centrality`, which stops below n · `tol`. Where "
          "α is "
          "1/λ or more, with λ the largest eigenvalue, the scores grow without end: an error names 1/λ. "
          "Self-loops, which NetworkX keeps, are left out, and a note says so.",
      .examples =
          "  gossamer katz data/debian-depends.tsv.gz --alpha 0.01 --top 10\n"
          "  gossamer katz web.tsv --beta 0.5 --raw --output scores.tsv  vertex, score\n",
      .verifier = "iteration",
      .columns = k_columns,
      .methods = k_methods};

 public:
  katz_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.real("alpha", &how_.alpha, k_alpha, "what a score passes on along an edge").of_python("alpha");
    p.real("beta", &how_.beta, k_beta, "what each vertex has by itself").of_python("beta");
    p.flag("raw", &how_.raw, "scores as they are, not scaled to length 1")
        .of_python("raw", "Return the scores as they are, not scaled to length 1.");
    declare_weighted(p, how_.weighted);
    declare_limits(p, how_.limits.tolerance, how_.limits.max_iterations);
  }
  weight_use weights() const override { return how_.weighted ? weight_use::kept : weight_use::counted; }

 private:
  answer compute(const graph& g, const asking& how) const override;
  void check_alpha(const graph& g, const asking& how, bool diverged) const;
  std::optional<double> least_eigenvalue_bound(const graph_view& g, const asking& how) const;

  katz_options how_;
};

/// Throws gossamer::error if alpha is too large for the scores to converge, or for doubles.
void katz_question::check_alpha(const graph& g, const asking& how, bool diverged) const {
  const std::string too_large = fmt::format("alpha {} is too large, scores exceed 1e150", how_.alpha);
  // Without a cycle the largest eigenvalue is 0, and the scores are final after the longest path.
  if (g.view().directed && topological_order(g.view(), how.progress).cycle.empty()) {
    if (diverged) how.refuse(too_large);
    return;
  }
  const std::optional<double> largest = least_eigenvalue_bound(g.view(), how);
  if (largest && how_.alpha * *largest > 1 - 1e-6)
    how.refuse(
        fmt::format("alpha {} is too large, scores grow without end: expected less than {:.6g}, 1 / "
                    "the largest eigenvalue",
                    how_.alpha, 1 / *largest));
  if (diverged) how.refuse(too_large);
}

/// Returns the largest eigenvalue, or a value below it; nothing if neither is found.
std::optional<double> katz_question::least_eigenvalue_bound(const graph_view& g, const asking& how) const {
  try {
    const eigenvector_result largest = eigenvector_centrality(
        g, {.limits = {.tolerance = 1e-9, .max_iterations = 1000}, .weighted = how_.weighted}, how.progress);
    // |(A + 1) x| - 1 of a vector x of length 1 is at most the largest eigenvalue where A is symmetric. Otherwise
    // it may approach the eigenvalue slowly, from above.
    if (largest.converged || !g.directed) return largest.eigenvalue;
  } catch (const interrupted&) {
    throw;
  } catch (const error&) {  // sums of weights that no double holds
  }
  return std::nullopt;
}

answer katz_question::compute(const graph& g, const asking& how) const {
  answer a;
  check_weights_asked_for(g, how, how_.weighted, a);
  const auto found = std::make_shared<katz_result>(katz_centrality(g.view(), how_, how.progress));
  if (!found->converged) check_alpha(g, how, found->diverged);
  say_iteration(a, g, *found);
  note_loops(a, g, how, "scores", "NetworkX keeps");
  a.verified = how.checked([&] { return verify_katz(g.view(), how_, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->scores)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_katz() { return std::make_unique<katz_question>(); }

}  // namespace gossamer::graph
