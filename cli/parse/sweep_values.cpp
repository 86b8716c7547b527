#include "parse/sweep_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/base/settings.hpp"
#include "output/text.hpp"
#include "parse/values.hpp"

namespace gossamer::cli {
namespace {

constexpr std::string_view k_prefix = "GOSSAMER_";
constexpr std::uint64_t k_most_number = 1'000'000'000'000;
constexpr std::uint64_t k_most_values = 1000;
constexpr std::string_view k_expected =
    "NAME=VALUES: values with commas between, A..B (which doubles), A..B:log or A..B:N";

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t at = text.find(between);
    all.push_back(text.substr(0, at));
    if (at == text.npos) return all;
    text.remove_prefix(at + 1);
  }
}

/// Appends numbers from low to high, both ends included.
void add_range(std::vector<std::string>& values, std::string_view option, std::string_view word,
               std::size_t dots) {
  const std::string_view rest = word.substr(dots + 2);
  const std::size_t colon = rest.find(':');
  const std::uint64_t low = whole_number(option, std::string(word.substr(0, dots)), 0, k_most_number);
  const std::uint64_t high = whole_number(option, std::string(rest.substr(0, colon)), low, k_most_number);
  const auto add = [&](std::uint64_t x) {
    std::string value = std::to_string(std::clamp(x, low, high));
    if (values.empty() || values.back() != value) values.push_back(std::move(value));
  };
  add(low);
  if (colon == rest.npos) {
    for (std::uint64_t x = low; x <= high / 2 && x != 0; x *= 2) add(x * 2);
  } else if (rest.substr(colon + 1) == "log") {
    for (std::uint64_t ten = 1; ten <= high; ten *= 10)
      for (const std::uint64_t digit : {1, 2, 5})
        if (ten * digit > low && ten * digit < high) add(ten * digit);
  } else {
    const std::uint64_t n = whole_number(option, std::string(rest.substr(colon + 1)), 2, k_most_values);
    const double first = static_cast<double>(std::max<std::uint64_t>(low, 1));
    const double ratio = std::pow(static_cast<double>(high) / first, 1 / static_cast<double>(n - 1));
    for (std::uint64_t i = 1; i + 1 < n; ++i)
      add(static_cast<std::uint64_t>(std::llround(first * std::pow(ratio, static_cast<double>(i)))));
  }
  add(high);
}

/// Returns the setting with that variable that jobs read; null if there is none.
const setting* setting_of(std::string_view variable) {
  for (const setting& one : settings())
    if (one.name == variable && one.read_by == setting::reader::job) return &one;
  return nullptr;
}

std::string lower(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string swept::variable() const {
  std::string out(k_prefix);
  for (const char c : name) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

bool swept::is_numeric() const {
  return std::ranges::all_of(values, [](const std::string& value) {
    return !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  });
}

swept swept_values(std::string_view option, std::string_view text) {
  const std::size_t equals = text.find('=');
  swept s;
  s.name = lower(text.substr(0, std::min(equals, text.size())));
  const bool is_name = !s.name.empty() && std::ranges::all_of(s.name, [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
  if (equals == text.npos || !is_name) refuse(option, k_expected, text);
  for (const std::string_view word : parts_of(text.substr(equals + 1), ',')) {
    if (word.empty()) refuse(option, k_expected, text);
    const std::size_t dots = word.find("..");
    const bool is_range =
        dots != word.npos && dots > 0 &&
        std::ranges::all_of(word.substr(0, dots), [](char c) { return c >= '0' && c <= '9'; });
    if (is_range)
      add_range(s.values, option, word, dots);
    else
      s.values.emplace_back(word);
  }
  return s;
}

std::vector<std::string> with_value(const std::vector<std::string>& words, std::string_view name,
                                    std::string_view value, bool& found) {
  const std::string place = fmt::format("{{{}}}", name);
  std::vector<std::string> out = words;
  for (std::string& word : out)
    for (std::size_t at = 0; (at = word.find(place, at)) != word.npos; at += value.size()) {
      word.replace(at, place.size(), value);
      found = true;
    }
  return out;
}

void check_swept(std::string_view option, const swept& s) {
  const std::string variable = s.variable();
  if (setting_of(variable) == nullptr) {
    std::vector<std::string> known;
    for (const setting& one : settings())
      if (one.read_by == setting::reader::job) known.push_back(lower(one.name.substr(k_prefix.size())));
    const std::string near = nearest(s.name, known);
    throw error(fmt::format("{0}: unknown setting {1}{2}, and no word has the place {{{1}}}", option, s.name,
                            near.empty() ? std::string(" (docs/settings.md lists those that there are)")
                                         : fmt::format(" (did you mean {}?)", near)));
  }
  for (const std::string& value : s.values) {
    const options given(
        [&](std::string_view name) { return name == variable ? std::optional(value) : std::nullopt; });
    check_settings(given, {});
  }
}

}  // namespace gossamer::cli
