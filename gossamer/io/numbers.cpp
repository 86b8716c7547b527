#include "gossamer/io/numbers.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>

#include "gossamer/io/delimited_fields.hpp"

namespace gossamer::io {
namespace {

bool is_decimal(char c) { return static_cast<unsigned char>(c - '0') < 10; }

constexpr std::uint64_t k_each = 0x0101010101010101U,
                        k_high = k_each * 0x80;  // of each byte: 1, the highest bit

// Returns the characters of a text of 1 to 8, the last in the highest byte, zeros before the first.
std::uint64_t load_up_to_8(std::string_view text) {
  const char* const p = text.data();
  const std::size_t n = text.size();
  if (n >= 4) {  // two overlapping words
    std::uint32_t front, back;
    std::memcpy(&front, p, 4);
    std::memcpy(&back, p + n - 4, 4);
    return std::uint64_t{back} << 32 | std::uint64_t{front} << 32 >> (8 * (n - 4));
  }
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i); };
  return (byte(0) | byte(n / 2) | byte(n - 1)) << (64 - 8 * n);
}

// Converts the last 1 to 8 characters of a word from load_up_to_8(). Returns false if one is no digit.
bool read_digits(std::uint64_t word, std::size_t count, std::uint64_t& value) {
  std::uint64_t digits = (word ^ (k_each * '0')) >> (64 - 8 * count) << (64 - 8 * count);
  if ((((digits + k_each * 0x76) | digits) & k_high) != 0) return false;
  digits = digits * 10 + (digits >> 8);  // pairs, in bytes 0, 2, 4 and 6
  constexpr std::uint64_t k_pairs = 0x000000ff000000ffU;
  const std::uint64_t high = (digits & k_pairs) * (100 + (std::uint64_t{1000000} << 32));
  const std::uint64_t low = ((digits >> 16) & k_pairs) * (1 + (std::uint64_t{10000} << 32));
  value = (high + low) >> 32;
  return true;
}

// Returns whether a text can be read as a word. Otherwise it is read character by character.
bool fits_a_word(std::string_view text) {
  return std::endian::native == std::endian::little && !text.empty() && text.size() <= 8;
}

// Reads digits at the front and removes them. Returns their value if it is at most `most`, which 8 digits
// never exceed.
parsed<std::uint64_t> take_digits(std::string_view& text, std::uint64_t most) {
  parsed<std::uint64_t> number{0, number_state::ok};
  if (fits_a_word(text) && read_digits(load_up_to_8(text), text.size(), number.value)) {
    text = {};
    return number;
  }
  if (text.empty() || !is_decimal(text.front())) return {};
  std::size_t i = 0;
  for (; i < text.size() && is_decimal(text[i]); ++i) {
    const auto digit = static_cast<unsigned>(text[i] - '0');
    if (number.state == number_state::overflow) continue;
    if (number.value > (most - digit) / 10)
      number = {0, number_state::overflow};
    else
      number.value = number.value * 10 + digit;
  }
  text.remove_prefix(i);
  if (number.state == number_state::ok && !text.empty()) number.state = number_state::trailing;
  return number;
}

constexpr std::array<double, 23> k_exact_powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Reads a text of digits with at most one decimal point. If the digits are a number up to 2^53, that number
// and the power of ten are doubles, and their quotient is rounded once: it is the nearest double (Clinger,
// "How to Read Floating Point Numbers Accurately", PLDI 1990). Returns false otherwise.
bool parse_short(std::string_view text, double& value) {
  constexpr std::size_t k_most_digits = 19;  // that always fit 64 bits
  if (text.size() > k_most_digits + 1) return false;
  std::uint64_t digits = 0;
  std::size_t count = 0, fraction = 0;
  bool point = false;
  for (const char c : text) {
    if (is_decimal(c)) {
      digits = digits * 10 + static_cast<unsigned>(c - '0');
      ++count;
      fraction += point;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      return false;
    }
  }
  if (count == 0 || count > k_most_digits || digits > std::uint64_t{1} << 53) return false;
  value = static_cast<double>(digits) / k_exact_powers[fraction];
  return true;
}

