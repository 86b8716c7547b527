#include "output/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "output/text.hpp"
#include "scale_figure_script.hpp"
#include "sweep_figure_script.hpp"

namespace gossamer::cli {
namespace {

constexpr double k_seconds = 120;
constexpr int k_no_matplotlib = 3;  // the script's exit code

std::string ending_of(const std::string& path) {
  for (const char* ending : {"svg", "png", "pdf"})
    if (path.size() > 4 && path.ends_with(std::string(".") + ending)) return ending;
  return {};
}

/// Returns the first Python in PATH, then the system's, which distribution packages of matplotlib belong to.
std::vector<std::string> pythons() {
  const std::string system = "/usr/bin/python3", first = machine::find_program("python3");
  if (first.empty() || first == system) return {system};
  return {first, system};
}

/// Divides a text: one argument of a program has at most 128 KiB on Linux.
std::vector<std::string> as_arguments(std::string_view text) {
  constexpr std::size_t k_most = 100'000;
  std::vector<std::string> parts;
  for (; !text.empty(); text.remove_prefix(std::min(k_most, text.size())))
    parts.emplace_back(text.substr(0, k_most));
  return parts;
}

/// Writes a figure. Returns why that is impossible, or nothing.
std::string write_figure(const std::string& path, const std::string& drawn) {
  try {
    machine::output_file file(path);
    file.write(drawn);
    file.commit();
    return {};
  } catch (const error& e) {
    return e.what();
  }
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return printable(text.substr(text.rfind('\n') + 1));
}

}  // namespace

void check_figure(const std::string& option, const std::string& path) {
  if (ending_of(path).empty())
    throw error(fmt::format("{}: expected a file ending in .svg, .png or .pdf, found \"{}\"", option,
                            printable(path)));
}

std::string draw_figure(figure_script what, const std::string& title, const std::string& rows,
                        const std::string& path) {
  const char* const script = what == figure_script::scale ? k_scale_figure_script : k_sweep_figure_script;
  std::string why;
  for (const std::string& python : pythons()) {
    std::vector<std::string> words{python, "-c", script, ending_of(path), title};
    std::ranges::copy(as_arguments(rows), std::back_inserter(words));
    const auto drawn = machine::run_program(words, k_seconds);
    if (drawn.ok()) return write_figure(path, drawn.output);
    constexpr int k_not_started = 127;
    if (drawn.exit_code == k_not_started && !machine::find_program(python).empty())
      return "more rows than a program can be given";
    why = drawn.exit_code == k_no_matplotlib || drawn.exit_code == k_not_started
              ? "no python3 with matplotlib here (Debian: python3-matplotlib)"
              : fmt::format("{} could not draw it: {}", python, last_line(drawn.errors));
  }
  return why;
}

}  // namespace gossamer::cli
