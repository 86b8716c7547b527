// gossamer betweenness: which vertices lie on most shortest paths.

#include "gossamer/graph/algorithms/betweenness.hpp"

#include "commands.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "loaded.hpp"
#include "ranking.hpp"

namespace gossamer::cli {

void betweenness(session& s) {
  s.open_rows({"vertex", "score"});
  const loaded_graph g(s);
  const options& o = s.asked();
  const std::uint64_t samples = o.exact ? 0 : o.samples.value_or(0);
  const auto result = graph::sampled_betweenness(g.view(), samples, o.seed, hook(s));
  const bool exact = result.sources == graph::count_sources(g.view());
  json_object& j = s.json();
  j.set("sources", result.sources);
  j.set("exact", exact);
  s.took("run", result.seconds);
  s.say("\n{} from {} in {}", exact ? "exact," : "estimated", plural(result.sources, "source", "sources"),
        format_duration(result.seconds));
  std::vector<double> normalised;
  if (o.normalised) {
    normalised = result.scores;
    for (double& score : normalised) score *= graph::normalisation(g.view());
  }
  const std::vector<double>& scores = o.normalised ? normalised : result.scores;
  say_ranking(s, g, scores);
  if (o.verify) {
    s.steps().step("verifying");
    const auto check = graph::verify_sampled_betweenness(g.view(), samples, o.seed, result);
    s.verified(check.ok, check.reason, "Brandes");
  }
  write_ranking(s, g, scores);
}

}  // namespace gossamer::cli
