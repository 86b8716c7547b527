// Shortest paths from one vertex by the weights of edges.
#include "gossamer/graph/algorithms/sssp.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/internal/search_starts.hpp"

namespace gossamer::graph {
namespace {

constexpr real_range k_width{"a width above 0", [](double w) { return w > 0; }};

class sssp_question final : public question {
  static constexpr column_text k_columns[] = {
      {"distance", "The length of a shortest path from the source; none where there is no way."},
      {"parent", "The vertex before it on that path; the source is its own."}};
  static constexpr python_method k_methods[] = {
      {"sssp", 0, "Distances",
       "Find shortest paths from a vertex by the sum of weights; each edge counts 1 where the graph has no "
       "weights.",
       "int64 where weights are integers, -1 where there is no way; else float64, infinite where there is "
       "none. With ``parents``."}};
  static constexpr question_text k_text{
      .name = "sssp",
      .summary = "shortest paths from a vertex by the weights of edges",
      .definition =
          "distance(v) is the least sum of weights over paths from the source, 0 for itself; each edge "
          "counts 1 where a graph has no weights, and a note says so. Integers where weights are integers, "
          "else doubles, summed along the path from the source: the same on any number of cores. parent(v) "
          "is the vertex before: of several the smallest, and one that is nearer before one that is as "
          "near by an edge of weight 0. It is NetworkX's `single_source_dijkstra`; a weight that is "
          "negative, infinite or not a number is an error.",
      .examples =
          "  gossamer sssp roads.csv --columns from,to,length --source Ulm --output "
          "paths.tsv  vertex, distance, parent\n"
          "  gossamer sssp roads.gsg --trials 64   64 sources, the mean time\n"
          "Weights are lengths: 0 or more. Edges without weights have length 1.\n",
      .verifier = "paths, and no edge that shortens one",
      .columns = k_columns,
      .methods = k_methods,
      .weights = weight_use::lengths};

 public:
  sssp_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    starts_.declare(p, "repeat N times, from random sources unless --source is given");
    p.real("delta", &delta_, k_width, "width of a bucket of lengths (default: by weights and degrees)", "W")
        .of_python("delta",
                   "The width of a bucket of lengths; it changes the time, not the answer. Default: by "
                   "weights and degrees.");
  }
  void check() const override { starts_.require(k_text.name); }

 private:
  answer compute(const graph& g, const asking& how) const override;

  search_starts starts_;
  std::optional<double> delta_;
};

void say_runs(answer& a, const std::vector<sssp_result>& runs, bool are_trials) {
  for (const auto& r : runs) a.seconds += r.seconds;
  const double mean = a.seconds / static_cast<double>(runs.size());
  a.known.push_back({"seconds_each", mean});
  if (!are_trials) {
    a.sentences.push_back(
        {fmt::format("{} in {}", plural(runs.back().edges, "edge", "edges"), format_duration(a.seconds))});
    return;
  }
  std::vector<facts> trials;
  for (const auto& r : runs)
    trials.push_back({{"source", vertex_value{r.source}},
                      {"reached", r.reached},
                      {"farthest", r.farthest},
                      {"steps", r.steps},
                      {"seconds", r.seconds}});
  a.known.push_back({"trials", std::move(trials)});
  a.sentences.push_back({fmt::format("{} in {}: {} each", plural(runs.size(), "trial", "trials"),
                                     format_duration(a.seconds), format_duration(mean))});
}

answer sssp_question::compute(const graph& g, const asking& how) const {
  const auto from = starts_.all(g.view(), seed, k_text.name);
  const auto search = search_of_lengths(g, how, {.delta = delta_.value_or(0)});
  auto [runs, verified] = starts_.run<sssp_result>(
      from, how, "sssp", [&](vertex_id v, const progress_hook& hook) { return search->run(v, hook); },
      [&](const sssp_result& r) { return verify_sssp(g.view(), r, search->lengths(), search->parents()); });
  const sssp_result& last = runs.back();
  answer a;
  a.known = {{"source", vertex_value{last.source}},
             {"reached", last.reached},
             {"traversed", last.edges},
             {"farthest", last.farthest},
             {"steps", last.steps}};
  a.sentences = {reach_of(g, starts_.are_trials() && from.size() > 1, last.source, last.reached,
                          fmt::format(", the farthest at {:g}", last.farthest))};
  say_runs(a, runs, starts_.are_trials());
  a.top = {
      .title = "farthest", .score = "distance", .how = vertex_ranking::form::lengths, .is_asked_for = true};
  if (g.view().weights == weight_type::none) a.notes.push_back("edges have no weights: each has length 1");
  a.verified = std::move(verified);
  a.columns = [search] {
    std::vector<vertex_column> all{{.has_gaps = true},
                                   {.form = vertex_column::kind::vertices,
                                    .has_gaps = true,
                                    .is_tree = true,
                                    .values = search->parents()}};
    std::visit([&](auto&& lengths) { all[0].values = std::move(lengths); }, search->lengths());
    return all;
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_sssp() { return std::make_unique<sssp_question>(); }

}  // namespace gossamer::graph
