#include "gossamer/graph/formats/internal/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/json_object.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_narrow_limit =
    static_cast<std::uint64_t>(k_no_vertex);  // ids below fit a vertex_id

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Eight characters at a time ----------------------------------------------------------------------

std::uint64_t load8(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// Returns a mask with the high bit of each byte that is no digit. `digits`: characters xor '0'. Bytes after
// the first non-digit may be wrong (a carry).
std::uint64_t no_digit_mask(std::uint64_t digits) {
  return ((digits + 0x7676767676767676U) | digits) & 0x8080808080808080U;
}

// Returns the number in eight bytes of digit values, most significant first (lowest byte). Allows leading
// zeros.
std::uint64_t eight_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8);  // pairs, in bytes 0, 2, 4, 6
  constexpr std::uint64_t k_pairs = 0x000000ff000000ffU;
  const std::uint64_t high = (digits & k_pairs) * (100 + (std::uint64_t{1000000} << 32));
  const std::uint64_t low = ((digits >> 16) & k_pairs) * (1 + (std::uint64_t{10000} << 32));
  return (high + low) >> 32;
}

constexpr std::array<std::uint32_t, 9> k_powers{1,      10,      100,      1000,     10000,
                                                100000, 1000000, 10000000, 100000000};

// Reads an id of at most 16 digits at p. Returns false if there is none, or it is longer, or has a leading
// zero. Reads up to p + 17.
inline bool fast_id(const char*& p, std::uint64_t& id) {
  const std::uint64_t digits = load8(p) ^ 0x3030303030303030U;
  const std::uint64_t mask = no_digit_mask(digits);
  if (static_cast<std::uint8_t>(digits - 1) > 8) [[unlikely]] {  // begins with a non-digit, or with zero
    if (static_cast<std::uint8_t>(digits) != 0 || is_digit(p[1])) return false;
    id = 0;
    ++p;
    return true;
  }
  if (mask != 0) [[likely]] {
    const unsigned bits = static_cast<unsigned>(std::countr_zero(mask)) & ~7U;
    id = eight_digits(digits << (64 - bits));
    p += bits / 8;
    return true;
  }
  const std::uint64_t more = load8(p + 8) ^ 0x3030303030303030U;
  const std::uint64_t more_mask = no_digit_mask(more);
  if (more_mask == 0) {
    if (is_digit(p[16])) return false;
    id = eight_digits(digits) * k_powers[8] + eight_digits(more);
    p += 16;
    return true;
  }
  const unsigned bits = static_cast<unsigned>(std::countr_zero(more_mask)) & ~7U;
  id = eight_digits(digits);
  if (bits != 0) id = id * k_powers[bits / 8] + eight_digits(more << (64 - bits));
  p += 8 + bits / 8;
  return true;
}

// Skips at most eight digits, and returns their number.
inline unsigned fast_digits(const char*& p) {
  const std::uint64_t mask = no_digit_mask(load8(p) ^ 0x3030303030303030U);
  const unsigned count = mask == 0 ? 8 : static_cast<unsigned>(std::countr_zero(mask)) / 8;
  p += count;
  return count;
}

// The text of a weight, and its value if that is an integer of at most eight digits.
struct line_weight {
  std::string_view text;  // empty: the line has none
  std::uint32_t value = 0;
  bool is_small = false;
};

// Reads "123", or "1.25" with at most eight digits on each side. Returns false for other text. Reads up to p
// + 17.
inline bool fast_weight(const char*& p, line_weight& weight) {
  const char* const begin = p;
  const std::uint64_t digits = load8(p) ^ 0x3030303030303030U, mask = no_digit_mask(digits);
  const unsigned bits = mask == 0 ? 64 : static_cast<unsigned>(std::countr_zero(mask)) & ~7U;
  if (bits == 0) return false;
  weight.value = static_cast<std::uint32_t>(eight_digits(digits << (64 - bits)));
  p += bits / 8;
  weight.is_small = *p != '.';
  if (!weight.is_small && fast_digits(++p) == 0) return false;
  weight.text = {begin, static_cast<std::size_t>(p - begin)};
  return true;
}

constexpr std::ptrdiff_t k_fast_bytes =
    80;  // the maximum that a fast line may read: ids 2 x 18, weight 18, ends

