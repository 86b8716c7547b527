#include "commands/wrapping_command.hpp"

#include <fmt/format.h>

#include "gossamer/io/source.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "output/text.hpp"

namespace gossamer::cli {

bool wrapping_command::wraps_own_command() const { return program_->has_command(words_.front()); }

error wrapping_command::not_timed() const {
  return error(fmt::format(
      "{}: expected a command that is timed, such as bfs or uts (convert, report, group, sort and "
      "ping are not), found \"{}\"",
      name(), printable(words_.front())));
}

void wrapping_command::check_repeated(const command& inner) const {
  inner.check_repeated(name());
  for (const std::string& path : inner.files_read())
    if (path == "/dev/stdin" || io::is_read_once(path))
      throw error(fmt::format("{}: {} reads {}, and only one run could: give a file", name(), inner.name(),
                              path == "/dev/stdin" || path == "-" ? "standard input" : printable(path)));
}

std::optional<answer> wrapping_command::check_command_or_program(
    std::string (command::*why_not)() const, function_ref<void(const command&)> check) const {
  const std::string& first = words_.front();
  if (wraps_own_command()) {
    auto asked = parse_words(*program_, words_);
    if (auto* text = std::get_if<answer>(&asked)) return std::move(*text);
    const command& inner = *std::get<std::unique_ptr<command>>(asked);
    if (const std::string why = (inner.*why_not)(); !why.empty())
      throw error(fmt::format("{}: expected another command than {}: {}", name(), first, why));
    check(inner);
    return {};
  }
  if (!machine::find_program(first).empty()) return {};
  throw error(fmt::format(
      "{}: expected a command of {} or a program, found \"{}\"{}", name(), program_->name, printable(first),
      machine::find_program("./" + first).empty() ? "" : " (a program here: ./" + first + ")"));
}

std::vector<std::string> wrapping_command::words_to_start() const {
  std::vector<std::string> words;
  if (wraps_own_command()) words.push_back(machine::program_file());
  words.insert(words.end(), words_.begin(), words_.end());
  return words;
}

}  // namespace gossamer::cli
