#include "gossamer/tables/internal/group_order.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gossamer/tables/internal/row_combiner.hpp"

namespace gossamer::tables {

namespace {

using type = group_value::type;

group_value real_value(double v) {
  return {.is = type::real, .real = std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v};
}
group_value integer_value(wide_integer v) {
  const auto narrow = static_cast<std::int64_t>(v);
  if (v == narrow) return {.is = type::integer, .integer = narrow};
  return {.is = type::wide, .wide = v};
}

double real_at(const std::uint64_t* row, std::uint8_t word) { return std::bit_cast<double>(row[word]); }
/// Returns an integer of one word or two.
wide_integer integer_at(const std::uint64_t* row, std::uint8_t word, std::uint8_t words) {
  return words == 1 ? wide_integer{static_cast<std::int64_t>(row[word])}
                    : row_combiner::read_wide(row + word);
}

/// An integer of 192 bits that exceeds 128.
class long_sum {
 public:
  long_sum(std::int64_t third, wide_unsigned low) : is_negative_(third < 0) {
    if (is_negative_) low = ~low + 1;
    const auto high = static_cast<std::uint64_t>(third);
    digits_ = {is_negative_ ? ~high + (low == 0 ? 1 : 0) : high, static_cast<std::uint64_t>(low >> 64),
               static_cast<std::uint64_t>(low)};
  }
  /// Returns the double nearest to the integer divided by a count.
  double nearest(std::uint64_t count = 1) const {
    std::array<std::uint64_t, 3> quotient = {};
    wide_unsigned rest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      rest = (rest << 64) | digits_[i];
      quotient[i] = static_cast<std::uint64_t>(rest / count);
      rest %= count;
    }
    // The sum has more than 126 bits, the quotient more than 62: bits that are left out do not decide the
    // rounding, but that some of them are 1 may.
    std::size_t first = 0;
    while (quotient[first] == 0) ++first;
    const int shift = std::countl_zero(quotient[first]);
    const std::uint64_t next = first < 2 ? quotient[first + 1] : 0;
    std::uint64_t top = quotient[first] << shift;
    if (shift != 0) top |= next >> (64 - shift);
    const bool has_more = (next << shift) != 0 || (first == 0 && quotient[2] != 0) || rest != 0;
    const double magnitude = std::ldexp(static_cast<double>(top | std::uint64_t{has_more}),
                                        static_cast<int>(64 * (2 - first)) - shift);
    return is_negative_ ? -magnitude : magnitude;
  }

 private:
  bool is_negative_;
  std::array<std::uint64_t, 3> digits_;  // of the magnitude, the most significant first
};

/// A sum of both sides: integers, and a double with its rounding error.
struct joined_sum {
  wide_integer integers = 0;
  std::optional<long_sum> beyond;  // replaces `integers` if 128 bits do not suffice
  double high = 0, low = 0;

  joined_sum(const group_plan::input& in, const std::uint64_t* row) {
    if (in.has_integers()) {
      const std::uint8_t word = in.integers.sum, n = in.sum_words();
      integers = integer_at(row, word, n);
      const auto third = n == 3 ? static_cast<std::int64_t>(row[word + 2]) : integers < 0 ? -1 : 0;
      if (third != (integers < 0 ? -1 : 0))
        beyond = long_sum(third, static_cast<wide_unsigned>(std::exchange(integers, 0)));
    }
    if (in.has_reals()) {
      high = real_at(row, in.reals.sum);
      low = real_at(row, in.reals.sum + 1);
    }
  }
  /// Returns the total, rounded once if 106 bits suffice.
  std::pair<double, double> real() const {
    const auto add = [](double a, double b) {  // Knuth's two-sum
      const double sum = a + b, part = sum - a;
      return std::pair(sum, std::isfinite(sum) ? (a - (sum - part)) + (b - part) : 0);
    };
    const auto first = static_cast<double>(integers);
    const auto whole = first < 0 ? static_cast<wide_unsigned>(static_cast<wide_integer>(first))
                                 : static_cast<wide_unsigned>(first);  // can be 2^127
    const auto rest =
        static_cast<double>(static_cast<wide_integer>(static_cast<wide_unsigned>(integers) - whole));
    const auto [sum, lost] = add(beyond ? beyond->nearest() : first, high);
    return add(sum, lost + ((beyond ? 0 : rest) + low));
  }
};

/// Returns whether the column has no reals in this group, and its integers are kept apart from them.
bool has_only_integers(const group_plan::input& in, const std::uint64_t* row) {
  return in.has_integers() && (!in.has_reals() || row[in.reals.count] == 0);
}

group_value mean_in(const group_plan::input& in, const std::uint64_t* row, std::uint64_t count) {
  const joined_sum sum(in, row);
  if (has_only_integers(in, row))
    return real_value(sum.beyond ? sum.beyond->nearest(count) : nearest_quotient(sum.integers, count));
  // If the sum is a double, its quotient is rounded once. Otherwise more digits are kept, so that it is
  // nearly always rounded once.
  const auto [high, low] = sum.real();
  if (low == 0) return real_value(high / static_cast<double>(count));
  return real_value(static_cast<double>((static_cast<long double>(high) + static_cast<long double>(low)) /
                                        static_cast<long double>(count)));
}

group_value sum_in(const group_plan::input& in, const std::uint64_t* row) {
  const joined_sum sum(in, row);
  if (has_only_integers(in, row) && !sum.beyond) return integer_value(sum.integers);
  return real_value(sum.real().first);
}

group_value extreme_in(const group_plan& p, const group_plan::input& in, std::string_view key,
                       const std::uint64_t* row, bool largest) {
  if (in.has_long_texts())
    return {.is = type::text,
            .text = appended_text(key, p.appended, largest ? in.largest_appended : in.least_appended)};
  if (in.is_texts) {
    const char* const bytes =
        reinterpret_cast<const char*>(row + (largest ? in.texts.maximum : in.texts.minimum));
    return {.is = type::text, .text = {bytes, static_cast<std::size_t>(bytes[group_plan::k_most_text])}};
  }
  const bool integers = in.has_integers() && row[in.integers.count] != 0;
  const bool reals = in.has_reals() && row[in.reals.count] != 0;
  const double real = reals ? real_at(row, largest ? in.reals.maximum : in.reals.minimum) : 0;
  if (!integers || (reals && std::isnan(real))) return real_value(real);
  const wide_integer integer =
      integer_at(row, largest ? in.integers.maximum : in.integers.minimum, in.integer_words());
  if (!reals) return integer_value(integer);
  if (integer == 0 && real == 0) return !largest && std::signbit(real) ? real_value(real) : integer_value(0);
  const int c = io::compare(integer, real);
  return (largest ? c >= 0 : c <= 0) ? integer_value(integer) : real_value(real);
}

/// Returns a value as number; NaN for none.
io::exact_number number_in(const group_value& v) {
  constexpr auto k_ok = io::number_state::ok;
  if (v.is == type::integer) return {k_ok, true, v.integer, 0};
  if (v.is == type::wide) return {k_ok, true, v.wide, 0};
  return {k_ok, false, 0, v.is == type::real ? v.real : std::numeric_limits<double>::quiet_NaN()};
}

/// Returns whether a result is an integer of 64 bits in each group.
bool is_narrow(const group_plan& p, std::size_t r) {
  const group_plan::result& result = p.result_of[r];
  if (result.what == aggregate::count || result.what == aggregate::distinct) return true;
  if (result.what == aggregate::mean || result.what == aggregate::quantile) return false;
  const group_plan::input& in = p.of[result.input];
  if (in.is_texts) return false;
  return in.known == 0 || (in.known == group_plan::k_long_sums && result.what != aggregate::sum);
}

}  // namespace

