// gossamer pagerank: which vertices matter most.

#include "gossamer/graph/algorithms/pagerank.hpp"

#include "commands.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "loaded.hpp"
#include "ranking.hpp"

namespace gossamer::cli {

void pagerank(session& s) {
  s.open_rows({"vertex", "score"});
  const loaded_graph g(s);
  const options& o = s.asked();
  const graph::pagerank_options how{
      .damping = o.damping, .tolerance = o.tolerance, .max_iterations = o.max_iterations};
  const auto result = graph::pagerank(g.view(), how, hook(s));
  json_object& j = s.json();
  j.set("iterations", result.iterations);
  j.set("change", result.change);
  j.set("converged", result.converged);
  s.took("run", result.seconds);
  s.say("\n{} in {}, {} {:.1e}", plural(result.iterations, "iteration", "iterations"),
        format_duration(result.seconds),
        result.converged ? "last change"
                         : s.colours().bad("stopped before the tolerance was reached: last change"),
        result.change);
  say_ranking(s, g, result.scores);
  if (o.verify) {
    s.steps().step("verifying");
    const auto check = graph::verify_pagerank(g.view(), how, result);
    s.verified(check.ok, check.reason, "power iteration");
  }
  write_ranking(s, g, result.scores);
}

}  // namespace gossamer::cli
