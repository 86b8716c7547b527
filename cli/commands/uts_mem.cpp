// gossamer uts-mem: builds an unbalanced tree in global memory, then traverses it.

#include "commands/registry.hpp"
#include "commands/tree_command.hpp"
#include "gossamer/kernels/uts_memory.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_uts_mem_text{"uts-mem", "build such a tree in global memory, then traverse it",
                                      "  gossamer uts-mem T1L\n"
                                      "  gossamer uts-mem T3 --verify\n"
                                      "  gossamer uts-mem T1XL --resume work     goes on from the tree\n"};

class uts_mem_command final : public tree_command {
 public:
  uts_mem_command() : tree_command(k_uts_mem_text) {}
  std::string ignores(std::string_view setting) const override {
    return ignores_loops_and_structures(setting);
  }

 private:
  void declare_own(declaration& d) override {
    tree_command::declare_own(d);
    d.section("Going on");
    d.folder(
        "--resume", resume_,
        "keep the tree in this folder, once it is built, until the command has ended well: started again "
        "with the same tree, on any number of cores, it goes on from there");
  }
  void describe(json_object& j) const override {
    tree_command::describe(j);
    if (!resume_.empty()) j.set("options/resume", resume_);
  }
  void answer(session& s) override;

  std::string resume_;
};

/// Builds the tree in memory and traverses it. Counts the nodes of an unnamed tree before, because its size
/// is unknown.
void uts_mem_command::answer(session& s) {
  const auto* const named = kernels::find_named(tree_);
  kernels::uts_size size;
  if (named != nullptr) {
    size = named->size;
  } else {
    s.step("counting " + tree_name());
    size = kernels::search_tree(tree_).size;
  }
  const std::uint32_t root = kernels::children_of(tree_, kernels::root_state(tree_), 0);
  const std::uint64_t bytes = kernels::uts_memory::bytes_for(size.nodes, root);
  s.json().set("memory_bytes", bytes);
  s.step(fmt::format("building {}, {}", tree_name(), format_bytes(bytes)));
  kernels::uts_memory memory(tree_, size, kernels::uts_memory::k_block, {.folder = resume_});
  const auto built = memory.build(watch(s, size.nodes));
  s.json().set("build_seconds", built.seconds);
  if (!resume_.empty())
    s.json().set("nodes_before", memory.was_built() ? built.size.nodes : std::uint64_t{0});
  s.step("traversing " + tree_name());
  const auto result = memory.traverse(watch(s, size.nodes));
  say_size(s, result.size);
  s.say("\nbuilt in {} in {}{}", format_bytes(bytes), format_duration(built.seconds),
        memory.was_built() ? ", by an earlier start" : "");
  say_speed(s, result.size, result.seconds);
  if (built.size != result.size)
    return s.verified(
        {false, fmt::format("built {}, traversed {}", text_of(built.size), text_of(result.size))}, "count");
  check_size(s, result.size);
  if (!s.is_wrong()) memory.forget();
}

}  // namespace

std::unique_ptr<command> make_uts_mem() { return std::make_unique<uts_mem_command>(); }

}  // namespace gossamer::cli
