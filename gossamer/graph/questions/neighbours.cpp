// The vertices within some hops of a vertex.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/neighbourhood.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class neighbours_question final : public question {
  static constexpr column_text k_rows[] = {
      {"vertex", "A vertex near the source; the source itself is the first."},
      {"distance", "The edges of a shortest path to it."}};
  static constexpr python_method k_methods[] = {
      {"neighbours", 0, "Rows", "Find the vertices within some hops of one.",
       "Arrays by name: ``vertex`` (numbers of vertices) and ``distance``, the nearest first."}};
  static constexpr question_text k_text{
      .name = "neighbours",
      .summary = "the vertices within some hops of one, with their distances",
      .definition =
          "All vertices that are at most `--hops` edges away, along the arcs of a directed graph; the vertex "
          "itself "
          "is at distance 0. By distance, then by number. They are the vertices of NetworkX's `ego_graph`.",
      .examples =
          "  gossamer neighbours data/debian-depends.tsv.gz firefox-esr\n"
          "  gossamer neighbours friends.csv Ann --undirected --hops 2 --output near.tsv  vertex, distance\n",
      .verifier = "search",
      .rows = k_rows,
      .methods = k_methods};

 public:
  neighbours_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.vertex("source", &source_, "a vertex: whose neighbours are wanted")
        .of_python("source", "Whose neighbours are wanted.")
        .as_argument();
    p.whole("hops", &hops_, "the distance of the farthest").of_python("hops");
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  std::optional<vertex_id> source_;
  std::uint64_t hops_ = 1;
};

answer neighbours_question::compute(const graph& g, const asking& how) const {
  const auto found =
      std::make_shared<neighbourhood_result>(neighbourhood(g.view(), {*source_}, hops_, how.progress));
  std::vector<std::uint64_t> by_distance;
  for (const vertex_id d : found->distances) {
    by_distance.resize(std::max<std::size_t>(by_distance.size(), std::size_t{d} + 1));
    ++by_distance[d];
  }
  answer a;
  a.seconds = found->seconds;
  a.known = {{"source", vertex_value{*source_}},
             {"found", std::uint64_t{found->vertices.size()}},
             {"by_distance", std::move(by_distance)}};
  a.sentences = {{"", plural(found->vertices.size(), "vertex", "vertices"),
                  fmt::format(" within {} of {}, found in {}", plural(hops_, "hop", "hops"),
                              g.names().label(*source_), format_duration(found->seconds))}};
  a.verified = how.checked([&] { return verify_neighbourhood(g.view(), {*source_}, hops_, *found); });
  a.rows = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .values = std::move(found->vertices)},
        {.values = std::vector<std::uint64_t>(found->distances.begin(), found->distances.end())}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_neighbours() { return std::make_unique<neighbours_question>(); }

}  // namespace gossamer::graph
