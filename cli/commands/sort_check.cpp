#include "commands/sort_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <unordered_set>

#include "gossamer/base/hash.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/source.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

/// A decimal number: sign, power of ten of the first digit, and the digits without leading and trailing
/// zeros. Independent of the library.
struct written_number {
  int sign = 0;  // 2: NaN
  long long power = 0;
  std::string digits = {};

  int compare(const written_number& other) const {
    if (sign != other.sign) return sign < other.sign ? -1 : 1;
    if (sign == 0 || sign == 2) return 0;
    int size = power < other.power ? -1 : power > other.power ? 1 : digits.compare(other.digits);
    size = (size > 0 ? 1 : 0) - (size < 0 ? 1 : 0);
    return sign * size;
  }
};

/// A key: a text, or a number. NaN comes last in both directions.
struct checked_key {
  std::string text;
  written_number number = {};

  int compare(const checked_key& other, bool reverse) const {
    const int sign = text == other.text ? number.compare(other.number) : text.compare(other.text);
    const bool is_nan = number.sign == 2 || other.number.sign == 2;
    return reverse && !is_nan ? -sign : sign;
  }
  bool operator==(const checked_key& other) const { return compare(other, false) == 0; }
};

/// Returns whether a number of a binary file is NaN.
template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

constexpr long long k_most_power = 999'999'999'999'999'999;  // a text with a larger exponent is no number

/// Reads a number. Returns nothing if the text is none.
std::optional<written_number> number_in(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  lower.erase(0, std::min(lower.find_first_not_of(" \t"), lower.size()));
  lower.erase(lower.find_last_not_of(" \t") + 1);
  const bool is_negative = lower.starts_with('-');
  if (is_negative || lower.starts_with('+')) lower.erase(0, 1);
  written_number n{.sign = is_negative ? -1 : 1};
  if (lower == "nan" || (lower.starts_with("nan(") && lower.ends_with(')'))) return written_number{.sign = 2};
  if (lower == "inf" || lower == "infinity") {
    n.power = std::numeric_limits<long long>::max();
    return n;
  }
  const std::string figures = lower.substr(0, lower.find('e'));
  if (figures.size() < lower.size()) {
    const char* const begin = lower.c_str() + figures.size() + 1;
    char* end = nullptr;
    n.power = std::strtoll(begin, &end, 10);
    if (end == begin || *end != 0 || std::isspace(static_cast<unsigned char>(*begin)) != 0) return {};
    if (n.power > k_most_power || n.power < -k_most_power) return {};
  }
  const std::size_t point = std::min(figures.find('.'), figures.size());
  n.digits = figures.substr(0, point) + (point < figures.size() ? figures.substr(point + 1) : "");
  if (n.digits.empty() || n.digits.find_first_not_of("0123456789") != n.digits.npos) return {};
  const std::size_t zeros = n.digits.find_first_not_of('0');
  if (zeros == n.digits.npos) return written_number{};
  n.power += static_cast<long long>(point) - static_cast<long long>(zeros);
  n.digits.erase(0, zeros);
  n.digits.erase(n.digits.find_last_not_of('0') + 1);
  return n;
}

/// Returns the key of a line; nothing if the order is numeric and the text is no number.
std::optional<checked_key> key_in(std::string_view text, const line_order& order) {
  if (!order.numeric) return checked_key{.text = std::string(text)};
  const auto number = number_in(text);
  if (!number) return {};
  return checked_key{.text = {}, .number = *number};
}

/// Calls f(line, key) for each line of a file that has a key, after the header.
template <class F>
void for_each_line(const std::string& path, const line_order& order, F f) {
  const auto give = [&](std::string_view line, std::string_view text) {
    if (auto key = key_in(text, order)) f(line, std::move(*key));
  };
  std::string unpacked;
  const io::text_file file(path);
  std::string_view text = file.all(unpacked);
  io::delimited_format format{.separator = order.separator,
                              .quotes = order.quotes && order.separator != 0 && order.field != 0,
                              .blanks = order.separator == 0,
                              .empty_lines = true};
  text.remove_prefix(io::byte_order_mark(text));
  if (order.header && !text.empty()) {
    const io::delimited_header header = io::read_header(text, format, path);
    text.remove_prefix(header.bytes);
    if (order.field != 0 && !format.blanks) format.fields = static_cast<std::uint32_t>(header.names.size());
  }
  if (order.field == 0) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      give(line, order.numeric && line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
      text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return;
  }
  io::delimited_scratch scratch;
  const std::uint32_t columns[] = {order.field - 1};
  io::read_records(
      text, format, columns, scratch,
      [&](const io::delimited_record& r) {
        const std::size_t end = r.at + r.text.size();
        const bool returns = end < text.size() && text[end] == '\r';
        give(text.substr(r.at, r.text.size() + (returns ? 1 : 0)), r.fields[0]);
      },
      [](const io::delimited_problem&) { return true; });
}

