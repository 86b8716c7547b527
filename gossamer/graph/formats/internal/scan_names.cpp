// Converts lines of text to edges between names. Lines in the usual format are split eight bytes at a time,
// and names are looked up in batches, so that the cache misses of their slots overlap.
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_ones = 0x0101010101010101U, k_high = 0x8080808080808080U;

/// A name of a line: its bytes and its hash.
struct hashed_name {
  std::string_view text;
  std::uint64_t hash;
};

/// Splits lines "name separator name" and optionally a number, without quotes, comments and blanks that need
/// trimming.
class plain_lines {
 public:
  plain_lines(const char* end, const line_format& format)
      : end_(end),
        separator_(format.cut.blanks ? format.usual : format.cut.separator),
        blanks_(format.cut.blanks),
        least_(format.least_columns),
        most_(format.most_columns),
        weights_(format.weights) {
    const bool commas_end = blanks_ && !format.any_name;  // a comma belongs to another format
    controls_ = (blanks_ ? 0x21U : 0x20U) * k_ones;
    stop_ = static_cast<unsigned char>(blanks_ ? (commas_end ? ',' : '\n') : separator_) * k_ones;
    if (format.cut.quotes) quote_ = static_cast<unsigned char>('"') * k_ones;
    possible_ = !format.picks && !format.json && format.nulls.empty() && least_ <= 3;
  }

  /// Reads the line at p and advances p. Returns false, and leaves p, if the line needs the slow path.
  bool take(const char*& p, hashed_name& from, hashed_name& to, std::string_view& weight) {
    const char* q = p;
    if (!possible_ || *q == '#' || *q == '%' || *q == '/') return false;
    if (has_word(q) && ((load_word(q) ^ last_word_) & last_mask_) == 0) {  // consecutive lines of one source
      from = last_;
      q += from.text.size();
    } else if (name(q, from)) {
      keep(p, from);
    } else {
      return false;
    }
    if (*q != separator_) return false;
    ++q;
    if (!name(q, to)) return false;
    weight = {};
    if (*q == separator_ && *q != '\n') {
      weight = token(++q);
      if (most_ < 3 || weight.empty() || check_weight(weight, weights_) != problem::none) return false;
    } else if (least_ > 2 || (most_ > 2 && weights_ != weight_rule::number)) {
      return false;
    }
    q += *q == '\r';
    if (q == end_ || *q != '\n') return false;
    p = q + 1;
    return true;
  }

 private:
  /// Stores the beginning of a line, up to the separator.
  void keep(const char* p, const hashed_name& from) {
    if (from.text.size() >= k_short_name) return;
    last_ = from;
    last_word_ = load_word(p);
    last_mask_ = ~std::uint64_t{0} >> (8 * (k_short_name - 1 - from.text.size()));
  }

  /// Returns whether eight bytes may be read at p.
  bool has_word(const char* p) const {
    return end_ - p >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
  }

  /// Marks the bytes that end a token, and quotes, which need the slow path. Marks after the first one may be
  /// wrong.
  std::uint64_t ends(std::uint64_t word) const {
    const std::uint64_t other = word ^ stop_, quote = word ^ quote_;
    return (((word - controls_) & ~word) | ((other - k_ones) & ~other) | ((quote - k_ones) & ~quote)) &
           k_high;
  }

  /// Returns the bytes up to the end of a token, and advances p; returns nothing if the text ends too soon.
  std::string_view token(const char*& p) const {
    const char* const begin = p;
    for (; has_word(p); p += sizeof(std::uint64_t)) {
      const std::uint64_t end = ends(load_word(p));
      if (end == 0) continue;
      p += static_cast<unsigned>(std::countr_zero(end)) / 8;
      return {begin, static_cast<std::size_t>(p - begin)};
    }
    p = begin;
    return {};
  }

  /// Reads a name, and advances p. Returns false if it is not in the usual format.
  bool name(const char*& p, hashed_name& n) const {
    constexpr std::size_t k_most_digits = 19;  // of integers that fit 64 bits
    if (!has_word(p)) return false;
    const std::uint64_t word = load_word(p);
    const std::uint64_t end = ends(word);
    if (end != 0) [[likely]] {
      const unsigned bits = static_cast<unsigned>(std::countr_zero(end)) & ~7U;
      if (bits == 0) return false;
      n.text = {p, bits / 8};
      n.hash = hash64(word & ((std::uint64_t{1} << bits) - 1));
      p += bits / 8;
    } else {
      n.text = token(p);
      if (n.text.empty()) return false;
      n.hash = hash_name(n.text);
      if (n.text.size() > k_most_digits && is_wide_number(n.text)) return false;
    }
    return n.text.front() != ' ' && n.text.back() != ' ';
  }

  const char* end_;
  char separator_;
  bool blanks_, possible_;
  std::uint8_t least_, most_;
  weight_rule weights_;
  std::uint64_t controls_, stop_, quote_ = k_ones * '\n';  // quote_: the quote, if it encloses fields
  hashed_name last_ = {};  // the source of an earlier line
  std::uint64_t last_word_ = k_ones * '\n', last_mask_ = ~std::uint64_t{0};  // matches no separator
};

