#include "commands/tree_command.hpp"

#include "commands/kernel_answer.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::cli {

using kernels::uts_size;

/// Declares the arguments of the tree, and joins their words for parse_tree(). A -q without a number was
/// replaced before (parse.cpp).
void tree_command::declare_own(declaration& d) {
  const auto add = [this](const std::string& text) { words_ += (words_.empty() ? "" : " ") + text; };
  d.argument(
      "TREE", [add](const auto&, const auto& text) { add(text); },
      "T1 T2 T3 T4 T5 T1L T2L T3L T1XL, or the options below");
  d.section("The tree, by its arguments");
  const auto argument = [&](const std::string& name, const char* type, const std::string& help) {
    d.value(name, type, help, [add, name](const auto&, const auto& text) { add(name + " " + text); });
  };
  argument("-t", "0|1|2", "binomial, geometric (default) or hybrid");
  argument("-a", "0|1|2|3", "the mean by depth: linear (default), exponential, cyclic, fixed");
  argument("-d", "N", "the depth that -a is about (default 6)");
  argument("-b", "X", "mean at the root; children of the binomial root (default 4)");
  argument("-r", "N", "the root's seed (default 0)");
  argument("-q", "X", "binomial: how probable children are (default 0.234375); without X as --quiet");
  argument("-m", "N", "binomial: how many they are then (default 4)");
  argument("-f", "X", "hybrid: geometric above this share of -d (default 0.5)");
}

void tree_command::check() {
  std::vector<std::string> names;
  for (const auto& t : kernels::named_trees()) names.emplace_back(t.name);
  if (words_.empty())
    throw error(fmt::format("{0}: expected a tree: {1}, or its arguments (gossamer {0} --help tells them)",
                            name(), fmt::join(names, " ")));
  try {
    tree_ = kernels::parse_tree(words_);
  } catch (const error& e) {
    const std::string near = words_.starts_with("-") ? std::string() : nearest(words_, names);
    throw error(
        fmt::format("{}: {}{}", name(), e.what(), near.empty() ? "" : ", did you mean " + near + "?"));
  }
}

void tree_command::describe(json_object& j) const {
  j.set("tree", tree_name());
  j.set("options/tree", kernels::arguments_of(tree_));
}

std::string tree_command::ignores_loops_and_structures(std::string_view setting) const {
  for (std::string why :
       {job_command::ignores(setting), without_range_loops(setting), without_structures(setting)})
    if (!why.empty()) return why;
  return {};
}

std::string tree_command::tree_name() const {
  const auto* const named = kernels::find_named(tree_);
  return named != nullptr ? std::string(named->name) : kernels::arguments_of(tree_);
}

kernels::uts_progress tree_command::watch(session& s, std::uint64_t total) {
  return [&s, total](std::uint64_t nodes) { s.steps().at(nodes, total); };
}

std::string text_of(const uts_size& size) {
  return fmt::format("{} nodes, {} leaves, depth {}", format_count(size.nodes), format_count(size.leaves),
                     format_count(size.depth));
}

void tree_command::say_size(session& s, const uts_size& size) const {
  json_object& j = s.json();
  j.set("nodes", size.nodes);
  j.set("depth", size.depth);
  j.set("leaves", size.leaves);
  const paint& p = s.colours();
  const bool named = kernels::find_named(tree_) != nullptr;
  s.say("{}{}", p.bold(tree_name()), named ? p.dim("  " + kernels::arguments_of(tree_)) : "");
  s.say("");
  table rows({{"", table::align::left}, {""}, {"", table::align::left}});
  rows.row({"nodes", format_count(size.nodes)});
  rows.row({"depth", format_count(size.depth)});
  rows.row({"leaves", format_count(size.leaves),
            percent(static_cast<double>(size.leaves), static_cast<double>(size.nodes))});
  s.say(rows);
}

void tree_command::say_speed(session& s, const uts_size& size, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(size.nodes) / seconds / 1e6 : 0;
  s.json().set("mnodes_per_s", rate);
  set_run(s, seconds);
  s.say("\n{:.1f} M nodes/s: {}", rate, time_and_place(seconds));
}

void tree_command::check_size(session& s, const uts_size& found) const {
  const auto* const named = kernels::find_named(tree_);
  if (named != nullptr && named->size != found)
    return s.verified(
        {false, fmt::format("{} has {}, found {}", named->name, text_of(named->size), text_of(found))},
        "count");
  if (!verify_) return;
  s.step("verifying");
  const uts_size serial = kernels::search_tree_serially(tree_);
  s.verified({serial == found, fmt::format("a serial count finds {}", text_of(serial))}, "count");
}

}  // namespace gossamer::cli