group_value result_in(const group_plan& p, std::size_t r, std::string_view key, const std::uint64_t* row) {
  const group_plan::result& result = p.result_of[r];
  if (result.what == aggregate::count) return integer_value(static_cast<std::int64_t>(row[0]));
  if (result.what == aggregate::distinct) return integer_value(static_cast<std::int64_t>(row[result.word]));
  const group_plan::input& in = p.of[result.input];
  const std::uint64_t count = (in.has_integers() ? row[in.integers.count] : 0) +
                              (in.has_reals() ? row[in.reals.count] : 0) +
                              (in.is_texts ? row[in.texts.count] : 0);
  if (count == 0) return {};
  if (result.what == aggregate::quantile) return real_value(real_at(row, result.word));
  if (result.what == aggregate::mean) return mean_in(in, row, count);
  if (result.what == aggregate::sum) return sum_in(in, row);
  return extreme_in(p, in, key, row, result.what == aggregate::maximum);
}

int group_order::compare_results(std::string_view a_key, const std::uint64_t* a, std::string_view b_key,
                                 const std::uint64_t* b) const {
  const group_value p = result_in(plan, by.column - plan.keys, a_key, a),
                    q = result_in(plan, by.column - plan.keys, b_key, b);
  if (p.is == type::text && q.is == type::text)
    return by.descending ? q.text.compare(p.text) : p.text.compare(q.text);
  if (p.is == type::text || q.is == type::text) return p.is == type::text ? -1 : 1;  // missing: last
  const io::exact_number x = number_in(p), y = number_in(q);
  const int c = io::compare(x, y);
  return by.descending && !std::isnan(x.real) && !std::isnan(y.real) ? -c : c;
}

std::uint64_t group_order::field_code(std::string_view key, std::size_t k, unsigned level) const {
  const std::string_view field = field_in(key, k);
  if ((numeric_keys >> k & 1) == 0) return mapreduce::text_code(field, level);
  return level == 0 ? sorting::ordered_key<double, false>::encode(io::parse_double(field).value + 0.0)
                    : 0;  // both zeros have the same code
}

std::uint64_t group_order::result_code(std::string_view key, const std::uint64_t* row) const {
  const std::size_t r = by.column - plan.keys;
  const group_value v = result_in(plan, r, key, row);
  if (v.is == type::none || std::isnan(v.real)) return k_last_code;
  if (v.is == type::text) {  // less than the code of missing values
    const std::uint64_t ascending = mapreduce::text_code(v.text, 0) >> 1;
    return by.descending ? (~std::uint64_t{0} >> 1) - ascending : ascending;
  }
  const double nearest = v.is == type::integer ? static_cast<double>(v.integer)
                         : v.is == type::wide  ? static_cast<double>(v.wide)
                                               : v.real + 0.0;
  const std::uint64_t ascending = is_narrow(plan, r)
                                      ? sorting::ordered_key<std::int64_t, false>::encode(v.integer)
                                      : sorting::ordered_key<double, false>::encode(nearest);
  return by.descending ? ~ascending : ascending;
}

bool group_order::results_have_codes() const {
  const std::size_t r = by.column - plan.keys;
  const group_plan::result& result = plan.result_of[r];
  return is_narrow(plan, r) || result.what == aggregate::mean || result.what == aggregate::quantile ||
         (!plan.of[result.input].is_texts && plan.of[result.input].known == group_plan::k_reals);
}

}  // namespace gossamer::tables
