// Core numbers.
#include "gossamer/graph/algorithms/cores.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class cores_question final : public question {
  static constexpr column_text k_columns[] = {{"core", "The core number."}};
  static constexpr python_method k_methods[] = {{"cores", 0, "Result", "Compute core numbers, by peeling.",
                                                 "Core numbers; ``stats[\"degeneracy\"]`` is the largest, "
                                                 "``stats[\"innermost\"]`` how many vertices have it."}};
  static constexpr networkx_function k_networkx[] = {{"core_number", "", 0, true}};
  static constexpr question_text k_text{
      .name = "cores",
      .summary = "core numbers: the densest parts of a graph, by peeling",
      .definition =
          "core(v) is the largest k such that v belongs to a subgraph in which every vertex has degree k "
          "or more. Of a directed graph the degree counts both directions, so an arc and its opposite "
          "count two. It is NetworkX's `core_number`, which refuses self-loops.",
      .examples =
          "  gossamer cores data/debian-depends.tsv.gz --top 10\n"
          "  gossamer cores web.tsv --output cores.tsv  vertex, core\n",
      .verifier = "peeling",
      .columns = k_columns,
      .methods = k_methods,
      .networkx = k_networkx};

 public:
  cores_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer cores_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<cores_result>(core_numbers(g.view(), how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"degeneracy", std::uint64_t{found->degeneracy}},
             {"innermost", found->innermost},
             {"distinct", found->levels}};
  a.sentences = {{"", fmt::format("{}-core", format_count(found->degeneracy)),
                  fmt::format(" of {}, found in {}", plural(found->innermost, "vertex", "vertices"),
                              format_duration(found->seconds))}};
  a.top = {.score = "core", .how = vertex_ranking::form::counts};
  a.verified = how.checked([&] { return verify_cores(g.view(), *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->core)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_cores() { return std::make_unique<cores_question>(); }

}  // namespace gossamer::graph
