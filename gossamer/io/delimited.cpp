#include "gossamer/io/delimited.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/internal/delimiter_masks.hpp"

namespace gossamer::io {
namespace {

std::string_view without_return(std::string_view record) {
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

// The totals of a batch.
struct batch_summary {
  std::size_t fields = 0, records = 0;
  bool doubled = false;   // there are doubled quotes
  bool suspicious = false;  // quotes are at invalid places
};

// A build for every x86-64 finds ends by newer instructions if the processor has them (ADR 0088). All
// functions called by these are inlined, so they are compiled for either processor.
#define GOSSAMER_INLINED [[gnu::always_inline]] inline
#if defined(__x86_64__) && !defined(__BMI2__)
#define GOSSAMER_NEWER [[gnu::target("avx2,bmi,bmi2")]]
bool has_newer_instructions() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#else
#define GOSSAMER_NEWER
bool has_newer_instructions() { return false; }
#endif

// Writes value(mask) for each bit of the mask, where the mask has lost the bits before. Writes groups of
// `Group` words, of which the first ones are valid: most masks have no more bits, so the branch is predicted.
template <unsigned Group, class Value>
GOSSAMER_INLINED void write_bits(std::uint64_t mask, std::uint32_t* out, Value value) {
  const auto count = static_cast<unsigned>(std::popcount(mask));
  unsigned i = 0;
  do {
    for (const unsigned group = i + Group; i < group; ++i) {
      out[i] = value(mask);
      mask &= mask - 1;
    }
  } while (i < count);
}

}  // namespace

// Reads one chunk, in batches that begin at record boundaries. For each batch it first records the ends of
// fields and records, without a branch for each; then it processes the whole records. A record is read
// character by character if it is longer than a batch, belongs to a batch with misplaced quotes, or ends in
// the last bytes of the chunk.
class delimited_reader {
 public:
  delimited_reader(std::string_view chunk, const delimited_format& format,
                   std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                   function_ref<void(const delimited_record&)> take,
                   function_ref<bool(const delimited_problem&)> skip)
      : text_(chunk), format_(format), columns_(columns), scratch_(scratch), take_(take), skip_(skip) {
    const char s = format.separator;
    GOSSAMER_ASSERT(format.blanks || (s != '"' && s != '\n' && s != '\r'),
                    "a separator that nothing can separate");
    for (std::size_t i = 1; i < columns.size(); ++i) GOSSAMER_ASSERT(columns[i - 1] < columns[i]);
    needed_ = columns.empty() ? 0 : columns.back() + 1;
    GOSSAMER_ASSERT(format.fields == 0 || needed_ <= format.fields, "a column that no record may have");
    scratch.views_.resize(columns.size());
  }

  delimited_result read() {
    if (format_.quotes)
      format_.blanks ? walk<true, true>() : walk<true, false>();
    else
      format_.blanks ? walk<false, true>() : walk<false, false>();
    return result_;
  }

 private:
  template <bool Quotes, bool Blanks>
  void walk() {
    for (std::size_t at = 0; at < text_.size() && !result_.problem;) {
      if (format_.trims) {
        at = read_carefully<Quotes, Blanks>(at);
        continue;
      }
      const std::size_t bytes = round_down(std::min(text_.size() - at, scratch_.batch_bytes_), k_block_bytes);
      const batch_summary batch = scratch_.newer_instructions_ ? note_ends_newer<Quotes, Blanks>(at, bytes)
                                                               : note_ends_common<Quotes, Blanks>(at, bytes);
      if (batch.suspicious || batch.records == 0) {
        const std::size_t end = batch.suspicious ? at + bytes : at + 1;
        while (at < end && !result_.problem) at = read_carefully<Quotes, Blanks>(at);
      } else {
        at = read_noted<Quotes, Blanks>(at, batch);
      }
    }
  }

  // Find the ends of fields and records ----------------------------------------------------------------

  template <bool Quotes, bool Blanks>
  GOSSAMER_NEWER batch_summary note_ends_newer(std::size_t at, std::size_t bytes) {
    return note_ends<Quotes, Blanks>(at, bytes);
  }
  template <bool Quotes, bool Blanks>
  batch_summary note_ends_common(std::size_t at, std::size_t bytes) {
    return note_ends<Quotes, Blanks>(at, bytes);
  }

