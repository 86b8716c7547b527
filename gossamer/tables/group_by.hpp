#pragma once
// Groups the rows of delimited text by some columns, and computes counts, sums and other results of other columns, like
// `select country, sum(amount) from ... group by country` in SQL. A MapReduce job whose values are rows of results.
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

/// The result that is computed from a column in each group.
enum class aggregate : std::uint8_t {
  count,  ///< number of rows; needs no column
  sum,  ///< of numbers: exact if all are integers
  minimum,  ///< of numbers: NaN if one is; of texts, if none of the first values of the column is a number
  maximum,  ///< the same
  mean,  ///< of numbers: sum by number of non-empty fields, rounded once if all are integers
  distinct,  ///< number of distinct non-empty texts of the fields
  quantile,  ///< of numbers: the value with a given share of them below it, interpolated; NaN if one is
};

/// Returns "count", "sum", "min", "max", "mean", "distinct" or "quantile".
std::string_view name_of(aggregate what);

/// A result of each group.
struct group_result {
  aggregate what = aggregate::count;  ///< what is computed
  std::string column = {};  ///< its name, or its number from 1; empty for count
  double share = 0.5;  ///< of quantile: 0 to 1; 0.5 is the median
};

/// The input, keys, results and options of group_by().
struct group_query {
  std::vector<std::string> paths = {};  ///< delimited text, plain or compressed; "-" is standard input
  std::vector<std::string> by = {};  ///< the key: columns, by name or by number from 1; at most 8
  std::vector<group_result> results = {};  ///< at most 24
  std::optional<bool> header =
      {};  ///< whether the first record of each file names the columns; unset: inferred
  char separator = 0;  ///< of fields; 0: inferred from the first line
  bool blanks = false;  ///< runs of blanks separate fields, and quotes are ordinary characters
  bool quotes = true;  ///< as in RFC 4180
  std::vector<std::string> nulls =
      {};  ///< additional texts for missing values, besides the empty field: for results, not for keys
  bool skip_bad = false;  ///< counts and skips records with an error, instead of throwing
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< as of map_reduce_options
  std::uint64_t memory_bytes = 0;  ///< as of map_reduce_options
  std::string scratch = {};  ///< as of map_reduce_options
  std::string resume = {};  ///< as of map_reduce_options: grouped_rows::forget_work() removes the work
};

/// A field of a key, or a result.
struct group_value {
  /// The type of the value.
  enum class type : std::uint8_t { none, text, integer, real, wide };
  type is = type::none;  ///< none: no value, such as the mean of empty fields
  std::string_view text = {};  ///< valid until the function that receives it returns
  std::int64_t integer = 0;  ///< of type integer
  double real = 0;  ///< of type real
  wide_integer wide = 0;  ///< of type wide: an integer of more than 64 bits
};

/// Wall time of each stage, and amounts.
struct group_statistics {
  double open_seconds = 0;  ///< opening files, finding columns
  double map_seconds = 0;  ///< reading records and grouping them on each core
  double reduce_seconds = 0;  ///< joining groups of the cores
  double exchange_seconds = 0;  ///< joining groups between processes
  double distinct_seconds = 0;  ///< further passes over the text: for `distinct`, `quantile` and long texts
  std::uint64_t bytes = 0;  ///< size of the files
  std::uint64_t records = 0;  ///< that were grouped
  std::uint64_t skipped = 0;  ///< records with an error that were skipped
  std::string first_skipped;  ///< position and error of the first of them
  std::uint64_t container_bytes = 0;  ///< of all cores, at the end of the map stage
  std::uint64_t spills = 0;  ///< how often a core emptied its containers to its scratch file, of all passes
  std::uint64_t spilled_pairs = 0;  ///< pairs written to scratch files before they were joined, of all passes
  std::uint64_t spilled_bytes = 0;  ///< of these pairs, compressed
  std::uint64_t tasks_before =
      0;  ///< with resume: map tasks that an earlier start has finished, of all passes
  unsigned passes = 0;  ///< over the text: several if numbers or quotes occur only in later lines
  bool header = false;  ///< whether the first records name the columns
  std::string schema;  ///< the inferred schema of the first file with rows, and the options that state it
};

