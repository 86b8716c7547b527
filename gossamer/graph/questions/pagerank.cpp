// PageRank.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include <memory>

#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/internal/resuming.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class pagerank_question final : public question {
  static constexpr column_text k_columns[] = {{"score", "Its score; the sum of all is 1."}};
  static constexpr python_method k_methods[] = {
      {"pagerank", 0, "Result", "Compute PageRank by power iteration.",
       "Scores that sum to 1. ``stats[\"converged\"]`` says whether the tolerance was reached; where not, "
       "a warning says so, too."}};
  static constexpr question_text k_text{
      .name = "pagerank",
      .summary = "the most important vertices by PageRank",
      .definition =
          "score(v) = (1-d)/n + d · (Σ w/W(u) · score(u) over arcs u → v + D/n), with d the damping. w is "
          "the "
          "weight of the arc where the graph has weights, else and with `--unweighted` 1; W(u) is the sum of "
          "those "
          "that leave u. D is the sum of the scores of vertices with W = 0: they are spread evenly over all "
          "vertices. With `--personalise` the share of v in its values stands for both 1/n, with "
          "`--dangling` for "
          "the second; a vertex that the file does not name has 0. Scores start at 1/n and sum to 1. "
          "Iteration stops when Σ |new − old| is below the tolerance. NetworkX's `pagerank` stops below n · "
          "`tol`. Self-loops, which NetworkX and igraph keep, are left out, and a note says so.",
      .examples =
          "  gossamer pagerank data/debian-depends.tsv.gz --top 10\n"
          "  gossamer pagerank web.mtx --tolerance 1e-9 --output scores.tsv  vertex, score\n"
          "  gossamer pagerank web.tsv --personalise mine.tsv    a vertex and its weight a line\n",
      .verifier = "power iteration",
      .columns = k_columns,
      .methods = k_methods,
      .weights = weight_use::kept};

 public:
  pagerank_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.real("damping", &how_.damping, k_below_one, "probability of following an edge").of_python("alpha");
    declare_limits(p, how_.tolerance, how_.max_iterations);
    p.values("personalise", &how_.preference, "where the walk begins anew: a vertex and its weight a line")
        .also("--personalize")
        .of_python(
            "personalization",
            "Where the walk begins anew: a weight for each vertex, or a dict of labels and weights; others "
            "have 0. Default: all alike.");
    p.values("dangling", &how_.dangling, "where vertices without outgoing edges lead: likewise")
        .of_python("dangling",
                   "Where vertices without outgoing edges lead: likewise. Default: as personalization.");
    declare_unweighted(p, unweighted_);
    declare_resume(p, how_.resume);
  }
  weight_use weights() const override { return unweighted_ ? weight_use::counted : weight_use::kept; }

 private:
  answer compute(const graph& g, const asking& how) const override;

  pagerank_options how_;
  bool unweighted_ = false;
};

answer pagerank_question::compute(const graph& g, const asking& how) const {
  pagerank_options options = how_;
  options.weighted = !unweighted_;
  if (options.weighted) check_weights(g, how);
  const auto found = std::make_shared<pagerank_result>(pagerank(g.view(), options, how.progress));
  answer a;
  say_iteration(a, g, *found);
  say_resumed(a, options.resume, found->saved, "iterations_before", found->iterations_before, "iteration",
              "iterations");
  note_loops(a, g, how, "scores", "NetworkX and igraph keep");
  a.verified = how.checked([&] { return verify_pagerank(g.view(), options, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->scores)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_pagerank() { return std::make_unique<pagerank_question>(); }

}  // namespace gossamer::graph
