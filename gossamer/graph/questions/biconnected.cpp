// Biconnected components.
#include "gossamer/graph/algorithms/biconnected.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class biconnected_question final : public question {
  static constexpr column_text k_columns[] = {
      {"blocks", "How many biconnected components it belongs to."},
      {"articulation", "1 for an articulation point, which belongs to several; 0 for others."},
      {"bridge",
       "The other end of its bridge towards the smallest vertex of its connected component; none where there "
       "is no such bridge."},
      {"block",
       "The biconnected component towards that vertex, by the smallest of its vertices but the head; none "
       "for the smallest vertex itself."},
      {"head", "The vertex of that component that is nearest to the smallest one."}};
  static constexpr python_method k_methods[] = {
      {"biconnected", 0, "Result",
       "Find biconnected components: the largest sets of edges of which any two lie on a common cycle.",
       "How many each vertex belongs to. ``stats[\"blocks\"]``, ``stats[\"articulation_points\"]`` and "
       "``stats[\"bridges\"]`` count, ``stats[\"largest\"]`` is the number of vertices of the largest "
       "component. ``blocks`` and ``heads`` hold the block and the head of each vertex, by the numbers of "
       "vertices; -1 for the smallest vertex of each connected component."},
      {"articulation_points", 1, "Result", "Find the vertices without which their component falls apart.",
       "1 for each of them, 0 for others; ``stats`` as of `biconnected`."},
      {"bridges", 2, "Result", "Find the edges without which their component falls apart.",
       "For each vertex the number of the other end of its bridge towards the smallest vertex of its "
       "connected component, -1 where there is none: each bridge comes once. ``stats`` as of "
       "`biconnected`."}};
  static constexpr question_text k_text{
      .name = "biconnected",
      .summary = "biconnected components, articulation points and bridges",
      .definition =
          "A biconnected component is a largest set of edges of which any two lie on a common simple cycle; "
          "a vertex without edges is in none. An articulation point belongs to several, and a bridge is one "
          "by itself. Components and the vertices that they share are a forest, rooted at the smallest "
          "vertex of each connected component. `block` names the component above a vertex, by the smallest "
          "of its vertices but the head; `head` is its vertex nearest to the root. So the vertices with one "
          "`block` and their `head` are a component, and `bridge` lists each bridge once. Edges that a file "
          "gives more than once are one edge, which may be a bridge. They are NetworkX's "
          "`biconnected_components`, `articulation_points` and `bridges`. Undirected graphs only.",
      .examples =
          "  gossamer biconnected roads.csv --undirected\n"
          "  gossamer biconnected kron:16 --output b.tsv  vertex, blocks, articulation, bridge, block, "
          "head\n",
      .verifier = "depth-first search by Hopcroft and Tarjan",
      .columns = k_columns,
      .methods = k_methods,
      .is_undirected = true};

 public:
  biconnected_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

/// Returns 1 for each vertex of several blocks.
std::vector<vertex_id> articulation_points(const std::vector<vertex_id>& memberships) {
  std::vector<vertex_id> points(memberships);
  for (vertex_id& each : points) each = each > 1;
  return points;
}

answer biconnected_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<biconnected_result>(biconnected_components(g.view(), how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"blocks", found->blocks},
             {"articulation_points", found->articulation_points},
             {"bridges", found->bridges},
             {"largest", found->largest}};
  a.sentences = {
      {"", plural(found->blocks, "biconnected component", "biconnected components"),
       fmt::format(", the largest of {}; {}, {}; found in {}", plural(found->largest, "vertex", "vertices"),
                   plural(found->articulation_points, "articulation point", "articulation points"),
                   plural(found->bridges, "bridge", "bridges"), format_duration(found->seconds))}};
  a.top = {.score = "blocks", .how = vertex_ranking::form::counts};
  a.verified = how.checked([&] { return verify_biconnected(g.view(), *found); });
  a.columns = [found] {
    constexpr auto vertices = vertex_column::kind::vertices;
    std::vector<vertex_id> points = articulation_points(found->memberships);
    return std::vector<vertex_column>{
        {.values = std::move(found->memberships)},
        {.values = std::move(points)},
        {.form = vertices, .has_gaps = true, .values = std::move(found->bridge)},
        {.form = vertices, .has_gaps = true, .values = std::move(found->block)},
        {.form = vertices, .has_gaps = true, .values = std::move(found->head)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_biconnected() { return std::make_unique<biconnected_question>(); }

}  // namespace gossamer::graph
