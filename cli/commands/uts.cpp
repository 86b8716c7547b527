// gossamer uts: counts the nodes of an unbalanced tree by a traversal.

#include "gossamer/kernels/uts.hpp"

#include "commands/registry.hpp"
#include "commands/tree_command.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_uts_text{
    "uts", "count the nodes of an unbalanced tree (UTS)",
    "  gossamer uts T1L\n"
    "  gossamer uts -t 1 -a 3 -d 10 -b 4 -r 19     the same as T1, by its arguments\n"
    "  gossamer uts T3L --cores 2 --json\n"};

class uts_command final : public tree_command {
 public:
  uts_command() : tree_command(k_uts_text) {}
  std::string ignores(std::string_view setting) const override {
    return ignores_loops_and_structures(setting);
  }

 private:
  void answer(session& s) override {
    s.step("uts " + tree_name());
    const auto* const named = kernels::find_named(tree_);
    const auto result = kernels::search_tree(tree_, watch(s, named != nullptr ? named->size.nodes : 0));
    say_size(s, result.size);
    say_speed(s, result.size, result.seconds);
    check_size(s, result.size);
  }
};

}  // namespace

std::unique_ptr<command> make_uts() { return std::make_unique<uts_command>(); }

}  // namespace gossamer::cli
