#pragma once
// The header of the native format, shared by its reader and writer. docs/native-format.md.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gossamer::graph::native {

// Not ASCII at first (so no text), then CR LF and a lone LF (destroyed by a text-mode copy), as in PNG.
inline constexpr std::array<unsigned char, 8> k_magic{0x8b, 'G', 'S', 'G', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t k_byte_order = 0x01020304;
inline constexpr std::uint64_t k_data_begin = 4096;  // sections and blocks with checksums begin here
inline constexpr std::uint64_t k_align = 64;  // of each section
inline constexpr std::uint64_t k_block_bytes = 256 << 10;  // with one checksum each

enum section : std::uint8_t {
  out_offsets,
  out_targets,
  in_offsets,
  in_targets,
  label_values,
  label_bytes,
  out_weights,  // from version 2 on
  in_weights,
  sections
};
inline constexpr std::size_t k_sections_1 = out_weights;  // of version 1

struct extent {
  std::uint64_t begin = 0, bytes = 0;  // begin: from the start of the file
};

template <std::size_t Sections>
struct header_of {
  std::array<unsigned char, 8> magic = k_magic;
  std::uint32_t version = 0;
  std::uint32_t byte_order = k_byte_order;
  std::uint32_t header_bytes = 0;
  std::uint8_t id_bytes = 0;  // 4 or 8
  std::uint8_t directed = 0;
  std::uint8_t in_is_out = 0;  // both directions share one set of rows
  std::uint8_t label_form = 0;  // labels::kind
  std::uint64_t vertices = 0, arcs = 0;
  std::uint64_t first_label = 0;  // of a range
  std::uint64_t edges_read = 0, duplicates = 0, self_loops = 0, weights = 0;
  std::array<extent, Sections> section{};
  std::uint64_t block_bytes = 0;
  extent checksums;  // of the blocks from k_data_begin to checksums.begin
  std::uint64_t checksums_checksum = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t weight_form = 0;  // weight_type
  std::uint64_t negative_loops = 0;  // of self_loops; 0 in files of earlier writers
  std::array<std::uint64_t, 1> reserved{};
  std::uint64_t header_checksum = 0;  // of all bytes before it
};
using header_1 = header_of<k_sections_1>;
using header = header_of<sections>;  // of version 2
static_assert(sizeof(header_1) == 248 && offsetof(header_1, section) == 80 &&
              offsetof(header_1, block_bytes) == 176);
static_assert(sizeof(header) == 280 && offsetof(header, block_bytes) == 208);

/// Converts a header of version 1 to version 2.
inline header widened(const header_1& old) {
  header h;
  h.magic = old.magic;
  h.version = old.version;
  h.byte_order = old.byte_order;
  h.header_bytes = old.header_bytes;
  h.id_bytes = old.id_bytes;
  h.directed = old.directed;
  h.in_is_out = old.in_is_out;
  h.label_form = old.label_form;
  h.vertices = old.vertices;
  h.arcs = old.arcs;
  h.first_label = old.first_label;
  h.edges_read = old.edges_read;
  h.duplicates = old.duplicates;
  h.self_loops = old.self_loops;
  h.weights = old.weights;
  const extent end{old.checksums.begin, 0};  // empty sections
  h.section.fill(end);
  for (std::size_t s = 0; s < k_sections_1; ++s) h.section[s] = old.section[s];
  h.block_bytes = old.block_bytes;
  h.checksums = old.checksums;
  h.checksums_checksum = old.checksums_checksum;
  h.file_bytes = old.file_bytes;
  h.weight_form = old.weight_form;
  h.header_checksum = old.header_checksum;
  return h;
}

}  // namespace gossamer::graph::native
