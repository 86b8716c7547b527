// gossamer-studies uts-reads: builds an unbalanced tree in global memory, then traverses it by reads that
// wait.

#include <optional>
#include <string>

#include "commands/tree_command.hpp"
#include "gossamer/kernels/uts_memory.hpp"
#include "studies/commands/studies.hpp"
#include "studies/commands/tasks_option.hpp"
#include "studies/uts_reads.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;
using kernels::uts_memory;

constexpr command_text k_uts_reads_text{
    "uts-reads", "build an unbalanced tree in global memory, then traverse it by reads that wait",
    "  gossamer-studies uts-reads T1 --beside-walker\n"
    "  gossamer-studies sweep --set cache=1..32 -n 4 --cores 2 -- uts-reads T1 --children-cache {cache}\n"};

class uts_reads_command final : public tree_command {
 public:
  uts_reads_command() : tree_command(k_uts_reads_text) {}

 private:
  void declare_own(declaration& d) override {
    tree_command::declare_own(d);
    d.section("The traversal");
    d.number("--children-cache", cache_, "most siblings and cousins that one read brings (default 8)", 1,
             uts_reads_options::k_largest_cache);
    declare_tasks(d, tasks_);
    d.flag("--beside-walker", beside_,
           "also traverse as gossamer uts-mem does, and tell how many times as long the reads take");
  }
  void describe(json_object& j) const override {
    tree_command::describe(j);
    j.set("options/children_cache", cache_);
    if (!tasks_.empty()) j.set("options/tasks", tasks_);
  }
  void answer(session& s) override;

  std::uint64_t cache_ = 8;
  std::string tasks_;  // stealable (also when empty) or private
  bool beside_ = false;
};

void uts_reads_command::answer(session& s) {
  const auto* const named = kernels::find_named(tree_);
  const kernels::uts_size size = named != nullptr ? named->size : kernels::search_tree(tree_).size;
  s.step("building " + tree_name());
  uts_memory memory(tree_, size, uts_reads_options::k_block);
  const auto built = memory.build(watch(s, size.nodes));
  s.json().set("build_seconds", built.seconds);
  std::optional<kernels::uts_result> walked;
  if (beside_) {
    s.step("traversing by the walker");
    walked = memory.traverse();
  }
  s.step("traversing by reads");
  const auto result =
      traverse_by_reads(memory, {.children_cache = cache_, .stealable = are_stealable(tasks_)});
  say_size(s, result.size);
  say_speed(s, result.size, result.seconds);
  if (walked) {
    const double times = result.seconds / walked->seconds;
    s.json().set("walker_seconds", walked->seconds);
    s.json().set("times_walker", times);
    s.say("the walker takes {}: reads take {:.2f} times as long", format_duration(walked->seconds), times);
  }
  if (built.size != result.size || (walked && walked->size != result.size))
    return s.verified({false, fmt::format("built {}, read {}", text_of(built.size), text_of(result.size))},
                      "count");
  check_size(s, result.size);
}

}  // namespace

std::unique_ptr<cli::command> make_uts_reads() { return std::make_unique<uts_reads_command>(); }

}  // namespace gossamer::studies
