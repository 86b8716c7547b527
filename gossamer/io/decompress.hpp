#pragma once
// Decompresses gzip, zstd, bzip2 and xz data as a stream of bytes. The first bytes determine the format,
// never the name. Consecutive members or frames are one text; anything else after them is an error.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gossamer::io {

enum class compression : std::uint8_t { none, gzip, zstd, bzip2, xz };
/// Returns the name: "gzip", ...
const char* name_of(compression how);
compression detect_compression(std::span<const std::byte> file);
/// Returns whether a name ends as those of compressed files do: .gz, .zst, .bz2 or .xz.
bool is_named_compressed(std::string_view path);
/// Returns the name without such an end: that of the text.
std::string_view decompressed_name(std::string_view path);

class decompressor {
 public:
  virtual ~decompressor() = default;

  /// Fills `out` with decompressed bytes. Returns fewer than its size only at the end of the data. Throws
  /// gossamer::error "<path>: ..." if the data is truncated or damaged. Needs a few KiB of stack.
  virtual std::size_t read(std::span<char> out) = 0;

  /// Returns the number of compressed bytes consumed, for progress.
  virtual std::uint64_t consumed() const = 0;
};

/// Makes a decompressor. `file` must outlive it. `path` is for errors. `before` is the number of bytes of the
/// whole file that precede `file`.
std::unique_ptr<decompressor> make_decompressor(compression how, std::span<const std::byte> file,
                                                std::string path, std::uint64_t before = 0);

/// Returns up to `bytes` decompressed bytes from the beginning of a file; fewer if the text ends. `path` is
/// for errors.
std::string text_beginning(std::span<const std::byte> file, const std::string& path, std::size_t bytes);

/// Returns blocks + 1 offsets in the file, at about equal distances in compressed bytes. Each block between
/// two offsets can be decompressed separately. It begins with a frame of zstd, or with a member of gzip that
/// declares its length (BGZF). Returns nothing if there are fewer of those than blocks. Reads the header of
/// each block of a zstd frame (3 bytes per 128 KiB of text).
std::vector<std::uint64_t> compressed_block_bounds(compression how, std::span<const std::byte> file,
                                                   unsigned blocks);

/// The lines that begin in the text of bytes [begin, end) of a compressed file. A line that begins exactly at
/// the end of that text also belongs to this block, not to the next one.
class line_block final : public decompressor {
 public:
  line_block(compression how, std::span<const std::byte> file, const std::string& path, std::uint64_t begin,
             std::uint64_t end);
  std::size_t read(std::span<char> out) override;
  std::uint64_t consumed() const override { return own_ ? own_->consumed() : 0; }

 private:
  static constexpr std::size_t k_step = 64 << 10;
  enum class state : std::uint8_t {
    skipping,
    own,
    after,
    ended
  };  // until the first line; then; until the last line

  state now_;
  std::unique_ptr<decompressor> own_, after_;
};

}  // namespace gossamer::io
