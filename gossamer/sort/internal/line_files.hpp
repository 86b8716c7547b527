#pragma once
// The opened files whose lines or numbers are sorted, and which part of each belongs to this process: a range of a plain file,
// which stays mapped; a compressed file as a whole. The processes' shares follow one another in the order of the input, file
// by file. Standard input belongs to process 0.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/decompress.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/sort/internal/line_rule.hpp"
#include "gossamer/sort/internal/line_texts.hpp"

namespace gossamer::sorting {

/// Returns names of files as one text, each with a zero byte behind it. Throws gossamer::error for an empty one, a second "-", and a pipe
/// that several processes would read.
std::string joined_paths(const std::vector<std::string>& files);

/// A file, opened.
struct line_file {
  machine::mapped_file mapped;
  std::string name;  // for errors
  io::compression how = io::compression::none;
  bool standard_input = false;
  std::uint64_t before = 0;  // bytes of the files before it
  std::size_t header_bytes = 0, header_lines = 0;  // taken away here
  std::uint64_t lines_before = 0;  // in earlier portions, of a compressed file
  std::uint64_t quotes_before = 0,
                quotes_here = 0;  // of a plain file: before this process's share, and in it

  bool is_plain() const { return how == io::compression::none; }
};

/// The files of a process.
class line_files {
 public:
  /// Opens the files. `paths` are separated by zero bytes. Throws gossamer::error for what cannot be read.
  void open(const std::string& paths);
  /// Throws gossamer::error for a file that is known to be no text, or whose line ends are none.
  void check_text() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }
  line_file& operator[](std::size_t number) { return files_[number]; }
  const line_file& operator[](std::size_t number) const { return files_[number]; }

  /// Counts the bytes of all files, as they lie on disk, but for standard input.
  std::uint64_t common_bytes() const;
  /// Estimates the bytes of all texts: of compressed ones by guess.
  std::uint64_t text_bytes() const;
  /// Estimates the bytes that a sort in memory takes: of lines by the beginning of each file, of compressed ones by guess.
  std::uint64_t memory_needed() const;

  /// Returns the header of the first file that has one, with its line end; empty where no file has. In process 0.
  std::string first_header(const io::delimited_format& format) const;
  /// Returns the text at the beginning of a file without its byte-order mark and header, which it notes. Throws gossamer::error for other columns
  /// than those of `header`; where that is empty, there is none to take away.
  std::string_view without_header(line_file& from, std::string_view text, const line_rule& rule,
                                  const std::string& header) const;

  /// Counts the quotes of all plain files, each process those of its share, by all of its cores. Returns whether there may be any: a
  /// compressed file is not looked at. Collective; suspends. Before lines_here(), where the rule has quotes.
  bool find_quotes();
  /// Returns whether a file that is not divided belongs to this process.
  bool is_here(std::size_t number) const;
  /// Returns the part of a plain file that belongs to this process: whole records.
  std::string_view lines_here(std::size_t number, const line_rule& rule, const std::string& header);
  /// Does the same for numbers of so many bytes. Throws gossamer::error for a file that ends inside one.
  std::string_view numbers_here(std::size_t number, std::size_t number_bytes) const;
  /// Throws gossamer::error for a text that ends inside a number.
  static void check_numbers(const line_file& of, std::size_t bytes, std::size_t number_bytes);

  /// Maps a part of a plain file at once, before it is read.
  void populate(std::string_view text, std::uint32_t number) const;
  /// Returns "<path>:<line>" of a line of `texts`. Counts the lines before it.
  std::string place_of(const line_texts& texts, std::uint64_t place) const;

 private:
  static std::uint64_t text_bytes(const line_file& of);
  static std::string beginning(const line_file& from, std::size_t bytes);

  std::vector<line_file> files_;
};

}  // namespace gossamer::sorting
