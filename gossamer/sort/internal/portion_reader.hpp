#pragma once
// Reads this process's share of the files in portions, where it does not fit the memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/io/decompress.hpp"
#include "gossamer/sort/internal/line_files.hpp"
#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::sorting {

/// Owns what was decompressed of the portion. One core reads.
class portion_reader {
 public:
  /// Appends the next portion to `texts`, in the order of the input: whole records of about `bytes`, with k_line_bytes for each
  /// line. Frees the portion before it. Returns whether there is more. Of several processes, a portion has nothing beside standard
  /// input, and in no process it reaches over its place: what lies before or behind it may be another process's.
  bool take(line_files& files, const line_rule& rule, const std::string& header, std::uint64_t bytes,
            line_texts& texts);
  static constexpr std::uint64_t k_line_bytes = 32;  // of entries, which are copied once

  /// Does the same for whole numbers of about `bytes` in all.
  bool take_numbers(line_files& files, std::size_t number_bytes, std::uint64_t bytes, line_texts& texts);

 private:
  void free_portion(line_files& files, line_texts& texts);
  std::uint64_t take_numbers_of(line_files& files, std::size_t number_bytes, std::uint64_t bytes,
                                line_texts& texts);
  std::uint64_t take_plain(line_files& files, const line_rule& rule, const std::string& header,
                           std::uint64_t bytes, line_texts& texts);
  std::uint64_t take_stream(line_files& files, const line_rule& rule, const std::string& header,
                            std::uint64_t bytes, line_texts& texts);

  // Where the next portion begins.
  std::uint32_t file_ = 0;
  std::size_t at_ = 0;  // in the part of a plain file
  std::unique_ptr<io::decompressor> source_;  // of a compressed one
  sort_buffer<char> block_;
  std::size_t open_ = 0;  // bytes at the beginning of the block that belong to a record without an end
  std::vector<sort_buffer<char>> held_;  // the texts of the portion
};

}  // namespace gossamer::sorting
