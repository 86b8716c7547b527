#pragma once
// gzip, zstd, bzip2 and xz data as a stream of bytes. The form is told by its first bytes, never by a name.
// Several members or frames one after the other are one text; anything else after them is an error.

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

class decompressor {
 public:
  virtual ~decompressor() = default;

  /// Fills `out` as far as the data goes; fewer bytes than asked for: the end. Throws gossamer::error
  /// "<path>: ..." where the data is truncated or damaged. Needs a few KiB of stack.
  virtual std::size_t read(std::span<char> out) = 0;

  /// Returns the number of compressed bytes consumed, for progress.
  virtual std::uint64_t consumed() const = 0;
};

/// Makes a decompressor. `file` must outlive it. `path` is for errors; `before`: bytes of the whole file that
/// come before.
std::unique_ptr<decompressor> make_decompressor(compression how, std::span<const std::byte> file,
                                                std::string path, std::uint64_t before = 0);

/// Returns up to `bytes` of the text that a file begins with, decompressed. Fewer: that is all. `path` is for errors.
std::string text_beginning(std::span<const std::byte> file, const std::string& path, std::size_t bytes);

/// Returns blocks + 1 places in the file, of about equal compressed bytes. Each block between two places can
/// be decompressed by itself. A place is where a frame of zstd begins, or a member of gzip that tells its
/// length (BGZF). Returns nothing where there are fewer of those than blocks. Looks at each block of a zstd
/// frame (3 bytes per 128 KiB of text).
std::vector<std::uint64_t> compressed_block_bounds(compression how, std::span<const std::byte> file,
                                                   unsigned blocks);

/// The lines that begin in the text of bytes [begin, end) of a compressed file; one that begins where that
/// text ends is among them too, and not in the block that follows.
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
  };  // to the first line; then; to the last one

  state now_;
  std::unique_ptr<decompressor> own_, after_;
};

}  // namespace gossamer::io
