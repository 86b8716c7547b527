#include "gossamer/base/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t k_no_limit = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void refuse(std::string_view name, const std::string& expected, std::string_view found) {
  throw error(fmt::format("{}: expected {}, found {}", name, expected, in_quotes(found)));
}

std::string range_text(const std::string& what, std::uint64_t least, std::uint64_t most,
                       std::string (*print)(std::uint64_t)) {
  if (most == k_no_limit) return least == 0 ? what : fmt::format("{} of at least {}", what, print(least));
  return fmt::format("{} from {} to {}", what, print(least), print(most));
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return {};
  return value;
}

}  // namespace

options::options()
    : options([](std::string_view name) -> std::optional<std::string> {
        const char* value = std::getenv(std::string(name).c_str());
        if (value == nullptr) return {};
        return value;
      }) {}

options::options(lookup find) : find_(std::move(find)) {}

std::optional<std::string> options::text(std::string_view name) const {
  auto value = find_(name);
  if (value && value->empty()) return {};
  return value;
}

std::optional<std::uint64_t> options::number(std::string_view name, std::uint64_t least,
                                             std::uint64_t most) const {
  const auto value = text(name);
  if (!value) return {};
  const auto number = parse<std::uint64_t>(*value);
  if (!number || *number < least || *number > most)
    refuse(name, range_text("a number", least, most, [](std::uint64_t n) { return fmt::to_string(n); }),
           *value);
  return number;
}

std::optional<double> options::real(std::string_view name, double least, double most) const {
  const auto value = text(name);
  if (!value) return {};
  const auto number = parse<double>(*value);
  if (!number || !(*number >= least && *number <= most))
    refuse(name, fmt::format("a number from {} to {}", least, most), *value);
  return number;
}

std::optional<std::uint64_t> options::bytes(std::string_view name, std::uint64_t least,
                                            std::uint64_t most) const {
  const auto value = text(name);
  if (!value) return {};
  const auto number = try_parse_bytes(*value);
  if (!number || *number < least || *number > most)
    refuse(name, range_text("bytes (such as 64K or 1.5G)", least, most, format_bytes), *value);
  return number;
}

std::optional<bool> options::flag(std::string_view name) const {
  const auto value = text(name);
  if (!value) return {};
  std::string lower = *value;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto one_of = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), lower) != words.end();
  };
  if (one_of({"1", "yes", "true", "on"})) return true;
  if (one_of({"0", "no", "false", "off"})) return false;
  refuse(name, "1 or 0 (yes or no, true or false, on or off)", *value);
}

std::optional<std::size_t> options::choice(std::string_view name,
                                           const std::vector<std::string_view>& choices) const {
  const auto value = text(name);
  if (!value) return {};
  const auto found = std::find(choices.begin(), choices.end(), *value);
  if (found == choices.end()) refuse(name, fmt::format("one of {}", fmt::join(choices, ", ")), *value);
  return static_cast<std::size_t>(found - choices.begin());
}

}  // namespace gossamer
