// Shortest paths from one vertex by the weights of edges.
#include "gossamer/graph/algorithms/sssp.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/internal/search_starts.hpp"

namespace gossamer::graph {
namespace {

constexpr real_range k_width{"a width above 0", [](double w) { return w > 0; }};

// The results of the searches, and functions that return the columns of the last one.
struct found_lengths {
  std::vector<sssp_result> runs;
  check verified;
  std::function<path_lengths()> lengths;
  std::function<std::vector<vertex_id>()> parents;
};

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
          "negative, infinite or not a number is an error. With `--negative` weights have any sign: "
          "distances are doubles, in which integers are exact up to 2^53; parent(v) is the smallest vertex "
          "that can stand before it on a shortest path with the fewest edges. A negative cycle "
          "that the source reaches is an error that names its vertices; an undirected edge with a negative "
          "weight is one, and so is a self-loop, wherever it is. It is NetworkX's "
          "`single_source_bellman_ford`.",
      .examples =
          "  gossamer sssp roads.csv --columns from,to,length --source Ulm --output "
          "paths.tsv  vertex, distance, parent\n"
          "  gossamer sssp roads.gsg --trials 64   64 sources, the mean time\n"
          "Weights are lengths: 0 or more, unless --negative is given. Edges without weights have length "
          "1.\n",
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
    p.flag("negative", &negative_, "weights may be negative: by Bellman and Ford's method")
        .of_python("negative");
  }
  void check() const override {
    starts_.require(k_text.name);
    if (negative_ && delta_) throw error(fmt::format("sssp: {}", k_either));
  }
  weight_use weights() const override { return negative_ ? weight_use::kept : weight_use::lengths; }

 private:
  static constexpr std::string_view k_either =
      "expected a width of buckets (delta) or negative weights, found both";

  answer compute(const graph& g, const asking& how) const override;
  found_lengths search(const graph& g, const asking& how, const std::vector<vertex_id>& from) const;

  search_starts starts_;
  std::optional<double> delta_;
  bool negative_ = false;
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

/// Searches from each of the vertices, and verifies the results on request.
found_lengths sssp_question::search(const graph& g, const asking& how,
                                    const std::vector<vertex_id>& from) const {
  if (negative_) {
    const auto last = std::make_shared<bellman_ford_result>();
    auto [runs, verified] = starts_.run<sssp_result>(
        from, how, "sssp",
        [&](vertex_id v, const progress_hook& hook) {
          asking one = how;
          one.progress = hook;
          *last = search_of_any_weights(g, v, one);
          return last->found;
        },
        [&](const sssp_result& r) { return verify_sssp(g.view(), r, last->lengths, last->parents); });
    return {std::move(runs), std::move(verified), [last] { return path_lengths(last->lengths); },
            [last] { return last->parents; }};
  }
  const auto search = search_of_lengths(g, how, {.delta = delta_.value_or(0)});
  auto [runs, verified] = starts_.run<sssp_result>(
      from, how, "sssp", [&](vertex_id v, const progress_hook& hook) { return search->run(v, hook); },
      [&](const sssp_result& r) { return verify_sssp(g.view(), r, search->lengths(), search->parents()); });
  return {std::move(runs), std::move(verified), [search] { return search->lengths(); },
          [search] { return search->parents(); }};
}

answer sssp_question::compute(const graph& g, const asking& how) const {
  if (negative_ && delta_) how.refuse(k_either);
  const auto from = starts_.all(g.view(), seed, k_text.name);
  auto [runs, verified, lengths, parents] = search(g, how, from);
  const sssp_result& last = runs.back();
  answer a;
  a.known = {{"source", vertex_value{last.source}},
             {"reached", last.reached},
             {"traversed", last.edges},
             {"farthest", last.farthest},
             {"steps", last.steps}};
  a.sentences = {reach_of(g, starts_.are_trials() && from.size() > 1, last.source, last.reached,
                          ", the farthest at " + format_sum(last.farthest))};
  say_runs(a, runs, starts_.are_trials());
  a.top = {
      .title = "farthest", .score = "distance", .how = vertex_ranking::form::lengths, .is_asked_for = true};
  if (g.view().weights == weight_type::none) a.notes.push_back("edges have no weights: each has length 1");
  a.verified = std::move(verified);
  a.columns = [lengths = std::move(lengths), parents = std::move(parents)] {
    std::vector<vertex_column> all{
        {.has_gaps = true},
        {.form = vertex_column::kind::vertices, .has_gaps = true, .is_tree = true, .values = parents()}};
    std::visit([&](auto&& values) { all[0].values = std::move(values); }, lengths());
    return all;
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_sssp() { return std::make_unique<sssp_question>(); }

}  // namespace gossamer::graph
