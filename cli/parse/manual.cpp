#include "parse/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "commands/program.hpp"
#include "gossamer/base/error.hpp"
#include "parse/declaration.hpp"
#include "parse/help.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

/// A command and its declarations.
struct described {
  std::unique_ptr<command> what;
  std::unique_ptr<CLI::App> app = std::make_unique<CLI::App>();
  std::vector<declared> options;
  std::string usage;

  explicit described(std::unique_ptr<command> c) : what(std::move(c)) {
    declaration d(*app);
    what->declare(d);
    options = d.all();
    usage = d.usage();
    options.push_back({"-h,--help", "", "this text", std::string(k_last_group), {}});
  }
};

std::vector<described> describe_all(const program& p) {
  std::vector<described> all;
  for (auto& c : p.all_commands()) all.emplace_back(std::move(c));
  return all;
}

std::vector<std::string> names_of(const declared& d) {
  std::vector<std::string> names(1);
  for (const char c : d.names) c == ',' ? (void)names.emplace_back() : names.back().push_back(c);
  return names;
}

/// Escapes text for troff: backslashes, hyphens, and a dot or apostrophe at the start of a line.
std::string escaped(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string heading(std::string_view name) {
  return fmt::format(".TH \"{}\" 1 \"\" \"gossamer {}\" \"Gossamer\"\n", escaped(name), k_version);
}

std::string page_of(const program& p, const described& d) {
  const command& c = *d.what;
  std::string page = heading(fmt::format("{}-{}", p.name, c.name()));
  page += fmt::format(".SH NAME\n{}\\-{} \\- {}\n", escaped(p.name), escaped(c.name()), escaped(c.summary()));
  page += fmt::format(".SH SYNOPSIS\n.B {} {}\n{}\n", escaped(p.name), escaped(c.name()), escaped(d.usage));
  if (!c.definition().empty()) page += fmt::format(".SH DESCRIPTION\n{}\n", escaped(c.definition()));
  std::string group;
  for (const declared& o : d.options) {
    if (o.group.empty()) {
      if (group.empty()) page += fmt::format(".SH {}\n", group = "ARGUMENTS");
      page += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(o.names), escaped(o.help));
      continue;
    }
    if (o.group != group) page += fmt::format(".SH \"{}\"\n", escaped(group = o.group));
    std::vector<std::string> names;
    for (const std::string& name : names_of(o)) names.push_back(fmt::format("\\fB{}\\fR", escaped(name)));
    page += fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                        o.type.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(o.type)), escaped(o.help));
  }
  page += fmt::format(".SH EXAMPLES\n.nf\n{}.fi\n", escaped(c.examples()));
  return page + fmt::format(".SH SEE ALSO\n.BR {} (1)\n", escaped(p.name));
}

std::string main_page(const program& p, const std::vector<described>& all) {
  std::string page = heading(p.name);
  page += fmt::format(
      ".SH NAME\n{0} \\- {1}\n"
      ".SH SYNOPSIS\n.B {0}\nCOMMAND [arguments] [options]\n.SH COMMANDS\n",
      escaped(p.name), escaped(p.summary));
  for (const described& d : all)
    page += fmt::format(".TP\n.BR {}\\-{} (1)\n{}\n", escaped(p.name), escaped(d.what->name()),
                        escaped(d.what->summary()));
  return page +
         ".SH EXIT STATUS\n0; 1 where \\fB\\-\\-verify\\fR found an answer wrong; 2 for an error, printed in "
         "one "
         "line on standard error.\n";
}

/// Returns text for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) (out += c == '|' ? "\\" : "") += c;
  return out;
}

/// Returns the tables of questions in docs/cli.md: answers and options, then definitions.
std::string question_tables(const std::vector<described>& all) {
  std::string answers = "| command | answer | `--output` columns |\n|---|---|---|\n";
  std::string definitions = "| command | definition |\n|---|---|\n";
  for (const described& d : all) {
    const command& c = *d.what;
    if (c.columns().empty()) continue;
    std::string options;
    for (const declared& o : d.options)
      if (o.group == "Options")
        options +=
            fmt::format("; `{}{}{}`: {}", names_of(o).back(), o.type.empty() ? "" : " ", o.type, o.help);
    answers += fmt::format("| `{} G` | {}{} | {} |\n", c.name(), cell(c.summary()), cell(options),
                           c.columns() == "none" ? "" : fmt::format("`{}`", c.columns()));
    definitions += fmt::format("| `{}` | {} |\n", c.name(), cell(c.definition()));
  }
  return answers + "\n" + definitions;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw error(fmt::format("{}: cannot be written", path.string()));
}

}  // namespace

std::string completion_script(const program& p) {
  const auto all = describe_all(p);
  std::vector<std::string> names;
  std::string options, choices;
  for (const described& d : all) {
    names.push_back(d.what->name());
    std::vector<std::string> of_command;
    for (const declared& o : d.options) {
      if (o.group.empty()) continue;
      const auto own = names_of(o);
      of_command.insert(of_command.end(), own.begin(), own.end());
      if (!o.choices.empty())
        choices +=
            fmt::format("    {}:{}) words=\"{}\" ;;\n", d.what->name(),
                        fmt::join(own, fmt::format("|{}:", d.what->name())), fmt::join(o.choices, " "));
    }
    options += fmt::format("    {}) words=\"{}\" ;;\n", d.what->name(), fmt::join(of_command, " "));
  }
  return fmt::format(R"(# Bash completion of {3}, made from the commands' declarations.
_{3}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= words= at
  local names="{0}"
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ " $names " == *" ${{COMP_WORDS[at]}} "* ]] && command=${{COMP_WORDS[at]}}  # of a wrapped one, its own
  done
  case $command:$before in
    :* | run:--) words="$names --help --version" ;;
    simulate:-- | scale:-- | sweep:--) words=$names ;;
{1}  esac
  if [[ -z $words && ($current == -* || $command == doctor || $command == network) ]]; then
    case $command in
{2}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{#COMPREPLY[@]}} -gt 0 || -n $words ]] || compopt -o default 2>/dev/null
}}
complete -F _{3} {3}
)",
                     fmt::join(names, " "), choices, options, p.name);
}

void write_manual(const program& p, const std::string& folder) {
  const std::filesystem::path root(folder);
  write_file(root / fmt::format("bash-completion/completions/{}", p.name), completion_script(p));
  const auto all = describe_all(p);
  write_file(root / fmt::format("man/man1/{}.1", p.name), main_page(p, all));
  if (p.asks_questions) write_file(root / "doc/gossamer/questions.md", question_tables(all));
  for (const described& d : all)
    write_file(root / fmt::format("man/man1/{}-{}.1", p.name, d.what->name()), page_of(p, d));
}

}  // namespace gossamer::cli
