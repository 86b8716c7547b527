#pragma once
// Groups the rows of delimited text by some of their columns, and computes counts, sums and the like of others: what
// `select country, sum(amount) from ... group by country` does in SQL. A MapReduce job whose values are rows of results.
//
//   const grouped_rows sales = group_by({.paths = {"sales.csv"}, .by = {"country"},
//                                        .results = {{aggregate::sum, "amount"}, {aggregate::count, {}}}});
//   sales.for_each({}, [](std::span<const group_value> row) { ... });  // country, sum_amount, count

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/base/wide_integer.hpp"
#include "gossamer/files/row_output.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// What is computed of a column in each group.
enum class aggregate : std::uint8_t {
  count,  ///< the rows; of no column
  sum,  ///< of numbers: exact where all are integers
  minimum,  ///< of numbers: NaN where one is; of texts, where the first 64 KiB have no number in the column
  maximum,  ///< the same
  mean,  ///< of numbers: their sum by the number of fields that are not empty, rounded once where all are integers
  distinct,  ///< how many different texts the fields hold, empty ones not counted
  quantile,  ///< of numbers: the one that a share of them is below, or between two of them in proportion; NaN where one is
};

/// Returns "count", "sum", "min", "max", "mean", "distinct" or "quantile".
std::string_view name_of(aggregate what);

/// A result of each group.
struct group_result {
  aggregate what = aggregate::count;  ///< what is computed
  std::string column = {};  ///< its name, or its number from 1; empty for count
  double share = 0.5;  ///< of quantile: 0 to 1; 0.5 is the median
};

/// What is to be grouped, and how.
struct group_query {
  std::vector<std::string> paths = {};  ///< delimited text, plain or compressed; "-" is standard input
  std::vector<std::string> by = {};  ///< columns that make the key, by name or by number from 1; at most 8
  std::vector<group_result> results = {};  ///< at most 24
  std::optional<bool> header =
      {};  ///< whether the first record of each file names the columns; none: recognised
  char separator = 0;  ///< of fields; 0: the one that the first line suggests
  bool blanks = false;  ///< runs of blanks separate fields, and quotes mean nothing
  bool quotes = true;  ///< as RFC 4180 says
  std::vector<std::string> nulls =
      {};  ///< fields that are no number, as the empty one is: for results, not for keys
  bool skip_bad = false;  ///< records with a problem are counted and left out, and are no error
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< as of map_reduce_options
  std::uint64_t memory_bytes = 0;  ///< as of map_reduce_options
  std::string scratch = {};  ///< as of map_reduce_options
  std::string resume = {};  ///< as of map_reduce_options: grouped_rows::forget_work() removes the work
};

/// A key's field, or a result.
struct group_value {
  /// What it is.
  enum class type : std::uint8_t { none, text, integer, real, wide };
  type is = type::none;  ///< none: of no number, as the mean of empty fields
  std::string_view text = {};  ///< while the call runs that gives it
  std::int64_t integer = 0;  ///< of type integer
  double real = 0;  ///< of type real
  wide_integer wide = 0;  ///< of type wide: an integer that 64 bits do not hold
};

/// Seconds of wall time by stage, and what was read.
struct group_statistics {
  double open_seconds = 0;  ///< files are opened, columns found
  double map_seconds = 0;  ///< records are read and grouped on each core
  double reduce_seconds = 0;  ///< groups of the cores are joined
  double exchange_seconds = 0;  ///< groups are joined between processes
  double distinct_seconds = 0;  ///< other passes over the text: for `distinct`, `quantile` and long texts
  std::uint64_t bytes = 0;  ///< of the files
  std::uint64_t records = 0;  ///< that were grouped
  std::uint64_t skipped = 0;  ///< with a problem
  std::string first_skipped;  ///< its place and its problem
  std::uint64_t container_bytes = 0;  ///< of all cores, at the end of the map stage
  std::uint64_t spills = 0;  ///< how often a core emptied its containers to its scratch file, of all passes
  std::uint64_t spilled_pairs =
      0;  ///< pairs that went to scratch files before they were joined, of all passes
  std::uint64_t spilled_bytes = 0;  ///< of these pairs, compressed
  std::uint64_t tasks_before =
      0;  ///< with resume: tasks of the map stages that an earlier start has done, of all passes
  unsigned passes =
      0;  ///< over the text: more than one where a number or a quote came that the first lines did not show
  bool header = false;  ///< whether the first records name the columns
  std::string schema;  ///< what was inferred of the first file, and the options that say so
};

