#pragma once
// Opens the files whose lines are sorted and takes this process's share of them: ranges of plain files, which stay
// mapped, and whole compressed files, which are decompressed. The processes' shares follow one another in the order
// of the input, file by file. Standard input belongs to process 0.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/decompress.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/mapreduce/internal/lines/line_rule.hpp"
#include "gossamer/mapreduce/internal/lines/line_texts.hpp"
#include "gossamer/mapreduce/internal/sort_buffer.hpp"

namespace gossamer::mapreduce {

/// Returns names of files as one text, each with a zero byte behind it. Throws gossamer::error for an empty one and a second "-".
std::string joined_paths(const std::vector<std::string>& files);

/// Throws gossamer::error where processes see files of other sizes. Collective over the processes.
void check_same_files(std::uint64_t common_bytes);

/// The opened files of a process, and its share of their texts.
class line_input {
 public:
  /// Opens the files. `paths` are separated by zero bytes. Throws gossamer::error for what cannot be read.
  void open(const std::string& paths);

  /// Counts the bytes of all files, as they lie on disk, but for standard input.
  std::uint64_t common_bytes() const;

  /// Estimates the bytes of all texts: of compressed ones by guess.
  std::uint64_t text_bytes() const;

  /// Returns the header of the first file that has one, with its line end; empty where no file has. In process 0.
  std::string first_header(const io::delimited_format& format) const;

  /// Decompresses and appends this process's share to `texts`, by all cores of the process. By its first core; suspends. With a
  /// header, takes away that of each file, which must have the same columns: gossamer::error.
  void take_share(const line_rule& rule, const std::string& header, line_texts& texts);

  /// Appends the next portion of the whole input to `texts`, in the order of the input: whole records of about `bytes`, with
  /// k_line_bytes for each line. Frees the portion before it. Returns whether there is more. One core reads. For a process alone.
  bool take_portion(const line_rule& rule, const std::string& header, std::uint64_t bytes, line_texts& texts);
  static constexpr std::uint64_t k_line_bytes = 32;  // of entries, which are copied once

  /// Estimates the bytes that a sort in memory takes: of lines by the beginning of each file, of compressed ones by guess.
  std::uint64_t memory_needed() const;

  /// Does the same for binary files of numbers of so many bytes. Throws gossamer::error for a file that ends inside one.
  void take_binary_share(std::size_t number_bytes, line_texts& texts);

  /// Appends the next portion of the whole input to `texts`: whole numbers of about `bytes` in all. As take_portion() does.
  bool take_binary_portion(std::size_t number_bytes, std::uint64_t bytes, line_texts& texts);

  /// Maps a part of a plain file at once, before it is read.
  void populate(std::string_view text, std::uint32_t number) const;

  /// Returns "<path>:<line>" of a line of `texts`. Counts the lines before it.
  std::string place_of(const line_texts& texts, std::uint64_t place) const;

 private:
  struct file {
    machine::mapped_file mapped;
    std::string name;  // for errors
    io::compression how = io::compression::none;
    bool standard_input = false;
    std::size_t header_bytes = 0, header_lines = 0;  // taken away here
    std::uint64_t lines_before = 0;  // in earlier portions, of a compressed file
  };
  struct stream {
    std::uint32_t file;
    std::uint64_t begin, end;  // compressed bytes
    std::size_t unit;  // bytes of a number; 0: records of text
    std::vector<sort_buffer<char>> blocks = {};
    std::vector<std::string_view> texts = {};
  };

  static std::uint64_t text_bytes(const file& of);
  bool is_here(std::size_t number, std::uint64_t before) const;
  void read_streams(bool quotes);
  void read(stream& from, bool quotes) const;
  std::string_view without_header(file& from, std::string_view text, const line_rule& rule,
                                  const std::string& header) const;
  std::string beginning(const file& from, std::size_t bytes) const;

  std::vector<file> files_;
  /// Where the next portion begins.
  struct cursor {
    std::uint32_t file = 0;
    std::size_t at = 0;  // in a plain file
    std::unique_ptr<io::decompressor> source;  // of a compressed one
    sort_buffer<char> block;
    std::size_t open = 0;  // bytes at the beginning of the block that belong to a record without an end
    std::vector<sort_buffer<char>> held;  // the texts of the portion
  };
  void free_portion(line_texts& texts);
  std::uint64_t take_numbers(file& from, std::uint32_t number, std::size_t number_bytes, std::uint64_t bytes,
                             line_texts& texts);
  std::uint64_t take_plain(file& from, std::uint32_t number, const line_rule& rule, const std::string& header,
                           std::uint64_t bytes, line_texts& texts);
  std::uint64_t take_stream(file& from, std::uint32_t number, const line_rule& rule,
                            const std::string& header, std::uint64_t bytes, line_texts& texts);

  std::vector<stream> streams_;
  cursor next_;
};

}  // namespace gossamer::mapreduce
