#include "gossamer/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

// Returns the power of 1024 that a unit stands for: "", "B", "K", "KB", "KiB" and so on to exbibytes.
std::optional<int> unit_power(std::string_view unit) noexcept {
  constexpr std::string_view k_letters = "kmgtpe";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (unit.empty()) return 0;
  if (unit.size() == 1 && lower(unit[0]) == 'b') return 0;
  const auto letter = k_letters.find(lower(unit[0]));
  if (letter == std::string_view::npos) return {};
  unit.remove_prefix(1);
  if (unit.size() == 2 && lower(unit[0]) == 'i') unit.remove_prefix(1);
  if (unit.size() == 1 && lower(unit[0]) == 'b') unit.remove_prefix(1);
  if (!unit.empty()) return {};
  return static_cast<int>(letter) + 1;
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array k_units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (scaled >= 1023.95 && unit + 1 < k_units.size()) {  // what would print as 1024.0
    scaled /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", scaled, k_units[unit]);
}

std::string format_count(std::uint64_t n) {
  std::string digits = fmt::to_string(n);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

std::string format_sum(double sum) {
  constexpr double k_most_whole = 0x1p53;
  if (!(std::abs(sum) <= k_most_whole) || sum != std::floor(sum)) return fmt::format("{:g}", sum);
  return (sum < 0 ? "-" : "") + format_count(static_cast<std::uint64_t>(std::abs(sum)));
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0) return "-" + format_duration(-seconds);
  const auto figures = [](double value, std::string_view unit) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
  };
  if (seconds < 999.5e-9) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 999.5e-6) return figures(seconds * 1e6, "us");
  if (seconds < 999.5e-3) return figures(seconds * 1e3, "ms");
  if (seconds < 59.95) return figures(seconds, "s");
  if (seconds > 1e15) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string percent(double part, double whole) {
  if (whole <= 0) return "-";
  const double share = 100 * part / whole;
  return share > 0 && share < 0.05 ? "<0.1 %" : fmt::format("{:.1f} %", share);
}

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(n), n == 1 ? one : many);
}

std::optional<std::uint64_t> try_parse_bytes(std::string_view text) noexcept {
  std::size_t digits = 0;
  while (digits < text.size() && ((text[digits] >= '0' && text[digits] <= '9') || text[digits] == '.'))
    ++digits;
  const std::string_view number = text.substr(0, digits);
  std::string_view unit = text.substr(digits);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  const auto power = unit_power(unit);
  if (number.empty() || !power) return {};

  std::uint64_t whole = 0;
  if (auto [end, failure] = std::from_chars(number.begin(), number.end(), whole);
      failure == std::errc() && end == number.end()) {
    const int shift = 10 * *power;
    if (whole > (~std::uint64_t{0} >> shift)) return {};
    return whole << shift;
  }
  double value = 0;
  if (auto [end, failure] = std::from_chars(number.begin(), number.end(), value);
      failure != std::errc() || end != number.end())
    return {};
  value = std::ldexp(value, 10 * *power);
  if (!(value >= 0) || value >= 0x1.0p64) return {};
  return static_cast<std::uint64_t>(value);
}

std::uint64_t parse_bytes(std::string_view text) {
  if (const auto bytes = try_parse_bytes(text)) return *bytes;
  throw error(fmt::format("expected bytes such as 4096, 64K or 1.5G, found {}", in_quotes(text)));
}

std::string in_quotes(std::string_view text, std::size_t most) {
  std::string out = "\"";
  for (const char c : text.substr(0, most)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\t') {
      out += "\\t";
    } else if (const auto byte = static_cast<unsigned char>(c); byte < ' ' || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > most ? "...\"" : "\"";
  return out;
}

std::string abridged(std::string_view text, std::size_t most) {
  constexpr std::string_view k_between = "...";
  constexpr std::size_t k_part_before = 4;  // a quarter: the end of an error line has the reason
  if (text.size() <= most) return std::string(text);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t before = (most - k_between.size()) / k_part_before;
  std::size_t after = text.size() - (most - k_between.size() - before);
  while (before > 0 && continues(before)) --before;
  while (after < text.size() && continues(after)) ++after;
  return std::string(text.substr(0, before)).append(k_between).append(text.substr(after));
}

}  // namespace gossamer
