#include "parse/places.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

#include "gossamer/base/error.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr unsigned k_most_processes = 16384;

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// Rewrites "1,2,4,...,128" as "1,2,4..128".
std::string without_ellipses(std::string_view text) {
  std::string out(text);
  for (const std::string_view dots : {",…,", ",...,", "…", "..."})
    for (std::size_t at; (at = out.find(dots)) != out.npos;) out.replace(at, dots.size(), "..");
  return out;
}

/// The value between two braces: a sum of products. None if it exceeds 64 bits.
class expression {
 public:
  expression(std::string_view text, unsigned processes, unsigned cores)
      : left_(text), processes_(processes), cores_(cores) {}

  std::optional<std::uint64_t> value() {
    const auto all = sum();
    return left_.empty() ? all : std::nullopt;
  }

 private:
  bool take(std::string_view what) {
    if (!left_.starts_with(what)) return false;
    left_.remove_prefix(what.size());
    return true;
  }
  std::optional<std::uint64_t> sum() {
    auto all = product();
    while (all && take("+")) {
      const auto more = product();
      if (!more || __builtin_add_overflow(*all, *more, &*all)) return {};
    }
    return all;
  }
  std::optional<std::uint64_t> product() {
    auto all = factor();
    while (all && take("*")) {
      const auto more = factor();
      if (!more || __builtin_mul_overflow(*all, *more, &*all)) return {};
    }
    return all;
  }
  std::optional<std::uint64_t> factor() {
    if (take("processes")) return processes_;
    if (take("cores")) return cores_;
    if (take("log2(")) {
      const auto of = sum();
      if (!of || *of == 0 || !take(")")) return {};
      return std::bit_width(*of) - 1;
    }
    const auto digits = left_.substr(0, left_.find_first_not_of("0123456789"));
    left_.remove_prefix(digits.size());
    return number_of<std::uint64_t>(digits);
  }

  std::string_view left_;
  std::uint64_t processes_, cores_;
};

std::string filled(const std::string& word, unsigned processes, unsigned cores) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t open; (open = word.find('{', at)) != word.npos;) {
    const std::size_t close = word.find('}', open);
    const auto value = close == word.npos
                           ? std::nullopt
                           : expression({word.data() + open + 1, close - open - 1}, processes, cores).value();
    if (!value)
      throw error(
          fmt::format("scale: expected {{processes}}, {{cores}} or a sum or product of such, as in "
                      "{{20+log2(processes)}}, found \"{}\"",
                      printable(word.substr(open, close == word.npos ? close : close + 1 - open))));
    out += word.substr(at, open - at) + std::to_string(*value);
    at = close + 1;
  }
  return out + word.substr(at);
}

}  // namespace

std::vector<unsigned> process_counts(std::string_view option, std::string_view text) {
  const std::string all = without_ellipses(text);
  const auto refuse = [&] {
    throw error(
        fmt::format("{}: expected numbers of processes that rise, from 1 to {}, such as 1,2,4,8 or 1..128, "
                    "found \"{}\"",
                    option, k_most_processes, printable(text)));
  };
  std::vector<unsigned> counts;
  const auto add = [&](std::string_view word) {
    const auto n = number_of<unsigned>(word);
    if (!n || *n == 0 || *n > k_most_processes || (!counts.empty() && *n <= counts.back())) refuse();
    counts.push_back(*n);
  };
  std::string_view left = all;
  while (true) {
    const std::string_view word = left.substr(0, left.find(','));
    const std::size_t dots = word.find("..");
    add(word.substr(0, dots));
    if (dots != word.npos) {
      const auto last = number_of<unsigned>(word.substr(dots + 2));
      while (last && *last <= k_most_processes && counts.back() * 2 < *last)
        counts.push_back(counts.back() * 2);
      add(word.substr(dots + 2));
    }
    if (word.size() == left.size()) return counts;
    left.remove_prefix(word.size() + 1);
  }
}

bool has_places(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.find('{') != word.npos) return true;
  return false;
}

std::vector<std::string> filled(const std::vector<std::string>& words, unsigned processes, unsigned cores) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(filled(word, processes, cores));
  return out;
}

}  // namespace gossamer::cli