/// Edges whose names have yet to be numbered.
class name_batch {
 public:
  name_batch(name_dictionary& names, edge* out, weight_chunk* weights)
      : names_(names), out_(out), weights_(weights) {}

  bool full() const { return size_ == lines_.size(); }
  void add(const char* begin, std::uint64_t position, const hashed_name& from, const hashed_name& to,
           bool weighted, std::string_view weight) {
    line& l = lines_[size_++];
    l = {begin, position, from, to, weighted, weight};
    names_.prefetch(from.hash);
    names_.prefetch(to.hash);
    has_long_ = has_long_ || from.text.size() > k_short_name || to.text.size() > k_short_name;
  }

  /// Numbers all names and writes their edges. Returns false if it stops at a line whose name is not clean.
  bool flush(scan_result& r) {
    if (has_long_) {
      for (std::size_t i = 0; i < size_; ++i) prefetch(lines_[i], &name_dictionary::prefetch_entry);
      for (std::size_t i = 0; i < size_; ++i) prefetch(lines_[i], &name_dictionary::prefetch_text);
    }
    const std::size_t count = std::exchange(size_, 0);
    has_long_ = false;
    for (std::size_t i = 0; i < count; ++i) {
      const line& l = lines_[i];
      const vertex_id from = names_.number(l.from.text, l.from.hash, l.position);
      const vertex_id to = names_.number(l.to.text, l.to.hash, l.position + 1);  // a line has several bytes
      if (from == k_no_vertex || to == k_no_vertex) {
        r.what = problem::bytes;
        r.culprit = from == k_no_vertex ? l.from.text : l.to.text;
        r.stopped = l.begin;
        r.edges += i;
        return false;
      }
      *out_++ = {from, to};
      r.weights += l.weighted;
      if (weights_) weights_->add(l.weight);
    }
    r.edges += count;
    return true;
  }

 private:
  struct line {
    const char* begin = nullptr;
    std::uint64_t position = 0;
    hashed_name from = {}, to = {};
    bool weighted = false;
    std::string_view weight = {};
  };
  void prefetch(const line& l, void (name_dictionary::*fetch)(std::uint64_t) const) const {
    if (l.from.text.size() > k_short_name) (names_.*fetch)(l.from.hash);
    if (l.to.text.size() > k_short_name) (names_.*fetch)(l.to.hash);
  }

  name_dictionary& names_;
  edge* out_;
  weight_chunk* weights_;
  std::array<line, 32> lines_;
  std::size_t size_ = 0;
  bool has_long_ = false;
};

/// Does the same as scan_names(), but the culprit may be in its scratch.
scan_result scan_batches(const char* begin, const char* end, std::uint64_t position,
                         const line_format& format, name_dictionary& names, edge* out,
                         weight_chunk* weights) {
  scan_result r;
  plain_lines plain(end, format);
  name_batch batch(names, out, weights);
  line_scratch scratch;
  const char* p = begin;
  while (p < end) {
    const std::uint64_t at = position + static_cast<std::uint64_t>(p - begin);
    const char* const start = p;
    hashed_name from, to;
    std::string_view weight;
    if (plain.take(p, from, to, weight)) {
      batch.add(start, at, from, to, !weight.empty(), weight);
      if (batch.full() && !batch.flush(r)) return r;
      continue;
    }
    std::string_view text;
    p = take_line(p, end, text);
    scanned_line line = scan_line(text, format, true, scratch);
    if (!line.skip && line.what == problem::none) {
      const auto too_large = [&](std::string_view token) {
        return !format.any_name && is_wide_number(token);
      };
      if (!too_large(line.from) && !too_large(line.to)) {
        batch.add(start, at, {line.from, hash_name(line.from)}, {line.to, hash_name(line.to)}, line.weighted,
                  line.weight);
        r.counts += line.counts;
        const auto in_scratch = [&](std::string_view name) {
          return name.data() < begin || name.data() >= end;
        };
        const bool kept = !in_scratch(line.from) && !in_scratch(line.to);
        if ((batch.full() || !kept) && !batch.flush(r)) return r;
        continue;
      }
      line.what = problem::bad_id;
      line.culprit = too_large(line.from) ? line.from : line.to;
    }
    if (!batch.flush(r)) return r;
    if (line.what != problem::none) {
      r.what = line.what;
      r.culprit = line.culprit;
      r.stopped = start;
      return r;
    }
    ++r.skipped;
    r.counts += line.counts;
  }
  if (batch.flush(r)) r.stopped = end;
  return r;
}

}  // namespace

scan_result scan_names(const char* begin, const char* end, std::uint64_t position, const line_format& format,
                       name_dictionary& names, edge* out, weight_chunk* weights) {
  scan_result r = scan_batches(begin, end, position, format, names, out, weights);
  r.keep_culprit(begin, end);
  return r;
}

}  // namespace gossamer::graph
