// gossamer pagerank: which vertices matter most.

#include "gossamer/graph/algorithms/pagerank.hpp"
#include "gossamer/graph/formats/load.hpp"

#include <cmath>

#include "commands/graph_command.hpp"
#include "commands/ranking.hpp"
#include "commands/registry.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_pagerank_text{
    "pagerank", "the most important vertices by PageRank",
    "  gossamer pagerank data/debian-depends.tsv.gz --top 10\n"
    "  gossamer pagerank web.mtx --tolerance 1e-9 --output scores.tsv  vertex, score\n"};

class pagerank_command final : public graph_command {
 public:
  pagerank_command() : graph_command(k_pagerank_text) {}

 private:
  void declare_algorithm(declaration& d) override;
  void describe(json_object& j) const override;
  void answer(session& s) override;

  graph::pagerank_options how_;
};

void pagerank_command::declare_algorithm(declaration& d) {
  d.value("--tolerance", "X", "stop when the scores change less than this in sum (default 1e-6)",
          [this](const auto& option, const auto& text) {
            how_.tolerance = real_number(option, text, "a positive number",
                                         [](double x) { return std::isfinite(x) && x > 0; });
          });
  d.value("--damping", "X", "probability of following an edge (default 0.85)",
          [this](const auto& option, const auto& text) {
            how_.damping = real_number(option, text, "a number from 0 to 1, 1 excluded",
                                       [](double x) { return x >= 0 && x < 1; });
          });
  d.number("--max-iterations", how_.max_iterations, "stop after N iterations at the latest (default 1000)",
           1);
}

void pagerank_command::describe(json_object& j) const {
  graph_command::describe(j);
  j.set("options/tolerance", how_.tolerance);
  j.set("options/damping", how_.damping);
  j.set("options/max_iterations", how_.max_iterations);
}

void pagerank_command::answer(session& s) {
  s.open_rows({"vertex", "score"});
  const loaded_graph g = load(s);
  if (const std::uint64_t loops = g.whole().statistics().self_loops;
      loops != 0 && !graph::is_generator(graph_))
    s.note(fmt::format("{}: scores without its {}, which NetworkX and igraph keep", graph_,
                       plural(loops, "self-loop", "self-loops")));
  const auto result = graph::pagerank(g.view(), how_, hook(s));
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
  say_ranking(s, g, result.scores, vertices_to_list());
  if (verify_) {
    s.steps().step("verifying");
    const auto check = graph::verify_pagerank(g.view(), how_, result);
    s.verified(check.ok, check.reason, "power iteration");
  }
  write_ranking(s, g, result.scores);
}

}  // namespace

std::unique_ptr<command> make_pagerank() { return std::make_unique<pagerank_command>(); }

}  // namespace gossamer::cli
