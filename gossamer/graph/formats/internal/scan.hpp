#pragma once
// Converts lines of text to edges: the inner loop of every text format. Works on a chunk of whole lines in
// memory, without state and without allocation: readers call it on many chunks at once, fuzzers call it on
// one. It stops at the first malformed line and returns the reason; the caller knows the file and counts the
// lines.
//
// A line has two vertices and optionally a weight, or columns from which they are chosen. Blank lines and
// comments are skipped. A line ends with LF or CR LF; the last one may lack it. Its fields are those of
// io/delimited_fields.hpp, within one line; lines of digits are scanned eight characters at a time.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/weight_chunk.hpp"
#include "gossamer/io/delimited_fields.hpp"

namespace gossamer::graph {

class name_dictionary;

/// Which lines are comments. A marker is #, % or //.
enum class comment_rule : std::uint8_t {
  none,
  bare,  // a marker that stands alone, as in "# text": not names such as #cats
  any,  // a marker at the beginning of the line
};

/// The requirements on weights.
enum class weight_rule : std::uint8_t {
  number,  // only counted
  finite,  // kept: all edges have one or none has, and none is infinite
  length,  // as finite, and none is negative
};

inline constexpr std::uint32_t k_no_column = ~std::uint32_t{0};

struct line_format {
  io::delimited_format cut{.blanks = true, .trims = true};  // splits lines into fields
  bool json = false;  // each line is a JSON object instead: columns are chosen by name
  char usual = '\t';  // the separator, or the blank to try first
  bool picks = false;  // only the columns in `column` are read; otherwise the first two or three
  std::array<std::uint32_t, 3> column{0, 1, k_no_column};  // source, target, weight; from 0
  std::array<std::string, 3> key;  // the same for a JSON object; the last may be empty
  bool any_name = false;  // names were requested: they may contain separators of other formats
  bool integers_only = false;  // a name is an error (bad_id)
  bool advises = false;  // error messages name options of tables
  comment_rule comments = comment_rule::any;  // for integers; for names `bare` at most
  std::uint8_t least_columns = 2, most_columns = 3;  // columns beyond two are weights
  weight_rule weights = weight_rule::number;
  std::vector<std::string> nulls = {};  // a missing vertex or weight; edges without a vertex are skipped
  std::uint64_t first_id = 0, last_id = ~std::uint64_t{0};  // edges count from first_id
  std::uint64_t last_from = ~std::uint64_t{0}, last_to = ~std::uint64_t{0};  // rows and columns of a matrix

  /// Returns whether edges have weights.
  bool has_weights() const {
    if (json) return !key[2].empty();
    return picks ? column[2] != k_no_column : most_columns > 2;
  }
};

enum class problem : std::uint8_t {
  none,
  name,  // a vertex is no integer: this is a file of names
  zeros,  // a vertex is digits after a zero: also names
  missing,  // NA or the like, although vertices are integers
  wide,  // an id does not fit narrow edges
  columns,  // too few or too many
  bad_id,  // an integer out of range, or a name although integers were requested
  weight,  // not a number
  no_weight,  // missing, although edges need one
  infinite_weight,  // too large for a double
  negative_weight,  // although weights are lengths
  outside,  // a row or column outside of the matrix
  mixed,  // the separator of another format
  quote,  // refused by io/delimited_fields.hpp; a field ends in its line
  json,  // a line that is no JSON object
  bytes,  // control characters or invalid UTF-8
};

/// Counts of lines that were not read as edges of two plain ids.
struct line_counts {
  std::uint64_t comments = 0;
  std::uint64_t missing = 0;  // edges without a vertex, skipped
  std::uint64_t whole = 0;  // edges with an id such as 1e+05 or 7.0, read as an integer

  line_counts& operator+=(const line_counts& more) {
    comments += more.comments;
    missing += more.missing;
    whole += more.whole;
    return *this;
  }
};

struct scan_result {
  const char* stopped = nullptr;  // the end, or the first byte of the problem's line
  problem what = problem::none;
  std::string_view culprit;  // the token, or the line
  std::uint64_t edges = 0;  // number of edges written
  std::uint64_t skipped = 0;  // lines without an edge
  line_counts counts;
  std::uint64_t weights = 0;
  std::uint64_t highest = 0;  // largest id written, counted from first_id

  /// Replaces the culprit by the line if it is in another buffer and not inside the lines [begin, end).
  void keep_culprit(const char* begin, const char* end);
};

/// Returns the maximum number of edges of a text: a line has at least four bytes, or two if both ends are one
/// field.
inline std::uint64_t most_edges(std::uint64_t bytes, const line_format& format) {
  return bytes / (format.column[0] == format.column[1] ? 2 : 4) + 1;
}

/// Scans [begin, end), whole lines, into `out`, which must hold most_edges() edges. ~1 GB/s for lines "id,
/// one separator, id". Id is vertex_id or std::uint64_t; narrow ids stop with problem::wide at the first that
/// does not fit. Adds the weight of each edge to `weights`, if not null; if a line has two values, the first.
template <class Id>
scan_result scan_integers(const char* begin, const char* end, const line_format& format, basic_edge<Id>* out,
                          weight_chunk* weights = nullptr);

/// Does the same as scan_integers() for names: edges are numbers in `names`. `position` is that of `begin` in
/// the whole text.
scan_result scan_names(const char* begin, const char* end, std::uint64_t position, const line_format& format,
                       name_dictionary& names, edge* out, weight_chunk* weights = nullptr);

/// Returns "expected ..., found ..." for a scan_result with a problem.
std::string describe(problem what, std::string_view culprit, const line_format& format);

/// Unquoted fields that differ from their text in the line. Reused for many lines.
struct line_scratch {
  std::string from, to, weight;
};

/// The contents of one line. Used for the first data line of a file and the rare ones in scan_integers.
/// Refers to the line and to the scratch.
struct scanned_line {
  problem what = problem::none;
  bool skip = false, weighted = false;
  line_counts counts;
  std::string_view culprit;
  std::string_view from, to;  // names: the tokens
  std::string_view weight;  // empty: none, or missing
  std::uint64_t from_id = 0, to_id = 0;  // integers
};
/// Scans `line`, which has no line end.
scanned_line scan_line(std::string_view line, const line_format& format, bool names, line_scratch& scratch);

/// Returns whether the line is a comment.
bool is_comment(std::string_view line, comment_rule rule);
/// Returns whether a problem is a vertex that turns this into a file of names.
inline bool asks_for_names(problem what) { return what == problem::name || what == problem::zeros; }

/// Returns all fields of a line, unquoted. Not for JSON.
inline std::vector<std::string> fields_of(std::string_view line, const line_format& format) {
  return io::split_fields(line, format.cut);
}

/// Returns the problem of a weight, or problem::none.
problem check_weight(std::string_view text, weight_rule rule);
/// Returns whether a text is a valid weight, which is a number.
bool is_number(std::string_view text);
/// Returns whether a token is an integer beyond 64 bits. It does not count as a name if ids are expected.
bool is_wide_number(std::string_view token);
/// Returns whether a text is an integer that consists of digits only.
bool is_integer(std::string_view text);

/// Returns the position after the line end that follows `begin`, or `end`. Sets `line` to the line without CR
/// LF.
const char* take_line(const char* begin, const char* end, std::string_view& line);

}  // namespace gossamer::graph
