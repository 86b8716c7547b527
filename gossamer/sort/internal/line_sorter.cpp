#include "gossamer/sort/internal/line_sorter.hpp"

#include <algorithm>

namespace gossamer::sorting {
namespace {

constexpr std::size_t k_step_digits = 19;  // that fit 64 bits
constexpr std::size_t k_most_number_steps = 8;  // further digits are compared

/// Returns a step of a number: first of sign and exponent, then of its digits. Numbers are equal if all steps
/// are; NaN equals only NaN.
std::uint64_t step_of(const std::optional<io::decimal_text>& number, std::size_t level) {
  constexpr std::uint64_t k_zero = std::uint64_t{1} << 63;
  constexpr std::int64_t k_most = std::int64_t{1} << 61;  // greater than any finite exponent
  if (!number || number->sign == 0) return k_zero;
  std::uint64_t size = 0;
  if (level == 0) {
    size = static_cast<std::uint64_t>(std::clamp(number->exponent, -k_most, k_most) + k_most + 1);
  } else {
    std::size_t left = k_step_digits * level;
    for (std::size_t i = 0; i < number->digits.size() && left > 0; ++i) {
      if (number->digits[i] == '.') continue;
      if (left-- <= k_step_digits) size = size * 10 + static_cast<std::uint64_t>(number->digits[i] - '0');
    }
    for (left = std::min(left, k_step_digits); left > 0; --left) size *= 10;
  }
  if (level > 0) return number->sign > 0 ? size : ~size;
  return number->sign > 0 ? k_zero + size : k_zero - size;
}

}  // namespace

std::string_view line_sorter::key(std::uint64_t line, std::string& scratch) const {
  return rule_.key_of(texts_.line(line, rule_.has_quotes()), scratch);
}

void line_sorter::prefetch(std::size_t entry) const { __builtin_prefetch(texts_.begin_of(all_[entry].low)); }

std::size_t line_sorter::sort(std::span<wide_key> entries, bool long_numbers) {
  all_ = entries;
  long_numbers_ = long_numbers;
  sort_keys(entries);
  sort_runs({0, entries.size(), sizeof(std::uint64_t)});
  while (!open_.empty()) {
    const range ties = open_.back();
    open_.pop_back();
    sort_ties(ties);
  }
  if (!rule_.unique) return entries.size();
  const auto left = std::ranges::remove(entries, k_dropped, &wide_key::low);
  return static_cast<std::size_t>(left.begin() - entries.begin());
}

/// Sorts the runs of equal steps in a range sorted by steps; defers long ones.
void line_sorter::sort_runs(const range& sorted) {
  for (std::size_t begin = sorted.begin, end; begin < sorted.end; begin = end) {
    if (const std::size_t ahead = begin + k_ahead;
        ahead + 1 < sorted.end && all_[ahead].high == all_[ahead + 1].high) {
      prefetch(ahead);
      prefetch(ahead + 1);
    }
    const std::uint64_t step = all_[begin].high;
    end = begin + 1;
    while (end < sorted.end && all_[end].high == step) ++end;
    if (end == begin + 1) continue;
    const range ties{begin, end, sorted.depth};
    if (rule_.numeric)
      long_numbers_ ? sort_numbers({begin, end, 0}) : drop_repeated(all_.subspan(begin, end - begin));
    else if (end - begin <= k_few)
      sort_few(ties);
    else
      open_.push_back(ties);
  }
}

/// Removes all lines but the first of those with equal steps, which means equal keys here.
void line_sorter::drop_repeated(std::span<wide_key> sorted) const {
  if (!rule_.unique) return;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].high == sorted[i - 1].high) sorted[i].low = k_dropped;
}

/// Sorts numbers that share the nearest double and the steps before this one.
void line_sorter::sort_numbers(const range& ties) {
  if (ties.end - ties.begin <= k_few || ties.depth == k_most_number_steps) return compare_few_numbers(ties);
  bool more = false;  // some number has digits after this step
  for (std::size_t i = ties.begin; i < ties.end; ++i) {
    if (i + k_ahead < ties.end) prefetch(i + k_ahead);
    const auto number = io::parse_decimal(key(all_[i].low, scratch_));
    all_[i].high = rule_.ordered(step_of(number, ties.depth));
    more |= number && number->count > k_step_digits * ties.depth;
  }
  sort_keys(all_.subspan(ties.begin, ties.end - ties.begin));
  for (std::size_t begin = ties.begin, end; begin < ties.end; begin = end) {
    end = begin + 1;
    while (end < ties.end && all_[end].high == all_[begin].high) ++end;
    if (end == begin + 1) continue;
    if (more)
      open_.push_back({begin, end, ties.depth + 1});
    else
      drop_repeated(all_.subspan(begin, end - begin));
  }
}