  template <bool Quotes, bool Blanks>
  GOSSAMER_INLINED batch_summary note_ends(std::size_t at, std::size_t bytes) {
    batch_summary batch;
    quote_parity parity(false);
    std::uint64_t closed = 0;  // bit 0: the previous byte is a closing quote
    std::uint64_t separated = 1;  // bit 0: the previous byte is a separator or a line end
    const char* const begin = text_.data() + at;
    for (std::size_t offset = 0; offset < bytes; offset += k_block_bytes) {
      const vector_block block(begin + offset);
      std::uint64_t separators =
          Blanks ? block.equal(' ') | block.equal('\t') : block.equal(format_.separator);
      std::uint64_t ends = block.equal('\n');
      std::uint64_t opening = 0, after_separator = 0, after_closing = 0;
      if constexpr (Quotes) {
        const std::uint64_t quotes = block.equal('"');
        if (quotes != 0 || closed != 0 || parity.in_quotes()) {
          const std::uint64_t inside = parity.inside(quotes);
          separators &= ~inside;
          ends &= ~inside;
          opening = quotes & inside;
          const std::uint64_t closing = quotes & ~inside;
          after_closing = closing << 1 | closed;
          closed = closing >> 63;
        }
      }
      after_separator = (separators | ends) << 1 | separated;
      separated = (separators | ends) >> 63;
      if constexpr (Quotes) {
        batch.doubled |= (opening & after_closing) != 0;
        const std::uint64_t misplaced =
            (opening & ~(after_separator | after_closing)) | (after_closing & ~(separators | ends | opening));
        if (misplaced != 0) batch.suspicious |= !are_returns(misplaced, at + offset);
      }
      if constexpr (Blanks) separators &= ~after_separator;  // the first of a run
      note_block(separators | ends, ends, static_cast<std::uint32_t>(offset), batch);
    }
    return batch;
  }

  GOSSAMER_INLINED void note_block(std::uint64_t fields, std::uint64_t records, std::uint32_t offset,
                                   batch_summary& batch) {
    write_bits<12>(fields, scratch_.field_ends_.get() + batch.fields, [&](std::uint64_t mask) {
      return offset + static_cast<std::uint32_t>(std::countr_zero(mask));
    });
    write_bits<4>(records, scratch_.record_ends_.get() + batch.records, [&](std::uint64_t mask) {
      const std::uint64_t before = (mask - 1) & ~mask;
      return static_cast<std::uint32_t>(batch.fields) +
             static_cast<std::uint32_t>(std::popcount(fields & before));
    });
    batch.fields += static_cast<unsigned>(std::popcount(fields));
    batch.records += static_cast<unsigned>(std::popcount(records));
  }

  // Returns whether each of these bytes is a carriage return that precedes a line feed.
  bool are_returns(std::uint64_t bytes, std::size_t at) const {
    for (; bytes != 0; bytes &= bytes - 1) {
      const std::size_t i = at + static_cast<unsigned>(std::countr_zero(bytes));
      if (text_[i] != '\r' || i + 1 == text_.size() || text_[i + 1] != '\n') return false;
    }
    return true;
  }

  // Records with known ends ----------------------------------------------------------------------------

  template <bool Quotes, bool Blanks>
  std::size_t read_noted(std::size_t at, const batch_summary& batch) {
    const char* const begin = text_.data() + at;
    const std::uint32_t* const field_ends = scratch_.field_ends_.get();
    const std::uint32_t* const record_ends = scratch_.record_ends_.get();
    std::uint32_t first = 0;  // of the record, in field_ends
    std::uint32_t record_begin = 0;  // in the batch
    for (std::size_t r = 0; r < batch.records; ++r) {
      const std::uint32_t last = record_ends[r], line_end = field_ends[last];
      std::uint32_t end = line_end;
      if (end > record_begin && begin[end - 1] == '\r') --end;
      std::uint32_t count = last - first + 1;
      if constexpr (Blanks)
        count -= after_blanks(begin, last == first ? record_begin : field_ends[last - 1], end) == end;
      const bool empty = Blanks ? count == 0 : record_begin == end;
      if (!empty || format_.empty_lines) {
        const auto field_begin = [&](std::uint32_t column) {
          const std::uint32_t previous = column == 0 ? record_begin : field_ends[first + column - 1];
          if constexpr (Blanks) return after_blanks(begin, previous, end);
          return previous + (column != 0);
        };
        const std::string_view record(begin + record_begin, end - record_begin);
        if (right_number(count)) [[likely]] {
          for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::uint32_t from = field_begin(columns_[i]);
            const std::uint32_t to = std::min(field_ends[first + columns_[i]], end);
            scratch_.views_[i] = {begin + from, to - from};
          }
          give<Quotes>(record, at + record_begin, count, batch.doubled);
        } else {
          const bool many = format_.fields != 0 && count > format_.fields;
          report_number(at + (many ? field_begin(format_.fields) : end), at + record_begin, record, count);
          if (result_.problem) return at;
        }
      }
      first = last + 1;
      record_begin = line_end + 1;
    }
    return at + record_begin;
  }

  static std::uint32_t after_blanks(const char* text, std::uint32_t from, std::uint32_t end) {
    while (from < end && is_blank(text[from])) ++from;
    return from;
  }

  // A record character by character --------------------------------------------------------------------

