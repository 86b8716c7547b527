#pragma once
// Reads this process's block of the files whose lines or numbers are sorted, as a whole or in batches: its
// ranges of plain files, which stay mapped, and the compressed files that belong to it. The processes' blocks
// follow one another in the order of the input, file by file.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/files/input_files.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/machine/uninitialised_buffer.hpp"
#include "gossamer/sort/internal/line_texts.hpp"

namespace gossamer::sorting {

/// Owns decompressed texts. The files must be divided in the order of the input before it reads, and outlive
/// it.
class line_reader {
 public:
  explicit line_reader(const files::input_files& files) : files_(files) {}

  /// Estimates the bytes of all texts; guesses those of compressed files.
  std::uint64_t text_bytes() const;
  /// Estimates the bytes that a sort in memory takes: samples lines at the beginning of each file, and
  /// guesses the size of compressed ones.
  std::uint64_t memory_needed() const;

  /// Returns the header of the first file that has one, with its line end; empty if no file has one. In
  /// process 0.
  std::string first_header(const io::delimited_format& format) const;
  /// Removes the header from each file from now on. Throws gossamer::error if its columns differ. Empty:
  /// there is no header.
  void expect_header(const std::string& header, const io::delimited_format& format);

  /// Appends the block to `texts`. Decompresses on all cores; suspends. By the first core of the process.
  /// Throws gossamer::error for a file that ends inside a number.
  /// inside a number.
  void take_all(line_texts& texts);
  /// Appends the next batch instead, in the order of the input: whole records of about `bytes`, counting
  /// k_line_bytes for each line. Frees the previous batch. Returns whether there is more. With several
  /// processes, standard input is in a separate batch, and batches never span it, because text before or
  /// after it may belong to another process.
  bool take(std::uint64_t bytes, line_texts& texts);
  static constexpr std::uint64_t k_line_bytes = 32;  // for entries, which are copied once
  /// Frees the texts.
  void clear();

  /// Returns "<path>:<line>" of a line of `texts`. Reads its file up to there.
  std::string place_of(const line_texts& texts, std::uint64_t place) const;

 private:
  /// The state of a file.
  struct progress {
    std::size_t header_bytes = 0;  // removed here
    std::uint64_t bytes_before = 0;  // in earlier batches, of a compressed file
  };

  /// The text of a compressed file, or of a block of it.
  struct stream {
    std::uint32_t file;
    std::uint64_t begin, end;  // compressed bytes
    bool is_trial = false, has_quotes = false;
    std::vector<machine::uninitialised_buffer<char>> chunks = {};
    std::vector<std::string_view> texts = {};
  };

  std::vector<stream> read_streams() const;
  void read(stream& mine) const;
  std::string_view without_header(std::uint32_t number, std::string_view text);
  std::string_view plain_block(std::uint32_t number);
  void check_numbers(std::uint32_t number, std::size_t bytes) const;
  std::uint64_t weight_of(std::string_view text) const;
  bool take_plain(std::uint64_t bytes, std::uint64_t& weight, line_texts& texts);
  bool take_stream(std::uint64_t bytes, std::uint64_t& weight, line_texts& texts);
  void free_batch(line_texts& texts);

  const files::input_files& files_;
  std::string header_;
  io::delimited_format format_;
  std::vector<progress> known_;  // by file
  std::vector<machine::uninitialised_buffer<char>> held_;  // decompressed texts

  // The beginning of the next batch.
  std::uint32_t file_ = 0;
  std::size_t at_ = 0;  // in the block of a plain file
  std::optional<io::record_stream> stream_;  // for a compressed file
};

}  // namespace gossamer::sorting
