#pragma once
// From lines of text to edges: the inner loop of every text format.
// Works on a chunk of whole lines in memory, alone, with no state and no allocation: readers call it
// on many chunks at once, fuzzers call it on one. It stops at the first line that is wrong and says
// why; the caller knows the file and counts the lines.
//
// A line holds two vertices and perhaps a weight, or columns of which they are chosen. Blank lines and comments
// are skipped. A line ends with LF or CR LF; the last may end with neither. Its fields are those of io/delimited_fields.hpp, in one line;
// lines of digits are scanned eight characters at a time.

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
  bare,  // a marker stands alone, as in "# text": names such as #cats are none
  any,  // a marker begins the line
};

/// What is asked of weights.
enum class weight_rule : std::uint8_t {
  number,  // they are counted only
  finite,  // they are kept: each edge has one or none has, none is infinite
  length,  // and none is negative
};

inline constexpr std::uint32_t k_no_column = ~std::uint32_t{0};

struct line_format {
  io::delimited_format cut{.blanks = true, .trims = true};  // to fields
  bool json = false;  // each line is a JSON object instead: columns are chosen by name
  char usual = '\t';  // the separator, or the blank to expect first
  bool picks = false;  // only the columns of `column` are looked at; else the first two or three are meant
  std::array<std::uint32_t, 3> column{0, 1, k_no_column};  // source, target, weight; from 0
  std::array<std::string, 3> key;  // the same of a JSON object; the last may be empty
  bool any_name = false;  // names asked for: they may contain what is not this file's separator
  bool integers_only = false;  // a name is a problem of its own right (bad_id)
  bool advises = false;  // errors name options of tables
  comment_rule comments = comment_rule::any;  // of integers; names have at most `bare` ones
  std::uint8_t least_columns = 2, most_columns = 3;  // weights: columns beyond two
  weight_rule weights = weight_rule::number;
  std::vector<std::string> nulls = {};  // a missing vertex or weight; edges without a vertex are left out
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
  zeros,  // a vertex is digits behind a zero: the same
  missing,  // NA or the like where vertices are integers
  wide,  // an id does not fit the narrow edges asked for
  columns,  // too few or too many
  bad_id,  // looks like an integer, is out of range; or a name where integers were asked for
  weight,  // not a number
  no_weight,  // where edges are to have one
  infinite_weight,  // beyond doubles
  negative_weight,  // where weights are lengths
  outside,  // a row or column that the matrix does not have
  mixed,  // another file's separator
  quote,  // one that io/delimited_fields.hpp refuses; a field ends in its line
  json,  // a line that is no JSON object
  bytes,  // control characters or invalid UTF-8
};

/// What is told of lines that were read in another way than they look.
struct line_counts {
  std::uint64_t comments = 0;
  std::uint64_t missing = 0;  // edges without a vertex, left out
  std::uint64_t whole = 0;  // edges with an id such as 1e+05 or 7.0, read as an integer

  line_counts& operator+=(const line_counts& more) {
    comments += more.comments;
    missing += more.missing;
    whole += more.whole;
    return *this;
  }
};

struct scan_result {
  const char* stopped = nullptr;  // end, or the first byte of the line with the problem
  problem what = problem::none;
  std::string_view culprit;  // the token, or the line
  std::uint64_t edges = 0;  // written
  std::uint64_t skipped = 0;  // lines without an edge
  line_counts counts;
  std::uint64_t weights = 0;
  std::uint64_t highest = 0;  // id of those written, counted from first_id

  /// Makes the line the culprit where that is a field whose text lies elsewhere, and not as long as the lines [begin, end).
  void keep_culprit(const char* begin, const char* end);
};

/// Returns how many edges a text may have: a line has at least four bytes, and two where both ends are one field.
inline std::uint64_t most_edges(std::uint64_t bytes, const line_format& format) {
  return bytes / (format.column[0] == format.column[1] ? 2 : 4) + 1;
}

/// Scans [begin, end), whole lines, into `out`, which has room for most_edges(). ~1 GB/s where lines are "id, one separator, id".
/// Id is vertex_id or std::uint64_t; narrow ids stop with problem::wide at the first that does not fit. Adds the weight of each edge
/// to `weights`, if any; of two values the first.
template <class Id>
scan_result scan_integers(const char* begin, const char* end, const line_format& format, basic_edge<Id>* out,
                          weight_chunk* weights = nullptr);

/// Does the same as scan_integers() for names: edges are numbers in `names`. `position` is that of `begin` in
/// the whole text.
scan_result scan_names(const char* begin, const char* end, std::uint64_t position, const line_format& format,
                       name_dictionary& names, edge* out, weight_chunk* weights = nullptr);

/// Returns "expected ..., found ..." for a scan_result with a problem.
std::string describe(problem what, std::string_view culprit, const line_format& format);

/// Fields as they are meant, where the line writes them in another way. Kept for many lines.
struct line_scratch {
  std::string from, to, weight;
};

/// What one line holds. For the first data line of a file and the rare ones in scan_integers. Refers to the
/// line and to the scratch.
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
/// Returns whether a problem is a vertex that makes this a file of names.
inline bool asks_for_names(problem what) { return what == problem::name || what == problem::zeros; }

/// Returns all fields of a line, without quotes. Not of JSON.
inline std::vector<std::string> fields_of(std::string_view line, const line_format& format) {
  return io::split_fields(line, format.cut);
}

/// Returns what is wrong with a weight: problem::none, or one of those of weights.
problem check_weight(std::string_view text, weight_rule rule);
/// Returns whether a text is a number, which a weight has to be.
bool is_number(std::string_view text);
/// Returns whether a token is an integer beyond 64 bits. Where ids are expected it is no name.
bool is_wide_number(std::string_view token);
/// Returns whether a text is an integer of digits only.
bool is_integer(std::string_view text);

/// Returns one past the line end after `begin`, or `end`. Sets `line` to the line without CR LF.
const char* take_line(const char* begin, const char* end, std::string_view& line);

}  // namespace gossamer::graph
