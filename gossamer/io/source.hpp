#pragma once
// Files of text, or of records of one size, as chunks of whole records. Plain files are read where they lie; compressed ones are streams,
// of a whole file or of a block of it that can be decompressed alone (zstd frames, BGZF members). What all processes do
// together with files is the layer above: gossamer/files.
//
//   text_file      an opened file: its name in messages, its bytes, its beginning, the line of a place
//   record_rule    where records end, so that a text may be cut there
//   record_stream  a compressed file, or a block of it, in chunks of whole records

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/decompress.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/room.hpp"

namespace gossamer::io {

/// Where a text may be cut into chunks.
enum class cut_at : std::uint8_t {
  blanks,  // between two words
  lines,  // behind a line end
  records,  // behind a line end that no quotes enclose (RFC 4180)
};

/// Where the records of a file end. Trivially copyable.
struct record_rule {
  cut_at where = cut_at::lines;
  std::size_t bytes = 0;  // of a record, where all have as many; 0: it is text, cut as `where` says

  /// Returns the first place at or after `at` where a record begins; the text's size where there is none. `in_quotes`: an odd
  /// number of quotes stands before `at`.
  std::size_t start(std::string_view text, std::size_t at, bool in_quotes = false) const;
  /// Returns whether line ends end records, and whether quotes keep some from it.
  bool has_lines() const { return bytes == 0 && where != cut_at::blanks; }
  bool has_quotes() const { return bytes == 0 && where == cut_at::records; }
  /// Returns how many bytes of a text, which begins where a record begins, are records that have ended.
  std::size_t whole(std::string_view text) const;
};

/// An opened file. Cheap to copy: copies have its bytes in common.
class text_file {
 public:
  text_file() = default;
  /// Opens a file; "-" is standard input. Pipes are read to their end, once. Throws gossamer::error for what cannot be read.
  explicit text_file(const std::string& path);
  /// Takes an opened file.
  explicit text_file(std::shared_ptr<const machine::mapped_file> file);
  /// Takes bytes that lie elsewhere and outlive it.
  text_file(std::span<const std::byte> bytes, std::string name);
  /// Returns what stands for standard input in processes that do not read it: no bytes.
  static text_file standard_input_elsewhere();
  /// Takes the bytes as they lie there, also where they look compressed.
  void take_as_plain() { how_ = compression::none; }

  /// Returns what messages call it: its path, or "standard input".
  const std::string& name() const { return name_; }
  bool is_standard_input() const { return standard_input_; }
  bool is_plain() const { return how_ == compression::none; }
  compression how() const { return how_; }
  /// Returns all bytes, as they lie there.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Returns the same as characters: the text of a plain file.
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

  /// Returns up to `bytes` of the text that the file begins with, decompressed. Fewer: that is all.
  std::string beginning(std::size_t bytes) const { return text_beginning(bytes_, name_, bytes); }
  /// Returns all of the text. The string holds it where it is decompressed.
  std::string_view all(std::string& unpacked) const;

  /// Maps a chunk of a plain file at once, before it is read. Does nothing for text that lies elsewhere.
  void populate(std::string_view chunk) const;
  /// Gives back the pages of a chunk that was read.
  void discard(std::string_view chunk) const;

  /// Returns the places of blocks of a compressed file that can be read alone, up to `most` of them: of block k those with numbers k and
  /// k + 1. One block where the file cannot be cut.
  std::vector<std::uint64_t> blocks(unsigned most) const;

  /// Returns "<name>:<line>" of byte `at` of the text, or of the records of the block that begins at byte `block_begin` of the file. Counts
  /// the lines of the file up to there.
  std::string place_of(std::uint64_t block_begin, std::uint64_t at) const;

 private:
  bool holds(std::string_view chunk) const;

  std::shared_ptr<const machine::mapped_file> mapped_;
  std::span<const std::byte> bytes_;
  std::string name_;
  compression how_ = compression::none;
  bool standard_input_ = false;
};

/// Decompresses a file, or the records of a block of it. Holds what has not ended until the rest has come. One core at a time.
class record_stream {
 public:
  static constexpr std::uint64_t k_most_record_bytes = std::uint64_t{1} << 30;

  /// Begins at bytes [begin, end) of a compressed file, which outlives it: all of it, or a block, which is cut at line ends.
  record_stream(const text_file& file, std::uint64_t begin, std::uint64_t end, record_rule rule,
                std::uint64_t most_record_bytes = k_most_record_bytes);

  /// Returns the next records, of about `bytes`; more where one is longer. Empty: the end. They stay until the next call. Throws gossamer::error
  /// for damaged data, and for a record of more than `most_record_bytes`.
  std::string_view next(std::size_t bytes);
  /// Returns the same records again, and those of `bytes` more.
  std::string_view extend(std::size_t bytes);
  /// Gives away the memory of what next() has returned.
  machine::room<char> release();

  /// Returns whether nothing comes after what next() has returned.
  bool ended() const { return ended_; }
  /// Counts the bytes of the text before what next() has returned: of the block's records.
  std::uint64_t before() const { return before_; }
  /// Counts the compressed bytes that were read.
  std::uint64_t consumed() const { return source_->consumed(); }

 private:
  std::string_view fill(std::size_t bytes);
  void resize(std::size_t bytes);

  const text_file* file_;
  record_rule rule_;
  std::uint64_t most_;
  std::unique_ptr<decompressor> source_;
  machine::room<char> chunk_;
  std::size_t given_ = 0, size_ = 0;  // bytes of the chunk: returned; read
  std::size_t step_ = 0;  // bytes that were asked for
  std::uint64_t before_ = 0, after_ = 0;  // bytes of the text before what was returned, and up to its end
  bool ended_ = false;
};

}  // namespace gossamer::io
