// Truss numbers.
#include "gossamer/graph/algorithms/truss.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class truss_question final : public question {
  static constexpr column_text k_columns[] = {
      {"truss", "The largest truss number of its edges; 0 where it has none."}};
  static constexpr python_method k_methods[] = {
      {"truss", 0, "Result", "Compute truss numbers, by peeling.",
       "The largest truss number of each vertex's edges, 0 where it has none. ``stats[\"largest\"]`` is the "
       "largest of all, ``stats[\"innermost\"]`` how many edges have it. `k_truss` returns the edges of one "
       "truss."}};
  static constexpr question_text k_text{
      .name = "truss",
      .summary = "truss numbers: the parts of a graph with the most triangles, by peeling",
      .definition =
          "The truss number of an edge is the largest k such that it belongs to a subgraph in which every "
          "edge is in k - 2 triangles or more: the edges of NetworkX's `k_truss(G, k)` are those with k or "
          "more. An edge that is in no triangle has 2. truss(v) is the largest of the edges of v, 0 where it "
          "has none. Undirected graphs only.",
      .examples =
          "  gossamer truss kron:14 --top 10\n"
          "  gossamer truss friends.csv --undirected --output truss.tsv  vertex, truss\n",
      .verifier = "peeling of one edge after the other",
      .columns = k_columns,
      .methods = k_methods,
      .is_undirected = true};

 public:
  truss_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer truss_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<truss_result>(truss_numbers(g.view(), how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"largest", std::uint64_t{found->largest}},
             {"innermost", found->innermost},
             {"distinct", found->levels}};
  a.sentences = {{"", fmt::format("{}-truss", format_count(found->largest)),
                  fmt::format(" of {}, found in {}", plural(found->innermost, "edge", "edges"),
                              format_duration(found->seconds))}};
  a.top = {.score = "truss", .how = vertex_ranking::form::counts};
  a.verified = how.checked([&] { return verify_truss(g.view(), *found); });
  a.columns = [found] { return std::vector<vertex_column>{{.values = std::move(found->truss)}}; };
  return a;
}

}  // namespace

std::unique_ptr<question> make_truss() { return std::make_unique<truss_question>(); }

}  // namespace gossamer::graph
