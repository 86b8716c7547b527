#pragma once
// Reads delimited text: CSV, TSV and columns between blanks. The reader iterates over the records of a chunk
// in memory and returns the fields of the requested columns; vector instructions skip the other fields. It
// has no state, and knows neither files nor the lines before the chunk: the caller cuts (delimited_cuts.hpp)
// and counts.
//
// Quotes are those of RFC 4180. A quoted field may contain separators, line ends, and doubled quotes. A
// record ends at the first line feed with an even number of quotes before it, even if the record is
// malformed. So the records of a text do not depend on where it was cut. A carriage return before the end of
// a record belongs to the end.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"

namespace gossamer::io {

struct delimited_format {
  char separator = ',';  // no quote, line feed or carriage return; not used with `blanks`
  bool quotes = true;  // RFC 4180; otherwise a quote is a character like others
  bool blanks = false;  // runs of spaces and tabs separate; those at the ends of a record are ignored
  bool trims = false;  // spaces and tabs around a field are removed; read character by character
  bool empty_lines = false;  // an empty line is a record with one empty field; otherwise it is skipped
  std::uint32_t fields = 0;  // number of fields that each record must have; 0: any that includes the columns

  friend bool operator==(const delimited_format&, const delimited_format&) = default;
};

/// A record, as passed to the caller. All views are valid only during that call.
struct delimited_record {
  std::string_view text;  // the whole record, unchanged, without its line end
  std::span<const std::string_view> fields;  // of the requested columns, without quotes
  std::size_t at;  // position of the first byte in the chunk
  std::uint32_t count;  // number of fields of the record
};

enum class delimited_fault : std::uint8_t {
  few_fields,  // `at`: the end of the record
  many_fields,  // `at`: the first excess field
  open_quote,  // `at`: a quote that is never closed
  text_after_quote,  // `at`: the first character after a closing quote that is neither separator nor line end
  quote_in_field  // `at`: a quote inside a field that does not begin with one
};

/// The first error in a record.
struct delimited_problem {
  delimited_fault fault;
  std::size_t at;  // position in the chunk
  std::size_t record_at;  // where the record begins, as position in the chunk
  std::string_view record;  // the whole record, without its line end
  std::uint32_t expected = 0, found = 0;  // numbers of fields, if these are the error
  bool at_least = false;  // more fields than expected are allowed
};

/// Returns what was expected and what was found: "expected 5 fields, found 3". One line, without a position.
std::string describe(const delimited_problem& problem);

/// Working memory of a reader. Reused from chunk to chunk, so reading does not allocate. One for each core.
class delimited_scratch {
 public:
  /// Allocates for a reader with batches of this size (12 bytes of memory per byte of a batch, few of them
  /// touched). Longer records are read too, at a lower speed. `newer_instructions`: use them if the processor
  /// has them; results are the same.
  explicit delimited_scratch(std::size_t batch_bytes = 16 << 10, bool newer_instructions = true);

 private:
  friend class delimited_reader;
  std::size_t batch_bytes_;
  std::unique_ptr<std::uint32_t[]> field_ends_;  // positions in the batch
  std::unique_ptr<std::uint32_t[]> record_ends_;  // indices in field_ends_
  bool newer_instructions_;
  std::vector<std::string_view> views_;
  std::string unquoted_;  // fields of one record, with doubled quotes replaced
};

struct delimited_result {
  std::uint64_t records = 0;  // passed to the caller
  std::uint64_t skipped = 0;  // records with an error
  std::optional<delimited_problem> problem;  // at which reading stopped
};

/// Calls `take` for each record of `chunk`. The chunk begins at the start of a record; its last record may
/// lack a line end. `columns`: indices of the requested fields, from 0, strictly ascending; none: only the
/// records' texts. Calls `skip` for each malformed record: true continues after it, false ends the reading.
/// Does not suspend by itself. O(bytes); allocates only for doubled quotes in requested fields, while the
/// scratch grows.
delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take,
                              function_ref<bool(const delimited_problem&)> skip);

/// Does the same, but stops at the first malformed record.
delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take);

}  // namespace gossamer::io
