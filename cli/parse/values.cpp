#include "parse/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "output/text.hpp"

namespace gossamer::cli {

void refuse(std::string_view option, std::string_view expected, std::string_view found) {
  throw error(fmt::format("{}: expected {}, found \"{}\"", option, expected, printable(found)));
}

std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t low,
                           std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && end == text.data() + text.size() && value >= low && value <= high)
    return value;
  if (high == k_any)
    refuse(option, low == 0 ? "a whole number" : fmt::format("a whole number from {}", low), text);
  refuse(option, fmt::format("a whole number from {} to {}", low, high), text);
}

double real_number(std::string_view option, const std::string& text, std::string_view expected,
                   const std::function<bool(double)>& accept) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && end == text.data() + text.size() && accept(value)) return value;
  refuse(option, expected, text);
}

std::uint64_t byte_count(std::string_view option, const std::string& text, std::uint64_t least) {
  const auto bytes = try_parse_bytes(text);
  if (!bytes || *bytes < least)
    refuse(option, fmt::format("bytes, at least {}, such as 64K or 1GiB", least), text);
  return *bytes;
}

std::string path_name(std::string_view option, const std::string& text, std::string_view expected) {
  if (text.empty()) refuse(option, expected, text);
  return text;
}

std::string one_of(std::string_view option, const std::string& text,
                   std::span<const std::string_view> known) {
  if (std::ranges::find(known, text) == known.end())
    refuse(option, fmt::format("{} or {}", fmt::join(known.first(known.size() - 1), ", "), known.back()),
           text);
  return text;
}

std::string unknown(std::string_view kind, const std::string& typed, std::span<const std::string> known,
                    std::string_view help) {
  const std::string near = nearest(typed, known);
  return near.empty() ? fmt::format("unknown {} {} ({} lists them)", kind, printable(typed), help)
                      : fmt::format("unknown {} {}, did you mean {}?", kind, printable(typed), near);
}

}  // namespace gossamer::cli
