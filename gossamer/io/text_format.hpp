#pragma once
// Refuses files that are not text: UTF-8, or bytes that share ASCII with it. Recognises well-known other
// formats by their first bytes, whatever their names: read as text they would give meaningless results.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gossamer::io {

/// A format that is not text.
struct other_format {
  std::string_view name;  ///< "a tar archive"; empty: none is recognised
  std::string_view advice;  ///< how to make text of it, "unpack it"; empty: no short advice
};

/// Returns the format of a file, given its first decompressed bytes: 512 suffice.
other_format detect_other_format(std::string_view beginning);

/// Throws gossamer::error "<path>: a tar archive (in gzip) is not read: unpack it" if the decompressed bytes
/// of a file are not text. `advice` is used if the format has none. O(1).
void check_text(std::span<const std::byte> file, const std::string& path, std::string_view advice);

/// Throws gossamer::error if the text of a file has carriage returns but no line feed in its first 64 KiB, as
/// written by old Macintosh programs. For readers of lines. O(1).
void check_line_ends(std::span<const std::byte> file, const std::string& path);

/// The advice of check_text() for tables that are not text.
inline constexpr std::string_view k_tables_as_text = "write it as text, such as CSV";

}  // namespace gossamer::io
