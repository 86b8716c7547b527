#pragma once
// Text to gzip and zstd, in chunks: each is a member or frame of its own, and all of them together one file.

#include <string>
#include <string_view>

#include "gossamer/io/decompress.hpp"

namespace gossamer::io {

/// Returns the compression that the ending says: gzip for .gz, zstd for .zst, else none.
compression compression_for(std::string_view path);
/// Returns the path without that ending.
std::string_view without_compression(std::string_view path);

/// Throws gossamer::error where memory is short. `how`: none, gzip or zstd.
std::string compress(compression how, std::string text);

}  // namespace gossamer::io
