// Shortest paths from many vertices by weights of any sign.
#include "gossamer/graph/algorithms/johnson.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class johnson_question final : public question {
  static constexpr column_text k_rows[] = {
      {"source", "Where a path begins."},
      {"target", "Where it ends: each vertex that the source reaches, itself included."},
      {"distance", "The least sum of weights over paths from source to target."},
      {"before", "The vertex before the target; the source itself where the path has no edge."}};
  static constexpr python_method k_methods[] = {
      {"johnson", 0, "Rows", "Find shortest paths from all vertices, or from some, by weights of any sign.",
       "Arrays by name: ``source``, ``target`` (numbers of vertices), ``distance``, and ``before``, the "
       "vertex before the "
       "target, the source itself where the path has no edge."}};
  static constexpr question_text k_text{
      .name = "johnson",
      .summary = "shortest paths from each vertex, or from those of a file, by weights of any sign",
      .definition =
          "A row for each source and each vertex that it reaches, along the arcs of a directed graph: the "
          "least "
          "sum of weights over paths between them, and the vertex before the last. Each edge counts 1 where "
          "a graph "
          "has no weights. Distances are doubles, in which integers are exact up to 2^53, summed along the "
          "path; "
          "they are those of `sssp --negative`. Of several vertices that can stand before it is the smallest "
          "on a "
          "shortest path with the fewest edges. A negative cycle is an error that names its "
          "vertices, "
          "wherever it is; an undirected edge with a negative weight is one, and so is a self-loop. It is "
          "NetworkX's `johnson`. All pairs of many vertices are many rows: `--sources` takes some.",
      .examples =
          "  gossamer johnson trades.csv --columns from,to,gain --output pairs.tsv  source, target, "
          "distance, before\n"
          "  gossamer johnson roads.csv --columns from,to,length --sources towns.txt --top 10\n",
      .verifier = "paths, and no edge that shortens one",
      .rows = k_rows,
      .methods = k_methods,
      .weights = weight_use::kept};

 public:
  johnson_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.list("sources", &sources_, "the vertices where paths begin, one a line")
        .of_python("sources", "Labels of the vertices where paths begin. Default: all.");
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  vertex_list sources_;
};

answer johnson_question::compute(const graph& g, const asking& how) const {
  check_any_weights(g, how);
  std::vector<vertex_id> sources = sources_.vertices;
  if (!sources_.is_given) {
    sources.resize(g.view().vertices);
    std::iota(sources.begin(), sources.end(), vertex_id{0});
  }
  const auto found = std::make_shared<johnson_result>(johnson(g.view(), sources, how.progress));
  if (!found->cycle.empty()) refuse_cycle(g, std::nullopt, found->cycle, how);
  answer a;
  a.seconds = found->seconds;
  a.known = {{"sources", std::uint64_t{sources.size()}}, {"pairs", std::uint64_t{found->from.size()}}};
  a.sentences = {{"", plural(found->from.size(), "shortest path", "shortest paths"),
                  fmt::format(" from {}, found in {}", plural(sources.size(), "vertex", "vertices"),
                              format_duration(found->seconds))}};
  if (g.view().weights == weight_type::none) a.notes.push_back("edges have no weights: each has length 1");
  a.top = {.is_asked_for = true};
  a.verified = how.checked([&] { return verify_johnson(g.view(), sources, *found); });
  a.rows = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .values = std::move(found->from)},
        {.form = vertex_column::kind::vertices, .values = std::move(found->to)},
        {.values = std::move(found->length)},
        {.form = vertex_column::kind::vertices, .values = std::move(found->parent)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_johnson() { return std::make_unique<johnson_question>(); }

}  // namespace gossamer::graph
