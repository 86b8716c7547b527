// Connected components.
#include "gossamer/graph/algorithms/components.hpp"

#include <memory>

#include "gossamer/graph/questions/internal/component_answer.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class components_question final : public question {
  static constexpr column_text k_columns[] = {
      {"component",
       "A vertex of its component, the same for all of them: the one with the smallest number."}};
  static constexpr python_method k_methods[] = {
      {"components", 0, "Components",
       "Find the connected components; direction is ignored (weak components).",
       "For each vertex the number of the smallest vertex of its component; ``count``, ``top(k)``, "
       "``groups()``."}};
  static constexpr question_text k_text{
      .name = "components",
      .summary = "connected components, direction ignored",
      .definition =
          "Weakly connected components: direction is ignored, so a directed graph has those of its "
          "undirected version.",
      .examples =
          "  gossamer components web.tsv.gz\n"
          "  gossamer components web.tsv --output parts.tsv  vertex, component\n"
          "  gossamer components kron:18 --verify\n",
      .verifier = "union-find over all edges",
      .columns = k_columns,
      .methods = k_methods};

 public:
  components_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer components_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<components_result>(connected_components(g.view(), how.progress));
  answer a = answer_of_components(found, {.one = "component", .many = "components"});
  a.verified = how.checked([&] { return verify_components(g.view(), *found); });
  return a;
}

}  // namespace

std::unique_ptr<question> make_components() { return std::make_unique<components_question>(); }

}  // namespace gossamer::graph
