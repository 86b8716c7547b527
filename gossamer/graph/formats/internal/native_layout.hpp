#pragma once
// The bytes of the native form's header, shared by its reader and writer. docs/native-format.md.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gossamer::graph::native {

// Not ASCII at first (no text), CR LF and a lone LF (a text-mode copy destroys them), as PNG does.
inline constexpr std::array<unsigned char, 8> k_magic{0x8b, 'G', 'S', 'G', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t k_byte_order = 0x01020304;
inline constexpr std::uint64_t k_data_begin = 4096;          // sections and checksum blocks begin here
inline constexpr std::uint64_t k_align = 64;                 // of each section
inline constexpr std::uint64_t k_block_bytes = 256 << 10;    // one checksum each

enum section : std::uint8_t {
  out_offsets,
  out_targets,
  in_offsets,
  in_targets,
  label_values,
  label_bytes,
  sections
};

struct extent {
  std::uint64_t begin = 0, bytes = 0;  // begin: from the start of the file
};

struct header {
  std::array<unsigned char, 8> magic = k_magic;
  std::uint32_t version = 0;
  std::uint32_t byte_order = k_byte_order;
  std::uint32_t header_bytes = 0;
  std::uint8_t id_bytes = 0;       // 4 or 8
  std::uint8_t directed = 0;
  std::uint8_t in_is_out = 0;      // one set of rows serves both directions
  std::uint8_t label_form = 0;     // labels::kind
  std::uint64_t vertices = 0, arcs = 0;
  std::uint64_t first_label = 0;   // of a range
  std::uint64_t edges_read = 0, duplicates = 0, self_loops = 0, weights = 0;
  std::array<extent, sections> section{};
  std::uint64_t block_bytes = 0;
  extent checksums;                // of the blocks from k_data_begin to checksums.begin
  std::uint64_t checksums_checksum = 0;
  std::uint64_t file_bytes = 0;
  std::array<std::uint64_t, 3> reserved{};
  std::uint64_t header_checksum = 0;  // of all bytes before it
};
static_assert(sizeof(header) == 248 && offsetof(header, section) == 80 &&
              offsetof(header, block_bytes) == 176);

}  // namespace gossamer::graph::native
