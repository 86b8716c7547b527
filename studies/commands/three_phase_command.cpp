// gossamer-studies three-phase-components: connected components by searches that insert pairs of labels into
// a shared set.

#include <string>
#include <utility>

#include "commands/graph_command.hpp"
#include "commands/shared_structures.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "studies/commands/studies.hpp"
#include "studies/three_phase_components.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;

constexpr command_text k_three_phase_text{
    "three-phase-components", "connected components by searches that meet, with a set of all cores",
    "  gossamer-studies three-phase-components kron:18 --verify\n"
    "  gossamer-studies three-phase-components kron:16 --combining off\n"};

class three_phase_command final : public graph_command {
 public:
  three_phase_command() : graph_command(k_three_phase_text) {}
  void describe(json_object& j) const override {
    graph_command::describe(j);
    if (!kind_.empty()) j.set("options/kind", kind_);
    if (!combining_.empty()) j.set("options/combining", combining_);
  }

 private:
  void declare_algorithm(declaration& d) override {
    declare_combining(d, combining_, "the set");
    d.word(
        "--kind", "KIND", kind_,
        "of insertions: set (default), each answered; set-staged, put aside and sent at the end of the phase",
        {"set", "set-staged"});
  }
  void declare_output(declaration&) override {}
  job_options job() const override { return with_combining(graph_command::job(), combining_); }
  void answer(session& s) override;

  std::string combining_;  // empty: that of the job
  std::string kind_;  // set (also when empty) or set-staged
};

void three_phase_command::answer(session& s) {
  const loaded_graph g = load(s);
  const auto result = three_phase_components(g.view(), hook(s), {.staged = kind_ == "set-staged"});
  s.json().set("components", result.components);
  s.json().set("largest", result.largest);
  s.json().set_array("sizes");
  for (const auto& [size, count] : result.sizes) {
    json_object row;
    row.set("size", size);
    row.set("components", count);
    s.json().append("sizes", std::move(row));
  }
  s.took("run", result.seconds);
  s.say("\n{}, the largest of {}, found in {}",
        s.colours().bold(plural(result.components, "component", "components")),
        plural(result.largest, "vertex", "vertices"), format_duration(result.seconds));
  if (!verify_) return;
  s.step("verifying");
  s.verified(graph::verify_components(g.view(), result), "union-find over all edges");
}

}  // namespace

std::unique_ptr<cli::command> make_three_phase_components() {
  return std::make_unique<three_phase_command>();
}

}  // namespace gossamer::studies