/// Calls a function for each of some groups that follow one another.
using group_range = function_ref<void(function_ref<void(std::span<const group_value>)>)>;
/// Returns the text of some groups, of which `rank` come before. Runs on any core of a process, for many ranges at once.
using group_format = std::function<std::string(std::uint64_t rank, group_range groups)>;

namespace tables {
struct group_rows;
class group_job;
}  // namespace tables

/// The groups, spread over the cores. Moved, not copied. Every function is for one fiber, and suspends.
class grouped_rows {
 public:
  /// Takes the groups of another.
  grouped_rows(grouped_rows&&) noexcept;
  /// Takes the groups of another.
  grouped_rows& operator=(grouped_rows&&) noexcept;
  ~grouped_rows();

  /// Counts the groups.
  std::uint64_t size() const;
  /// Returns the names of the columns: those of the key, then the results ("sum_amount").
  const std::vector<std::string>& columns() const { return columns_; }
  /// Returns how many of the columns are the key's.
  std::size_t key_columns() const { return keys_; }
  /// Returns what was done.
  const group_statistics& statistics() const { return statistics_; }

  /// By which column rows are ordered.
  struct order {
    std::size_t column = 0;  ///< a number among columns(); equal ones follow by the key
    bool descending = false;  ///< from the largest down
  };
  /// Calls f(row) for every group, in order, on the calling fiber. A column of the key is ordered by numbers where all its
  /// fields are numbers, else by bytes. Every core sorts its groups; then they are merged in the caller's process.
  /// A result that is none comes last.
  void for_each(order by, function_ref<void(std::span<const group_value>)> f) const;
  /// Calls f(row) for the first k groups in the order. k * cores() rows travel.
  void first(std::uint64_t k, order by, function_ref<void(std::span<const group_value>)> f) const;
  /// Writes every group in the order, as text. All cores sort, format and write, as key_values::write_sorted() says. `format`
  /// is set in every process. Throws gossamer::error where the file cannot be written.
  void write(order by, const row_output& to, per_process<group_format> format) const;
  /// Removes the finished work of group_query::resume, when the groups are no longer needed. They are still read.
  void forget_work();

 private:
  friend class tables::group_job;
  grouped_rows();
  void check_order(order by) const;

  std::unique_ptr<tables::group_rows> rows_;
  std::vector<std::string> columns_;
  std::size_t keys_ = 0;
  std::string resume_;
  std::vector<std::string> resume_parts_;  // of the passes
  group_statistics statistics_;
};

/// Groups the records of all files. By one fiber; suspends. One pass over the text, and another for each `distinct`, each `quantile` and each
/// column whose least or largest text may have more than 31 bytes; a further one where a column of integers turns out to hold others, or a sum exceeds 64 bits; and where quotes enclose line ends, or something
/// is wrong with a record: then all quotes are counted first. Which record is refused does not depend on the cores.
/// Integers of up to 128 bits are exact, and so are their sums; a sum beyond is the nearest double. In a column that has other numbers,
/// too, a group whose numbers are all integers is exact where one of the column is beyond 53 bits; other sums are kept in 106 bits, so they
/// do not depend on the number of cores to the last digit, nearly always. A NaN makes all results of its column NaN.
/// Throws gossamer::error "<path>:<line>: <what>" for a record that lacks fields, has others than the header says, or
/// holds no number where one is wanted; for a column that is not there; for files whose headers differ.
/// Memory: each core keeps its groups: 16 bytes and 8 for each word of results, at most thrice that, and long keys. With
/// query.memory_bytes no more than that: the rest goes to scratch files. Where there is a further pass, groups and what it finds have
/// half of it each. Without, `quantile` takes 8 bytes and the key for each number.
grouped_rows group_by(const group_query& query);

}  // namespace gossamer