/// Calls a function for each of some consecutive groups.
using group_range = function_ref<void(function_ref<void(std::span<const group_value>)>)>;
/// Returns the text of consecutive groups; `rank` groups precede them. Runs on any core of a process, for many ranges at once.
using group_format = std::function<std::string(std::uint64_t rank, group_range groups)>;

namespace tables {
struct group_rows;
class group_job;
}  // namespace tables

/// The groups, divided among the cores. Move-only. Functions are called by one fiber at a time, and suspend.
class grouped_rows {
 public:
  /// Moves the groups of another.
  grouped_rows(grouped_rows&&) noexcept;
  /// Moves the groups of another.
  grouped_rows& operator=(grouped_rows&&) noexcept;
  ~grouped_rows();

  /// Returns the number of groups.
  std::uint64_t size() const;
  /// Returns the names of the columns: those of the key, then the results ("sum_amount").
  const std::vector<std::string>& columns() const { return columns_; }
  /// Returns how many of the columns belong to the key.
  std::size_t key_columns() const { return keys_; }
  /// Returns the statistics of the job.
  const group_statistics& statistics() const { return statistics_; }

  /// The order of rows.
  struct order {
    std::size_t column = 0;  ///< index in columns(); equal values are ordered by the key
    bool descending = false;  ///< largest first
  };
  /// Calls f(row) for every group, in order, on the calling fiber. A column of the key is ordered by numbers
  /// if all its fields are numbers, otherwise by bytes. Missing results come last. Every core sorts its
  /// groups; then they are merged in the caller's process.
  void for_each(order by, function_ref<void(std::span<const group_value>)> f) const;
  /// Calls f(row) for the first k groups of the order. Sends k * cores() rows.
  void first(std::uint64_t k, order by, function_ref<void(std::span<const group_value>)> f) const;
  /// Writes every group in the order, as text. All cores sort, format and write, as in
  /// key_values::write_sorted(). `format` is set in every process. Throws gossamer::error if the file cannot
  /// be written.
  void write(order by, const row_output& to, per_process<group_format> format) const;
  /// Removes the finished work of group_query::resume. Call it when the groups are no longer needed, because they are read from it.
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

/// Groups the records of all files. By one fiber; suspends.
/// Passes: one over the text, and another for each `distinct`, each `quantile`, and each column whose least
/// or largest text may have more than 31 bytes. A further pass if a column of integers turns out to have
/// other numbers, or a sum exceeds 64 bits. A further pass, which first counts all quotes, if quotes enclose
/// line ends, or a record has an error. Which record is refused does not depend on the cores. If the head has
/// no value of a column of `minimum` or `maximum`, one core reads on up to the first one.
/// Numbers: integers of up to 128 bits are exact, and so are their sums; a larger sum is the nearest double.
/// If a column also has other numbers, a group of integers only is exact if one number of the column has more
/// than 53 bits. Other sums have 106 bits, so nearly always they do not depend on the number of cores. A NaN
/// makes all results of its column in its group NaN.
/// Errors: throws gossamer::error "<path>:<line>: <what>" for a record that lacks fields, has more or fewer
/// fields than the header, or has no number where one is needed. Throws it for a column that does not exist,
/// for a separator that is a quote or a line end, and for files with different headers.
/// Memory: each core stores its groups: 16 bytes and 8 for each word of results, at most three times that,
/// and long keys. With query.memory_bytes at most that many; the rest goes to scratch files. During a further
/// pass, the groups and its results have half of it each. Without memory_bytes, `quantile` takes 8 bytes and
/// the key for each number.
grouped_rows group_by(const group_query& query);

}  // namespace gossamer