// The beginning of the last line: its source, and the separator after it. In most lists, lines of one source
// are consecutive. If this predicts the source of a line, its second half need not wait for the first.
struct line_start {
  std::uint64_t word = 0x0a0a0a0a0a0a0a0aU, mask = ~std::uint64_t{0};  // line ends: no id follows them
  std::uint64_t from = 0;
  std::uint32_t bytes = 0;

  bool matches(const char* p) const { return ((load8(p) ^ word) & mask) == 0; }
  void keep(const char* p, std::ptrdiff_t size, std::uint64_t id) {
    if (size > 8) return;
    mask = ~std::uint64_t{0} >> (64 - 8 * size);
    word = load8(p);
    from = id;
    bytes = static_cast<std::uint32_t>(size);
  }
};

// Scans one line in the usual format. Takes the same branches as for the file's other lines. Returns false if
// the line needs the slow path.
inline bool fast_line(const char*& p, char between, line_start& start, std::uint64_t& from, std::uint64_t& to,
                      line_weight& weight) {
  const char* q = p;
  if (start.matches(q)) {
    from = start.from;
    q += start.bytes;
  } else {
    if (!fast_id(q, from) || *q != between) return false;
    ++q;
    start.keep(p, q - p, from);
  }
  if (!fast_id(q, to)) return false;
  weight.text = {};
  if (*q == between && !fast_weight(++q, weight)) return false;
  q += *q == '\r';
  if (*q != '\n') return false;
  p = q + 1;
  return true;
}

// The slow path for one line ----------------------------------------------------------------------

struct columns {
  std::array<io::delimited_field, 5> token;  // one more than a line may have; or the picked columns
  unsigned count = 0;  // fields of the line, as far as it was read
  bool bad_quote = false;
};

void split(std::string_view line, const line_format& format, columns& c) {
  io::field_reader fields(line, format.cut);
  if (!format.picks) {
    while (c.count < c.token.size() && fields.next(c.token[c.count])) ++c.count;
  } else {
    io::delimited_field f;
    std::uint32_t needed = std::max(format.column[0], format.column[1]);
    if (format.column[2] != k_no_column) needed = std::max(needed, format.column[2]);
    for (; c.count <= needed && fields.next(f); ++c.count)
      for (unsigned k = 0; k < format.column.size(); ++k)
        if (format.column[k] == c.count) c.token[k] = f;
  }
  c.bad_quote = fields.fault().has_value();
}

}  // namespace

bool is_number(std::string_view text) {
  const io::number_state state = io::parse_double(text).state;
  return (state == io::number_state::ok || state == io::number_state::overflow) &&
         text.find_first_of("nN \t") == text.npos;  // infinities, NaN
}

problem check_weight(std::string_view text, weight_rule rule) {
  if (!is_number(text)) return problem::weight;
  if (rule == weight_rule::number) return problem::none;
  const io::parsed<double> number = io::parse_double(text);
  if (number.state == io::number_state::overflow) return problem::infinite_weight;
  return rule == weight_rule::length && number.value < 0 ? problem::negative_weight : problem::none;
}

