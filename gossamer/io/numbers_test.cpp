// Numbers against the standard library's slow functions, on random digits; ranges and text after a number.
#include "gossamer/io/numbers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "gossamer/base/random.hpp"

namespace gossamer::io {
namespace {

TEST(Numbers, ReadsIntegersOfTheWholeRange) {
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{42}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(parse_integer(fmt::format(" {}\t", n)), (parsed<std::int64_t>{n, number_state::ok}));
  EXPECT_EQ(parse_integer("+0012").value, 12);
  EXPECT_EQ(parse_unsigned("18446744073709551615").value, ~std::uint64_t{0});
}

TEST(Numbers, ReportsOverflow) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"})
    EXPECT_EQ(parse_integer(text), (parsed<std::int64_t>{0, number_state::overflow})) << text;
  EXPECT_EQ(parse_unsigned("18446744073709551616").state, number_state::overflow);
  for (const char* text : {"1e309", "-1e99999999999999999999", "1e+400"})
    EXPECT_EQ(parse_double(text), (parsed<double>{0, number_state::overflow})) << text;
}

TEST(Numbers, TellsTextAfterANumberFromNoNumber) {
  EXPECT_EQ(parse_integer("12 x"), (parsed<std::int64_t>{12, number_state::trailing}));
  EXPECT_EQ(parse_integer("1.5"), (parsed<std::int64_t>{1, number_state::trailing}));
  EXPECT_EQ(parse_double("1.5.2"), (parsed<double>{1.5, number_state::trailing}));
  EXPECT_EQ(parse_double("2,5"), (parsed<double>{2, number_state::trailing}));
  for (const char* text : {"", " ", "-", "+", "+-1", "--1", "x1", "- 1"}) {
    EXPECT_EQ(parse_integer(text).state, number_state::none) << text;
    EXPECT_EQ(parse_double(text).state, number_state::none) << text;
  }
  for (const char* text : {".", "e5", "-."}) EXPECT_EQ(parse_double(text).state, number_state::none) << text;
  EXPECT_EQ(parse_unsigned("-1").state, number_state::none);
}

TEST(Numbers, ReadsTheFormsOfDoubles) {
  EXPECT_EQ(parse_double("12.34").value, 12.34);
  EXPECT_EQ(parse_double("+.5").value, 0.5);
  EXPECT_EQ(parse_double("-3e-7").value, -3e-7);
  EXPECT_EQ(parse_double("5.").value, 5);
  EXPECT_TRUE(std::signbit(parse_double("-0").value));
  EXPECT_TRUE(std::isinf(parse_double("-inf").value));
  EXPECT_TRUE(std::isnan(parse_double("NaN").value));
}

TEST(Numbers, RoundsTinyNumbersToZero) {
  for (const std::string& text : {std::string("1e-400"), "-0." + std::string(400, '0') + "1",
                                  std::string("123456e-99999999999999999999")}) {
    EXPECT_EQ(parse_double(text).state, number_state::ok) << text;
    EXPECT_EQ(parse_double(text).value, 0) << text;
  }
}

void expect_same_double(const std::string& text, std::uint64_t seed) {
  const parsed<double> got = parse_double(text);
  ASSERT_EQ(got.state, number_state::ok) << text << ", seed " << seed;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(got.value),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text << ", seed " << seed;
}

// All texts of up to nine characters of a small alphabet, which cover the limits of the fast paths.
TEST(Numbers, ReadsEveryShortTextAsFromCharsDoes) {
  constexpr std::string_view k_letters = "05.e-x";
  for (const std::string prefix : {"", "1", "123", "9876"}) {
    for (unsigned number = 0; number < 6 * 6 * 6 * 6 * 6; ++number) {
      std::string text = prefix;
      for (unsigned left = number; left != 0; left /= 6) text += k_letters[left % 6];
      double value = 0;
      const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (fault == std::errc::result_out_of_range) continue;
      const number_state state = fault != std::errc()               ? number_state::none
                                 : end == text.data() + text.size() ? number_state::ok
                                                                    : number_state::trailing;
      ASSERT_EQ(parse_double(text), (parsed<double>{value, state})) << text;
    }
  }
}

// Every byte at every position of a text that is read as a word, and of one that is slightly too long.
TEST(Numbers, ReadsEveryByteAmongDigitsAsFromCharsDoes) {
  for (std::size_t size = 1; size <= 9; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = std::string("987654321").substr(0, size);
        text[at] = static_cast<char>(byte);
        if (std::string_view(" \t+-").find(text[at]) != std::string_view::npos) continue;
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + size, value);
        const number_state state = fault != std::errc()        ? number_state::none
                                   : end == text.data() + size ? number_state::ok
                                                               : number_state::trailing;
        ASSERT_EQ(parse_integer(text), (parsed<std::int64_t>{value, state})) << text;
      }
}

