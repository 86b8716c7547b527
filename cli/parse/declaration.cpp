#include "parse/declaration.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <utility>

namespace gossamer::cli {

namespace {

constexpr char k_mark = '\1';

}  // namespace

std::string marked(std::string word) {
  if (word.starts_with('[') && word.ends_with(']')) word.insert(word.begin(), k_mark);
  return word;
}

std::string unmarked(const std::string& word) {
  return word.starts_with(std::string({k_mark, '['})) ? word.substr(1) : word;
}

void declaration::argument(const std::string& name, std::string& target, const std::string& help,
                           std::string_view missing) {
  auto* const option = app_.add_option_function<std::string>(
      name, [&target](const std::string& text) { target = unmarked(text); }, help);
  add_argument(*option, name, help, missing);
}

void declaration::arguments(const std::string& name, std::vector<std::string>& targets,
                            const std::string& help, std::string_view missing) {
  auto* const option = app_.add_option_function<std::vector<std::string>>(
      name,
      [&targets](const std::vector<std::string>& texts) {
        targets.clear();
        for (const std::string& text : texts) targets.push_back(unmarked(text));
      },
      help);
  add_argument(*option, name, help, missing);
}

void declaration::argument(const std::string& name, const reader& read, const std::string& help) {
  auto* const option = app_.add_option_function<std::string>(
      name, [read, name](const std::string& text) { read(name, unmarked(text)); }, help);
  add_argument(*option, name, help, {});
}

void declaration::add_argument(CLI::Option& option, const std::string& name, const std::string& help,
                               std::string_view missing) {
  option.type_name(std::string(missing))->required(!missing.empty());
  const std::string word = name + (option.get_items_expected_max() > 1 ? "..." : "");
  all_.push_back({.names = name, .help = help, .usage = missing.empty() ? "[" + word + "]" : word});
}

std::string declaration::usage() const {
  if (wraps_) return "[options] [--] COMMAND...";
  std::string words;
  for (const declared& each : all_)
    if (each.group.empty()) words += each.usage + " ";
  return words + "[options]";
}

void declaration::wraps_command() {
  app_.prefix_command();
  wraps_ = true;
}

void declaration::value(const std::string& names, const std::string& type, const std::string& help,
                        const reader& read) {
  const std::string last = names.substr(names.rfind(',') + 1);
  app_.add_option_function<std::string>(
          names, [read, last](const std::string& text) { read(last, unmarked(text)); }, help)
      ->type_name(type)
      ->group(group_)
      ->take_last();
  all_.push_back({names, type, help, group_, {}});
}

void declaration::values(const std::string& names, const std::string& type, const std::string& help,
                         const reader& read) {
  const std::string last = names.substr(names.rfind(',') + 1);
  app_.add_option_function<std::vector<std::string>>(
          names,
          [read, last](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) read(last, unmarked(text));
          },
          help)
      ->type_name(type)
      ->group(group_)
      ->take_all()
      ->allow_extra_args(false)
      ->trigger_on_parse();
  all_.push_back({names, type, help, group_, {}});
}

void declaration::flag(const std::string& names, bool& target, const std::string& help) {
  app_.add_flag(names, target, help)->group(group_)->disable_flag_override();
  all_.push_back({names, "", help, group_, {}});
}

void declaration::flag(const std::string& names, const std::function<void()>& given,
                       const std::string& help) {
  app_.add_flag_callback(names, given, help)->group(group_)->disable_flag_override()->trigger_on_parse();
  all_.push_back({names, "", help, group_, {}});
}

void declaration::either(std::optional<bool>& target, const std::string& yes, const std::string& yes_help,
                         const std::string& no, const std::string& no_help) {
  auto* const first = app_.add_flag_callback(yes, [&target] { target = true; }, yes_help);
  auto* const second = app_.add_flag_callback(no, [&target] { target = false; }, no_help);
  first->group(group_)->excludes(second)->disable_flag_override();
  second->group(group_)->disable_flag_override();
  all_.push_back({yes, "", yes_help, group_, {}});
  all_.push_back({no, "", no_help, group_, {}});
}

void declaration::text(const std::string& names, const std::string& type, std::string& target,
                       const std::string& help) {
  value(names, type, help, [&target](const std::string&, const std::string& given) { target = given; });
}

void declaration::file(const std::string& names, std::string& target, const std::string& help) {
  value(names, "FILE", help, [&target](const std::string& option, const std::string& given) {
    target = path_name(option, given, "a file");
  });
}

void declaration::folder(const std::string& names, std::string& target, const std::string& help) {
  value(names, "DIR", help, [&target](const std::string& option, const std::string& given) {
    target = path_name(option, given, "a folder");
  });
}

void declaration::word(const std::string& names, const std::string& type, std::string& target,
                       const std::string& help, std::vector<std::string_view> known) {
  value(names, type, help, [&target, known](const std::string& option, const std::string& given) {
    target = one_of(option, given, known);
  });
  all_.back().choices.assign(known.begin(), known.end());
}

void declaration::bytes(const std::string& names, std::uint64_t& target, const std::string& help,
                        std::uint64_t least) {
  value(names, "BYTES", help, [&target, least](const std::string& option, const std::string& given) {
    target = byte_count(option, given, least);
  });
}

}  // namespace gossamer::cli
