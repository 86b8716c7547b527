// gossamer betweenness: which vertices lie on most shortest paths.

#include "gossamer/graph/algorithms/betweenness.hpp"

#include "commands/graph_command.hpp"
#include "commands/ranking.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_betweenness_text{
    "betweenness", "the vertices on most shortest paths (Brandes)",
    "  gossamer betweenness web.tsv --samples 64         from 64 sources picked by --seed\n"
    "  gossamer betweenness small.tsv --exact --json     from every vertex\n"};

class betweenness_command final : public graph_command {
 public:
  betweenness_command() : graph_command(k_betweenness_text) {}

  void check() override {
    if (!samples_ && !exact_)
      throw error(
          "betweenness: expected --samples K or --exact (gossamer betweenness --help shows examples)");
    if (samples_ && exact_) throw error("betweenness: --samples and --exact exclude each other");
    graph_command::check();
  }

 private:
  void declare_algorithm(declaration& d) override {
    d.number("--samples", samples_, "paths from K random vertices, scaled up to all", 1, k_any, "K");
    d.flag("--exact", exact_, "paths from every vertex");
    d.flag("--normalized,--normalised", normalised_, "scores as shares of all pairs, from 0 to 1");
  }
  void describe(json_object& j) const override {
    graph_command::describe(j);
    if (samples_) j.set("options/samples", *samples_);
    if (exact_) j.set("options/exact", true);
    if (normalised_) j.set("options/normalised", true);
  }
  void answer(session& s) override;

  std::optional<std::uint64_t> samples_;
  bool exact_ = false;
  bool normalised_ = false;  // from 0 to 1
};

void betweenness_command::answer(session& s) {
  s.open_rows({"vertex", "score"});
  const loaded_graph g = load(s);
  const std::uint64_t samples = samples_.value_or(0);  // 0: every vertex
  const auto result = graph::sampled_betweenness(g.view(), samples, seed_, hook(s));
  const bool exact = result.sources == graph::count_sources(g.view());
  json_object& j = s.json();
  j.set("sources", result.sources);
  j.set("exact", exact);
  s.took("run", result.seconds);
  s.say("\n{} from {} in {}", exact ? "exact," : "estimated", plural(result.sources, "source", "sources"),
        format_duration(result.seconds));
  std::vector<double> normalised;
  if (normalised_) {
    normalised = result.scores;
    for (double& score : normalised) score *= graph::normalisation(g.view());
  }
  const std::vector<double>& scores = normalised_ ? normalised : result.scores;
  say_ranking(s, g, scores, vertices_to_list());
  if (verify_) {
    s.steps().step("verifying");
    const auto check = graph::verify_sampled_betweenness(g.view(), samples, seed_, result);
    s.verified(check.ok, check.reason, "Brandes");
  }
  write_ranking(s, g, scores);
}

}  // namespace

std::unique_ptr<command> make_betweenness() { return std::make_unique<betweenness_command>(); }

}  // namespace gossamer::cli
