// Strongly connected components.
#include "gossamer/graph/algorithms/strong.hpp"

#include <memory>

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
          "components.",
      .examples =
          "  gossamer strong web.tsv.gz\n"
          "  gossamer strong web.tsv --output parts.tsv  vertex, component\n"
          "  gossamer strong web.tsv --verify\n",
      .verifier = "depth-first search, forward and back",
      .columns = k_columns,
      .methods = k_methods};

 public:
  strong_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer strong_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<components_result>(strong_components(g.view(), how.progress));
  answer a = answer_of_components(found, {.one = "strong component", .many = "strong components"});
  a.verified = how.checked([&] { return verify_strong(g.view(), *found); });
  return a;
}

}  // namespace

std::unique_ptr<question> make_strong() { return std::make_unique<strong_question>(); }

}  // namespace gossamer::graph
