#include "parse/parse.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <vector>

#include "commands/program.hpp"
#include "commands/tree_command.hpp"
#include "commands/wrapping_command.hpp"
#include "gossamer/base/error.hpp"
#include "output/text.hpp"
#include "parse/help.hpp"
#include "parse/manual.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Returns the description of the first missing required argument (declaration::argument).
std::string missing_argument(const CLI::App& app) {
  for (const auto* option : app.get_options())
    if (option->get_required() && option->count() == 0) return option->get_type_name();
  return "another argument";
}

/// Returns the message of an error that CLI11 has found, reworded if that is clearer.
std::string message_of(const program& p, const CLI::ParseError& e, const CLI::App& app) {
  const std::string help = fmt::format("{} {} --help", p.name, app.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const auto extras = app.remaining(true);
    const std::string first = extras.empty() ? std::string() : unmarked(extras.front());
    if (first.starts_with("-"))
      return unknown("option", first.substr(0, first.find('=')), option_names(app), help);
    return fmt::format("unexpected argument {} ({} shows what is expected)", printable(first), help);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e))
    return fmt::format("{}: expected {} ({} shows examples)", app.get_name(), missing_argument(app), help);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
    const std::string_view what = e.what();
    if (what.find(" required ") != what.npos)
      return fmt::format("{}: expected a value ({} shows which)", what.substr(0, what.find(':')), help);
  }
  return fmt::format("{} ({} shows what is expected)", printable(e.what()), help);
}

/// Replaces -q by --quiet if no number follows. In commands about trees -q X is a probability, named as in
/// the UTS benchmark; in all other commands -q is --quiet.
void resolve_short_q(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "-q") continue;
    const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
    double value = 0;
    const bool number = std::from_chars(next.data(), next.data() + next.size(), value).ec == std::errc{};
    if (!number) words[i] = "--quiet";
  }
}

/// Collects the words of the wrapped command: first those that are no options of this one, then those behind
/// "--".
parsed parse_wrapped(const program& p, std::unique_ptr<wrapping_command> c, const CLI::App& app,
                     std::vector<std::string> behind_dashes) {
  std::vector<std::string> words = app.remaining();
  std::ranges::transform(words, words.begin(), unmarked);
  if (!words.empty() && !behind_dashes.empty()) words.emplace_back("--");  // the command's own
  words.insert(words.end(), behind_dashes.begin(), behind_dashes.end());
  c->check();
  const std::string help = fmt::format("{} {} --help", p.name, c->name());
  if (words.empty())
    throw error(fmt::format("{}: expected a command after the options ({} shows examples)", c->name(), help));
  if (words.front().starts_with("-")) throw error(unknown("option", words.front(), option_names(app), help));
  c->wrap(p, std::move(words));
  if (auto text = c->check_wrapped()) return std::move(*text);
  return c;
}

/// Parses the options of a command. Returns its help if that is requested.
parsed parse_command(const program& p, std::unique_ptr<command> c, std::vector<std::string> words) {
  CLI::App app;
  app.name(c->name());
  declaration d(app);
  app.formatter(help_formatter(p, *c, d));
  app.set_help_flag("-h,--help", "this text")->group(std::string(k_last_group));
  c->declare(d);
  auto* const wrapping = dynamic_cast<wrapping_command*>(c.get());
  std::vector<std::string> behind_dashes;
  if (wrapping != nullptr) {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes != words.end()) behind_dashes.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  if (dynamic_cast<tree_command*>(c.get()) != nullptr) resolve_short_q(words);
  try {
    std::ranges::transform(words, words.begin(), marked);
    std::ranges::reverse(words);  // CLI11 expects the reverse order
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return answer{app.help()};
  } catch (const CLI::ParseError& e) {
    throw error(message_of(p, e, app));
  }
  if (wrapping != nullptr) {
    (void)c.release();
    return parse_wrapped(p, std::unique_ptr<wrapping_command>(wrapping), app, std::move(behind_dashes));
  }
  c->check();
  return c;
}

}  // namespace

parsed parse_words(const program& p, const std::vector<std::string>& words) {
  if (words.empty()) throw error(fmt::format("expected a command ({} --help lists them)", p.name));
  const std::string& first = words.front();
  if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1))
    return answer{overview(p)};
  if (first == "--version") return answer{fmt::format("{} {}\n", p.name, k_version)};
  if (first == "help") return parse_words(p, {words[1], "--help"});
  if (first == "--completion" && words.size() == 1) return answer{completion_script(p)};
  if (first == "--write-manual" && words.size() == 2) {  // by the build
    write_manual(p, words[1]);
    return answer{};
  }
  if (first.starts_with("-"))
    throw error(fmt::format("expected a command before options, found {} ({} --help lists them)",
                            printable(first), p.name));
  auto asked = p.make_command(first);
  if (asked == nullptr) {
    std::vector<std::string> names;
    for (const auto& c : p.all_commands()) names.push_back(c->name());
    throw error(unknown("command", first, names, fmt::format("{} --help", p.name)));
  }
  return parse_command(p, std::move(asked), {words.begin() + 1, words.end()});
}

parsed parse(const program& p, int argc, const char* const* argv) {
  return parse_words(p, {argv + std::min(argc, 1), argv + std::max(argc, 0)});
}

}  // namespace gossamer::cli
