#pragma once
// The texts of a process that are sorted, each with whole records: blocks of mapped files, decompressed
// chunks, or text received from other processes. All of them share one space of positions, ascending in the
// order of the input. So a line is encoded in 64 bits: position and length.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/internal/line_rule.hpp"

namespace gossamer::sorting {

/// Refers to the texts; does not own them.
class line_texts {
 public:
  /// A text, and the index of its file on the command line.
  struct segment {
    std::string_view text;
    std::uint64_t place;  // of its first byte
    std::uint32_t file;
  };

  /// Appends a text. Throws gossamer::error if the positions do not suffice.
  void add(std::string_view text, std::uint32_t file);
  /// Removes all texts.
  void clear();

  const std::vector<segment>& segments() const { return segments_; }
  /// Returns the bytes of all texts.
  std::uint64_t bytes() const { return bytes_; }

  /// Encodes a line: its position, and its length without the line end, if that fits.
  static std::uint64_t pack(std::uint64_t place, std::size_t length) {
    return place << k_length_bits | (length < k_long ? length : k_long);
  }
  static std::uint64_t place_of(std::uint64_t line) { return line >> k_length_bits; }

  /// Returns the first byte of a line.
  const char* begin_of(std::uint64_t line) const {
    const std::uint64_t place = place_of(line);
    return reinterpret_cast<const char*>(bases_[place >> k_unit_bits] + place);
  }
  /// Returns a line without its line end.
  std::string_view line(std::uint64_t line, bool quotes) const {
    const std::uint64_t length = line & k_long;
    if (length == k_long) [[unlikely]]
      return long_line(line, quotes);
    return {begin_of(line), length};
  }
  /// Returns the file of a line.
  std::uint32_t file_of(std::uint64_t line) const { return segment_of(place_of(line)).file; }

 private:
  static constexpr unsigned k_length_bits = 24, k_unit_bits = 20;
  static constexpr std::uint64_t k_long = (std::uint64_t{1} << k_length_bits) - 1;
  static constexpr std::uint64_t k_units = (std::uint64_t{1} << (64 - k_length_bits - k_unit_bits)) - 1;

  const segment& segment_of(std::uint64_t place) const;
  std::string_view long_line(std::uint64_t line, bool quotes) const;

  std::vector<segment> segments_;
  std::vector<std::uintptr_t>
      bases_;  // by unit of positions: the address of position 0 if it were in the same segment
  std::uint64_t bytes_ = 0;
};

/// Returns the length of the record at the beginning of a text, without its line end.
std::size_t record_length(std::string_view text, bool quotes);

}  // namespace gossamer::sorting
