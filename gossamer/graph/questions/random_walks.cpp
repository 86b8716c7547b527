// Random walks from all vertices, or from some.
#include "gossamer/graph/algorithms/random_walks.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class random_walks_question final : public question {
  static constexpr column_text k_rows[] = {
      {"v0", "Where a walk starts; then a column for each step: none where the walk has ended."}};
  static constexpr python_method k_methods[] = {{"random_walks", 0, "Rows",
                                                 "Draw random walks from all vertices, or from some.",
                                                 "Arrays by name: ``v0`` where each walk starts, ``v1`` and "
                                                 "so on where it is after each step, by numbers of "
                                                 "vertices; -1 where it has ended before."}};
  static constexpr question_text k_text{
      .name = "random-walks",
      .summary = "random walks from each vertex, or from those of a file",
      .definition =
          "A walk goes from a vertex to one of its neighbours, along the arcs of a directed graph, `--steps` "
          "times; it ends "
          "before where no arc leads on. Each neighbour is as likely as another; with `--by-weights` by the "
          "weight of its "
          "edge, and one of weight 0 is never taken. Walks follow from the seed, the vertex where they start "
          "and their "
          "number there: they are the same on any number of cores, and whether other walks are drawn or not. "
          "A row is a walk.",
      .examples =
          "  gossamer random-walks kron:12 --walks 10 --steps 40 --output walks.tsv\n"
          "  gossamer random-walks roads.csv --columns from,to,length --by-weights --starts towns.txt --seed "
          "7\n",
      .verifier = "check of each step by a draw of its own",
      .rows = k_rows,
      .methods = k_methods,
      .weights = weight_use::kept};

 public:
  random_walks_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.whole("walks", &walks_, "walks from each vertex", 1).of_python("walks");
    p.whole("steps", &steps_, "steps of a walk").of_python("steps");
    p.list("starts", &starts_, "the vertices where walks start, one a line")
        .of_python("starts", "Labels of the vertices where walks start. Default: all.");
    p.flag("by-weights", &by_weights_, "draw a neighbour by the weight of its edge").of_python("by_weights");
    p.whole("seed", &seed, "of the draws").of_python("seed").not_in_program();
  }
  void check() const override {
    if (steps_ > k_most_steps) throw error("random-walks: " + expected_steps());
  }
  std::vector<std::string> row_names() const override {
    std::vector<std::string> names;
    for (std::uint64_t step = 0; step <= steps_; ++step) names.push_back(fmt::format("v{}", step));
    return names;
  }

 private:
  static constexpr std::uint64_t k_most_steps = std::uint64_t{1} << 20;  // each step is a column

  std::string expected_steps() const {
    return fmt::format("expected {} steps at most, found {}", k_most_steps, steps_);
  }
  answer compute(const graph& g, const asking& how) const override;

  std::uint64_t walks_ = 1, steps_ = 10;
  vertex_list starts_;
  bool by_weights_ = false;
};

answer random_walks_question::compute(const graph& g, const asking& how) const {
  if (steps_ > k_most_steps) how.refuse(expected_steps());
  if (by_weights_) {
    if (g.view().weights == weight_type::none) {
      check_for_lengths(g, how);
      how.refuse("expected weights to draw by, found none");
    }
    if (const auto bad = find_bad_length(g.view()))
      how.refuse(fmt::format("expected weights of 0 or more, found {} from {} to {}", bad->weight,
                             g.names().label(bad->from), g.names().label(bad->to)));
  }
  const auto options = std::make_shared<random_walk_options>(
      random_walk_options{starts_.vertices, walks_, steps_, by_weights_, seed});
  const bool starts_nowhere = starts_.is_given && starts_.vertices.empty();
  const auto found = std::make_shared<random_walks_result>(
      starts_nowhere ? random_walks_result{} : random_walks(g.view(), *options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"walks", found->walks}, {"steps", steps_}, {"ended", found->ended}};
  a.sentences = {{"", plural(found->walks, "walk", "walks"),
                  fmt::format(" of {}, {} before the last, drawn in {}", plural(steps_, "step", "steps"),
                              plural(found->ended, "ended", "ended"), format_duration(found->seconds))}};
  a.top = {.is_asked_for = true};
  if (!starts_nowhere)
    a.verified = how.checked([&] { return verify_random_walks(g.view(), *options, *found); });
  a.rows = [found, columns = steps_ + 1] {
    std::vector<vertex_column> all(columns);
    for (std::uint64_t c = 0; c < columns; ++c) {
      std::vector<vertex_id> at(found->walks);
      for (std::uint64_t walk = 0; walk < found->walks; ++walk)
        at[walk] = found->vertices[walk * columns + c];
      all[c] = {.form = vertex_column::kind::vertices, .has_gaps = true, .values = std::move(at)};
    }
    return all;
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_random_walks() { return std::make_unique<random_walks_question>(); }

}  // namespace gossamer::graph