TEST(Numbers, ReadsDoublesAsStrtodDoes) {
  constexpr std::uint64_t k_seed = 11;
  xoshiro256 random(k_seed);
  for (int i = 0; i < 50000; ++i) {
    std::string text = fmt::format("{}{}", bounded(random, 2) ? "-" : "", random() >> bounded(random, 64));
    if (bounded(random, 4)) text.insert(text.size() - bounded(random, text.size() - (text[0] == '-')), ".");
    if (bounded(random, 4) == 0) text += fmt::format("e{}", static_cast<int>(bounded(random, 600)) - 300);
    if (!std::isfinite(std::strtod(text.c_str(), nullptr))) continue;
    expect_same_double(text, k_seed);
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) expect_same_double(fmt::format("{}", any), k_seed);
  }
}

std::string written(double value) {
  std::array<char, k_most_number_bytes> text;
  return {text.data(), write_number(text.data(), value)};
}

TEST(Numbers, WritesTheShortestText) {
  constexpr std::uint64_t k_seed = 13;
  xoshiro256 random(k_seed);
  for (int i = 0; i < 200000; ++i) {
    // Random bits; then few decimals around three, neighbouring numbers, and the limits of the fast path.
    double value = std::bit_cast<double>(random());
    if (i % 4 != 0)
      value = static_cast<double>(random() >> bounded(random, 64)) / std::pow(10, bounded(random, 6));
    if (i % 4 == 2) value = std::nextafter(value, i % 8 == 2 ? 0 : 1e300);
    if (bounded(random, 2)) value = -value;
    ASSERT_EQ(written(value), fmt::format("{}", value)) << "seed " << k_seed;
  }
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.001,
                             0.0009,
                             0.0015,
                             1e12,
                             999999999999.999,
                             999999999999.9995,
                             1e12 - 0.001,
                             1e15,
                             1e16,
                             0.1 + 0.2,
                             5e-324,
                             1.7976931348623157e308,
                             HUGE_VAL,
                             -HUGE_VAL,
                             0.01,
                             10.1,
                             10.01,
                             10.012,
                             10.002,
                             10.02,
                             1000.0})
    EXPECT_EQ(written(value), fmt::format("{}", value));
  EXPECT_EQ(written(std::nan("")), "nan");
}

TEST(Numbers, ReadsIntegersAsWideArithmeticDoes) {
  constexpr std::uint64_t k_seed = 12;
  xoshiro256 random(k_seed);
  __extension__ using wide = __int128;
  for (int i = 0; i < 50000; ++i) {
    std::string digits;
    for (std::size_t n = 1 + bounded(random, 21); n > 0; --n)
      digits += static_cast<char>('0' + bounded(random, 10));
    const bool negative = bounded(random, 2);
    wide exact = 0;
    for (const char c : digits) exact = exact * 10 + (c - '0');
    if (negative) exact = -exact;
    const bool fits = exact >= std::numeric_limits<std::int64_t>::min() &&
                      exact <= std::numeric_limits<std::int64_t>::max();
    const parsed<std::int64_t> got = parse_integer((negative ? "-" : "") + digits);
    ASSERT_EQ(got.state, fits ? number_state::ok : number_state::overflow) << digits << ", seed " << k_seed;
    if (fits) {
      ASSERT_EQ(wide{got.value}, exact) << digits << ", seed " << k_seed;
    }
  }
}

