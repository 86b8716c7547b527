// Eigenvector centrality.
#include "gossamer/graph/algorithms/eigenvector.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/strong.hpp"
#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class eigenvector_question final : public question {
  static constexpr column_text k_columns[] = {
      {"score", "Its score; the root of the sum of all squares is 1."}};
  static constexpr python_method k_methods[] = {
      {"eigenvector", 0, "Result",
       "Compute eigenvector centrality: a vertex counts as much as those that lead to it.",
       "Scores of length 1. ``stats[\"eigenvalue\"]`` is the largest one, ``stats[\"components\"]`` the "
       "number of connected components; ``stats[\"converged\"]`` says whether the tolerance was reached."}};
  static constexpr question_text k_text{
      .name = "eigenvector",
      .summary = "vertices that important vertices lead to: eigenvector centrality",
      .definition =
          "λ · score(v) = Σ w · score(u) over arcs u → v, with λ the largest eigenvalue; w is 1, or the "
          "weight "
          "of the arc with `--weighted`. The vector has length 1. Iteration begins with equal scores and "
          "multiplies by A + I (with weights, I times their mean), so that bipartite graphs converge, too. "
          "It stops when Σ |new − old| is below "
          "the "
          "tolerance. It is NetworkX's `eigenvector_centrality`, which stops below n · `tol`. Where a graph "
          "is "
          "not connected, the scores of all parts but those with the largest eigenvalue tend to 0, and a "
          "note "
          "says so. A directed graph without a cycle has no such vector and is refused. Self-loops, which "
          "NetworkX keeps, are left out, and a note says so.",
      .examples =
          "  gossamer eigenvector data/debian-depends.tsv.gz --undirected --top 10\n"
          "  gossamer eigenvector roads.csv --undirected --weighted --output scores.tsv  vertex, score\n",
      .verifier = "power iteration",
      .columns = k_columns,
      .methods = k_methods};

 public:
  eigenvector_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    declare_weighted(p, how_.weighted);
    declare_limits(p, how_.limits.tolerance, how_.limits.max_iterations);
  }
  weight_use weights() const override { return how_.weighted ? weight_use::kept : weight_use::counted; }

 private:
  answer compute(const graph& g, const asking& how) const override;

  eigenvector_options how_;
};

answer eigenvector_question::compute(const graph& g, const asking& how) const {
  answer a;
  check_weights_asked_for(g, how, how_.weighted, a);
  const graph_view rows = g.view();
  if (rows.directed && rows.vertices != 0 && strong_components(rows).components == rows.vertices)
    how.refuse("expected a graph with a cycle, found none: the largest eigenvalue is 0");
  const std::uint64_t components = connected_components(rows).components;
  const auto found = std::make_shared<eigenvector_result>(eigenvector_centrality(rows, how_, how.progress));
  a.known = {{"eigenvalue", found->eigenvalue}, {"components", components}};
  say_iteration(a, g, *found);
  a.sentences.push_back({fmt::format("largest eigenvalue {:.6g}", found->eigenvalue)});
  if (components > 1)
    a.notes.push_back(
        fmt::format("not connected, {}: scores tend to 0 in all but those with the largest eigenvalue",
                    plural(components, "component", "components")));
  note_loops(a, g, how, "scores", "NetworkX keeps");
  a.verified = how.checked([&] { return verify_eigenvector(rows, how_, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->scores)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_eigenvector() { return std::make_unique<eigenvector_question>(); }

}  // namespace gossamer::graph
