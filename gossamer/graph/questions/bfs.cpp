// Breadth-first search: distances from one vertex, and the speed of the search.
#include "gossamer/graph/algorithms/bfs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/internal/search_starts.hpp"

namespace gossamer::graph {
namespace {

/// Formats a rate with at least three significant digits.
std::string rate_text(double mteps) {
  return mteps < 10 ? fmt::format("{:.3g}", mteps) : fmt::format("{:.1f}", mteps);
}

/// Returns a table of the number of vertices of each level. Many levels are grouped into at most 20 ranges.
text_table level_table(const bfs_result& r) {
  constexpr std::size_t k_most_rows = 20;
  const std::size_t levels = r.levels.size(), width = (levels + k_most_rows - 1) / k_most_rows;
  text_table table{.titles = {width > 1 ? "levels" : "level", "vertices", "share"}};
  for (std::size_t first = 0; first < levels; first += width) {
    const std::size_t last = std::min(first + width, levels) - 1;
    std::uint64_t vertices = 0;
    for (std::size_t level = first; level <= last; ++level) vertices += r.levels[level];
    table.rows.push_back(
        {first == last ? format_count(first) : fmt::format("{}–{}", format_count(first), format_count(last)),
         format_count(vertices), percent(static_cast<double>(vertices), static_cast<double>(r.reached))});
  }
  return table;
}

class bfs_question final : public question {
  static constexpr column_text k_columns[] = {
      {"level", "Its distance from the source, in edges; none where there is no way."},
      {"parent", "The vertex from which it was reached; the source is its own."}};
  static constexpr python_method k_methods[] = {
      {"bfs", 0, "Levels", "Search breadth-first from a vertex.",
       "The distance of each vertex in edges, -1 where it was not reached; ``parents``, a tree."}};
  static constexpr question_text k_text{
      .name = "bfs",
      .summary = "breadth-first levels from a vertex, and the speed of the search",
      .definition =
          "level(v) is the number of arcs on a shortest path from the source. A directed graph is followed "
          "along its arcs only.",
      .examples =
          "  gossamer bfs data/debian-depends.tsv.gz --source firefox-esr\n"
          "  gossamer bfs web.tsv --source 1 --output levels.csv  vertex, level, parent\n"
          "  gossamer bfs kron:20 --trials 64                     64 sources, harmonic mean, as Graph500 "
          "does\n",
      .verifier = "search and Graph500's rules",
      .columns = k_columns,
      .methods = k_methods,
      .takes_either_way = true};

 public:
  bfs_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    starts_.declare(p, "repeat N times, from random sources unless --source is given; harmonic mean");
  }
  void check() const override { starts_.require(k_text.name); }

 private:
  answer compute(const graph& g, const asking& how) const override;
  void say_speed(answer& a, const std::vector<bfs_result>& runs) const;

  search_starts starts_;
};

void bfs_question::say_speed(answer& a, const std::vector<bfs_result>& runs) const {
  std::vector<double> mteps;
  for (const auto& r : runs) {
    mteps.push_back(r.mteps());
    a.seconds += r.seconds;
  }
  const double mean = harmonic_mean(mteps);
  a.known.push_back({"mteps", mean});
  const std::string time = format_duration(a.seconds);
  if (!starts_.are_trials()) {
    a.sentences.push_back({fmt::format("{} in {}: {} MTEPS", plural(runs.front().edges, "edge", "edges"),
                                       time, rate_text(mean))});
    return;
  }
  std::vector<facts> trials;
  for (const auto& r : runs)
    trials.push_back({{"source", vertex_value{r.source}},
                      {"reached", r.reached},
                      {"levels", std::uint64_t{r.levels.size()}},
                      {"mteps", r.mteps()},
                      {"seconds", r.seconds}});
  a.known.push_back({"trials", std::move(trials)});
  std::sort(mteps.begin(), mteps.end());
  const double median = (mteps[(mteps.size() - 1) / 2] + mteps[mteps.size() / 2]) / 2;
  a.sentences.push_back({fmt::format("{} in {}: {} MTEPS (harmonic mean; least {}, median {}, most {})",
                                     plural(runs.size(), "trial", "trials"), time, rate_text(mean),
                                     rate_text(mteps.front()), rate_text(median), rate_text(mteps.back()))});
}

answer bfs_question::compute(const graph& g, const asking& how) const {
  const auto from = starts_.all(g.view(), seed, k_text.name);
  const auto search = std::make_shared<bfs>(g.view());
  auto [runs, verified] = starts_.run<bfs_result>(
      from, how, "bfs", [&](vertex_id v, const progress_hook& hook) { return search->run(v, hook); },
      [&](const bfs_result& r) { return verify_bfs(g.view(), r, search->parents()); });
  const bfs_result& last = runs.back();  // the run whose parents the search still has
  answer a;
  a.known = {{"source", vertex_value{last.source}},
             {"levels", last.levels},
             {"reached", last.reached},
             {"traversed", last.edges}};
  a.sentences = {reach_of(g, starts_.are_trials() && from.size() > 1, last.source, last.reached,
                          fmt::format(" within {}", plural(last.levels.size() - 1, "level", "levels")))};
  a.tables = {level_table(last)};
  say_speed(a, runs);
  a.top = {.title = "farthest", .score = "level", .how = vertex_ranking::form::counts, .is_asked_for = true};
  a.verified = std::move(verified);
  a.columns = [search, source = last.source] {
    const std::span<const vertex_id> parents = search->parents();
    return std::vector<vertex_column>{{.has_gaps = true, .values = levels_of(parents, source)},
                                      {.form = vertex_column::kind::vertices,
                                       .has_gaps = true,
                                       .is_tree = true,
                                       .values = std::vector(parents.begin(), parents.end())}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_bfs() { return std::make_unique<bfs_question>(); }

}  // namespace gossamer::graph
