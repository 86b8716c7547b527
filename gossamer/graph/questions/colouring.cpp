// A colouring in which neighbours differ.
#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/greedy.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class colouring_question final : public question {
  static constexpr column_text k_columns[] = {{"colour", "Its colour, from 0."}};
  static constexpr python_method k_methods[] = {{"colouring", 0, "Result",
                                                 "Colour the vertices so that neighbours differ, greedily.",
                                                 "Colours from 0; ``stats[\"colours\"]`` is their number, "
                                                 "``stats[\"largest\"]`` how many vertices have "
                                                 "the most frequent one."}};
  static constexpr networkx_function k_networkx[] = {
      {"greedy_color", "strategy='largest_first', interchange=False", 0, true}};
  static constexpr question_text k_text{
      .name = "colouring",
      .summary = "colours for the vertices, so that neighbours differ",
      .definition =
          "Each vertex, one after the other, takes the smallest colour that no neighbour before it has. "
          "Vertices come by degree, the largest first, then by number: NetworkX's `greedy_color` with the "
          "strategy `largest_first`. With `--random` they come in a random order. The number of colours is "
          "at most one more than the largest degree, not the smallest possible. Undirected graphs only.",
      .examples =
          "  gossamer colouring data/debian-depends.tsv.gz --undirected\n"
          "  gossamer colouring conflicts.csv --undirected --output slots.tsv  vertex, colour\n",
      .verifier = "check of what neighbours leave",
      .columns = k_columns,
      .methods = k_methods,
      .networkx = k_networkx,
      .is_undirected = true};

 public:
  colouring_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.flag("random", &random_, "in a random order, by --seed")
        .of_python("random", "In a random order, by ``seed``, instead of the largest degrees first.");
    p.whole("seed", &seed, "of the random order").of_python("seed").not_in_program();
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  bool random_ = false;
};

answer colouring_question::compute(const graph& g, const asking& how) const {
  const colouring_options options{random_, seed};
  const auto found = std::make_shared<colouring_result>(greedy_colouring(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"colours", found->colours}, {"largest", found->largest}};
  a.sentences = {
      {"", plural(found->colours, "colour", "colours"),
       fmt::format(", the most frequent of {}, found in {}", plural(found->largest, "vertex", "vertices"),
                   format_duration(found->seconds))}};
  a.top = {.score = "colour", .how = vertex_ranking::form::counts, .is_asked_for = true};
  a.verified = how.checked([&] { return verify_colouring(g.view(), options, *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->colour)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_colouring() { return std::make_unique<colouring_question>(); }

}  // namespace gossamer::graph
