// Closeness and harmonic centrality.
#include "gossamer/graph/algorithms/closeness.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sampled_closeness.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class closeness_question final : public question {
  static constexpr column_text k_columns[] = {
      {"closeness",
       "The reached vertices by the sum of their distances, times the share of all that they are."},
      {"harmonic", "The sum of 1/distance over the vertices that lead to it."}};
  static constexpr python_method k_methods[] = {
      {"closeness", 0, "Result",
       "Compute closeness centrality: how near the vertices are that lead to a vertex.",
       "Closeness from 0 to 1."},
      {"harmonic", 1, "Result",
       "Compute harmonic centrality: the sum of 1/distance over the vertices that lead to a vertex.",
       "Sums, 0 where no vertex leads to one."}};
  static constexpr question_text k_text{
      .name = "closeness",
      .summary = "how near all vertices are to each: closeness and harmonic centrality",
      .definition =
          "closeness(v) = (r/s) · r/(n-1), with r the number of other vertices that have a path to v and s "
          "the sum of their distances; 0 "
          "where r is 0. harmonic(v) = Σ 1/distance(u, v) over those vertices. Each arc counts 1, weights "
          "are not looked at. Distances of a "
          "directed graph are along its arcs, towards v. They are NetworkX's `closeness_centrality` (with "
          "`wf_improved`) and "
          "`harmonic_centrality`. From K samples, drawn evenly by the seed from all vertices without "
          "repetition, both are estimated [Eppstein, Wang 2004]: the sums of the other vertices as (n-1)/K "
          "times "
          "those of the sample, without the vertex itself. Then E = √(ln(40 n) (1 - (K-2)/(n-1)) / (2 "
          "(K-1))), 1 "
          "at most, bounds the error of all vertices at once with a probability of 95 % [Hoeffding 1963; "
          "Serfling "
          "1974]: harmonic(v) is off by E (n-1) at most; the mean distance s/r, where the graph is "
          "undirected and "
          "connected, by E times twice the least eccentricity of a sampled vertex. Else closeness(v) has no "
          "bound. "
          "`--error E` takes as few samples as have that E.",
      .examples =
          "  gossamer closeness roads.csv --undirected --top 10\n"
          "  gossamer closeness web.tsv --output closeness.tsv  vertex, closeness, harmonic\n"
          "  gossamer closeness roads.csv --undirected --samples 1000   estimated, with a bound of the "
          "error\n",
      .verifier = "search from every vertex",
      .columns = k_columns,
      .methods = k_methods};

 public:
  closeness_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.whole("samples", &samples_, "estimate from K random vertices, with a bound of the error", 2, "K")
        .of_python(
            "samples",
            "Estimate from this many random vertices. ``stats`` has bounds of the error. Default: exact.");
    p.real("error", &error_, k_error, "as few samples as bound the error of a mean by E", "E")
        .of_python("error", "Estimate from as few random vertices as have this E.");
    p.whole("seed", &seed, "of the choice of samples").of_python("seed").not_in_program();
  }
  void check() const override {
    if (samples_ && error_) throw gossamer::error(fmt::format("closeness: {}", k_either));
  }

 private:
  static constexpr real_range k_error{"a number above 0 and below 1",
                                      [](double e) { return e > 0 && e < 1; }};
  static constexpr std::string_view k_either = "expected a number of samples or an error, found both";

  answer compute(const graph& g, const asking& how) const override;
  answer estimate(const graph& g, const asking& how) const;

  std::optional<std::uint64_t> samples_;
  std::optional<double> error_;
};

answer closeness_question::estimate(const graph& g, const asking& how) const {
  const closeness_sample_options options{
      .samples = samples_ ? *samples_ : samples_for_error(*error_, g.view().vertices), .seed = seed};
  const auto found =
      std::make_shared<sampled_closeness_result>(sampled_closeness(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  const bool is_exact = found->samples.size() == g.view().vertices;
  a.known = {{"sources", std::uint64_t{found->samples.size()}},
             {"exact", is_exact},
             {"harmonic_error", found->harmonic_error}};
  if (found->distance_error) a.known.push_back({"distance_error", *found->distance_error});
  a.sentences = {
      {fmt::format("{} {} in {}", is_exact ? "exact," : "estimated from",
                   plural(found->samples.size(), "search", "searches"), format_duration(found->seconds))}};
  if (!is_exact)
    a.sentences.push_back({fmt::format(
        "with a probability of {} % all are within these bounds: {:g} of harmonic centralities, {}",
        std::lround(100 * (1 - k_sampled_closeness_risk)), found->harmonic_error,
        found->distance_error ? fmt::format("{:g} of mean distances", *found->distance_error)
                              : "none of mean distances, as the graph is directed or not connected")});
  a.top = {.score = "closeness"};
  a.verified = how.checked([&] { return verify_sampled_closeness(g.view(), options, *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.values = std::move(found->closeness)},
                                      {.values = std::move(found->harmonic)}};
  };
  return a;
}

answer closeness_question::compute(const graph& g, const asking& how) const {
  if (samples_ && error_) how.refuse(k_either);
  if (samples_ || error_) return estimate(g, how);
  const closeness_options options;
  const auto found = std::make_shared<closeness_result>(closeness(g.view(), options, how.progress));
  answer a;
  a.seconds = found->seconds;
  a.known = {{"sources", std::uint64_t{found->closeness.size()}}, {"exact", true}};
  a.sentences = {{fmt::format("{} in {}", plural(found->closeness.size(), "search", "searches"),
                              format_duration(found->seconds))}};
  a.top = {.score = "closeness"};
  a.verified = how.checked([&] { return verify_closeness(g.view(), options, *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{{.values = std::move(found->closeness)},
                                      {.values = std::move(found->harmonic)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_closeness() { return std::make_unique<closeness_question>(); }

}  // namespace gossamer::graph
