#pragma once
// Counts the words, lines or fields of files by MapReduce. Precompiled in the library, so programs that only
// count do not compile the engine.
//
//   const word_counts counts = count_words({.paths = {"a.txt", "b.txt.gz"}});
//   for (const auto& [word, n] : counts.top(20)) print("{} {}\n", word, n);

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/row_output.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// The rule that splits a text into words. Trivially copyable.
struct word_rule {
  /// The unit that is counted.
  enum class unit : std::uint8_t {
    words,  ///< runs of bytes other than blanks
    letters,  ///< runs of ASCII letters and of bytes beyond ASCII
    lines,  ///< lines that are not empty, without their ends
    field,  ///< one field of each line
  };
  unit counts = unit::words;  ///< what is counted
  bool fold = false;  ///< counts A to Z as a to z
  std::uint32_t field = 1;  ///< of unit::field: its number, from 1
  char separator = 0;  ///< of fields; 0: runs of blanks
  bool quotes =
      true;  ///< with a separator, fields may be quoted and contain separators and line ends (RFC 4180)
  std::uint32_t fields =
      0;  ///< number of fields that each line must have, with a separator; 0: any that has the field

  /// Calls f(word) for each word of a text without a header, in order. Calls problem(at, what) for a line
  /// without the field; if that returns, the line is skipped. A word is valid until f returns. Computes only.
  /// Throws gossamer::error for a field 0, or a separator that is a quote or a line end.
  void cut(std::string_view text, function_ref<void(std::string_view)> f,
           function_ref<void(std::size_t, const std::string&)> problem) const;
};

/// The input and the rule of count_words().
struct word_query {
  std::vector<std::string> paths = {};  ///< text, plain or compressed; "-" is standard input
  word_rule rule = {};  ///< how to split it
  bool skip_bad = false;  ///< counts and skips lines without the field, instead of throwing
  /// For unit::field: the first line of each file is the same header, which is not counted. With a separator
  /// all lines have equally many fields.
  bool header = false;
  std::string column = {};  ///< with a header: the name of the field
  /// Options of the job. With `sorted` the words are read and written in the order of their bytes. count_words() sets `statistics`,
  /// `skipped` and `resume_job`.
  map_reduce_options options = {};
};

/// Calls a function for each of some consecutive words.
using word_range = function_ref<void(function_ref<void(std::string_view, std::uint64_t)>)>;
/// Returns the text of consecutive words; `rank` words precede them. Runs on any core of a process, for many ranges at once.
using word_format = std::function<std::string(std::uint64_t rank, word_range words)>;

namespace tables {
struct counted_words;
}

/// The distinct words and their counts, divided among the cores. The most frequent come first, equally frequent ones in the order of their
/// bytes; with the option `sorted` all are in the order of their bytes. Move-only. Functions are called by one fiber at a time and
/// suspend, except statistics() and skipped().
class word_counts {
 public:
  /// Moves the counts of another.
  word_counts(word_counts&&) noexcept;
  /// Moves the counts of another.
  word_counts& operator=(word_counts&&) noexcept;
  ~word_counts();

  /// Returns the number of distinct words.
  std::uint64_t size() const;
  /// Returns the k most frequent words, whatever the order. Sends k * cores() words.
  std::vector<std::pair<std::string, std::uint64_t>> top(std::uint64_t k) const;
  /// Calls f(word, count) for every word, in order, on the calling fiber: as key_values::for_each_sorted().
  void for_each(function_ref<void(std::string_view, std::uint64_t)> f) const;
  /// Writes every word in order, as text. All cores sort, format and write, as in key_values::write_sorted().
  /// `format` is set in every process. Throws gossamer::error if the file cannot be written.
  void write(const row_output& to, per_process<word_format> format) const;
  /// Returns the rule, with the number of the named field, and the number of fields of the header.
  const word_rule& rule() const;
  /// Returns the statistics of the job.
  const map_reduce_statistics& statistics() const;
  /// Returns the lines that were skipped.
  const all_skipped_rows& skipped() const;

 private:
  friend word_counts count_words(const word_query& query);
  word_counts();

  std::unique_ptr<tables::counted_words> found_;
};

/// Counts the words of all files. By one fiber; suspends. Throws gossamer::error "<path>:<line>: <what>" for a line without the
/// field. Skips a byte-order mark. Memory: as map_reduce(), about 40 bytes for each distinct word on each core that finds it, and the
/// text of words of more than 15 bytes.
word_counts count_words(const word_query& query);

}  // namespace gossamer
