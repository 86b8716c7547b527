#pragma once
// Compresses text with gzip or zstd, in chunks. Each chunk is a separate member or frame; concatenated they
// are one file.

#include <cstddef>
#include <string>
#include <string_view>

#include "gossamer/io/decompress.hpp"

namespace gossamer::io {

/// Returns the compression for the extension of a path: gzip for .gz, zstd for .zst, else none.
compression compression_for(std::string_view path);
/// Returns the path without such an extension.
std::string_view without_compression(std::string_view path);

/// Compresses a text with `how`: none, gzip or zstd. `step`: bytes that are given to zlib at once, below 4 GiB. Throws gossamer::error if
/// memory does not suffice.
std::string compress(compression how, std::string text, std::size_t step = std::size_t{1} << 30);

}  // namespace gossamer::io
