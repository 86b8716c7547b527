#pragma once
// gzip and zstd data as a stream of bytes. The form is told by its first bytes, never by a name.
// Several members or frames one after the other are one text; anything else after them is an error.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gossamer::graph {

enum class compression : std::uint8_t { none, gzip, zstd };
compression detect_compression(std::span<const std::byte> file);

class decompressor {
 public:
  virtual ~decompressor() = default;

  /// Fills `out` as far as the data goes; fewer bytes than asked for: the end. Throws gossamer::error
  /// "<path>: ..." where the data is truncated or damaged. Needs a few KiB of stack.
  virtual std::size_t read(std::span<char> out) = 0;

  /// Compressed bytes consumed, for progress.
  virtual std::uint64_t consumed() const = 0;
};

/// `file` must outlive it. `path` for errors.
std::unique_ptr<decompressor> make_decompressor(compression how, std::span<const std::byte> file,
                                                std::string path);

}  // namespace gossamer::graph