/// How many lines there are, and the sum of their hashes.
struct line_sum {
  std::uint64_t lines = 0, hashes = 0;

  void add(std::string_view line) {
    ++lines;
    hashes += hash_bytes(line.data(), line.size());
  }
};

struct hash_of_key {
  std::size_t operator()(const checked_key& key) const {
    const std::string& text = key.number.sign == 0 ? key.text : key.number.digits;
    return hash_bytes(text.data(), text.size());
  }
};

template <class T>
check check_numbers(const std::vector<std::string>& files, bool reverse, const std::string& output) {
  line_sum expected, found;
  const auto for_each_number = [](const std::string& path, auto f) {
    std::string unpacked;
    io::text_file file(path);
    if (!io::is_named_compressed(path)) file.take_as_plain();
    for (std::string_view rest = file.all(unpacked); rest.size() >= sizeof(T);
         rest.remove_prefix(sizeof(T))) {
      T value;
      std::memcpy(&value, rest.data(), sizeof value);
      f(value, rest.substr(0, sizeof(T)));
    }
  };
  for (const std::string& path : files)
    for_each_number(path, [&](T, std::string_view bytes) { expected.add(bytes); });
  std::optional<T> before;
  std::uint64_t wrong = 0;
  for_each_number(output, [&](T value, std::string_view bytes) {
    found.add(bytes);
    if (before)
      wrong += (reverse ? *before < value : value < *before) || (is_nan(*before) && !is_nan(value)) ? 1 : 0;
    before = value;
  });
  if (wrong != 0) return {false, fmt::format("{} out of order", plural(wrong, "number is", "numbers are"))};
  if (found.lines != expected.lines || found.hashes != expected.hashes)
    return {false, fmt::format("its {} numbers are not the {} of the input", found.lines, expected.lines)};
  return {};
}

}  // namespace

check check_sorted_numbers(const std::vector<std::string>& files, const std::string& type, bool reverse,
                           const std::string& output) {
  if (type == "u32") return check_numbers<std::uint32_t>(files, reverse, output);
  if (type == "i32") return check_numbers<std::int32_t>(files, reverse, output);
  if (type == "u64") return check_numbers<std::uint64_t>(files, reverse, output);
  if (type == "i64") return check_numbers<std::int64_t>(files, reverse, output);
  if (type == "f32") return check_numbers<float>(files, reverse, output);
  return check_numbers<double>(files, reverse, output);
}

check check_sorted(const std::vector<std::string>& files, const line_order& order,
                   const std::string& output) {
  line_sum expected, found;
  std::unordered_set<checked_key, hash_of_key> seen;
  for (const std::string& path : files)
    for_each_line(path, order, [&](std::string_view line, const checked_key& key) {
      if (!order.unique || seen.insert(key).second) expected.add(line);
    });
  std::optional<checked_key> before;
  std::uint64_t wrong = 0, first = 0;
  for_each_line(output, order, [&](std::string_view line, checked_key key) {
    found.add(line);
    if (before) {
      const int sign = before->compare(key, order.reverse);
      if (sign > 0 || (sign == 0 && order.unique)) {
        if (wrong++ == 0) first = found.lines;
      }
    }
    before = std::move(key);
  });
  if (wrong != 0)
    return {false, fmt::format("{} out of order, the first is line {} of the answer",
                               plural(wrong, "line is", "lines are"), first)};
  if (found.lines != expected.lines)
    return {false,
            fmt::format("expected {}, found {}", plural(expected.lines, "line", "lines"), found.lines)};
  if (found.hashes != expected.hashes) return {false, "its lines are not those of the input"};
  return {};
}

}  // namespace gossamer::cli
