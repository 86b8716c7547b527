#pragma once
// Files of text, or of records of one size, as chunks of whole records. Plain files are read in place.
// Compressed files are streams of a whole file, or of a block that can be decompressed separately (zstd
// frames, BGZF members). What all processes do with files together is in the layer above: gossamer/files.
//
//   text_file      an opened file: its name in messages, its bytes, its beginning, the line of a position
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
#include "gossamer/machine/uninitialised_buffer.hpp"

namespace gossamer::io {

/// Where a text may be cut into chunks.
enum class cut_at : std::uint8_t {
  blanks,  // between two words
  lines,  // after a line end
  records,  // after a line end outside quotes (RFC 4180)
};

/// Where the records of a file end. Trivially copyable.
struct record_rule {
  cut_at where = cut_at::lines;
  std::size_t bytes = 0;  // of a record, if all have the same size; 0: text, cut as `where` says

  /// Returns the first position at or after `at` where a record begins, or the text's size if there is none.
  /// `in_quotes`: an odd number of quotes precedes `at`.
  std::size_t start(std::string_view text, std::size_t at, bool in_quotes = false) const;
  /// Returns whether line ends end records, and whether quotes may enclose line ends.
  bool has_lines() const { return bytes == 0 && where != cut_at::blanks; }
  bool has_quotes() const { return bytes == 0 && where == cut_at::records; }
  /// Returns the number of bytes of a text that are complete records. The text begins with a record.
  std::size_t whole(std::string_view text) const;
};

/// Returns whether a path can be read only once: "-", which goes on where standard input is, a pipe or a socket.
bool is_read_once(const std::string& path);

/// An opened file. Cheap to copy: copies share the bytes.
class text_file {
 public:
  text_file() = default;
  /// Opens a file; "-" is standard input. Pipes are read to their end, once. Throws gossamer::error if it
  /// cannot be read.
  explicit text_file(const std::string& path);
  /// Wraps an opened file.
  explicit text_file(std::shared_ptr<const machine::mapped_file> file);
  /// Wraps bytes in memory, which must outlive it.
  text_file(std::span<const std::byte> bytes, std::string name);
  /// Returns a stand-in for standard input in processes that do not read it: no bytes.
  static text_file standard_input_elsewhere();
  /// Treats the file as plain text, even if it looks compressed.
  void take_as_plain() { how_ = compression::none; }

  /// Returns its name in messages: its path, or "standard input".
  const std::string& name() const { return name_; }
  bool is_standard_input() const { return standard_input_; }
  bool is_plain() const { return how_ == compression::none; }
  compression how() const { return how_; }
  /// Returns all bytes, not decompressed.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Returns the bytes as characters: the text of a plain file.
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

  /// Returns up to `bytes` decompressed bytes from the beginning of the file; fewer if the text ends.
  std::string beginning(std::size_t bytes) const { return text_beginning(bytes_, name_, bytes); }
  /// Returns the whole text. If it has to be decompressed, `unpacked` stores it.
  std::string_view all(std::string& unpacked) const;

  /// Maps a chunk of a plain file before it is read. Does nothing for bytes in memory.
  void populate(std::string_view chunk) const;
  /// Releases the pages of a chunk that was read.
  void discard(std::string_view chunk) const;

  /// Returns the offsets of up to `most` blocks of a compressed file that can be read separately: block k is
  /// between entries k and k + 1. Returns one block if the file cannot be divided.
  std::vector<std::uint64_t> blocks(unsigned most) const;

  /// Returns "<name>:<line>" for byte `at` of the text, or of the records of the block that begins at byte
  /// `block_begin` of the file. Counts the lines of the file up to that byte.
  std::string place_of(std::uint64_t block_begin, std::uint64_t at) const;

 private:
  bool holds(std::string_view chunk) const;

  std::shared_ptr<const machine::mapped_file> mapped_;
  std::span<const std::byte> bytes_;
  std::string name_;
  compression how_ = compression::none;
  bool standard_input_ = false;
};

/// Decompresses a file, or the records of a block of it. Buffers an incomplete record until its rest is read.
/// One core at a time.
class record_stream {
 public:
  static constexpr std::uint64_t k_most_record_bytes = std::uint64_t{1} << 30;

  /// Begins at bytes [begin, end) of a compressed file, which must outlive it: the whole file, or a block,
  /// cut at line ends.
  record_stream(const text_file& file, std::uint64_t begin, std::uint64_t end, record_rule rule,
                std::uint64_t most_record_bytes = k_most_record_bytes);

  /// Returns the next records, about `bytes` of them; more if one is longer. Empty: the end. They stay valid
  /// until the next call. Throws gossamer::error for damaged data, and for a record of more than
  /// `most_record_bytes`.
  std::string_view next(std::size_t bytes);
  /// Returns the same records again, followed by about `bytes` more.
  std::string_view extend(std::size_t bytes);
  /// Transfers the memory of the last result of next() to the caller.
  machine::uninitialised_buffer<char> release();

  /// Returns whether nothing follows the last result of next().
  bool ended() const { return ended_; }
  /// Returns the number of bytes of the text, or of the block's records, before the last result of next().
  std::uint64_t before() const { return before_; }
  /// Returns the number of compressed bytes consumed.
  std::uint64_t consumed() const { return source_->consumed(); }

 private:
  std::string_view fill(std::size_t bytes);
  void resize(std::size_t bytes);

  const text_file* file_;
  record_rule rule_;
  std::uint64_t most_;
  std::unique_ptr<decompressor> source_;
  machine::uninitialised_buffer<char> chunk_;
  std::size_t returned_ = 0, size_ = 0;  // bytes of the chunk: returned; read in all
  std::size_t step_ = 0;  // bytes requested
  std::uint64_t before_ = 0, after_ = 0;  // bytes of the text before the last result, and up to its end
  bool ended_ = false;
};

}  // namespace gossamer::io
