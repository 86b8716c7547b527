#pragma once
// Text as the input of a MapReduce job: files, plain or compressed, divided into chunks between two
// separators. Plain files are read in place in the page cache; compressed ones are decompressed as streams,
// several at once if there are several files, zstd frames or BGZF members. "-" is standard input.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

using io::cut_at;
using io::for_each_word;
using io::letter;
using io::non_blank;
using io::non_line_end;

/// A chunk of a file: whole words or lines. Converts to std::string_view.
struct text_chunk {
  std::string_view text;  ///< valid only while the map function runs
  const io::text_file* from;  ///< the file
  std::uint64_t begin;  ///< in the text of the file; in a compressed block, in the text of that block
  std::uint64_t block_begin;  ///< compressed bytes of the file before the block
  std::uint32_t file = 0;  ///< its index among the paths of the input

  /// Returns the text. Implicit, because most map functions need only this.
  operator std::string_view() const { return text; }
};

namespace files {

/// The opened files of a process, and its block of them.
class text_block {
 public:
  input_files files;  ///< all files of which this process has a block

  /// Lists the tasks of this process, after the files are divided.
  void deal();
  /// Returns the number of tasks of this process: each is a chunk of a plain file, or a stream.
  std::uint64_t tasks() const { return streams_.size() + files.chunks().size(); }
  /// Calls f for each chunk of a task.
  void run(std::uint64_t task, function_ref<void(const text_chunk&)> f) const;

 private:
  std::vector<file_chunk> streams_;  // compressed files, or blocks of them
};

}  // namespace files

/// Returns "<path>:<line>" of position `at` of a chunk. Counts the lines of the file up to there; does not
/// read a pipe again.
inline std::string place_of(const text_chunk& chunk, std::size_t at) {
  return chunk.from->place_of(chunk.block_begin, chunk.begin + at);
}

/// Throws gossamer::error "<path>:<line>: <what>" for position `at` of a chunk. Counts the lines before, so a
/// map function calls it for the first problem only.
[[noreturn]] void fail_at(const text_chunk& chunk, std::size_t at, std::string_view what);

/// Files of text. Every process reads its block of them: each must see the same files.
class text_input {
 public:
  /// The argument of the map function.
  using element = text_chunk;
  /// The input of a process.
  using block = files::text_block;

  /// Sets the files; opens none.
  explicit text_input(std::vector<std::string> paths, cut_at where = cut_at::blanks)
      : paths_(std::move(paths)), where_(where) {}

  /// Opens the files in all processes. By one fiber; suspends. Throws gossamer::error for a file that cannot
  /// be read, or differs between processes.
  void open(per_process<block> blocks) const;

  /// Returns names, sizes and modification times of the files. Throws gossamer::error for standard input,
  /// which cannot be read again.
  std::string identity() const;

 private:
  std::vector<std::string> paths_;
  cut_at where_;
};

/// Files of text that stay open: for several jobs over the same files, one of which may be a pipe. Every
/// process reads its block of them: each must see the same files.
class opened_text {
 public:
  /// The argument of the map function.
  using element = text_chunk;

  /// The input of a process, for one job.
  class block {
   public:
    /// Returns the number of tasks of this process.
    std::uint64_t tasks() const { return of_->tasks(); }
    /// Calls f for each chunk of a task.
    void run(std::uint64_t task, function_ref<void(const text_chunk&)> f) const { of_->run(task, f); }

   private:
    friend class opened_text;
    const files::text_block* of_ = nullptr;
  };

  /// Opens the files in all processes. By one fiber; suspends. Throws as text_input::open().
  explicit opened_text(const std::vector<std::string>& paths, cut_at where = cut_at::lines);

  /// Divides the text at other separators for later jobs. By one fiber; suspends.
  void cut(cut_at where);
  /// Returns whether there are quotes, or may be (in compressed files). After cut(cut_at::records).
  bool has_quotes() const { return blocks_.here().files.has_quotes(); }
  /// The beginning of a file.
  struct beginning {
    std::string path;
    std::string text;
  };
  /// Returns the first bytes of the text of the first file with several records, decompressed, as the
  /// caller's process sees it: a single record may be a header. Returns fewer than `bytes` only if the file is
  /// shorter. If no file has several: of the first one with a record. If none has: the first one, without
  /// text. `quotes`: they may enclose line ends.
  beginning head(std::size_t bytes, bool quotes) const;
  /// Calls f for the text of all files in order, in chunks of whole records, as the caller's process sees it,
  /// until f returns false. One core reads.
  void read(bool quotes, function_ref<bool(const text_chunk&)> f) const;
  /// Returns the size of all files on disk.
  std::uint64_t bytes() const { return blocks_.here().files.bytes(); }

  /// Returns the same as text_input::identity().
  std::string identity() const { return text_input(paths_, where_).identity(); }
  /// Passes the chunks to a job.
  void open(per_process<block> blocks) const;

 private:
  std::vector<std::string> paths_;
  cut_at where_;
  scoped_per_process<files::text_block> blocks_;
};

}  // namespace gossamer
