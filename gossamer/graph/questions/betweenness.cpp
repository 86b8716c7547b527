// Betweenness centrality.
#include "gossamer/graph/algorithms/betweenness.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/internal/resuming.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class betweenness_question final : public question {
  static constexpr column_text k_columns[] = {{"score", "Its score."}};
  static constexpr python_method k_methods[] = {
      {"betweenness", 0, "Result", "Compute betweenness centrality (Brandes), which follows direction.",
       "Scores; ``stats[\"sources\"]`` says from how many vertices."}};
  static constexpr question_text k_text{
      .name = "betweenness",
      .summary = "the vertices on most shortest paths (Brandes)",
      .definition =
          "score(v) = Σ σ(s,t,v)/σ(s,t) over pairs s ≠ v ≠ t. σ(s,t) counts the shortest paths from s to "
          "t, σ(s,t,v) those through v. End points do not count. Directed graphs: all ordered pairs, along "
          "arcs. Undirected graphs: each unordered pair once. It is NetworkX's "
          "`betweenness_centrality(normalized=False)`. Normalised, scores are times 1/((n-1)(n-2)) on "
          "directed graphs and 2/((n-1)(n-2)) on undirected ones: the share of the pairs, NetworkX's "
          "default. From K samples, only pairs whose s is one of K vertices count, drawn by the seed from "
          "the S vertices with outgoing arcs, without repetition; scores are multiplied by S/K, so their "
          "expected values are the exact ones. With `--weighted` shortest paths are those by weights, which "
          "have to be "
          "above 0; sums of weights are compared exactly. With `--edges` the answer is of edges: score(e) = "
          "Σ "
          "σ(s,t,e)/σ(s,t) over pairs s ≠ t, NetworkX's `edge_betweenness_centrality`; normalised, it is "
          "times "
          "1/(n(n-1)), of undirected graphs 2/(n(n-1)). Then `--output` has a row per edge: source, target, "
          "score.",
      .examples =
          "  gossamer betweenness web.tsv --samples 64         from 64 sources picked by --seed\n"
          "  gossamer betweenness small.tsv --exact --json     from every vertex\n"
          "  gossamer betweenness roads.csv --exact --weighted --edges -o edges.tsv    source, target, "
          "score\n",
      .verifier = "Brandes",
      .columns = k_columns,
      .methods = k_methods};

 public:
  betweenness_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.whole("samples", &samples_, "paths from K random vertices, scaled up to all", 1, "K")
        .of_python("k",
                   "Estimate from this many random sources among the vertices with outgoing edges, scaled "
                   "to all. Default: exact, from every vertex.");
    p.flag("exact", &exact_, "paths from every vertex");
    p.flag("normalised", &normalised_, "scores as shares of all pairs, from 0 to 1")
        .also("--normalized")
        .of_python("normalized",
                   "Scores as shares of all pairs that a vertex could lie between, from 0 to 1.", "True");
    p.whole("seed", &seed, "of the choice of sources").of_python("seed").not_in_program();
    p.flag("weighted", &how_.weighted, "shortest paths by the weights of edges")
        .of_python("weighted", "Take shortest paths by the weights of edges, which have to be above 0.");
    p.flag("edges", &how_.edges, "scores of edges, not of vertices");
    declare_resume(p, how_.resume);
  }
  weight_use weights() const override { return how_.weighted ? weight_use::lengths : weight_use::counted; }
  std::vector<std::string> row_names() const override {
    if (how_.edges) return {"source", "target", "score"};
    return {};
  }
  void check() const override {
    if (!samples_ && !exact_)
      throw error(
          "betweenness: expected --samples K or --exact (gossamer betweenness --help shows examples)");
    if (samples_ && exact_) throw error("betweenness: --samples and --exact exclude each other");
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  std::optional<std::uint64_t> samples_;
  betweenness_options how_;
  bool exact_ = false;
  bool normalised_ = false;
};

/// Multiplies all scores.
void scale_scores(std::vector<double>& scores, double factor) {
  for (double& score : scores) score *= factor;
}

answer betweenness_question::compute(const graph& g, const asking& how) const {
  answer a;
  check_weights_asked_for(g, how, how_.weighted, a, true);
  const std::uint64_t samples = samples_.value_or(0);  // 0: every vertex
  const auto found =
      std::make_shared<betweenness_result>(sampled_betweenness(g.view(), samples, seed, how_, how.progress));
  const bool exact = found->sources == count_sources(g.view());
  a.seconds = found->seconds;
  a.known = {{"sources", found->sources}, {"exact", exact}};
  a.sentences = {{fmt::format("{} from {} in {}", exact ? "exact," : "estimated",
                              plural(found->sources, "source", "sources"), format_duration(found->seconds))}};
  say_resumed(a, how_.resume, found->saved, "sources_before", found->sources_before, "source", "sources");
  a.verified = how.checked([&] { return verify_sampled_betweenness(g.view(), samples, seed, how_, *found); });
  if (normalised_) {
    scale_scores(found->scores, normalisation(g.view()));
    scale_scores(found->edges.scores, edge_normalisation(g.view()));
  }
  if (how_.edges) {
    a.last_column_ranks_rows = true;
    a.rows = [found] {
      return std::vector<vertex_column>{
          {.form = vertex_column::kind::vertices, .values = std::move(found->edges.from)},
          {.form = vertex_column::kind::vertices, .values = std::move(found->edges.to)},
          {.values = std::move(found->edges.scores)}};
    };
  } else {
    a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->scores)}}; };
  }
  return a;
}

}  // namespace

std::unique_ptr<question> make_betweenness() { return std::make_unique<betweenness_question>(); }

}  // namespace gossamer::graph