bool is_integer(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

namespace {

/// Reads a number such as 1e+05 or 7.0 whose value is an integer. Returns false for others, and for leading
/// zeros.
bool read_whole(std::string_view token, std::uint64_t& id) {
  const bool has_zeros = token.size() > 1 && token[0] == '0' && is_digit(token[1]);
  if (!is_digit(token[0]) || has_zeros || !is_number(token)) return false;
  const auto number = io::parse_decimal(token);  // 0.DIGITS times a power of ten
  if (number && number->sign == 0) return id = 0, true;
  if (!number || number->exponent < static_cast<std::int64_t>(number->count)) return false;
  std::string digits(number->digits);
  std::erase(digits, '.');
  digits.resize(static_cast<std::size_t>(std::min<std::int64_t>(number->exponent, 100)), '0');
  const io::parsed<std::uint64_t> whole = io::parse_unsigned(digits);
  id = whole.value;
  return whole.state == io::number_state::ok;
}

/// Reads a vertex that does not consist of digits only.
problem parse_unusual_id(std::string_view token, const line_format& format, std::uint64_t& id, bool& whole) {
  // 1.5 and 4 5 are no names: they do not turn a file of integers into one of names
  if (token.find(' ') != token.npos || token.find('\t') != token.npos) {
    if (token.find_first_not_of("0123456789 \t") == token.npos) return problem::mixed;
  }
  if (format.integers_only && !format.advises) return problem::bad_id;
  if (read_whole(token, id)) {
    whole = true;
    return id >= format.first_id && id <= format.last_id ? problem::none : problem::bad_id;
  }
  if (format.integers_only || (token.find('.') != token.npos && is_number(token))) return problem::bad_id;
  return io::is_missing(token) ? problem::missing : problem::name;
}

problem parse_id(std::string_view token, const line_format& format, std::uint64_t& id, bool& whole) {
  const bool sign = token[0] == '-' || token[0] == '+';
  const std::string_view digits = token.substr(sign ? 1 : 0);
  bool fits = !sign;
  id = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return parse_unusual_id(token, format, id, whole);
    fits = fits && !__builtin_mul_overflow(id, 10, &id) && !__builtin_add_overflow(id, c - '0', &id);
  }
  if (digits.empty()) return format.integers_only ? problem::bad_id : problem::name;
  if (!sign && digits.size() > 1 && digits[0] == '0' && !format.integers_only) return problem::zeros;
  return fits && id >= format.first_id && id <= format.last_id ? problem::none : problem::bad_id;
}

}  // namespace

bool is_wide_number(std::string_view token) {
  return token.size() >= 20 && is_integer(token) &&
         io::parse_unsigned(token).state == io::number_state::overflow;
}

namespace {

bool has_control_bytes(std::string_view line) {
  for (const char c : line)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return true;
  return false;
}

// Returns whether a line has a separator that this file does not use.
bool has_other_separator(std::string_view line, const columns& c, const line_format& format) {
  if (format.any_name || format.picks) return false;
  if (format.cut.blanks) {
    for (unsigned i = 0; i < c.count; ++i)
      if (!c.token[i].quoted && c.token[i].text.find(',') != std::string_view::npos) return true;
    return false;
  }
  return c.count == 1 && !c.token[0].quoted && line.find_first_of(" \t,;") != std::string_view::npos;
}

scanned_line bad(problem what, std::string_view culprit) {
  scanned_line l;
  l.what = what;
  l.culprit = culprit;
  return l;
}

problem check_columns(std::string_view line, const columns& c, const line_format& format,
                      std::string_view& culprit) {
  culprit = line;
  if (c.bad_quote) return problem::quote;
  if (has_other_separator(line, c, format)) return problem::mixed;
  if (!format.picks && (c.count < format.least_columns || c.count > format.most_columns))
    return problem::columns;
  for (unsigned i = 0; i < 2; ++i)
    if (c.token[i].text.empty()) return problem::columns;
  const unsigned count = format.picks ? (c.token[2].text.empty() ? 2 : 3) : c.count;
  for (unsigned i = 2; i < count; ++i) {
    culprit = c.token[i].text;
    const problem p = check_weight(culprit, format.weights);
    if (p != problem::none) return p;
  }
  return problem::none;
}

/// Returns whether a field of a line is behind a quote, so that its blanks separate nothing.
bool is_in_quotes(std::string_view field, std::string_view line) {
  const std::less<> before;
  return before(line.data(), field.data()) && before(field.data(), line.data() + line.size()) &&
         field.data()[-1] == '"';
}

// Returns the unquoted field. Uses `scratch` if that differs from its text in the line.
std::string_view meant(const io::delimited_field& f, std::string& scratch) {
  if (!f.doubled) return f.text;
  scratch.clear();
  io::append_undoubled(f.text, scratch);
  return scratch;
}

bool is_null(std::string_view text, const line_format& format) {
  return std::ranges::find(format.nulls, text) != format.nulls.end();
}

/// Returns a line whose edge is skipped.
scanned_line without_edge() {
  scanned_line l;
  l.skip = true;
  l.counts.missing = 1;
  return l;
}

scanned_line scan_fields(std::string_view text, const line_format& format, line_scratch& scratch) {
  columns c;
  bool no_weight = false;
  split(text, format, c);
  if (!format.nulls.empty()) [[unlikely]] {
    const bool cut = !c.bad_quote && (format.picks || c.count >= format.least_columns);
    if (cut && (is_null(c.token[0].text, format) || is_null(c.token[1].text, format))) return without_edge();
    no_weight = c.count > 2 && is_null(c.token[2].text, format);
    if (no_weight) c.token[2].text = format.picks ? "" : "0";
  }
  std::string_view culprit;
  problem what = check_columns(text, c, format, culprit);
  if (what == problem::none && format.weights != weight_rule::number && format.has_weights() &&
      c.token[2].text.empty() && !no_weight) {
    what = problem::no_weight;
    culprit = text;
  }
  if (what != problem::none) return has_control_bytes(text) ? bad(problem::bytes, text) : bad(what, culprit);
  scanned_line result;
  result.from = meant(c.token[0], scratch.from);
  result.to = meant(c.token[1], scratch.to);
  result.weighted = format.picks ? !c.token[2].text.empty() : c.count > 2;
  if (result.weighted && !no_weight) result.weight = c.token[2].text;
  return result;
}

scanned_line scan_object(std::string_view text, const line_format& format, line_scratch& scratch) {
  scanned_line result;
  std::string& weight = scratch.weight;
  weight.clear();
  bool is_null_weight = false;
  result.what = read_object(text, format.key, {&scratch.from, &scratch.to, &weight});
  if (!format.nulls.empty() && result.what == problem::none) [[unlikely]] {
    if (is_null(scratch.from, format) || is_null(scratch.to, format)) return without_edge();
    is_null_weight = is_null(weight, format);
    if (is_null_weight) weight.clear();
  }
  result.culprit = text;
  result.from = scratch.from;
  result.to = scratch.to;
  result.weighted = !weight.empty();
  result.weight = weight;
  if (result.what == problem::none && (result.from.empty() || result.to.empty()))
    result.what = problem::columns;
  if (result.what != problem::none) return result;
  if (result.weighted)
    result.what = check_weight(weight, format.weights);
  else if (format.weights != weight_rule::number && !format.key[2].empty() && !is_null_weight)
    result.what = problem::no_weight;
  return result;
}

}  // namespace

