// A maximal matching.
#include "gossamer/graph/algorithms/matching.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class matching_question final : public question {
  static constexpr column_text k_columns[] = {
      {"mate", "The vertex that it is matched with; none where it is free."}};
  static constexpr python_method k_methods[] = {
      {"matching", 0, "Result",
       "Find a maximal matching: edges without a common end, to which none can be added.",
       "For each vertex the number of the one that it is matched with, -1 where it has none; "
       "``stats[\"matched\"]`` counts the "
       "edges."}};
  static constexpr question_text k_text{
      .name = "matching",
      .summary = "a maximal set of edges without a common end",
      .definition =
          "Edges come in a random order, by `--seed`; each is taken where both of its ends are free. No edge "
          "can be added; a matching of up to twice as many may exist. Weights are not looked at. Undirected "
          "graphs only.",
      .examples =
          "  gossamer matching data/debian-depends.tsv.gz --undirected\n"
          "  gossamer matching pairs.csv --undirected --output mates.tsv  vertex, mate\n",
      .verifier = "check of all other edges",
      .columns = k_columns,
      .methods = k_methods,
      .is_undirected = true};

 public:
  matching_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.whole("seed", &seed, "of the order of the edges").of_python("seed").not_in_program();
  }

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer matching_question::compute(const graph& g, const asking& how) const {
  const matching_options options{seed};
  const auto found = std::make_shared<matching_result>(maximal_matching(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"matched", found->edges}, {"rounds", found->rounds}};
  a.sentences = {{"", plural(found->edges, "edge", "edges"),
                  fmt::format(" matched in {}, found in {}", plural(found->rounds, "round", "rounds"),
                              format_duration(found->seconds))}};
  a.top = {.score = "mate", .how = vertex_ranking::form::counts, .is_asked_for = true};
  a.verified = how.checked([&] { return verify_matching(g.view(), options, *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .has_gaps = true, .values = std::move(found->mate)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_matching() { return std::make_unique<matching_question>(); }

}  // namespace gossamer::graph