// Does the same for at most 8 characters, without a branch for each.
[[gnu::always_inline]] inline bool parse_tiny(std::string_view text, double& value) {
  if (!fits_a_word(text)) return false;
  std::uint64_t word = load_up_to_8(text);
  std::size_t count = text.size(), fraction = 0;
  const std::uint64_t other = word ^ (k_each * '.');
  const std::uint64_t points = ~(((other & ~k_high) + ~k_high) | other) & k_high;
  if (points != 0) {  // the first is removed; another one counts as no digit
    const auto before = static_cast<unsigned>(std::countr_zero(points)) & ~7U;
    const std::uint64_t front = word & ((std::uint64_t{1} << before) - 1);
    word = front << 8 | word >> before >> 8 << before << 8;
    fraction = 7 - before / 8;
    if (--count == 0) return false;
  }
  std::uint64_t digits;
  if (!read_digits(word, count, digits)) return false;
  value = static_cast<double>(digits) / k_exact_powers[fraction];
  return true;
}

// Returns whether a number that no double can represent is too small, rather than too large: its first digit
// other than 0 is after the decimal point when the exponent is applied.
bool is_tiny(std::string_view text) {
  std::int64_t magnitude = 0;
  bool point = false, started = false;
  std::size_t i = 0;
  for (; i < text.size() && (is_decimal(text[i]) || text[i] == '.'); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    started |= text[i] != '0';
    if (started && !point) ++magnitude;
    if (!started && point) --magnitude;
  }
  if (i == text.size()) return magnitude <= 0;
  text.remove_prefix(i + 1);  // the e
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::uint64_t k_any = std::uint64_t{1} << 62;
  const parsed<std::uint64_t> read = take_digits(text, k_any);
  const auto exponent = static_cast<std::int64_t>(read.state == number_state::overflow ? k_any : read.value);
  return magnitude + (negative ? -exponent : exponent) <= 0;
}

// Reads what parse_integer() does. Apart from it, so that short texts need no frame.
[[gnu::noinline]] parsed<std::int64_t> parse_any_integer(std::string_view text) {
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  constexpr auto k_most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const parsed<std::uint64_t> size = take_digits(text, k_most + negative);
  return {static_cast<std::int64_t>(negative ? 0 - size.value : size.value), size.state};
}

// Reads what parse_double() does.
[[gnu::noinline]] parsed<double> parse_any_double(std::string_view text) {
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  parsed<double> number{0, number_state::ok};
  if (!parse_short(text, number.value)) {
    if (text.starts_with('-')) return {};
    const char* const end = text.data() + text.size();
    const auto [stopped, fault] = std::from_chars(text.data(), end, number.value);
    if (fault == std::errc::invalid_argument) return {};
    if (fault == std::errc::result_out_of_range) {
      const std::string_view read = text.substr(0, static_cast<std::size_t>(stopped - text.data()));
      if (!is_tiny(read)) return {0, number_state::overflow};
      number.value = 0;
    }
    if (stopped != end) number.state = number_state::trailing;
  }
  if (negative) number.value = -number.value;
  return number;
}

}  // namespace

parsed<std::uint64_t> parse_unsigned(std::string_view text) {
  text = without_blanks(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return take_digits(text, std::numeric_limits<std::uint64_t>::max());
}

parsed<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative);
  std::uint64_t size;
  if (fits_a_word(digits) && read_digits(load_up_to_8(digits), digits.size(), size)) [[likely]]
    return {static_cast<std::int64_t>(negative ? 0 - size : size), number_state::ok};
  return parse_any_integer(text);
}

parsed<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  double size;
  if (parse_tiny(text.substr(negative), size)) [[likely]]
    return {negative ? -size : size, number_state::ok};
  return parse_any_double(text);
}

