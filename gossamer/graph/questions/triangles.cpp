// Triangles and clustering.
#include "gossamer/graph/algorithms/triangles.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class triangles_question final : public question {
  static constexpr column_text k_columns[] = {
      {"triangles", "How many triangles it belongs to."},
      {"clustering", "The share of the pairs of its neighbours that are joined; 0 where it has no pair."}};
  static constexpr python_method k_methods[] = {
      {"triangles", 0, "Result", "Count the triangles that each vertex belongs to.",
       "Counts; ``stats[\"triangles\"]`` counts each triangle once, ``stats[\"transitivity\"]`` and "
       "``stats[\"average_clustering\"]`` are as NetworkX defines them."},
      {"clustering", 1, "Result",
       "Compute the clustering of each vertex: the share of its pairs of neighbours that are joined.",
       "Shares, 0 where a vertex has no pair of neighbours; ``stats`` as of `triangles`."}};
  static constexpr networkx_function k_networkx[] = {{"triangles", "nodes=None", 0, false},
                                                     {"clustering", "nodes=None, weight=None", 1, false}};
  static constexpr question_text k_text{
      .name = "triangles",
      .summary = "triangles, clustering of each vertex, and transitivity",
      .definition =
          "Sets of three vertices that are joined to one another, in undirected graphs; a directed one is "
          "refused. clustering(v) = triangles(v) by pairs of neighbours of v, 0 where there is no pair; "
          "the average is over all vertices. Transitivity = 3 · triangles by paths of two edges, 0 where "
          "there is none. They are NetworkX's `triangles`, `clustering`, `average_clustering` and "
          "`transitivity`.",
      .examples =
          "  gossamer triangles kron:16 --top 10\n"
          "  gossamer triangles friends.csv --undirected --output t.tsv  vertex, triangles, clustering\n",
      .verifier = "count of common neighbours",
      .columns = k_columns,
      .methods = k_methods,
      .networkx = k_networkx,
      .is_undirected = true};

 public:
  triangles_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer triangles_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<triangles_result>(count_triangles(g.view(), how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"triangles", found->total},
             {"transitivity", found->transitivity},
             {"average_clustering", found->average_clustering}};
  a.sentences = {
      {"", plural(found->total, "triangle", "triangles"),
       fmt::format(", transitivity {:.6f}, average clustering {:.6f}, found in {}", found->transitivity,
                   found->average_clustering, format_duration(found->seconds))}};
  a.top = {.score = "triangles", .how = vertex_ranking::form::counts};
  a.verified = how.checked([&] { return verify_triangles(g.view(), *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.values = std::move(found->triangles)},
                                      {.values = std::move(found->clustering)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_triangles() { return std::make_unique<triangles_question>(); }

}  // namespace gossamer::graph
