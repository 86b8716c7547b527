// gossamer uts, gossamer uts-mem: how many nodes an unbalanced tree has, found by walking all of it; on the
// fly, or from the global memory in which it was built first.

#include "gossamer/kernels/uts.hpp"

#include "commands.hpp"
#include "gossamer/kernels/uts_memory.hpp"
#include "kernel.hpp"

namespace gossamer::cli {
namespace {

using kernels::uts_size;
using kernels::uts_tree;

/// "T1L", or the arguments where the tree has no name.
std::string name_of(const uts_tree& tree) {
  const auto* const named = kernels::find_named(tree);
  return named != nullptr ? std::string(named->name) : kernels::arguments_of(tree);
}

uts_tree read_tree(session& s) {
  const uts_tree tree = kernels::parse_tree(s.asked().tree);
  s.json().set("tree", name_of(tree));
  s.json().set("options/tree", kernels::arguments_of(tree));
  return tree;
}

/// Shows how much of so many nodes is done; 0 where that is unknown.
kernels::uts_progress watch(session& s, std::uint64_t total) {
  return [&s, total](std::uint64_t nodes) { s.steps().at(nodes, total); };
}

std::string text_of(const uts_size& size) {
  return fmt::format("{} nodes, {} leaves, depth {}", format_count(size.nodes), format_count(size.leaves),
                     format_count(size.depth));
}

void say_size(session& s, const uts_tree& tree, const uts_size& size) {
  json_object& j = s.json();
  j.set("nodes", size.nodes);
  j.set("depth", size.depth);
  j.set("leaves", size.leaves);
  const paint& p = s.colours();
  const auto* const named = kernels::find_named(tree);
  s.say("{}{}", p.bold(name_of(tree)), named != nullptr ? p.dim("  " + kernels::arguments_of(tree)) : "");
  s.say("");
  table rows({{"", table::align::left}, {""}, {"", table::align::left}});
  rows.row({"nodes", format_count(size.nodes)});
  rows.row({"depth", format_count(size.depth)});
  rows.row({"leaves", format_count(size.leaves),
            percent(static_cast<double>(size.leaves), static_cast<double>(size.nodes))});
  s.say(rows);
}

void say_speed(session& s, const uts_size& size, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(size.nodes) / seconds / 1e6 : 0;
  s.json().set("mnodes_per_s", rate);
  set_run(s, seconds);
  s.say("\n{:.1f} M nodes/s: {}", rate, time_and_place(seconds));
}

/// Against what is published, always; against a serial count where that is asked for.
void check(session& s, const uts_tree& tree, const uts_size& found) {
  const auto* const named = kernels::find_named(tree);
  if (named != nullptr && named->size != found)
    return s.verified(false,
                      fmt::format("{} has {}, found {}", named->name, text_of(named->size), text_of(found)),
                      "count");
  if (!s.asked().verify) return;
  s.steps().step("verifying");
  const uts_size serial = kernels::search_tree_serially(tree);
  s.verified(serial == found, fmt::format("a serial count finds {}", text_of(serial)), "count");
}

}  // namespace

void uts(session& s) {
  const uts_tree tree = read_tree(s);
  s.steps().step("uts " + name_of(tree));
  const auto* const named = kernels::find_named(tree);
  const auto result = kernels::search_tree(tree, watch(s, named != nullptr ? named->size.nodes : 0));
  say_size(s, tree, result.size);
  say_speed(s, result.size, result.seconds);
  check(s, tree, result.size);
}

/// The size of a tree without a name is not known before it has been walked.
void uts_mem(session& s) {
  const uts_tree tree = read_tree(s);
  const auto* const named = kernels::find_named(tree);
  uts_size size;
  if (named != nullptr) {
    size = named->size;
  } else {
    s.steps().step("counting " + name_of(tree));
    size = kernels::search_tree(tree).size;
  }
  const std::uint32_t root = kernels::children_of(tree, kernels::root_state(tree), 0);
  const std::uint64_t bytes = kernels::uts_memory::bytes_for(size.nodes, root);
  s.json().set("memory_bytes", bytes);
  s.steps().step(fmt::format("building {}, {}", name_of(tree), format_bytes(bytes)));
  kernels::uts_memory memory(tree, size);
  const auto built = memory.build(watch(s, size.nodes));
  s.json().set("build_seconds", built.seconds);
  s.steps().step("traversing " + name_of(tree));
  const auto result = memory.traverse(watch(s, size.nodes));
  say_size(s, tree, result.size);
  s.say("\nbuilt in {} in {}", format_bytes(bytes), format_duration(built.seconds));
  say_speed(s, result.size, result.seconds);
  if (built.size != result.size)
    return s.verified(false, fmt::format("built {}, traversed {}", text_of(built.size), text_of(result.size)),
                      "count");
  check(s, tree, result.size);
}

}  // namespace gossamer::cli
