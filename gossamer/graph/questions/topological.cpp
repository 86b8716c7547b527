// A topological order, or a cycle.
#include "gossamer/graph/algorithms/topological.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class topological_question final : public question {
  static constexpr column_text k_columns[] = {
      {"position", "Its place in the order, from 0; none for a vertex on a cycle or behind one."},
      {"level", "The arcs of the longest path that ends there; none as above."}};
  static constexpr python_method k_methods[] = {
      {"topological", 0, "Result", "Order the vertices so that every arc leads to a later one.",
       "Places from 0, by level and then by number; ``levels`` are the longest paths that end at each. "
       "``stats[\"acyclic\"]`` says whether all have a place; else ``stats[\"cycle\"]`` is one of the "
       "cycles by its vertices' numbers, and vertices on a cycle or behind one have -1."},
      {.name = "find_cycle",
       .column = 0,
       .type = "list[Any]",
       .summary = "Find a cycle of a directed graph.",
       .returns = "The labels of its vertices, along its arcs; empty where there is no cycle of two or more "
                  "vertices.",
       .fact = "cycle"}};
  static constexpr question_text k_text{
      .name = "topological",
      .summary = "an order in which every arc leads forward, or a cycle",
      .definition =
          "level(v) is the number of arcs of the longest path that ends at v, 0 where no arc leads to v: "
          "NetworkX's `topological_generations`. Vertices are ordered by level, then by number. Those on a "
          "cycle, and those that a cycle leads to, have no place: then one cycle is named, which is no "
          "error. A self-loop is a cycle, too; those are counted, not kept. An undirected graph is refused.",
      .examples =
          "  gossamer topological data/debian-depends.tsv.gz\n"
          "  gossamer topological tasks.csv --output order.tsv  vertex, position, level\n",
      .verifier = "run of Kahn's algorithm",
      .columns = k_columns,
      .methods = k_methods,
      .is_directed = true};

 public:
  topological_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

/// Formats a cycle: all of its vertices, or the first ones.
std::string shown_cycle(const graph& g, const std::vector<vertex_id>& cycle) {
  constexpr std::size_t k_most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), k_most); ++i) text += g.names().label(cycle[i]) + " → ";
  return text + (cycle.size() > k_most ? "… → " : "") + g.names().label(cycle.front());
}

answer topological_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<topological_result>(topological_order(g.view(), how.progress));
  const std::uint64_t loops = g.statistics().self_loops, vertices = g.view().vertices;
  answer a;
  a.seconds = found->seconds;
  a.known = {{"acyclic", found->cycle.empty() && loops == 0},
             {"levels", found->levels},
             {"ordered", found->ordered},
             {"self_loops", loops}};
  std::vector<vertex_value> cycle;
  for (const vertex_id v : found->cycle) cycle.push_back({v});
  a.known.push_back({"cycle", std::move(cycle)});
  const std::string took = fmt::format(", found in {}", format_duration(found->seconds));
  if (found->cycle.empty()) {
    a.sentences = {{"", plural(found->levels, "level", "levels"),
                    fmt::format(" of {}{}", plural(vertices, "vertex", "vertices"), took)}};
  } else {
    a.sentences = {{"", "cyclic",
                    fmt::format(": {} on a cycle or behind one{}",
                                plural(vertices - found->ordered, "vertex is", "vertices are"), took)},
                   {fmt::format("a cycle of {}: {}", plural(found->cycle.size(), "vertex", "vertices"),
                                shown_cycle(g, found->cycle))}};
  }
  if (loops != 0)
    a.sentences.push_back({fmt::format("{} not kept; a self-loop is a cycle of one vertex",
                                       plural(loops, "self-loop was", "self-loops were"))});
  a.top = {
      .score = "position", .how = vertex_ranking::form::counts, .is_asked_for = true, .is_ascending = true};
  a.verified = how.checked([&] { return verify_topological(g.view(), *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.has_gaps = true, .values = std::move(found->position)},
                                      {.has_gaps = true, .values = std::move(found->level)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_topological() { return std::make_unique<topological_question>(); }

}  // namespace gossamer::graph
