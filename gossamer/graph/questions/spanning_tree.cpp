// A minimum spanning forest.
#include "gossamer/graph/algorithms/spanning_tree.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class spanning_tree_question final : public question {
  static constexpr column_text k_columns[] = {
      {"parent",
       "The vertex that an edge of the forest joins it with, towards the root; a root is its own."}};
  static constexpr python_method k_methods[] = {
      {"spanning_tree", 0, "Result",
       "Find a spanning forest of the least weight; each edge counts 1 where the graph has no weights.",
       "The number of each vertex's parent; the smallest vertex of each tree is its own. "
       "``stats[\"weight\"]`` is the sum of weights, ``stats[\"trees\"]`` the number of trees."}};
  static constexpr question_text k_text{
      .name = "spanning-tree",
      .summary = "a spanning forest of the least weight",
      .definition =
          "A tree for each connected component, with the least sum of weights; each edge counts 1 where a "
          "graph has no weights. Weights may be negative. Of edges with equal weights those with the smaller "
          "ends are taken first, by the order in which vertices are numbered. A tree is rooted at its "
          "smallest vertex. Undirected graphs only.",
      .examples =
          "  gossamer spanning-tree roads.csv --undirected --columns from,to,length\n"
          "  gossamer spanning-tree kron:16 --output tree.tsv  vertex, parent\n",
      .verifier = "Kruskal's algorithm",
      .columns = k_columns,
      .methods = k_methods,
      .is_undirected = true,
      .weights = weight_use::kept};

 public:
  spanning_tree_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer spanning_tree_question::compute(const graph& g, const asking& how) const {
  if (g.view().weights == weight_type::none) check_for_lengths(g, how);
  const auto found = std::make_shared<spanning_tree_result>(minimum_spanning_tree(g.view(), how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"weight", found->weight},
             {"edges_taken", found->edges},
             {"trees", found->trees},
             {"rounds", found->rounds}};
  a.sentences = {{"", "weight " + format_sum(found->weight),
                  fmt::format(", {} in {}, found in {}", plural(found->edges, "edge", "edges"),
                              plural(found->trees, "tree", "trees"), format_duration(found->seconds))}};
  a.top = {.score = "parent", .how = vertex_ranking::form::counts, .is_asked_for = true};
  a.verified = how.checked([&] { return verify_spanning_tree(g.view(), *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .is_tree = true, .values = std::move(found->parent)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_spanning_tree() { return std::make_unique<spanning_tree_question>(); }

}  // namespace gossamer::graph
