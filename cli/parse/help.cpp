#include "parse/help.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/program.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {
namespace {

constexpr std::size_t k_help_columns = 80;
constexpr std::size_t k_text_column = 23;

/// Formats "  name          words of the text, wrapped"; the text has its own column.
std::string entry(std::string_view name, std::string_view text) {
  std::string out;
  std::string line = fmt::format("  {:<{}}", name, k_text_column - 2);
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (line.size() + 1 + word.size() > k_help_columns && line.size() > k_text_column) {
      out += line + "\n";
      line.assign(k_text_column, ' ');
    }
    if (line.size() > k_text_column) line += ' ';
    line += word;
    text.remove_prefix(space == text.npos ? text.size() : space + 1);
  }
  return out + line + "\n";
}

/// Wraps a paragraph.
std::string paragraph(std::string_view text) {
  std::string out, line;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    if (!line.empty() && line.size() + 1 + space > k_help_columns) out += std::exchange(line, {}) + "\n";
    if (!line.empty()) line += ' ';
    line += text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out + line + "\n";
}

/// Formats help as plain text, with a section for each group of options; groups of the command come first.
class help_layout : public CLI::Formatter {
 public:
  help_layout(const program& p, const command& c, const declaration& d)
      : program_(p), command_(c), declaration_(d) {}

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string out = fmt::format("{0} {1}: {2}\n\nusage: {0} {1} {3}\n", program_.name, command_.name(),
                                  command_.summary(), declaration_.usage());
    std::string arguments;
    for (const declared& each : declaration_.all())
      if (each.group.empty()) arguments += entry(each.names, each.help);
    if (!command_.definition().empty()) out += "\n" + paragraph(command_.definition());
    if (!arguments.empty()) out += "\n" + arguments;
    auto groups = app->get_groups();  // "Reporting" comes first, with --help in it
    std::rotate(groups.begin(), std::find(groups.begin(), groups.end(), k_last_group) + 1, groups.end());
    for (const auto& group : groups) out += section(*app, group);
    return out + fmt::format("\nExamples:\n{}", command_.examples());
  }

 private:
  static std::string section(const CLI::App& app, const std::string& group) {
    std::string out;
    std::string help;
    for (const auto* option : app.get_options([](const CLI::Option* o) { return !o->get_positional(); })) {
      if (option->get_group() != group) continue;
      const std::string type = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
      (option == app.get_help_ptr() ? help : out) +=
          entry(names_of(*option) + type, option->get_description());
    }
    return out.empty() ? out : fmt::format("\n{}:\n{}{}", group, out, help);
  }

  static std::string names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const auto& name : option.get_snames()) names.push_back("-" + name);
    if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().back());  // as errors do
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const program& program_;
  const command& command_;
  const declaration& declaration_;
};

}  // namespace

std::string overview(const program& p) {
  std::string out = fmt::format("{}\ncommands:\n", p.usage);
  const auto commands = p.all_commands();
  std::size_t longest = 0;
  for (const auto& c : commands) longest = std::max(longest, c->name().size());
  for (const auto& c : commands) out += fmt::format("  {:<{}}  {}\n", c->name(), longest, c->summary());
  return out + fmt::format(
                   "\nexamples:\n{0}\n"
                   "{1} COMMAND --help tells the options of a command, {1} --version the version.\n",
                   p.examples, p.name);
}

std::shared_ptr<CLI::FormatterBase> help_formatter(const program& p, const command& c, const declaration& d) {
  return std::make_shared<help_layout>(p, c, d);
}

}  // namespace gossamer::cli
