// gossamer triangles: how often the neighbours of a vertex are neighbours.

#include "gossamer/graph/algorithms/triangles.hpp"

#include "commands/graph_command.hpp"
#include "commands/ranking.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_triangles_text{
    "triangles", "triangles, clustering of each vertex, and transitivity",
    "  gossamer triangles kron:16 --top 10\n"
    "  gossamer triangles friends.csv --undirected --output t.tsv  vertex, triangles, clustering\n"};

class triangles_command final : public graph_command {
 public:
  triangles_command() : graph_command(k_triangles_text) {}

 private:
  void answer(session& s) override;
};

void triangles_command::answer(session& s) {
  s.open_rows({"vertex", "triangles", "clustering"});
  const loaded_graph g = load(s);
  if (g.view().directed)
    throw error(fmt::format(
        "{}: expected an undirected graph, found a directed one: --undirected reads every edge both ways",
        graph_));
  const auto result = graph::count_triangles(g.view(), hook(s));
  s.json().set("triangles", result.total);
  s.json().set("transitivity", result.transitivity);
  s.json().set("average_clustering", result.average_clustering);
  s.took("run", result.seconds);
  s.say("\n{}, transitivity {:.6f}, average clustering {:.6f}, found in {}",
        s.colours().bold(plural(result.total, "triangle", "triangles")), result.transitivity,
        result.average_clustering, format_duration(result.seconds));
  say_counts(s, g, result.triangles, "triangles", vertices_to_list());
  if (verify_) {
    s.steps().step("verifying");
    const auto check = graph::verify_triangles(g.view(), result);
    s.verified(check.ok, check.reason, "count of common neighbours");
  }
  if (row_writer* rows = s.rows())
    for (graph::vertex_id v = 0; v < result.triangles.size(); ++v)
      rows->field(g.label_of(v)).field(result.triangles[v]).field(result.clustering[v]).end_row();
}

}  // namespace

std::unique_ptr<command> make_triangles() { return std::make_unique<triangles_command>(); }

}  // namespace gossamer::cli
