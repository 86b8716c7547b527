// A maximal independent set.
#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/greedy.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class independent_set_question final : public question {
  static constexpr column_text k_columns[] = {{"member", "1 where it belongs to the set, else 0."}};
  static constexpr python_method k_methods[] = {
      {"independent_set", 0, "Result",
       "Find a maximal independent set: vertices without an edge between them, to which none can be added.",
       "1 for each member, 0 for the others; ``stats[\"members\"]`` is their number."}};
  static constexpr question_text k_text{
      .name = "independent-set",
      .summary = "a maximal set of vertices without an edge between them",
      .definition =
          "Vertices come in a random order, by `--seed`; each belongs to the set where none of its "
          "neighbours before it does. No vertex can be added to the set; a larger one may exist. Undirected "
          "graphs only.",
      .examples =
          "  gossamer independent-set data/debian-depends.tsv.gz --undirected --seed 3\n"
          "  gossamer independent-set conflicts.csv --undirected --output set.tsv  vertex, member\n",
      .verifier = "check of members' neighbours",
      .columns = k_columns,
      .methods = k_methods,
      .is_undirected = true};

 public:
  independent_set_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.whole("seed", &seed, "of the order of the vertices").of_python("seed").not_in_program();
  }

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer independent_set_question::compute(const graph& g, const asking& how) const {
  const independent_set_options options{seed};
  const auto found =
      std::make_shared<independent_set_result>(maximal_independent_set(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"members", found->members}};
  a.sentences = {{"", plural(found->members, "member", "members"),
                  fmt::format(" of {}, found in {}", plural(g.view().vertices, "vertex", "vertices"),
                              format_duration(found->seconds))}};
  a.top = {.score = "member", .how = vertex_ranking::form::counts, .is_asked_for = true};
  a.verified = how.checked([&] { return verify_independent_set(g.view(), options, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->member)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_independent_set() { return std::make_unique<independent_set_question>(); }

}  // namespace gossamer::graph