  // Returns where the next record begins.
  template <bool Quotes, bool Blanks>
  std::size_t read_carefully(std::size_t begin) {
    const std::size_t next =
        Quotes ? begin + first_record_after(text_.substr(begin), false) : next_record(text_, begin);
    std::string_view record = text_.substr(begin, next - begin);
    const bool is_open = Quotes && next == text_.size() && count_quotes(record) % 2 != 0;
    if (record.ends_with('\n') && !is_open) record.remove_suffix(1);
    record = without_return(record);
    field_reader fields(record, format_);
    std::size_t surplus = record.size(), wanted = 0;
    std::uint32_t count = 0;
    scratch_.unquoted_.clear();
    scratch_.unquoted_.reserve(record.size());  // keeps views into it valid
    for (delimited_field f; fields.next(f); ++count) {
      if (wanted < columns_.size() && columns_[wanted] == count)
        scratch_.views_[wanted++] = undoubled(f.text, f.doubled);
      if (format_.fields != 0 && count == format_.fields) surplus = fields.field_begin();
    }
    if (fields.fault())
      refuse({*fields.fault(), begin + fields.fault_at(), begin, record});
    else if ((Blanks ? count == 0 : record.empty()) && !format_.empty_lines)
      return next;
    else if (right_number(count))
      take(record, begin, count);
    else
      report_number(begin + surplus, begin, record, count);
    return next;
  }

  // What the caller receives ---------------------------------------------------------------------------

  bool right_number(std::uint32_t fields) const {
    return fields >= needed_ && (format_.fields == 0 || fields == format_.fields);
  }

  template <bool Quotes>
  void give(std::string_view record, std::size_t at, std::uint32_t count, bool doubled) {
    if constexpr (Quotes) {
      if (doubled) {
        scratch_.unquoted_.clear();
        scratch_.unquoted_.reserve(record.size());  // keeps views into it valid
      }
      for (std::string_view& field : scratch_.views_)
        if (field.starts_with('"')) field = undoubled(field.substr(1, field.size() - 2), doubled);
    }
    take(record, at, count);
  }

  void take(std::string_view record, std::size_t at, std::uint32_t count) {
    ++result_.records;
    take_({record, scratch_.views_, at, count});
  }

  std::string_view undoubled(std::string_view inner, bool doubled) {
    if (!doubled || inner.find('"') == std::string_view::npos) return inner;
    std::string& out = scratch_.unquoted_;
    const std::size_t begin = out.size();
    append_undoubled(inner, out);
    return std::string_view(out).substr(begin);
  }

  void report_number(std::size_t at, std::size_t record_at, std::string_view record, std::uint32_t found) {
    const bool many = format_.fields != 0 && found > format_.fields;
    refuse({many ? delimited_fault::many_fields : delimited_fault::few_fields, at, record_at, record,
            format_.fields != 0 ? format_.fields : needed_, found, format_.fields == 0});
  }

  void refuse(const delimited_problem& problem) {
    if (skip_(problem))
      ++result_.skipped;
    else
      result_.problem = problem;
  }

  const std::string_view text_;
  const delimited_format format_;
  const std::span<const std::uint32_t> columns_;
  delimited_scratch& scratch_;
  const function_ref<void(const delimited_record&)> take_;
  const function_ref<bool(const delimited_problem&)> skip_;
  std::uint32_t needed_ = 0;  // minimum number of fields
  delimited_result result_;
};

delimited_scratch::delimited_scratch(std::size_t batch_bytes, bool newer_instructions)
    : batch_bytes_(std::clamp<std::size_t>(round_up(batch_bytes, k_block_bytes), k_block_bytes, 1U << 30)),
      field_ends_(new std::uint32_t[batch_bytes_ + k_block_bytes]),  // for write_bits()
      record_ends_(new std::uint32_t[batch_bytes_ + k_block_bytes]),
      newer_instructions_(newer_instructions && has_newer_instructions()) {}

delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take,
                              function_ref<bool(const delimited_problem&)> skip) {
  return delimited_reader(chunk, format, columns, scratch, take, skip).read();
}

delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take) {
  return read_records(chunk, format, columns, scratch, take, [](const delimited_problem&) { return false; });
}

namespace {

/// Returns how many lines a record has, if quotes join some.
std::string joined_lines(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);  // of a text that ends inside of quotes
  const auto more = std::count(record.begin(), record.end(), '\n');
  return more == 0 ? std::string() : fmt::format("; by its quotes the row has {} lines", more + 1);
}

}  // namespace

std::string describe(const delimited_problem& problem) {
  switch (problem.fault) {
    case delimited_fault::few_fields:
    case delimited_fault::many_fields:
      return fmt::format("expected {}{} field{}, found {}", problem.at_least ? "at least " : "",
                         problem.expected, problem.expected == 1 ? "" : "s", problem.found);
    case delimited_fault::open_quote:
      return "expected a quote that ends the field, found the end of the text (--no-quotes takes quotes as "
             "they stand)" +
             joined_lines(problem.record);
    case delimited_fault::text_after_quote:
      return "expected a separator or the end of the line after a closing quote, found other text "
             "(--no-quotes takes quotes as they stand)" +
             joined_lines(problem.record);
    case delimited_fault::quote_in_field:
      return "expected quotes only around a whole field (doubled inside it), found one inside a field "
             "(--no-quotes takes quotes as they stand)" +
             joined_lines(problem.record);
  }
  return {};
}

}  // namespace gossamer::io

#undef GOSSAMER_INLINED
#undef GOSSAMER_NEWER