std::optional<decimal_text> parse_decimal(std::string_view text) {
  text = without_blanks(text);
  decimal_text number;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  number.sign = negative ? -1 : 1;
  if (const parsed<double> real = parse_double(text);
      text.empty() || (!is_decimal(text[0]) && text[0] != '.')) {
    if (real.state != number_state::ok || !std::isinf(real.value)) return {};
    number.exponent = std::numeric_limits<std::int64_t>::max();
    return number;
  }
  std::size_t at = 0, first = std::string_view::npos, last = 0, figures = 0;
  std::int64_t whole = 0;  // digits before the point, from the first that is not 0; negative: zeros after it
  bool point = false;
  for (; at < text.size() && (is_decimal(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    ++figures;
    if (text[at] != '0') {
      if (first == std::string_view::npos) first = at;
      last = at;
    }
    whole += first != std::string_view::npos ? !point : -int{point};
  }
  if (figures == 0) return {};
  std::int64_t power = 0;
  if (at < text.size()) {
    if ((text[at] | 0x20) != 'e') return {};
    std::string_view rest = text.substr(at + 1);
    const bool below = rest.starts_with('-');
    if (below || rest.starts_with('+')) rest.remove_prefix(1);
    constexpr std::uint64_t k_most_power = 999'999'999'999'999'999;
    const parsed<std::uint64_t> read = take_digits(rest, k_most_power);
    if (read.state != number_state::ok) return {};
    power = static_cast<std::int64_t>(below ? 0 - read.value : read.value);
  }
  if (first == std::string_view::npos) return decimal_text{};
  number.digits = text.substr(first, last + 1 - first);
  number.count = number.digits.size() - (number.digits.find('.') != std::string_view::npos);
  number.exponent = whole + power;
  return number;
}

int decimal_text::compare(const decimal_text& other) const {
  if (sign != other.sign) return sign < other.sign ? -1 : 1;
  if (sign == 0) return 0;
  if (exponent != other.exponent) return (exponent < other.exponent) == (sign > 0) ? -1 : 1;
  std::size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    if (i < digits.size() && digits[i] == '.') ++i;
    if (j < other.digits.size() && other.digits[j] == '.') ++j;
    const bool ends = i == digits.size(), other_ends = j == other.digits.size();
    if (ends && other_ends) return 0;
    if (ends || other_ends) return ends == (sign > 0) ? -1 : 1;
    if (digits[i] != other.digits[j]) return (digits[i] < other.digits[j]) == (sign > 0) ? -1 : 1;
  }
}

parsed<wide_integer> parse_wide(std::string_view text) {
  const parsed<std::int64_t> narrow = parse_integer(text);
  if (narrow.state != number_state::overflow) return {narrow.value, narrow.state};
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const wide_unsigned most = (~wide_unsigned{0} >> 1) + negative;
  wide_unsigned size = 0;
  for (const char c : text) {
    if (!is_decimal(c)) return {0, number_state::trailing};
    const auto digit = static_cast<unsigned>(c - '0');
    if (size > (most - digit) / 10) return {0, number_state::overflow};
    size = size * 10 + digit;
  }
  return {static_cast<wide_integer>(negative ? -size : size), number_state::ok};
}

exact_number parse_exact(std::string_view text) {
  if (const auto integer = parse_wide(text); integer.state == number_state::ok)
    return {number_state::ok, true, integer.value, 0};
  const auto real = parse_double(text);
  return {real.state, false, 0, real.value};
}

int compare(wide_integer a, double b) {
  constexpr double k_beyond = 0x1p127;  // the first double that is out of range
  if (b >= k_beyond) return -1;
  if (b < -k_beyond) return 1;
  const double whole = std::trunc(b);
  if (const auto other = static_cast<wide_integer>(whole); a != other) return a < other ? -1 : 1;
  return b > whole ? -1 : b < whole ? 1 : 0;
}

int compare(const exact_number& a, const exact_number& b) {
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.is_integer && b.is_integer) return sign(a.integer, b.integer);
  const bool no_a = std::isnan(a.real), no_b = std::isnan(b.real);
  if (no_a || no_b) return sign(no_a, no_b);
  if (a.is_integer) return compare(a.integer, b.real);
  if (b.is_integer) return -compare(b.integer, a.real);
  return sign(a.real, b.real);
}

char* write_number(char* to, double value) {
  // Tries thousandths of at most 15 digits. No two of them are the same double, so if one reads back as
  // `value`, its digits are the shortest ones. Smaller numbers than 0.001 need zeros or exponents.
  constexpr double k_least = 1e-3, k_most = 1e12;
  const double size = std::abs(value);
  if (size >= k_least && size < k_most) {
    const auto thousandths = static_cast<std::uint64_t>(std::nearbyint(size * 1000));
    if (static_cast<double>(thousandths) / 1000 == size) {
      if (value < 0) *to++ = '-';
      const fmt::format_int whole(thousandths / 1000);
      to = std::copy_n(whole.data(), whole.size(), to);
      if (const auto rest = static_cast<unsigned>(thousandths % 1000); rest != 0) {
        *to++ = '.';
        *to++ = static_cast<char>('0' + rest / 100);
        if (rest % 100 != 0) *to++ = static_cast<char>('0' + rest / 10 % 10);
        if (rest % 10 != 0) *to++ = static_cast<char>('0' + rest % 10);
      }
      return to;
    }
  }
  return fmt::format_to(to, FMT_COMPILE("{}"), value);
}

}  // namespace gossamer::io
