// PageRank.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
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
          "score(v) = (1-d)/n + d · (Σ score(u)/outdegree(u) over arcs u → v + D/n), with d the damping. D "
          "is the sum of the scores of vertices without outgoing arcs: they are spread evenly over all "
          "vertices. Scores start at 1/n and sum to 1. Iteration stops when Σ |new − old| is below the "
          "tolerance. NetworkX's `pagerank` stops below n · `tol`. Self-loops, which NetworkX and igraph "
          "keep, are left out, and a note says so.",
      .examples =
          "  gossamer pagerank data/debian-depends.tsv.gz --top 10\n"
          "  gossamer pagerank web.mtx --tolerance 1e-9 --output scores.tsv  vertex, score\n",
      .verifier = "power iteration",
      .columns = k_columns,
      .methods = k_methods};

 public:
  pagerank_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.real("damping", &how_.damping, k_below_one, "probability of following an edge").of_python("alpha");
    p.real("tolerance", &how_.tolerance, k_positive, "stop when the scores change less than this in sum")
        .of_python("tol",
                   "Stop when all scores together change less than this in an iteration. NetworkX "
                   "multiplies its `tol` by the number of vertices; the backend for NetworkX does so, too.");
    p.whole("max-iterations", &how_.max_iterations, "stop after N iterations at the latest", 1)
        .of_python("max_iter", "Stop after so many iterations.");
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  pagerank_options how_;
};

answer pagerank_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<pagerank_result>(pagerank(g.view(), how_, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"iterations", found->iterations}, {"change", found->change}, {"converged", found->converged}};
  a.sentences = {
      {fmt::format("{} in {}, last change {:.1e}", plural(found->iterations, "iteration", "iterations"),
                   format_duration(found->seconds), found->change)}};
  if (!found->converged && g.view().vertices > 0)
    a.shortfall =
        fmt::format("stopped after {} iterations, before the tolerance was reached: last change {:.1e}",
                    found->iterations, found->change);
  if (const std::uint64_t loops = g.statistics().self_loops; loops != 0 && !is_generator(how.graph_name))
    a.notes.push_back(fmt::format("scores without its {}, which NetworkX and igraph keep",
                                  plural(loops, "self-loop", "self-loops")));
  a.verified = how.checked([&] { return verify_pagerank(g.view(), how_, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->scores)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_pagerank() { return std::make_unique<pagerank_question>(); }

}  // namespace gossamer::graph
