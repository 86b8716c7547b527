// Eccentricities: the distance from each vertex to the farthest vertex.
#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class eccentricity_question final : public question {
  static constexpr column_text k_columns[] = {
      {"eccentricity", "The largest distance to a vertex that it reaches, in edges."}};
  static constexpr python_method k_methods[] = {
      {"eccentricity", 0, "Result",
       "Compute eccentricities: the largest distance from each vertex to one that it reaches.",
       "Distances. ``stats[\"largest\"]`` and ``stats[\"smallest\"]`` are diameter and radius where "
       "``stats[\"reaches_all\"]``."}};
  static constexpr question_text k_text{
      .name = "eccentricity",
      .summary = "how far the farthest vertex is from each; diameter and radius",
      .definition =
          "eccentricity(v) is the largest distance from v to a vertex that it reaches, along the arcs; each "
          "arc counts 1. The largest of all "
          "is the diameter and the smallest the radius, where every vertex reaches every other: "
          "`reaches_all` says so. NetworkX's "
          "`eccentricity` refuses other graphs.",
      .examples =
          "  gossamer eccentricity roads.csv --undirected --top 10\n"
          "  gossamer eccentricity roads.csv --undirected --output far.tsv  vertex, eccentricity\n",
      .verifier = "search from every vertex",
      .columns = k_columns,
      .methods = k_methods};

 public:
  eccentricity_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer eccentricity_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<eccentricity_result>(eccentricities(g.view(), {}, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"largest", found->largest}, {"smallest", found->smallest}, {"reaches_all", found->reaches_all}};
  a.sentences = {
      {"", fmt::format("{} {}", found->reaches_all ? "diameter" : "largest", format_count(found->largest)),
       fmt::format(", {} {}{}, found in {}", found->reaches_all ? "radius" : "smallest",
                   format_count(found->smallest),
                   found->reaches_all ? "" : " (some vertices do not reach all others)",
                   format_duration(found->seconds))}};
  a.top = {.score = "eccentricity", .how = vertex_ranking::form::counts};
  a.verified = how.checked([&] { return verify_eccentricities(g.view(), {}, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->eccentricity)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_eccentricity() { return std::make_unique<eccentricity_question>(); }

}  // namespace gossamer::graph
