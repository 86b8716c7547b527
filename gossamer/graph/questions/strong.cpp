// Strongly connected components.
#include "gossamer/graph/algorithms/strong.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/condensation.hpp"
#include "gossamer/graph/questions/internal/component_answer.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class strong_question final : public question {
  static constexpr column_text k_columns[] = {
      {"component",
       "A vertex of its component, the same for all of them: the one with the smallest number."}};
  static constexpr python_method k_methods[] = {
      {"strong", 0, "Components", "Find the strongly connected components.",
       "For each vertex the number of the smallest vertex of its component; ``count``, ``top(k)``, "
       "``groups()``."}};
  static constexpr question_text k_text{
      .name = "strong",
      .summary = "strongly connected components: vertices that lead to one another",
      .definition =
          "Two vertices are in one strongly connected component where each has a path to the other along "
          "the arcs. A vertex on no cycle is a component by itself. An undirected graph has its connected "
          "components. With `--condensation` the answer is of the graph whose vertices are the components, "
          "each "
          "called as its vertex with the smallest number, NetworkX's `condensation`: `--output` has a row "
          "for "
          "each two components that arcs lead between, with the number of these arcs, which is read back as "
          "a "
          "weight. It has no cycles: rows come in the topological order of their sources, then of their "
          "targets, which is by the edges of the longest path to a component, then by its name.",
      .examples =
          "  gossamer strong web.tsv.gz\n"
          "  gossamer strong web.tsv --output parts.tsv  vertex, component\n"
          "  gossamer strong web.tsv --condensation --output parts.tsv  source, target, weight\n"
          "  gossamer strong web.tsv --verify\n",
      .verifier = "depth-first search, forward and back",
      .columns = k_columns,
      .methods = k_methods};

 public:
  strong_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.flag("condensation", &condensation_, "the arcs between the components, as a graph");
  }
  std::vector<std::string> row_names() const override {
    if (condensation_) return {"source", "target", "weight"};
    return {};
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  bool condensation_ = false;
};

/// Replaces the columns of the answer by rows: the arcs between the components.
void take_condensation(answer& a, const graph& g, const asking& how,
                       const std::shared_ptr<components_result>& parts) {
  const auto found = std::make_shared<condensed_arcs>(condensation(g.view(), parts->component, how.progress));
  a.seconds += found->seconds;
  a.known.push_back({"component_edges", std::uint64_t{found->arcs.size()}});
  a.sentences.push_back(
      {fmt::format("{} between them, found in {}", plural(found->arcs.size(), "edge", "edges"),
                   format_duration(found->seconds))});
  if (how.verify && a.verified) a.verified = verify_condensation(g.view(), parts->component, *found);
  a.last_column_ranks_rows = true;
  a.columns = {};
  a.rows = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .values = std::move(found->from)},
        {.form = vertex_column::kind::vertices, .values = std::move(found->to)},
        {.values = std::move(found->arcs)}};
  };
}

answer strong_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<components_result>(strong_components(g.view(), how.progress));
  answer a = answer_of_components(found, {.one = "strong component", .many = "strong components"});
  a.verified = how.checked([&] { return verify_strong(g.view(), *found); });
  if (condensation_) take_condensation(a, g, how, found);
  return a;
}

}  // namespace

std::unique_ptr<question> make_strong() { return std::make_unique<strong_question>(); }

}  // namespace gossamer::graph
