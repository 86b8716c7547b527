// Similarity of vertices by their common neighbours: of pairs, or of one vertex and all others.
#include "gossamer/graph/algorithms/similarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class similarity_question final : public question {
  static constexpr std::string_view k_measures[] = {"jaccard", "adamic-adar", "resource-allocation",
                                                    "common-neighbours", "preferential-attachment"};
  static constexpr column_text k_rows[] = {
      {"vertex", "The one of a pair."},
      {"other", "The other one."},
      {"common_neighbours", "How many neighbours both have."},
      {"jaccard", "Their share of the neighbours of either."},
      {"adamic_adar", "The sum of 1 / ln(degree) over them."},
      {"resource_allocation", "The sum of 1 / degree over them."},
      {"preferential_attachment", "The product of the degrees of the pair."}};
  static constexpr python_method k_methods[] = {
      {"similarity", 0, "Rows", "Measure how alike pairs of vertices are by their common neighbours.",
       "Arrays by name: ``vertex``, ``other`` (numbers of vertices), ``common_neighbours``, ``jaccard``, "
       "``adamic_adar``, "
       "``resource_allocation``, ``preferential_attachment``. Pairs come in their order; the vertices like "
       "one "
       "with the most like it first."}};
  static constexpr question_text k_text{
      .name = "similarity",
      .summary = "how alike vertices are by the neighbours that they have in common",
      .definition =
          "Of pairs from a file (`--pairs`), of one pair (`--of` and `--to`), or of a vertex and all that "
          "have a "
          "neighbour in common with it (`--of`), the most like it first by `--by`, then by number. Jaccard: "
          "common "
          "neighbours among those of either vertex, 0 where neither has any. Adamic-Adar: the sum of 1 / "
          "ln(degree) "
          "over common neighbours of two edges or more. Resource allocation: the sum of 1 / degree. "
          "Preferential "
          "attachment: the product of both degrees. They are NetworkX's. Weights are not looked at. "
          "Undirected graphs only.",
      .examples =
          "  gossamer similarity friends.csv --undirected --of Ann            who is like Ann?\n"
          "  gossamer similarity friends.csv --undirected --pairs pairs.tsv --output measures.tsv\n",
      .verifier = "intersection of sets",
      .rows = k_rows,
      .methods = k_methods,
      .is_undirected = true};

 public:
  similarity_question() : question(k_text) { pairs_.each = 2; }

  void declare(parameter_list& p) override {
    p.list("pairs", &pairs_, "pairs of vertices, one a line").of_python("pairs", "Pairs of labels.");
    p.vertex("of", &of_, "a vertex: with --to a pair, else with all that share a neighbour")
        .of_python("of", "A vertex, in place of pairs: with all that share a neighbour with it.", "None");
    p.vertex("to", &to_, "the other vertex of a pair")
        .of_python("to", "The other vertex: one pair alone.", "None");
    p.one_of("by", &by_, "the measure that orders the vertices like one")
        .of_python("by", "The measure that orders the vertices that are like one.");
  }
  void check() const override {
    if (!is_clear()) throw error("similarity: expected " + std::string(k_expected));
  }

 private:
  static constexpr std::string_view k_expected = "pairs, or a vertex, to which another may be given";

  bool is_clear() const { return pairs_.is_given ? !of_ && !to_ : of_.has_value(); }
  answer compute(const graph& g, const asking& how) const override;
  double score(const pair_similarity& of) const;
  void order(std::vector<vertex_id>& pairs, similarity_result& r) const;

  vertex_list pairs_;
  std::optional<vertex_id> of_, to_;
  choice by_{k_measures};
};

double similarity_question::score(const pair_similarity& of) const {
  const double all[] = {of.jaccard, of.adamic_adar, of.resource_allocation, static_cast<double>(of.common),
                        static_cast<double>(of.preferential_attachment)};
  return all[by_.picked];
}

/// Sorts the pairs of a vertex by the chosen measure, largest first.
void similarity_question::order(std::vector<vertex_id>& pairs, similarity_result& r) const {
  std::vector<std::size_t> places(r.of.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places,
                           [&](std::size_t a, std::size_t b) { return score(r.of[a]) > score(r.of[b]); });
  std::vector<vertex_id> ordered;
  std::vector<pair_similarity> measures;
  for (const std::size_t i : places) {
    ordered.insert(ordered.end(), {pairs[2 * i], pairs[2 * i + 1]});
    measures.push_back(r.of[i]);
  }
  pairs = std::move(ordered);
  r.of = std::move(measures);
}

/// Returns the columns of the answer: the pairs, then the measures.
std::vector<vertex_column> columns_of(const std::vector<vertex_id>& pairs,
                                      const std::vector<pair_similarity>& of) {
  std::vector<vertex_id> first, second;
  std::vector<std::uint64_t> common, product;
  std::vector<double> jaccard, adamic_adar, allocation;
  for (std::size_t i = 0; i < of.size(); ++i) {
    first.push_back(pairs[2 * i]);
    second.push_back(pairs[2 * i + 1]);
    common.push_back(of[i].common);
    jaccard.push_back(of[i].jaccard);
    adamic_adar.push_back(of[i].adamic_adar);
    allocation.push_back(of[i].resource_allocation);
    product.push_back(of[i].preferential_attachment);
  }
  constexpr auto k_vertices = vertex_column::kind::vertices;
  return {{.form = k_vertices, .values = std::move(first)},
          {.form = k_vertices, .values = std::move(second)},
          {.values = std::move(common)},
          {.values = std::move(jaccard)},
          {.values = std::move(adamic_adar)},
          {.values = std::move(allocation)},
          {.values = std::move(product)}};
}

answer similarity_question::compute(const graph& g, const asking& how) const {
  if (!is_clear()) how.refuse(fmt::format("expected {}", k_expected));
  const bool is_ranking = !pairs_.is_given && !to_;
  auto pairs = std::make_shared<std::vector<vertex_id>>();
  std::vector<vertex_id> like;
  if (pairs_.is_given) {
    *pairs = pairs_.vertices;
  } else if (to_) {
    *pairs = {*of_, *to_};
  } else {
    like = vertices_with_common_neighbours(g.view(), *of_);
    for (const vertex_id v : like) pairs->insert(pairs->end(), {*of_, v});
  }
  const auto found = std::make_shared<similarity_result>(similarity(g.view(), *pairs, how.progress));
  if (is_ranking) order(*pairs, *found);
  answer a;
  a.seconds = found->seconds;
  a.known = {{"pairs", std::uint64_t{found->of.size()}}};
  const std::string took = fmt::format(", found in {}", format_duration(found->seconds));
  if (is_ranking)
    a.sentences = {{"", plural(found->of.size(), "vertex", "vertices"),
                    fmt::format(" share a neighbour with {}{}", g.names().label(*of_), took)}};
  else
    a.sentences = {{"", plural(found->of.size(), "pair", "pairs"), took}};
  a.verified = how.checked([&] {
    gossamer::check right = verify_similarity(g.view(), *pairs, *found);
    if (right && is_ranking) right = verify_similar_vertices(g.view(), *of_, like);
    return right;
  });
  a.rows = [pairs, found] { return columns_of(*pairs, found->of); };
  return a;
}

}  // namespace

std::unique_ptr<question> make_similarity() { return std::make_unique<similarity_question>(); }

}  // namespace gossamer::graph
