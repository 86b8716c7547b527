#pragma once
// The texts of a process that are sorted, each whole records: blocks of mapped files, decompressed chunks, or what came
// from other processes. All of them share one space of places, ascending in the order of the input. So a line is
// 64 bits: place and length.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/internal/line_rule.hpp"

namespace gossamer::sorting {

/// The texts, which lie elsewhere.
class line_texts {
 public:
  /// A text, and the number of its file among those of the command.
  struct segment {
    std::string_view text;
    std::uint64_t place;  // of its first byte
    std::uint32_t file;
  };

  /// Appends a text. Throws gossamer::error where the places do not suffice.
  void add(std::string_view text, std::uint32_t file);
  /// Forgets all texts.
  void clear();

  const std::vector<segment>& segments() const { return segments_; }
  /// Counts the bytes of all texts.
  std::uint64_t bytes() const { return bytes_; }

  /// Packs a line: its place, and its length without the line end, as far as there is room for it.
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
      bases_;  // by unit of places: the address of place 0, were it of the same segment
  std::uint64_t bytes_ = 0;
};

/// Returns the length of the record at the beginning of a text, without its line end.
std::size_t record_length(std::string_view text, bool quotes);

}  // namespace gossamer::sorting
