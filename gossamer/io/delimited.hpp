#pragma once
// Reads delimited text: CSV, TSV and columns between blanks. The reader walks the records of a chunk of memory and
// gives the fields of the columns asked for; the other fields are passed over at vector speed. It holds no state and
// knows neither files nor lines before the chunk: the caller cuts (delimited_cuts.hpp) and counts.
//
// Quotes are those of RFC 4180. A field in quotes may hold separators, line ends, and quotes that are doubled. A
// record ends at the first line feed with an even number of quotes before it, damaged or not. So the records of a
// text do not depend on where it was cut. A carriage return before the end of a record belongs to the end.

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
  bool blanks = false;  // runs of spaces and tabs separate; those around a record are ignored
  bool trims = false;  // spaces and tabs around a field are none of it; read character by character
  bool empty_lines = false;  // an empty line is a record with one empty field; otherwise it is passed over
  std::uint32_t fields = 0;  // the number of fields that each record must have; 0: any that has the columns

  friend bool operator==(const delimited_format&, const delimited_format&) = default;
};

/// A record as the reader gives it. All views end with the call that receives them.
struct delimited_record {
  std::string_view text;  // all of it, as it stands there, without its line end
  std::span<const std::string_view> fields;  // of the columns asked for, without quotes
  std::size_t at;  // position of the first byte in the chunk
  std::uint32_t count;  // fields that it has in all
};

enum class delimited_fault : std::uint8_t {
  few_fields,  // `at`: the end of the record
  many_fields,  // `at`: the first field too many
  open_quote,  // `at`: a quote that nothing closes
  text_after_quote,  // `at`: the first character after a closing quote that is neither separator nor line end
  quote_in_field  // `at`: a quote inside a field that does not begin with one
};

/// What is wrong with a record: the first fault in it.
struct delimited_problem {
  delimited_fault fault;
  std::size_t at;  // position in the chunk
  std::size_t record_at;  // where the record begins, in the chunk
  std::string_view record;  // all of it, without its line end
  std::uint32_t expected = 0, found = 0;  // numbers of fields, where these are the fault
  bool at_least = false;  // more than expected would do
};

/// Returns what was expected and what was found: "expected 5 fields, found 3". One line, without a place.
std::string describe(const delimited_problem& problem);

/// Memory that a reader works in. Reused from chunk to chunk, so that reading allocates nothing. One for each core.
class delimited_scratch {
 public:
  /// Allocates for a reader that looks at so many bytes at a time (12 bytes of memory for each, little of it touched).
  /// Longer records are read, too, at a lower speed. `newer_instructions`: where the processor has them; answers are the same.
  explicit delimited_scratch(std::size_t batch_bytes = 16 << 10, bool newer_instructions = true);

 private:
  friend class delimited_reader;
  std::size_t batch_bytes_;
  std::unique_ptr<std::uint32_t[]> field_ends_;  // positions in the batch
  std::unique_ptr<std::uint32_t[]> record_ends_;  // indices in field_ends_
  bool newer_instructions_;
  std::vector<std::string_view> views_;
  std::string unquoted_;  // fields of one record whose doubled quotes were replaced
};

struct delimited_result {
  std::uint64_t records = 0;  // that were given to the caller
  std::uint64_t skipped = 0;  // that had a problem
  std::optional<delimited_problem> problem;  // at which reading stopped
};

/// Gives each record of `chunk` to `take`. The chunk begins where a record begins; its last record may lack a line
/// end. `columns`: numbers of the fields wanted, from 0, strictly ascending; none: only the records' texts.
/// Asks `skip` about each record with a problem: true goes on after it, false ends the walk.
/// Never suspends by itself. O(bytes); allocates only for doubled quotes in wanted fields, while the scratch grows.
delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take,
                              function_ref<bool(const delimited_problem&)> skip);

/// Stops at the first record with a problem.
delimited_result read_records(std::string_view chunk, const delimited_format& format,
                              std::span<const std::uint32_t> columns, delimited_scratch& scratch,
                              function_ref<void(const delimited_record&)> take);

}  // namespace gossamer::io