bool is_comment(std::string_view line, comment_rule rule) {
  if (rule == comment_rule::none) return false;
  std::string_view text = io::without_blanks(line);
  const std::size_t marker = text.starts_with("//") ? 2 : !text.empty() && (text[0] == '#' || text[0] == '%');
  if (marker == 0 || rule == comment_rule::any) return marker != 0;
  text.remove_prefix(std::min(text.find_first_not_of(text[0]), text.size()));
  return text.empty() || io::is_blank(text[0]);
}

scanned_line scan_line(std::string_view line, const line_format& format, bool names, line_scratch& scratch) {
  // If the separator is a tab, tabs at the ends of the line are separators.
  const std::string_view text =
      !format.cut.blanks && format.cut.separator == '\t' ? line : io::without_blanks(line);
  scanned_line result;
  result.counts.comments =
      is_comment(text, names ? std::min(format.comments, comment_rule::bare) : format.comments);
  result.skip = result.counts.comments != 0 || io::without_blanks(text).empty();
  if (result.skip) return result;

  result = format.json ? scan_object(text, format, scratch) : scan_fields(text, format, scratch);
  if (names || result.skip || result.what != problem::none) return result;

  bool whole = false;
  const problem from = parse_id(result.from, format, result.from_id, whole);
  const problem to = parse_id(result.to, format, result.to_id, whole);
  if (from != problem::none || to != problem::none) {
    // If one vertex is a name and the other one NA, NA counts as a name.
    const bool first = from != problem::none && (from != problem::missing || !asks_for_names(to));
    const problem what = first ? from : to;
    const std::string_view culprit = first ? result.from : result.to;
    if (what != problem::mixed) return bad(what, culprit);
    return format.json || is_in_quotes(culprit, text) ? bad(problem::bad_id, culprit) : bad(what, text);
  }
  if (result.from_id > format.last_from || result.to_id > format.last_to) return bad(problem::outside, text);
  result.counts.whole = whole;
  return result;
}

const char* take_line(const char* begin, const char* end, std::string_view& line) {
  const void* found = std::memchr(begin, '\n', static_cast<std::size_t>(end - begin));
  const char* stop = found ? static_cast<const char*>(found) : end;
  line = {begin, static_cast<std::size_t>(stop - begin)};
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return found ? stop + 1 : end;
}

