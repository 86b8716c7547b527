// A maximum flow between two vertices, and a minimum cut.
#include "gossamer/graph/algorithms/max_flow.hpp"

#include <fmt/format.h>

#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class max_flow_question final : public question {
  static constexpr column_text k_columns[] = {
      {"side", "0 on the source's side of the cut, 1 on the sink's."}};
  static constexpr python_method k_methods[] = {
      {.name = "max_flow",
       .column = 0,
       .type = "float",
       .summary = "Compute the value of the largest flow from one vertex to another, whose capacities are "
                  "the weights.",
       .returns = "The value of the flow, which is the capacity of a smallest cut.",
       .fact = "value"},
      {.name = "min_cut",
       .column = 0,
       .type = "Result",
       .summary = "Find a smallest cut between two vertices, by the weights of edges.",
       .returns = "0 for each vertex on the source's side, 1 on the sink's. ``stats[\"value\"]`` is the "
                  "capacity of the cut, "
                  "``stats[\"cut_edges\"]`` the number of its edges."}};
  static constexpr question_text k_text{
      .name = "max-flow",
      .summary = "the largest flow from one vertex to another, and a smallest cut between them",
      .definition =
          "Weights are capacities; an undirected edge carries its capacity either way. An edge without a "
          "capacity is unbounded, so a graph without weights has no largest flow where a path leads to the "
          "sink: `--unit` gives each edge a capacity of 1, and the answer is the number of paths "
          "without a common edge. Of several smallest cuts it is the one with the fewest vertices on the "
          "sink's side: those from which more could reach it, as NetworkX's `minimum_cut` has it. Weights of "
          "parallel edges of a text or a `.wsg` file are added up, unless `--duplicates` says otherwise. The "
          "value is the sum of the capacities of the cut in the order of its edges. With `--edges` the "
          "answer is of the edges that carry something, "
          "and how "
          "much, in the way in which they carry it: `--output` has a row for each, NetworkX's "
          "`maximum_flow`. Of "
          "several largest flows it is the same on any number of cores. Over several processes the "
          "network is gathered in the first one.",
      .examples =
          "  gossamer max-flow pipes.csv well town --columns from,to,litres\n"
          "  gossamer max-flow data/debian-depends.tsv.gz firefox-esr libc6 --unit --output sides.tsv  "
          "vertex, side\n"
          "  gossamer max-flow pipes.csv well town --columns from,to,litres --edges -o flow.csv  source, "
          "target, "
          "flow\n",
      .verifier = "run of Dinitz' algorithm",
      .columns = k_columns,
      .methods = k_methods,
      .weights = weight_use::capacities};

 public:
  max_flow_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.vertex("source", &source_, "a vertex: where the flow begins")
        .of_python("source", "Where the flow begins.")
        .as_argument();
    p.vertex("sink", &sink_, "another vertex: where the flow ends")
        .of_python("sink", "Where the flow ends.")
        .as_argument();
    p.flag("unit", &unit_, "each edge has a capacity of 1, whatever its weight").of_python("unit");
    p.flag("edges", &edges_, "what each edge carries");
  }
  weight_use weights() const override { return unit_ ? weight_use::counted : weight_use::capacities; }
  std::vector<std::string> row_names() const override {
    if (edges_) return {"source", "target", "flow"};
    return {};
  }

 private:
  answer compute(const graph& g, const asking& how) const override;
  max_flow_result flow(const graph& g, const asking& how) const;

  std::optional<vertex_id> source_, sink_;
  bool unit_ = false, edges_ = false;
};

max_flow_result max_flow_question::flow(const graph& g, const asking& how) const {
  const bool is_bounded = unit_ || g.view().weights != weight_type::none;
  if (!unit_) check_for_lengths(g, how);
  if (*source_ == *sink_) how.refuse("expected two vertices, found one as source and sink");
  if (!unit_ && is_bounded)
    if (const auto bad = find_bad_length(g.view()))
      how.refuse(fmt::format("expected weights of 0 or more, as they are capacities, found {} from {} to {}",
                             bad->weight, g.names().label(bad->from), g.names().label(bad->to)));
  max_flow_result r = max_flow(g.view(), *source_, *sink_,
                               {.unit_capacities = !is_bounded || unit_, .edges = edges_}, how.progress);
  if (!is_bounded && r.value > 0)
    how.refuse(fmt::format("the flow is unbounded, as edges have no weights: {} gives each a capacity of 1",
                           how.graph_name.empty() ? "unit=True" : "--unit"));
  return r;
}

answer max_flow_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<max_flow_result>(flow(g, how));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"source", vertex_value{*source_}},
             {"sink", vertex_value{*sink_}},
             {"value", found->value},
             {"cut_edges", found->cut_arcs},
             {"source_side", g.view().vertices - found->sink_side},
             {"sink_side", found->sink_side},
             {"rounds", found->rounds},
             {"pushes", found->pushes},
             {"relabels", found->raises}};
  a.sentences = {{"", format_sum(found->value),
                  fmt::format(" from {} to {}, found in {}", g.names().label(*source_),
                              g.names().label(*sink_), format_duration(found->seconds))},
                 {fmt::format("a cut of {}: {} on the source's side, {} on the sink's",
                              plural(found->cut_arcs, "edge", "edges"),
                              plural(g.view().vertices - found->sink_side, "vertex", "vertices"),
                              plural(found->sink_side, "vertex", "vertices"))}};
  a.top = {.score = "side", .how = vertex_ranking::form::counts, .is_asked_for = true};
  const bool is_unit = unit_ || g.view().weights == weight_type::none;
  a.verified = how.checked([&] {
    return verify_max_flow(g.view(), *source_, *sink_, {.unit_capacities = is_unit, .edges = edges_}, *found);
  });
  if (edges_) {
    a.rows = [found] {
      return std::vector<vertex_column>{
          {.form = vertex_column::kind::vertices, .values = std::move(found->carried.from)},
          {.form = vertex_column::kind::vertices, .values = std::move(found->carried.to)},
          {.values = std::move(found->carried.flow)}};
    };
    return a;
  }
  a.columns = [found] {
    return std::vector<vertex_column>{
        {.values = std::vector<std::uint64_t>(found->side.begin(), found->side.end())}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_max_flow() { return std::make_unique<max_flow_question>(); }

}  // namespace gossamer::graph
