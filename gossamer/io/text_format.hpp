#pragma once
// What a file must be that is read as text: UTF-8, or any bytes that have their letters in common with it. Well-known other forms
// are told by their first bytes, whatever their names: as text they would give an answer made of their bytes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gossamer::io {

/// A form that is not text.
struct other_format {
  std::string_view name;  ///< "a tar archive"; empty: none is recognised
  std::string_view advice;  ///< what makes text of it, "unpack it"; empty: nothing short
};

/// Returns the form of a text, decompressed, of which these are the first bytes: 512 are enough.
other_format detect_other_format(std::string_view beginning);

/// Throws gossamer::error "<path>: a tar archive (in gzip) is not read: unpack it" where the bytes of a file, decompressed, are of
/// another form than text. `advice` takes the place of what the form has none of. O(1).
void check_text(std::span<const std::byte> file, const std::string& path, std::string_view advice);

/// Throws gossamer::error where the text of a file has carriage returns and no line feed in its first 64 KiB: as old programs for the
/// Macintosh write lines. For what reads lines. O(1).
void check_line_ends(std::span<const std::byte> file, const std::string& path);

/// What check_text() says to do with a table that is no text.
inline constexpr std::string_view k_tables_as_text = "write it as text, such as CSV";

}  // namespace gossamer::io
