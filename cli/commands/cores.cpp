// gossamer cores: how densely a graph holds together.

#include "gossamer/graph/algorithms/cores.hpp"

#include "commands/graph_command.hpp"
#include "commands/ranking.hpp"
#include "commands/registry.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_cores_text{"cores", "core numbers: the densest parts of a graph, by peeling",
                                    "  gossamer cores data/debian-depends.tsv.gz --top 10\n"
                                    "  gossamer cores web.tsv --output cores.tsv  vertex, core\n"};

class cores_command final : public graph_command {
 public:
  cores_command() : graph_command(k_cores_text) {}

 private:
  void answer(session& s) override;
};

void cores_command::answer(session& s) {
  s.open_rows({"vertex", "core"});
  const loaded_graph g = load(s);
  const auto result = graph::core_numbers(g.view(), hook(s));
  s.json().set("degeneracy", std::uint64_t{result.degeneracy});
  s.json().set("innermost", result.innermost);
  s.json().set("distinct", result.levels);
  s.took("run", result.seconds);
  s.say("\n{} of {}, found in {}", s.colours().bold(fmt::format("{}-core", format_count(result.degeneracy))),
        plural(result.innermost, "vertex", "vertices"), format_duration(result.seconds));
  say_counts(s, g, result.core, "core", vertices_to_list());
  if (verify_) {
    s.steps().step("verifying");
    const auto check = graph::verify_cores(g.view(), result);
    s.verified(check.ok, check.reason, "peeling");
  }
  if (row_writer* rows = s.rows())
    for (graph::vertex_id v = 0; v < result.core.size(); ++v)
      rows->field(g.label_of(v)).field(std::uint64_t{result.core[v]}).end_row();
}

}  // namespace

std::unique_ptr<command> make_cores() { return std::make_unique<cores_command>(); }

}  // namespace gossamer::cli