/// Sorts a few numbers, or very long ones. The text of a number is read in place even if quoted: it has no
/// doubled quotes.
void line_sorter::compare_few_numbers(const range& ties) {
  numbers_.clear();
  numbers_.reserve(ties.end - ties.begin);
  for (std::size_t i = ties.begin; i < ties.end; ++i) {
    if (i + k_ahead < ties.end) prefetch(i + k_ahead);
    numbers_.push_back({io::parse_decimal(key(all_[i].low, scratch_)), all_[i].low});
  }
  std::ranges::sort(numbers_, [&](const numbered_line& a, const numbered_line& b) {
    const int sign = compare_numbers(a.number, b.number);
    return sign != 0 ? (sign < 0) != rule_.reverse : a.line < b.line;
  });
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool is_repeated =
        rule_.unique && i > 0 && compare_numbers(numbers_[i].number, numbers_[i - 1].number) == 0;
    all_[ties.begin + i].low = is_repeated ? k_dropped : numbers_[i].line;
  }
}

void line_sorter::sort_few(const range& ties) {
  few_.clear();
  if (rule_.has_quotes()) scratches_.resize(k_few);
  for (std::size_t i = ties.begin; i < ties.end; ++i) {
    std::string& scratch = rule_.has_quotes() ? scratches_[i - ties.begin] : scratch_;
    few_.push_back({key(all_[i].low, scratch), all_[i].low});
  }
  // Keys that ended before this depth are padded with zeros: their lengths decide.
  const auto compare = [depth = ties.depth](std::string_view a, std::string_view b) {
    const int sign = a.substr(std::min(depth, a.size())).compare(b.substr(std::min(depth, b.size())));
    return sign != 0 ? sign : (a.size() > b.size() ? 1 : 0) - (a.size() < b.size() ? 1 : 0);
  };
  std::ranges::sort(few_, [&](const keyed_line& a, const keyed_line& b) {
    const int sign = compare(a.key, b.key);
    if (sign == 0) return a.line < b.line;
    return rule_.reverse ? sign > 0 : sign < 0;
  });
  for (std::size_t i = 0; i < few_.size(); ++i)
    all_[ties.begin + i].low =
        rule_.unique && i > 0 && few_[i].key == few_[i - 1].key ? k_dropped : few_[i].line;
}

/// Moves the lines whose keys ended before the depth to their end of the range, with their lengths as steps.
/// Loads the next steps of the others. Returns how many ended.
std::size_t line_sorter::ended_first(const range& ties) {
  std::size_t ended = 0;
  for (std::size_t i = ties.begin; i < ties.end; ++i) {
    if (i + k_ahead < ties.end) prefetch(i + k_ahead);
    const std::string_view k = key(all_[i].low, scratch_);
    if (k.size() > ties.depth) {
      all_[i].high = rule_.ordered(text_step(k, ties.depth));
    } else {
      all_[i].high = rule_.ordered(k.size());
      std::swap(all_[i], all_[ties.begin + ended++]);
    }
  }
  if (rule_.reverse)
    std::rotate(all_.begin() + static_cast<std::ptrdiff_t>(ties.begin),
                all_.begin() + static_cast<std::ptrdiff_t>(ties.begin + ended),
                all_.begin() + static_cast<std::ptrdiff_t>(ties.end));
  return ended;
}

/// Returns the length of the common prefix of the keys of a range, at least ties.depth.
std::size_t line_sorter::common_depth(const range& ties) {
  const std::string_view first = key(all_[ties.begin].low, first_scratch_);
  std::size_t common = first.size();
  for (std::size_t i = ties.begin + 1; i < ties.end && common > ties.depth; ++i) {
    if (i + k_ahead < ties.end) prefetch(i + k_ahead);
    const std::string_view k = key(all_[i].low, scratch_);
    const std::size_t most = std::min(common, k.size());
    std::size_t at = ties.depth;
    while (at < most && text_step(k, at) == text_step(first, at)) at += sizeof(std::uint64_t);
    at = std::min(at, most);
    while (at < most && k[at] == first[at]) ++at;
    common = at;
  }
  return common;
}

void line_sorter::sort_ties(const range& ties) {
  if (rule_.numeric) return sort_numbers(ties);
  if (ties.end - ties.begin <= k_few) return sort_few(ties);
  const std::size_t ended = ended_first(ties);
  range going{ties.begin, ties.end, ties.depth};
  if (ended != 0) {
    const range over =
        rule_.reverse ? range{ties.end - ended, ties.end, 0} : range{ties.begin, ties.begin + ended, 0};
    (rule_.reverse ? going.end : going.begin) = rule_.reverse ? over.begin : over.end;
    const std::span<wide_key> entries = all_.subspan(over.begin, ended);
    sort_keys(entries);
    drop_repeated(entries);
  }
  if (going.begin == going.end) return;
  const std::span<wide_key> entries = all_.subspan(going.begin, going.end - going.begin);
  const bool same =
      std::ranges::all_of(entries, [&](const wide_key& e) { return e.high == entries[0].high; });
  if (same && entries.size() > 1) {
    open_.push_back({going.begin, going.end, common_depth(going)});  // at least one byte more
    return;
  }
  sort_keys(entries);
  sort_runs({going.begin, going.end, going.depth + sizeof(std::uint64_t)});
}

}  // namespace gossamer::sorting