void scan_result::keep_culprit(const char* begin, const char* end) {
  const bool lies_there = std::less_equal<>()(begin, culprit.data()) && std::less<>()(culprit.data(), end);
  if (!culprit.empty() && !lies_there) take_line(stopped, end, culprit);
}

namespace {

// Reads the line at p on the slow path. Returns false if it stops there with a problem.
template <class Id>
bool slow_line(const char*& p, const char* end, const line_format& format, basic_edge<Id>*& out,
               weight_chunk* weights, scan_result& r) {
  std::string_view text;
  const char* next = take_line(p, end, text);
  line_scratch scratch;
  const scanned_line line = scan_line(text, format, false, scratch);
  if (line.what != problem::none) {
    r.what = line.what;
    r.culprit = line.culprit;
    return false;
  }
  r.counts += line.counts;
  if (line.skip) {
    ++r.skipped;
  } else {
    const std::uint64_t from = line.from_id - format.first_id, to = line.to_id - format.first_id;
    const std::uint64_t high = from > to ? from : to;
    if (sizeof(Id) < 8 && high >= k_narrow_limit) {
      r.what = problem::wide;
      return false;
    }
    *out++ = {static_cast<Id>(from), static_cast<Id>(to)};
    r.highest = r.highest > high ? r.highest : high;
    r.weights += line.weighted;
    if (weights) weights->add(line.weight);
  }
  p = next;
  return true;
}

template <bool Weighted, class Id>
scan_result scan_ids(const char* begin, const char* end, const line_format& format, basic_edge<Id>* out,
                     weight_chunk* weights) {
  scan_result r;
  const char* p = begin;
  const char* const fast_end = end - begin > k_fast_bytes ? end - k_fast_bytes : begin;
  const basic_edge<Id>* const start = out;
  line_start start_of_line;
  const auto limit = [&format](std::uint64_t last) {
    const std::uint64_t range = std::min(last, format.last_id) - format.first_id;
    return sizeof(Id) < 8 ? std::min(range, k_narrow_limit - 1) : range;
  };
  const std::uint64_t limit_from = limit(format.last_from), limit_to = limit(format.last_to);
  const bool fast_weights = format.most_columns >= 3;
  const bool fast = !format.picks && !format.json && format.nulls.empty() &&
                    (format.least_columns == 2 || format.least_columns == 3);
  while (p < end) {
    std::uint64_t highest = r.highest, with_weight = 0;
    while (p < fast_end && fast) {
      std::uint64_t from, to;
      line_weight weight;
      const char* const line = p;
      if (!fast_line(p, format.usual, start_of_line, from, to, weight)) break;
      const bool weighted = !weight.text.empty();
      from -= format.first_id;  // smaller ids wrap to a number that is too large
      to -= format.first_id;
      const std::uint64_t high = from > to ? from : to;
      if (from > limit_from || to > limit_to || (weighted && !fast_weights) ||
          (!weighted && (Weighted || format.least_columns > 2))) {
        p = line;
        break;
      }
      *out++ = {static_cast<Id>(from), static_cast<Id>(to)};
      highest = highest > high ? highest : high;
      with_weight += weighted;
      if constexpr (Weighted) weight.is_small ? weights->add_small(weight.value) : weights->add(weight.text);
    }
    r.highest = highest;
    r.weights += with_weight;
    if (p < end && !slow_line(p, end, format, out, weights, r)) break;
  }
  r.stopped = p;
  r.edges = static_cast<std::uint64_t>(out - start);
  return r;
}

}  // namespace

template <class Id>
scan_result scan_integers(const char* begin, const char* end, const line_format& format, basic_edge<Id>* out,
                          weight_chunk* weights) {
  scan_result r = weights ? scan_ids<true>(begin, end, format, out, weights)
                          : scan_ids<false>(begin, end, format, out, weights);
  r.keep_culprit(begin, end);
  return r;
}

template scan_result scan_integers(const char*, const char*, const line_format&, basic_edge<std::uint32_t>*,
                                   weight_chunk*);
template scan_result scan_integers(const char*, const char*, const line_format&, basic_edge<std::uint64_t>*,
                                   weight_chunk*);

