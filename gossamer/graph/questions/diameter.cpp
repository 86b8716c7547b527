// The diameter, exactly, by bounds.
#include "gossamer/graph/algorithms/diameter.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class diameter_question final : public question {
  static constexpr python_method k_methods[] = {
      {.name = "diameter",
       .column = 0,
       .type = "int",
       .summary =
           "Compute the diameter: the largest distance between two vertices of which one reaches the other.",
       .returns =
           "The diameter, in edges; of an undirected graph of several components the largest of theirs.",
       .fact = "diameter"}};
  static constexpr question_text k_text{
      .name = "diameter",
      .summary = "the largest distance between two vertices, exactly, by bounds that close",
      .definition =
          "The largest distance between two vertices of which one reaches the other; each arc counts 1. An "
          "undirected graph of several "
          "components has the largest of theirs, and `connected` is false: NetworkX's `diameter` refuses it. "
          "A directed graph has to be "
          "strongly connected.",
      .examples =
          "  gossamer diameter roads.csv --undirected\n"
          "  gossamer diameter kron:18 --json\n",
      .verifier = "search from every vertex",
      .methods = k_methods};

 public:
  diameter_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer diameter_question::compute(const graph& g, const asking& how) const {
  const diameter_result found = diameter(g.view(), {}, how.progress);
  answer a;
  a.seconds = found.seconds;
  a.known = {{"diameter", found.diameter}};
  if (found.from != k_no_vertex) {
    a.known.push_back({"from", vertex_value{found.from}});
    a.known.push_back({"to", vertex_value{found.to}});
  }
  a.known.push_back({"connected", found.connected});
  a.known.push_back({"components", found.components});
  a.known.push_back({"sources", found.sources});
  const std::string ends =
      found.from == k_no_vertex
          ? std::string()
          : fmt::format(", from {} to {}", g.names().label(found.from), g.names().label(found.to));
  a.sentences = {{"", fmt::format("diameter {}", format_count(found.diameter)),
                  fmt::format("{}{}, by searches from {} in {}", ends,
                              found.connected ? ""
                                              : fmt::format(" (the largest of {} components)",
                                                            format_count(found.components)),
                              plural(found.sources, "vertex", "vertices"), format_duration(found.seconds))}};
  a.verified = how.checked([&] { return verify_diameter(g.view(), found); });
  return a;
}

}  // namespace

std::unique_ptr<question> make_diameter() { return std::make_unique<diameter_question>(); }

}  // namespace gossamer::graph
