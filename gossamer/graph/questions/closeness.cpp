// Closeness and harmonic centrality.
#include "gossamer/graph/algorithms/closeness.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class closeness_question final : public question {
  static constexpr column_text k_columns[] = {
      {"closeness",
       "The reached vertices by the sum of their distances, times the share of all that they are."},
      {"harmonic", "The sum of 1/distance over the vertices that lead to it."}};
  static constexpr python_method k_methods[] = {
      {"closeness", 0, "Result",
       "Compute closeness centrality: how near the vertices are that lead to a vertex.",
       "Closeness from 0 to 1."},
      {"harmonic", 1, "Result",
       "Compute harmonic centrality: the sum of 1/distance over the vertices that lead to a vertex.",
       "Sums, 0 where no vertex leads to one."}};
  static constexpr question_text k_text{
      .name = "closeness",
      .summary = "how near all vertices are to each: closeness and harmonic centrality",
      .definition =
          "closeness(v) = (r/s) · r/(n-1), with r the number of other vertices that have a path to v and s "
          "the sum of their distances; 0 "
          "where r is 0. harmonic(v) = Σ 1/distance(u, v) over those vertices. Each arc counts 1, weights "
          "are not looked at. Distances of a "
          "directed graph are along its arcs, towards v. They are NetworkX's `closeness_centrality` (with "
          "`wf_improved`) and "
          "`harmonic_centrality`.",
      .examples =
          "  gossamer closeness roads.csv --undirected --top 10\n"
          "  gossamer closeness web.tsv --output closeness.tsv  vertex, closeness, harmonic\n",
      .verifier = "search from every vertex",
      .columns = k_columns,
      .methods = k_methods};

 public:
  closeness_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer closeness_question::compute(const graph& g, const asking& how) const {
  const closeness_options options;
  const auto found = std::make_shared<closeness_result>(closeness(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"sources", std::uint64_t{found->closeness.size()}}};
  a.sentences = {{fmt::format("{} in {}", plural(found->closeness.size(), "search", "searches"),
                              format_duration(found->seconds))}};
  a.top = {.score = "closeness"};
  a.verified = how.checked([&] { return verify_closeness(g.view(), options, *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.values = std::move(found->closeness)},
                                      {.values = std::move(found->harmonic)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_closeness() { return std::make_unique<closeness_question>(); }

}  // namespace gossamer::graph