namespace {

std::string expected_columns(const line_format& format) {
  if (format.json)
    return fmt::format("values of {} and {}", in_quotes(format.key[0]), in_quotes(format.key[1]));
  if (format.picks && format.column[0] == format.column[1]) return "a vertex";
  if (format.picks)
    return fmt::format("values in the columns {} and {}", format.column[0] + 1, format.column[1] + 1);
  const char* vertices = format.any_name ? "two vertices" : "two vertex ids";
  if (format.advises || (format.least_columns == 2 && format.most_columns == 3))
    return fmt::format("{} and perhaps a weight", vertices);
  if (format.most_columns == 2) return vertices;
  return fmt::format("{} and {}", vertices, format.most_columns == 3 ? "a value" : "two values");
}

std::string found_byte(std::string_view text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
      return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
  std::string without_tabs(text);
  std::erase(without_tabs, '\t');
  if (is_clean_name(without_tabs))  // the character is a tab, or an escape sequence of JSON
    return "a tab, line end or other control character in " + in_quotes(text);
  return "invalid UTF-8 in " + in_quotes(text) + ": of Windows? iconv -f WINDOWS-1252 -t UTF-8";
}

/// Returns the error in the quotes of a line.
std::string describe_quote(std::string_view line, const line_format& format) {
  io::field_reader fields(line, format.cut);
  for (io::delimited_field f; fields.next(f);) {}
  const std::optional<io::delimited_fault> fault = fields.fault();
  GOSSAMER_ASSERT(fault.has_value(), "the line was found to have one");
  if (*fault == io::delimited_fault::open_quote)
    return "expected a quote that ends the field in its line (--no-quotes takes quotes as they stand)";
  return io::describe({.fault = *fault, .at = 0, .record_at = 0, .record = line});
}

/// Returns the option that reads lines with another number of columns.
std::string advice_on_columns(std::size_t found, const line_format& format) {
  if (!format.advises || format.picks || found < 2) return {};
  if (found > 3) return ": --columns 1,2 takes the first two";
  if (found < format.least_columns || found > format.most_columns)
    return ": lines of two and of three are no edges with weights; --columns 1,2 takes the first two";
  return {};
}

}  // namespace

std::string describe(problem what, std::string_view culprit, const line_format& format) {
  switch (what) {
    case problem::columns:
      return fmt::format("expected {}, found {}{}", expected_columns(format), in_quotes(culprit),
                         advice_on_columns(format.json ? 0 : fields_of(culprit, format).size(), format));
    case problem::missing:
      return fmt::format(
          "expected a vertex id, found {}: --null {} leaves out edges without a vertex, --labels reads names",
          in_quotes(culprit), format.json ? "TEXT" : culprit);  // of JSON the culprit is the whole line
    case problem::wide:
    case problem::name:
    case problem::zeros:
    case problem::bad_id:
      return fmt::format("expected a vertex id from {} to {}, found {}{}", format.first_id, format.last_id,
                         in_quotes(culprit),
                         format.advises && !format.integers_only && culprit.starts_with('-')
                             ? ": --labels reads names"
                             : "");
    case problem::outside:
      return fmt::format("expected an entry of a matrix of {} x {}, found {}", format.last_from,
                         format.last_to, in_quotes(culprit));
    case problem::weight:
      return fmt::format("expected a number as weight, found {}{}", in_quotes(culprit),
                         format.advises && !format.picks
                             ? ": --columns S,T chooses columns, --header takes line 1 for their names"
                             : "");
    case problem::no_weight:
      return "expected a weight, as the other edges have, found none in " + in_quotes(culprit);
    case problem::infinite_weight:
      return "expected a weight that a double holds, found " + in_quotes(culprit);
    case problem::negative_weight:
      return "expected a weight of 0 or more, as weights are lengths or capacities here, found " +
             in_quotes(culprit);
    case problem::mixed:
      return fmt::format("expected columns separated by {} only, found {}",
                         io::describe_separator(format.cut), in_quotes(culprit));
    case problem::quote:
      return fmt::format("{}, in {}", describe_quote(culprit, format), in_quotes(culprit));
    case problem::json:
      return "expected a JSON object in one line, found " + in_quotes(culprit);
    case problem::bytes:
      return fmt::format("expected text, found {}", found_byte(culprit));
    case problem::none:
      break;
  }
  return "nothing wrong";
}

}  // namespace gossamer::graph
