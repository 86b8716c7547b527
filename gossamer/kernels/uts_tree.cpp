#include "gossamer/kernels/uts_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"

namespace gossamer::kernels {

namespace {

using law = uts_tree::law;
using shape = uts_tree::shape;

constexpr uts_tree geometric(shape how, std::uint32_t limit, double mean, std::uint32_t seed) {
  return {.kind = law::geometric, .how = how, .mean = mean, .limit = limit, .seed = seed};
}
constexpr uts_tree binomial(double root, double probability, std::uint32_t children, std::uint32_t seed) {
  return {
      .kind = law::binomial, .mean = root, .seed = seed, .probability = probability, .children = children};
}

constexpr uts_tree k_hybrid{.kind = law::hybrid,
                            .how = shape::linear,
                            .mean = 6,
                            .limit = 16,
                            .seed = 1,
                            .probability = 0.234375,
                            .children = 4};

constexpr std::array<named_tree, 9> k_named{{
    {"T1", geometric(shape::fixed, 10, 4, 19), {4'130'071, 10, 3'305'118}},
    {"T2", geometric(shape::cyclic, 16, 6, 502), {4'117'769, 81, 2'342'762}},
    {"T3", binomial(2000, 0.124875, 8, 42), {4'112'897, 1572, 3'599'034}},
    {"T4", k_hybrid, {4'132'453, 134, 3'108'986}},
    {"T5", geometric(shape::linear, 20, 4, 34), {4'147'582, 20, 2'181'318}},
    {"T1L", geometric(shape::fixed, 13, 4, 29), {102'181'082, 13, 81'746'377}},
    {"T2L", geometric(shape::cyclic, 23, 7, 220), {96'793'510, 67, 53'791'152}},
    {"T3L", binomial(2000, 0.200014, 5, 7), {111'345'631, 17'844, 89'076'904}},
    {"T1XL", geometric(shape::fixed, 15, 4, 29), {1'635'119'272, 15, 1'308'100'063}},
}};

// --- how many children --------------------------------------------------------------------------

double mean_at(const uts_tree& t, std::uint32_t depth) {
  if (depth == 0) return t.mean;
  const double d = depth, limit = t.limit;
  switch (t.how) {
    case shape::linear:
      return t.mean * (1.0 - d / limit);
    case shape::exponential:
      return t.mean * std::pow(d, -std::log(t.mean) / std::log(limit));
    case shape::cyclic:
      return d > 5 * limit ? 0.0 : std::pow(t.mean, std::sin(2.0 * 3.141592653589793 * d / limit));
    case shape::fixed:
      return d < limit ? t.mean : 0.0;
  }
  return 0;
}

bool is_geometric(const uts_tree& t, std::uint32_t depth) {
  return t.kind == law::geometric || (t.kind == law::hybrid && depth < t.turn * t.limit);
}

std::uint32_t children_of_random(const uts_tree& t, std::uint32_t random, std::uint32_t depth) {
  const double u = random / 2147483648.0;
  if (t.kind == law::binomial && depth == 0) return static_cast<std::uint32_t>(t.mean);
  if (!is_geometric(t, depth)) return u < t.probability ? t.children : 0;
  const double p = 1.0 / (1.0 + mean_at(t, depth));
  const double n = std::floor(std::log(1 - u) / std::log(1 - p));
  return n >= 1 ? static_cast<std::uint32_t>(std::min<double>(n, k_most_children)) : 0;  // NaN gives 0
}

// --- names and arguments ------------------------------------------------------------------------

std::string names() {
  std::string all;
  for (const auto& n : k_named) all += fmt::format("{}{}", all.empty() ? "" : " ", n.name);
  return all;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::toupper(c); },
      [](unsigned char c) { return std::toupper(c); });
}

template <class T>
T number(char option, std::string_view text, T least, T most) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && end == text.data() + text.size() && value >= least && value <= most)
    return value;
  throw error(
      fmt::format("-{}: expected a number from {} to {}, found {}", option, least, most, in_quotes(text)));
}

