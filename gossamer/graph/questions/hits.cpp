// Hubs and authorities.
#include "gossamer/graph/algorithms/hits.hpp"

#include <memory>

#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class hits_question final : public question {
  static constexpr column_text k_columns[] = {
      {"authority", "Its score as an authority; the sum of all is 1."},
      {"hub", "Its score as a hub; the sum of all is 1."}};
  static constexpr python_method k_methods[] = {
      {"hits", 0, "Result",
       "Compute hubs and authorities (HITS): hubs lead to authorities, which hubs lead to.",
       "Authorities, with ``hubs``; either sums to 1. ``stats[\"converged\"]`` says whether the tolerance "
       "was "
       "reached."}};
  static constexpr question_text k_text{
      .name = "hits",
      .summary = "hubs and authorities: where good hubs lead, and what leads there",
      .definition =
          "authority(v) is in proportion to Σ w · hub(u) over arcs u → v, and hub(u) to Σ w · authority(v) "
          "over the same; w is the weight of the arc where the graph has weights, and 1 with `--unweighted`. "
          "Either sums to 1; both are 0 where no arc has weight. Iteration begins with equal hubs and stops "
          "when Σ |new − old| of the hubs is below the tolerance. They are NetworkX's `hits`, but for "
          "bipartite graphs, where the limit depends on the beginning and NetworkX 3.6.1 gives other values "
          "in every call (`findings/hits-differ-from-call-to-call.sh`). Of a connected undirected graph that "
          "is not bipartite hubs are authorities. Self-loops, which NetworkX keeps, are left out, and a note "
          "says so.",
      .examples =
          "  gossamer hits data/debian-depends.tsv.gz --top 10\n"
          "  gossamer hits web.tsv --output hits.tsv  vertex, authority, hub\n",
      .verifier = "iteration",
      .columns = k_columns,
      .methods = k_methods};

 public:
  hits_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    declare_unweighted(p, unweighted_);
    declare_limits(p, how_.limits.tolerance, how_.limits.max_iterations);
  }
  weight_use weights() const override { return unweighted_ ? weight_use::counted : weight_use::kept; }

 private:
  answer compute(const graph& g, const asking& how) const override;

  hits_options how_;
  bool unweighted_ = false;
};

answer hits_question::compute(const graph& g, const asking& how) const {
  hits_options options = how_;
  options.weighted = !unweighted_;
  if (options.weighted) check_weights(g, how);
  const auto found = std::make_shared<hits_result>(hubs_and_authorities(g.view(), options, how.progress));
  answer a;
  say_iteration(a, g, *found);
  a.top = {.title = "vertex", .score = "authority"};
  note_loops(a, g, how, "scores", "NetworkX keeps");
  a.verified = how.checked([&] { return verify_hits(g.view(), options, *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.values = std::move(found->authorities)},
                                      {.values = std::move(found->hubs)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_hits() { return std::make_unique<hits_question>(); }

}  // namespace gossamer::graph
