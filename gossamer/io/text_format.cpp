#include "gossamer/io/text_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "gossamer/base/error.hpp"
#include "gossamer/io/decompress.hpp"

namespace gossamer::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t k_beginning_bytes = 512;  // a tar header
constexpr std::string_view k_unpack = "unpack it";

struct signature {
  std::string_view bytes;
  other_format format;
  bool in_text = false;  // text may begin like this, too: a byte that text never contains must follow
};

constexpr signature k_signatures[] = {
    {"\xff\xfe\0\0"sv, {"UTF-32 text", "convert it: iconv -f UTF-32 -t UTF-8"}},
    {"\0\0\xfe\xff"sv, {"UTF-32 text", "convert it: iconv -f UTF-32 -t UTF-8"}},
    {"\xff\xfe"sv, {"UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"}},
    {"\xfe\xff"sv, {"UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"}},
    {"PK\x03\x04"sv, {"a zip archive or Excel file", "unpack it, or save the table as CSV"}},
    {"PK\x05\x06"sv, {"an empty zip archive", {}}},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, {"an Excel file", "save the table as CSV"}},
    {"7z\xbc\xaf\x27\x1c"sv, {"a 7-Zip archive", k_unpack}},
    {"Rar!\x1a\x07"sv, {"a RAR archive", k_unpack}},
    {"\x1f\x9d"sv, {"a file of compress", "decompress it: gzip -d"}},
    {"\x04\x22\x4d\x18"sv, {"lz4 data", "decompress it: lz4 -d"}},
    {"\xff\x06\0\0sNaPpY"sv, {"Snappy data", "decompress it"}},
    {"\x89LZO\0\r\n\x1a\n"sv, {"lzop data", "decompress it: lzop -d"}},
    {"LZIP\x01"sv, {"lzip data", "decompress it: lzip -d"}},
    {"\x89HDF\r\n\x1a\n"sv, {"HDF5", {}}},
    {"SQLite format 3\0"sv, {"an SQLite database", {}}},
    {"ARROW1\0\0"sv, {"Arrow", {}}},
    {"Obj\x01"sv, {"Avro", {}}},
    {"\x93NUMPY"sv, {"a NumPy array", {}}},
    {"%PDF-"sv, {"PDF", {}}},
    {"PAR1"sv, {"Parquet", {}}, true},
    {"PARE"sv, {"encrypted Parquet", {}}, true},
    {"FEA1"sv, {"Feather", {}}, true},
    {"ORC"sv, {"ORC", {}}, true},
};

/// Returns whether a byte occurs that text never contains.
bool has_control_byte(std::string_view bytes) {
  return std::ranges::any_of(bytes, [](char c) {
    const auto b = static_cast<unsigned char>(c);
    return b < 0x20 && (b < '\t' || b > '\r') && b != 0x1b;
  });
}

/// Returns whether these bytes begin with the header of a tar file of any kind: its checksum is right.
bool is_tar(std::string_view bytes) {
  constexpr std::size_t k_header = 512, k_at = 148, k_digits = 8;
  if (bytes.size() < k_header || bytes[0] == '\0') return false;
  std::string_view field = bytes.substr(k_at, k_digits);
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  unsigned told = 0;
  if (std::from_chars(field.data(), field.data() + field.size(), told, 8).ec != std::errc()) return false;
  unsigned sum = k_digits * ' ';  // the checksum itself counts as blanks
  for (std::size_t i = 0; i < k_header; ++i)
    if (i < k_at || i >= k_at + k_digits) sum += static_cast<unsigned char>(bytes[i]);
  return sum == told;
}

/// Recognises text with two bytes per letter, of which one is zero. Returns no name otherwise.
other_format utf16_without_mark(std::string_view bytes) {
  constexpr std::size_t k_least = 8;
  const std::size_t pairs = bytes.size() / 2;
  if (bytes.size() < k_least) return {};
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < 2 * pairs; ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const std::size_t most = pairs - pairs / 8;
  if (zeros[1] >= most && zeros[0] == 0) return {"UTF-16 text", "convert it: iconv -f UTF-16LE -t UTF-8"};
  if (zeros[0] >= most && zeros[1] == 0) return {"UTF-16 text", "convert it: iconv -f UTF-16BE -t UTF-8"};
  return {};
}

}  // namespace

other_format detect_other_format(std::string_view beginning) {
  for (const signature& s : k_signatures)
    if (beginning.starts_with(s.bytes) && (!s.in_text || has_control_byte(beginning.substr(0, 64))))
      return s.format;
  if (is_tar(beginning)) return {"a tar archive", k_unpack};
  return utf16_without_mark(beginning);
}

void check_text(std::span<const std::byte> file, const std::string& path, std::string_view advice) {
  const other_format found = detect_other_format(text_beginning(file, path, k_beginning_bytes));
  if (found.name.empty()) return;
  const compression how = detect_compression(file);
  throw error(fmt::format("{}: {}{} is not read: {}", path, found.name,
                          how == compression::none ? "" : fmt::format(" (in {})", name_of(how)),
                          found.advice.empty() ? advice : found.advice));
}

void check_line_ends(std::span<const std::byte> file, const std::string& path) {
  constexpr std::size_t k_looked_at = 64 << 10;
  const std::string text = text_beginning(file, path, k_looked_at);
  const std::size_t first = text.find('\r');
  if (first == text.npos || first + 1 == text.size() || text.find('\n') != text.npos) return;
  throw error(
      fmt::format("{}: lines end with carriage returns alone, which are no line ends here: "
                  "tr '\\r' '\\n' < FILE writes others",
                  path));
}

}  // namespace gossamer::io