TEST(Numbers, ComparesDecimalsExactly) {
  constexpr std::uint64_t k_seed = 13;
  xoshiro256 random(k_seed);
  __extension__ using wide = __int128;
  constexpr int k_places = 18;
  const auto drawn = [&](wide& scaled) {  // the value times 10^18, and a text for it
    const auto fraction = bounded(random, k_places + 1);
    wide power = 1;
    for (std::uint64_t p = fraction; p < k_places; ++p) power *= 10;
    const auto digits = static_cast<std::int64_t>(
        bounded(random, 2) == 0 ? bounded(random, 12) : bounded(random, 1'000'000'000'000));
    const bool negative = bounded(random, 2) != 0;
    scaled = (negative ? -1 : 1) * wide{digits} * power;
    std::string text = std::to_string(digits);
    if (bounded(random, 2) != 0) return fmt::format("{}{}e-{}", negative ? "-" : "", text, fraction);
    while (text.size() <= fraction) text = "0" + text;
    text.insert(text.size() - fraction, ".");
    return (negative ? "-" : "+") + text + std::string(bounded(random, 4), '0');
  };
  for (int i = 0; i < 50000; ++i) {
    wide x = 0, y = 0;
    const std::string a = drawn(x), b = drawn(y);
    const auto left = parse_decimal(a), right = parse_decimal(b);
    ASSERT_TRUE(left && right) << a << " " << b;
    const int sign = left->compare(*right);
    ASSERT_EQ((sign > 0) - (sign < 0), (x > y) - (x < y)) << a << " " << b << ", seed " << k_seed;
  }
  for (const char* text :
       {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1x", "0x1", "nan", "1e9999999999999999999", "--1", "infx"})
    EXPECT_FALSE(parse_decimal(text)) << text;
  EXPECT_LT(parse_decimal("1e999999")->compare(*parse_decimal("inf")), 0);
  EXPECT_LT(parse_decimal("-inf")->compare(*parse_decimal("-1e999999")), 0);
  EXPECT_EQ(parse_decimal("0e5")->compare(*parse_decimal("-0.00")), 0);
  EXPECT_GT(parse_decimal("1e-999")->compare(*parse_decimal("0")), 0);
}

TEST(Numbers, IntegersOf128Bits) {
  constexpr wide_integer k_most = static_cast<wide_integer>(~wide_unsigned{0} >> 1);
  const auto read = [](std::string_view text) { return parse_wide(text); };
  EXPECT_TRUE(read("170141183460469231731687303715884105727") ==
              (parsed<wide_integer>{k_most, number_state::ok}));
  EXPECT_TRUE(read(" -170141183460469231731687303715884105728\t") ==
              (parsed<wide_integer>{-k_most - 1, number_state::ok}));
  EXPECT_TRUE(read("170141183460469231731687303715884105728").state == number_state::overflow);
  EXPECT_TRUE(read("-170141183460469231731687303715884105729").state == number_state::overflow);
  EXPECT_TRUE(read("18446744073709551616.5").state == number_state::trailing);
  EXPECT_TRUE(read("+0000000000000000000000000000000000000000000007").value == 7);
  EXPECT_TRUE(read("x").state == number_state::none);
}

TEST(Numbers, ComparesIntegersWithDoublesByValue) {
  const auto order = [](std::string_view a, std::string_view b) {
    const int c = compare(parse_exact(a), parse_exact(b));
    EXPECT_EQ(compare(parse_exact(b), parse_exact(a)), -c) << a << " " << b;
    return c;
  };
  EXPECT_LT(order("9007199254740992", "9007199254740993"), 0);
  EXPECT_LT(order("9007199254740992.0", "9007199254740993"), 0);
  EXPECT_EQ(order("9007199254740992.0", "9007199254740992"), 0);
  EXPECT_LT(order("-1.5", "-1"), 0);
  EXPECT_LT(order("1", "1.5"), 0);
  EXPECT_LT(order("170141183460469231731687303715884105727", "1.7014118346046923e38"), 0);
  EXPECT_LT(order("-inf", "-170141183460469231731687303715884105728"), 0);
  EXPECT_LT(order("inf", "nan"), 0);
  EXPECT_EQ(order("nan", "-nan"), 0);
}

}  // namespace
}  // namespace gossamer::io
