#pragma once
// Counts the words, lines or fields of files by MapReduce. Compiled once, so programs that only count need not compile the engine.
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

/// How a text is cut into words. Trivially copyable.
struct word_rule {
  /// What is counted.
  enum class unit : std::uint8_t {
    words,  ///< runs of anything but blanks
    letters,  ///< runs of ASCII letters and of bytes beyond ASCII
    lines,  ///< that are not empty, without their ends
    field,  ///< one of each line
  };
  unit counts = unit::words;  ///< what is counted
  bool fold = false;  ///< A to Z are taken for a to z
  std::uint32_t field = 1;  ///< of unit::field: its number, from 1
  char separator = 0;  ///< of fields; 0: runs of blanks
  bool quotes =
      true;  ///< with a separator, fields may stand in quotes and hold separators and line ends (RFC 4180)
  std::uint32_t fields = 0;  ///< that each line has, with a separator; 0: any that has the field

  /// Calls f(word) for each word of a text without a header, in order, and problem(at, what) for a line that lacks the field: where that returns,
  /// the line is left out. A word stays until f returns. Computes only. Throws gossamer::error for a field 0, or a separator that is a
  /// quote or a line end.
  void cut(std::string_view text, function_ref<void(std::string_view)> f,
           function_ref<void(std::size_t, const std::string&)> problem) const;
};

/// What is to be counted.
struct word_query {
  std::vector<std::string> paths = {};  ///< text, plain or compressed; "-" is standard input
  word_rule rule = {};  ///< how it is cut
  bool skip_bad = false;  ///< lines that lack the field are counted and left out, and are no error
  /// Of unit::field: the first line of each file is the same header, which is not counted. With a separator lines have as many fields.
  bool header = false;
  std::string column = {};  ///< with a header: the name of the field
  /// How the job runs. With `sorted` the words are read and written in the order of their bytes. `statistics`, `skipped` and
  /// `resume_job` are set by count_words().
  map_reduce_options options = {};
};

/// Calls a function for each of some words that follow one another.
using word_range = function_ref<void(function_ref<void(std::string_view, std::uint64_t)>)>;
/// Returns the text of some words, of which `rank` come before. Runs on any core of a process, for many ranges at once.
using word_format = std::function<std::string(std::uint64_t rank, word_range words)>;

namespace tables {
struct counted_words;
}

/// The different words and how often each occurs, spread over the cores. The most frequent come first, equally frequent ones by
/// their bytes; or all by their bytes, where the options say `sorted`. Moved, not copied. Every function but statistics() and skipped() is for one fiber, and suspends.
class word_counts {
 public:
  /// Takes the counts of another.
  word_counts(word_counts&&) noexcept;
  /// Takes the counts of another.
  word_counts& operator=(word_counts&&) noexcept;
  ~word_counts();

  /// Counts the different words.
  std::uint64_t size() const;
  /// Returns the k most frequent words, in either order. k * cores() of them travel.
  std::vector<std::pair<std::string, std::uint64_t>> top(std::uint64_t k) const;
  /// Calls f(word, count) for every word, in order, on the calling fiber: as key_values::for_each_sorted().
  void for_each(function_ref<void(std::string_view, std::uint64_t)> f) const;
  /// Writes every word in order, as text. All cores sort, format and write, as key_values::write_sorted() says. `format` is set in
  /// every process. Throws gossamer::error where the file cannot be written.
  void write(const row_output& to, per_process<word_format> format) const;
  /// Returns the rule, with the number of the field that was named, and the number of fields of the header.
  const word_rule& rule() const;
  /// Returns what was done.
  const map_reduce_statistics& statistics() const;
  /// Returns which lines were left out.
  const all_skipped_rows& skipped() const;

 private:
  friend word_counts count_words(const word_query& query);
  word_counts();

  std::unique_ptr<tables::counted_words> found_;
};

/// Counts the words of all files. By one fiber; suspends. Throws gossamer::error "<path>:<line>: <what>" for a line that lacks the
/// field. A byte-order mark is passed over. Memory: as map_reduce() says: about 40 bytes for each different word on each core that meets it, and words of more than
/// 15 bytes.
word_counts count_words(const word_query& query);

}  // namespace gossamer
