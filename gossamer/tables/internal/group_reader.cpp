#include "gossamer/tables/internal/group_reader.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"

namespace gossamer::tables {

void row_combiner::overflow(std::uint8_t word) const {
  const auto input = std::ranges::find(sums, word) - sums.begin();
  state_.here().learn(static_cast<std::uint8_t>(input), group_plan::k_long_sums);
}

void group_state::fail(const chunk_place& mine) {
  const chunk_place* first = failure.load(std::memory_order_acquire);  // pairs with the release below
  while ((first == nullptr || mine < *first) &&
         !failure.compare_exchange_weak(first, &mine, std::memory_order_release, std::memory_order_acquire)) {
  }
}

std::size_t rows_begin(const text_chunk& chunk, bool header, const io::delimited_format& format,
                       std::span<const std::string> names) {
  if (chunk.begin != 0 || chunk.block_begin != 0) return 0;
  if (!header) return io::byte_order_mark(chunk.text);
  return io::skip_header(chunk.text, format, names, chunk.from->name());
}

std::uint8_t known_of(const io::exact_number& number) {
  if (!number.is_integer) return group_plan::k_reals;
  const auto within = [&](int bits) {
    const wide_integer most = wide_integer{1} << bits;
    return number.integer <= most && number.integer >= -most;
  };
  constexpr int k_double = 53, k_short = 40;  // 2^23 of the latter fit a sum
  if (within(k_short)) return 0;
  const bool fits = number.integer == static_cast<std::int64_t>(number.integer);
  return static_cast<std::uint8_t>(group_plan::k_long_sums | (within(k_double) ? 0 : group_plan::k_large) |
                                   (fits ? 0 : group_plan::k_wide));
}

bool group_reader::is_null(std::string_view field) const {
  std::string_view nulls = state.here().nulls;
  for (std::size_t end; !nulls.empty(); nulls.remove_prefix(end + 1)) {
    end = nulls.find('\0');
    if (nulls.substr(0, end) == field) return true;
  }
  return false;
}

bool looks_missing(std::string_view field) {
  constexpr std::string_view k_more[] = {"n/a", "na", "NaT", "-", ".", "?"};
  return io::is_missing(field) || std::ranges::find(k_more, field) != std::end(k_more);
}

std::string group_reader::problem_of(std::uint8_t field, std::string_view text) const {
  const std::vector<std::string>& names = state.here().names;
  const std::uint32_t column = plan.columns[field];
  constexpr std::size_t k_shown = 40;
  return fmt::format("expected a number in column {}, found \"{}\"{}",
                     names.empty() ? std::to_string(column + 1) : names[column], text.substr(0, k_shown),
                     io::parse_double(text).state == io::number_state::overflow
                         ? ", which is beyond the range of doubles"
                     : looks_missing(text) ? fmt::format(": --null {} takes it for a missing value", text)
                                           : "");
}

namespace {

constexpr double k_exact =
    0x1p53;  // integers below it are doubles, and no text of a larger one is read as less

/// Writes a real as the only number of its column.
void write_real(std::uint64_t* row, const group_plan::numbers& to, double value) {
  const auto word = std::bit_cast<std::uint64_t>(value);
  row[to.count] = 1;
  if (to.sum != group_plan::k_none) row[to.sum] = word;
  if (to.minimum != group_plan::k_none) row[to.minimum] = word;
  if (to.maximum != group_plan::k_none) row[to.maximum] = word;
}

/// Writes a text of at most k_most_text bytes as the only one of its column.
void write_text(std::uint64_t* row, const group_plan::numbers& to, std::string_view text) {
  char bytes[group_plan::k_most_text + 1] = {};
  std::ranges::copy(text, bytes);
  bytes[group_plan::k_most_text] = static_cast<char>(text.size());
  row[to.count] = 1;
  for (const std::uint8_t word : {to.minimum, to.maximum})
    if (word != group_plan::k_none) std::memcpy(row + word, bytes, sizeof bytes);
}

/// Writes an integer as the only number of its column, of any size.
void write_integer(std::uint64_t* row, const group_plan::input& in, wide_integer value) {
  std::uint64_t words[3];
  row_combiner::write_wide(words, value);
  words[2] = value < 0 ? ~std::uint64_t{0} : 0;
  const auto write = [&](std::uint8_t word, std::uint8_t n) {
    if (word != group_plan::k_none) std::memcpy(row + word, words, n * sizeof words[0]);
  };
  row[in.integers.count] = 1;
  write(in.integers.sum, in.sum_words());
  write(in.integers.minimum, in.integer_words());
  write(in.integers.maximum, in.integer_words());
}

}  // namespace

/// Fills a neutral row from the fields of a record. `bad` receives the index of a field that is no number.
group_reader::outcome group_reader::fill(std::uint64_t* row, std::span<const std::string_view> fields,
                                         bool sure, std::uint8_t& bad) const {
  row[0] = 1;
  for (std::uint8_t i = 0; i < plan.inputs; ++i) {
    const group_plan::input& in = plan.of[i];
    const std::string_view field = fields[in.field];
    if (field.empty() || (has_nulls != 0 && is_null(field))) continue;
    if (in.is_texts) {
      if (in.has_long_texts()) {
        row[in.texts.count] = 1;
      } else if (field.size() <= group_plan::k_most_text) {
        write_text(row, in.texts, field);
      } else {
        state.here().learn(i, group_plan::k_long_texts, sure);
        return outcome::again;
      }
      continue;
    }
    if (in.known == group_plan::k_reals) {
      const auto number = io::parse_double(field);
      if (number.state == io::number_state::ok && std::abs(number.value) < k_exact) [[likely]] {
        write_real(row, in.reals, number.value);
        continue;
      }
    } else if ((in.known & ~group_plan::k_long_sums) == 0) {
      const auto number = io::parse_integer(field);
      if (number.state == io::number_state::ok) [[likely]] {
        const auto word = static_cast<std::uint64_t>(number.value);
        row[in.integers.count] = 1;
        if (in.integers.sum != group_plan::k_none) {
          row[in.integers.sum] = word;
          if (in.known != 0) row[in.integers.sum + 1] = number.value < 0 ? ~std::uint64_t{0} : 0;
        }
        if (in.integers.minimum != group_plan::k_none) row[in.integers.minimum] = word;
        if (in.integers.maximum != group_plan::k_none) row[in.integers.maximum] = word;
        continue;
      }
    }
    if (const outcome came = fill_other(row, i, field, sure); came != outcome::ok) {
      bad = in.field;
      return came;
    }
  }
  return outcome::ok;
}

/// Does the same for a field that the fast path does not handle.
group_reader::outcome group_reader::fill_other(std::uint64_t* row, std::uint8_t i, std::string_view field,
                                               bool sure) const {
  const group_plan::input& in = plan.of[i];
  const io::exact_number number = io::parse_exact(field);
  if (number.state != io::number_state::ok) return outcome::bad;
  const std::uint8_t known = known_of(number) | in.known;
  if (const auto news = static_cast<std::uint8_t>(group_plan::settled(known) & ~in.known); news != 0) {
    state.here().learn(i, news, sure);
    return outcome::again;
  }
  if (!number.is_integer)
    write_real(row, in.reals, number.real);
  else if (in.has_integers())
    write_integer(row, in, number.integer);
  else
    write_real(row, in.reals, static_cast<double>(number.integer));
  return outcome::ok;
}

}  // namespace gossamer::tables