void set(uts_tree& t, char option, std::string_view text) {
  constexpr std::uint32_t k_most = 0x7fffffff;
  switch (option) {
    case 't':
      t.kind = static_cast<law>(number<unsigned>(option, text, 0, 2));
      break;
    case 'a':
      t.how = static_cast<shape>(number<unsigned>(option, text, 0, 3));
      break;
    case 'b':
      t.mean = number<double>(option, text, 0, k_most);
      break;
    case 'd':
      t.limit = number<std::uint32_t>(option, text, 1, k_most);
      break;
    case 'r':
      t.seed = number<std::uint32_t>(option, text, 0, k_most);
      break;
    case 'q':
      t.probability = number<double>(option, text, 0, 1);
      break;
    case 'm':
      t.children = number<std::uint32_t>(option, text, 0, k_most_children);
      break;
    case 'f':
      t.turn = number<double>(option, text, 0, 1);
      break;
    default:
      throw error(
          fmt::format("expected arguments of a tree (-t -a -d -b -r -q -m -f), found \"-{}\"", option));
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view k_space = " \t\n";
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(k_space, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(k_space, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

uts_tree tree_of_arguments(const std::vector<std::string_view>& words) {
  uts_tree t;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word.size() < 2 || word[0] != '-' || std::isalpha(static_cast<unsigned char>(word[1])) == 0)
      throw error(fmt::format("expected arguments of a tree such as -t 1 -a 3 -d 10 -b 4 -r 19, found {}",
                              in_quotes(word)));
    const bool attached = word.size() > 2;
    if (!attached && i + 1 == words.size()) throw error(fmt::format("{}: expected a number behind it", word));
    set(t, word[1], attached ? word.substr(2) : words[++i]);
  }
  constexpr double k_most_each = 1.01;  // T3L has 1.00007, and ends; few trees beyond that do
  if (const double each = t.probability * t.children; t.kind != law::geometric && each > k_most_each)
    throw error(fmt::format(
        "expected at most {} children of a node on average (-q times -m), found {}: the tree may have no end",
        k_most_each, each));
  if (t.kind != law::geometric && t.probability >= 1 && t.children >= 1)
    throw error(
        "expected a probability of children below 1 (-q): with 1 every node has some, and the tree has no "
        "end");
  return t;
}

}  // namespace

std::span<const named_tree> named_trees() { return k_named; }

const named_tree* find_named(const uts_tree& tree) {
  const auto* const found = std::ranges::find(k_named, tree, &named_tree::tree);
  return found != k_named.end() ? found : nullptr;
}

uts_tree parse_tree(std::string_view text) {
  const auto words = words_of(text);
  if (!words.empty() && words[0].starts_with("-")) return tree_of_arguments(words);
  for (const auto& n : k_named)
    if (words.size() == 1 && same_name(n.name, words[0])) return n.tree;
  throw error(
      fmt::format("expected a tree, one of {} or arguments such as \"-t 1 -a 3 -d 10 -b 4 -r 19\", found {}",
                  names(), in_quotes(text)));
}

std::string arguments_of(const uts_tree& t) {
  std::string out = fmt::format("-t {}", static_cast<unsigned>(t.kind));
  if (t.kind != law::binomial) out += fmt::format(" -a {} -d {}", static_cast<unsigned>(t.how), t.limit);
  out += fmt::format(" -b {} -r {}", t.mean, t.seed);
  if (t.kind != law::geometric) out += fmt::format(" -q {} -m {}", t.probability, t.children);
  if (t.kind == law::hybrid) out += fmt::format(" -f {}", t.turn);
  return out;
}

sha1_digest root_state(const uts_tree& tree) {
  std::array<unsigned char, 20> bytes{};
  for (unsigned k = 0; k < 4; ++k) bytes[16 + k] = static_cast<unsigned char>(tree.seed >> (24 - 8 * k));
  return sha1(std::as_bytes(std::span(bytes)));
}

sha1_digest child_state(const sha1_digest& parent, std::uint32_t child) {
  std::array<unsigned char, 24> bytes;
  for (unsigned w = 0; w < 6; ++w) {
    const std::uint32_t word = w < 5 ? parent[w] : child;
    for (unsigned k = 0; k < 4; ++k) bytes[4 * w + k] = static_cast<unsigned char>(word >> (24 - 8 * k));
  }
  return sha1(std::as_bytes(std::span(bytes)));
}

std::uint32_t children_of(const uts_tree& tree, const sha1_digest& state, std::uint32_t depth) {
  return children_of_random(tree, state[4] & 0x7fffffff, depth);
}

// --- the table ----------------------------------------------------------------------------------

children_table::row::row(const uts_tree& tree, std::uint32_t depth) {
  const bool by_mean = is_geometric(tree, depth);
  if (!by_mean) {
    times_ = tree.children;
    flip_ = k_largest;
  }
  const auto children = [&](std::uint32_t random) {
    const std::uint32_t n = children_of_random(tree, random ^ flip_, depth);
    return by_mean ? n : static_cast<std::uint32_t>(n != 0);
  };
  std::ranges::fill(least_, k_never);
  least_[0] = 0;
  const std::uint32_t most = children(k_largest);
  for (std::uint32_t n = 1; n <= most; ++n) {
    std::uint32_t low = least_[n - 1],
                  high = k_largest;  // the smallest number that gives n children is in [low, high]
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (children(middle) >= n)
        high = middle;
      else
        low = middle + 1;
    }
    least_[n] = high;
  }
  std::uint32_t n = 0;
  for (std::uint32_t part = 0; part < 256; ++part) {
    while (part << k_start_shift >= least_[n + 1]) ++n;
    start_[part] = static_cast<std::uint8_t>(n);
  }
}

/// Returns the row of a depth. Depths with the same law share a row.
std::size_t children_table::row_number(std::uint32_t depth) const {
  if (tree_.kind == law::binomial) return 0;
  std::uint32_t last = depth;
  if (tree_.how == shape::fixed) return is_geometric(tree_, depth) && depth < tree_.limit ? 0 : 1;
  if (tree_.how == shape::linear) last = tree_.limit;
  if (tree_.how == shape::cyclic) last = static_cast<std::uint32_t>(std::min(5.0 * tree_.limit + 1, 4e9));
  if (tree_.kind == law::hybrid) last = static_cast<std::uint32_t>(std::ceil(tree_.turn * tree_.limit));
  return std::min(depth, last);
}

const children_table::row& children_table::make(std::size_t number, std::uint32_t depth) {
  constexpr std::size_t k_most_rows = 1 << 16;
  if (number >= k_most_rows)
    throw error(
        fmt::format("the tree {} is deeper than {}: it may have no end", arguments_of(tree_), k_most_rows));
  if (number >= rows_.size()) rows_.resize(number + 1);
  rows_[number] = std::make_unique<row>(tree_, depth);
  return *rows_[number];
}

}  // namespace gossamer::kernels
