// The subgraph induced by some vertices.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/neighbourhood.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class subgraph_question final : public question {
  static constexpr column_text k_rows[] = {{"source", "Where an edge begins."},
                                           {"target", "Where it ends."},
                                           {"weight", "Its weight, with --weights."}};
  static constexpr python_method k_methods[] = {{"subgraph", 0, "Rows", "Find the edges among some vertices.",
                                                 "Arrays by name: ``source``, ``target`` (numbers of "
                                                 "vertices), and ``weight`` where weights are asked for."}};
  static constexpr question_text k_text{
      .name = "subgraph",
      .summary = "the edges among some vertices, as an edge list",
      .definition =
          "The edges both of whose ends are among the vertices of a file (`--only`), those within `--hops` "
          "edges of a vertex "
          "(`--around`: NetworkX's `ego_graph`), or those of the largest connected component (`--largest`, "
          "direction ignored). Each edge of an "
          "undirected graph comes once; self-loops and duplicates are left out, as everywhere. Vertices "
          "without "
          "an edge among them are counted, and have no row.",
      .examples =
          "  gossamer subgraph web.tsv --largest --output core.tsv  source, target\n"
          "  gossamer subgraph friends.csv --undirected --around Ann --hops 2 --output near.csv\n",
      .verifier = "pass over the rows of the vertices",
      .rows = k_rows,
      .methods = k_methods,
      .weights = weight_use::kept};

 public:
  subgraph_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.list("only", &only_, "the vertices of a file, one a line").of_python("only", "Labels of the vertices.");
    p.vertex("around", &around_, "the vertices near this one")
        .of_python("around", "The vertices near this one.", "None");
    p.whole("hops", &hops_, "of --around: the distance of the farthest")
        .of_python("hops", "Of `around`: the distance of the farthest.");
    p.flag("largest", &largest_, "the vertices of the largest component").of_python("largest");
    p.flag("weights", &weights_, "with the weights of edges").of_python("weights");
  }
  std::vector<std::string> row_names() const override {
    std::vector<std::string> names = question::row_names();
    if (!weights_) names.pop_back();
    return names;
  }
  void check() const override {
    if (!is_clear()) throw error("subgraph: expected " + std::string(k_expected));
    if (has_idle_hops()) throw error("subgraph: expected " + std::string(k_hops_of));
  }

 private:
  static constexpr std::string_view k_expected =
      "one of: a list of vertices, a vertex to look around, the largest component";

  static constexpr std::string_view k_hops_of = "a number of hops only beside a vertex to look around";

  bool has_idle_hops() const { return hops_ != 1 && !around_; }
  bool is_clear() const { return int{only_.is_given} + int{around_.has_value()} + int{largest_} == 1; }
  std::vector<vertex_id> members(const graph& g, const asking& how) const;
  answer compute(const graph& g, const asking& how) const override;

  vertex_list only_;
  std::optional<vertex_id> around_;
  std::uint64_t hops_ = 1;
  bool largest_ = false, weights_ = false;
};

std::vector<vertex_id> subgraph_question::members(const graph& g, const asking& how) const {
  if (only_.is_given) return only_.vertices;
  if (around_) return neighbourhood(g.view(), {*around_}, hops_, how.progress).vertices;
  const components_result found = connected_components(g.view(), how.progress);
  std::vector<std::uint64_t> sizes(g.view().vertices);
  for (const vertex_id root : found.component) ++sizes[root];
  const auto largest = static_cast<vertex_id>(std::ranges::max_element(sizes) - sizes.begin());
  std::vector<vertex_id> all;
  for (std::uint64_t v = 0; v < g.view().vertices; ++v)
    if (found.component[v] == largest) all.push_back(static_cast<vertex_id>(v));
  return all;
}

answer subgraph_question::compute(const graph& g, const asking& how) const {
  if (!is_clear()) how.refuse(fmt::format("expected {}", k_expected));
  if (has_idle_hops()) how.refuse(fmt::format("expected {}", k_hops_of));
  if (weights_ && g.view().weights == weight_type::none) {
    check_for_lengths(g, how);
    how.refuse("expected weights, found none");
  }
  const std::vector<vertex_id> among = members(g, how);
  const auto found = std::make_shared<induced_edges>(subgraph(g.view(), among, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"members", found->vertices}, {"edges_among", std::uint64_t{found->from.size()}}};
  a.sentences = {{"", plural(found->from.size(), "edge", "edges"),
                  fmt::format(" among {}, found in {}", plural(found->vertices, "vertex", "vertices"),
                              format_duration(found->seconds))}};
  a.verified = how.checked([&] { return verify_subgraph(g.view(), among, *found); });
  a.rows = [found, has_weights = weights_] {
    constexpr auto k_vertices = vertex_column::kind::vertices;
    std::vector<vertex_column> all{{.form = k_vertices, .values = std::move(found->from)},
                                   {.form = k_vertices, .values = std::move(found->to)}};
    if (has_weights) all.push_back({.values = std::move(found->weights)});
    return all;
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_subgraph() { return std::make_unique<subgraph_question>(); }

}  // namespace gossamer::graph
