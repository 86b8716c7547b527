#pragma once
// Splits one record of delimited text into fields: the grammar of CSV, TSV and blanks, character by
// character. read_records() (delimited.hpp) uses it for what its vector code cannot decide. Readers of single
// lines, as of edge lists, use it alone. Owns nothing, allocates nothing.

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/delimited.hpp"

namespace gossamer::io {

/// Returns whether a character is a space or a tab.
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns a text without the blanks around it.
inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Returns a record without its trailing LF or CR LF. A CR at the end of the text counts as part of a line
/// end, too.
inline std::string_view without_line_end(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

/// A field at its place in the record.
struct delimited_field {
  std::string_view text;  // without the quotes around it
  bool quoted = false;
  bool doubled = false;  // contains doubled quotes
};

/// Appends a field, with its doubled quotes replaced by single ones.
inline void append_undoubled(std::string_view text, std::string& out) {
  for (std::size_t quote; (quote = text.find('"')) != std::string_view::npos; text.remove_prefix(quote + 2))
    out += text.substr(0, quote + 1);
  out += text;
}

/// Iterates over the fields of a record.
class field_reader {
 public:
  /// Begins with `record`, the whole record without its line end. Both arguments must outlive the reader.
  field_reader(std::string_view record, const delimited_format& format)
      : at_(record.data()),
        begin_(at_),
        end_(at_ + record.size()),
        format_(format),
        has_quotes_(format.quotes && find(at_, '"') != end_) {}

  /// Reads the next field. Returns false at the end, or at an error.
  bool next(delimited_field& f) {
    if (format_.blanks || format_.trims)
      while (at_ != end_ && is_blank(*at_) && (format_.blanks || *at_ != format_.separator)) ++at_;
    if (format_.blanks ? at_ == end_ : ended_) return false;
    field_ = at_;
    f.quoted = f.doubled = false;
    if (has_quotes_ && at_ != end_ && *at_ == '"') return quoted(f);
    const char* stop = field_end(at_);
    if (has_quotes_)
      if (const void* quote = std::memchr(at_, '"', static_cast<std::size_t>(stop - at_)); quote != nullptr)
        return fail(delimited_fault::quote_in_field, static_cast<const char*>(quote));
    const char* last = stop;
    if (format_.trims)
      while (last != at_ && is_blank(last[-1])) --last;
    f.text = {at_, static_cast<std::size_t>(last - at_)};
    pass(stop);
    return true;
  }

  /// Returns the position of the last field in the record.
  std::size_t field_begin() const { return static_cast<std::size_t>(field_ - begin_); }
  /// Returns the error in the record, and its position.
  std::optional<delimited_fault> fault() const { return has_fault_ ? std::optional(fault_) : std::nullopt; }
  std::size_t fault_at() const { return static_cast<std::size_t>(fault_place_ - begin_); }

 private:
  const char* find(const char* from, char c) const {
    const void* const found =
        from == end_ ? nullptr : std::memchr(from, c, static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }
  const char* field_end(const char* from) const {
    if (!format_.blanks) return find(from, format_.separator);
    while (from != end_ && !is_blank(*from)) ++from;
    return from;
  }
  bool quoted(delimited_field& f) {
    const char* quote = find(at_ + 1, '"');
    for (; quote != end_ && quote + 1 != end_ && quote[1] == '"'; quote = find(quote + 2, '"'))
      f.doubled = true;
    if (quote == end_) return fail(delimited_fault::open_quote, at_);
    f.quoted = true;
    f.text = {at_ + 1, static_cast<std::size_t>(quote - at_ - 1)};
    const char* stop = quote + 1;
    if (format_.trims && !format_.blanks)
      while (stop != end_ && is_blank(*stop) && *stop != format_.separator) ++stop;
    if (stop != end_ && (format_.blanks ? !is_blank(*stop) : *stop != format_.separator))
      return fail(delimited_fault::text_after_quote, stop);
    pass(stop);
    return true;
  }
  void pass(const char* stop) {
    ended_ = stop == end_;
    at_ = stop + !ended_;
  }
  bool fail(delimited_fault what, const char* place) {
    fault_ = what;
    has_fault_ = true;
    fault_place_ = place;
    return false;
  }

  const char* at_;
  const char* const begin_;
  const char* const end_;
  const char* field_ = nullptr;
  const char* fault_place_ = nullptr;
  const delimited_format& format_;
  const bool has_quotes_;
  bool ended_ = false;
  bool has_fault_ = false;  // not an optional: gcc 12 finds it uninitialized at -O3
  delimited_fault fault_{};
};

/// Limits the fields of a record for callers that need no more. Schema inference needs no others, and a line
/// of a malformed file may have as many fields as bytes.
inline constexpr std::size_t k_most_inferred_fields = std::size_t{1} << 20;

/// Returns the unquoted fields of a record, up to an error or a maximum number. Stores the error in `fault`,
/// unless that is null.
inline std::vector<std::string> split_fields(std::string_view record, const delimited_format& format,
                                             std::optional<delimited_fault>* fault = nullptr,
                                             std::size_t most = k_most_inferred_fields) {
  std::vector<std::string> all;
  field_reader fields(record, format);
  for (delimited_field f; all.size() < most && fields.next(f);) {
    if (f.doubled)
      append_undoubled(f.text, all.emplace_back());
    else
      all.emplace_back(f.text);
  }
  if (fault != nullptr) *fault = fields.fault();
  return all;
}

}  // namespace gossamer::io
