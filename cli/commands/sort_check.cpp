#include "commands/sort_check.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <type_traits>
#include <unordered_map>

#include "gossamer/base/hash.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

/// A key, as the check compares it. A long double holds integers of 64 bits and doubles exactly.
struct checked_key {
  std::string text;
  long double number = 0;

  int compare(const checked_key& other) const {
    if (number != other.number) return number < other.number ? -1 : 1;
    return text.compare(other.text);
  }
};

/// Returns whether a number of a binary file is none.
template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

/// Reads a number; nothing where the text is none.
std::optional<long double> number_in(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::int64_t whole = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (failure == std::errc() && end == digits.data() + digits.size()) return whole;
  // strtod also reads what is no decimal number: hexadecimal digits, and any white space before them.
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0 ||
      text.find_first_of("xX(") != text.npos)
    return {};
  const std::string copy(text);
  char* last = nullptr;
  const double real = std::strtod(copy.c_str(), &last);
  if (last != copy.c_str() + copy.size() || std::isnan(real)) return {};
  if (std::isinf(real) && text.find_first_of("0123456789") != text.npos) return {};  // too large
  return real;
}

/// Returns the key of a line; nothing where numbers are wanted and it is none.
std::optional<checked_key> key_in(std::string_view text, const line_order& order) {
  if (!order.numeric) return checked_key{.text = std::string(text)};
  const auto number = number_in(text);
  if (!number) return {};
  return checked_key{.text = {}, .number = *number};
}

/// A file's text, decompressed.
class whole_text {
 public:
  explicit whole_text(const std::string& path) : file_(path) {
    const auto how = io::detect_compression(file_.bytes());
    is_packed_ = how != io::compression::none;
    if (!is_packed_) return;
    const auto source = io::make_decompressor(how, file_.bytes(), path);
    std::vector<char> piece(1 << 20);
    while (const std::size_t n = source->read(piece)) unpacked_.append(piece.data(), n);
  }
  std::string_view text() const { return is_packed_ ? unpacked_ : file_.text(); }

 private:
  const machine::mapped_file file_;
  bool is_packed_ = false;
  std::string unpacked_;
};

/// Calls f(line, key) for each line of a file after its header, but for those without a key.
template <class F>
void for_each_line(const std::string& path, const line_order& order, F f) {
  const auto give = [&](std::string_view line, std::string_view text) {
    if (auto key = key_in(text, order)) f(line, std::move(*key));
  };
  const whole_text whole(path);
  std::string_view text = whole.text();
  io::delimited_format format{.separator = order.separator,
                              .quotes = order.quotes && order.separator != 0 && order.field != 0,
                              .blanks = order.separator == 0,
                              .empty_lines = true};
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
    return hash_bytes(key.text.data(), key.text.size()) ^ std::hash<long double>()(key.number);
  }
};
struct equal_keys {
  bool operator()(const checked_key& a, const checked_key& b) const { return a.compare(b) == 0; }
};

template <class T>
std::string wrong_with_numbers(const std::vector<std::string>& files, bool reverse,
                               const std::string& output) {
  line_sum expected, found;
  const auto for_each_number = [](const std::string& path, auto f) {
    const whole_text whole(path);
    for (std::string_view rest = whole.text(); rest.size() >= sizeof(T); rest.remove_prefix(sizeof(T))) {
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
  if (wrong != 0) return fmt::format("{} out of order", plural(wrong, "number is", "numbers are"));
  if (found.lines != expected.lines || found.hashes != expected.hashes)
    return fmt::format("its {} numbers are not the {} of the input", found.lines, expected.lines);
  return {};
}

}  // namespace

std::string wrong_with_sorted_numbers(const std::vector<std::string>& files, const std::string& type,
                                      bool reverse, const std::string& output) {
  if (type == "u32") return wrong_with_numbers<std::uint32_t>(files, reverse, output);
  if (type == "i32") return wrong_with_numbers<std::int32_t>(files, reverse, output);
  if (type == "u64") return wrong_with_numbers<std::uint64_t>(files, reverse, output);
  if (type == "i64") return wrong_with_numbers<std::int64_t>(files, reverse, output);
  if (type == "f32") return wrong_with_numbers<float>(files, reverse, output);
  return wrong_with_numbers<double>(files, reverse, output);
}

std::string wrong_with_sorted(const std::vector<std::string>& files, const line_order& order,
                              const std::string& output) {
  line_sum expected, found;
  std::unordered_map<checked_key, bool, hash_of_key, equal_keys> seen;
  for (const std::string& path : files)
    for_each_line(path, order, [&](std::string_view line, const checked_key& key) {
      if (!order.unique || seen.emplace(key, true).second) expected.add(line);
    });
  std::optional<checked_key> before;
  std::uint64_t wrong = 0, first = 0;
  for_each_line(output, order, [&](std::string_view line, checked_key key) {
    found.add(line);
    if (before) {
      const int sign = order.reverse ? key.compare(*before) : before->compare(key);
      if (sign > 0 || (sign == 0 && order.unique)) {
        if (wrong++ == 0) first = found.lines;
      }
    }
    before = std::move(key);
  });
  if (wrong != 0)
    return fmt::format("{} out of order, the first is line {} of the answer",
                       plural(wrong, "line is", "lines are"), first);
  if (found.lines != expected.lines)
    return fmt::format("expected {}, found {}", plural(expected.lines, "line", "lines"), found.lines);
  if (found.hashes != expected.hashes) return "its lines are not those of the input";
  return {};
}

}  // namespace gossamer::cli
