#pragma once
// Reads this process's share of the files as a whole: parts of mapped files, and compressed files, which are decompressed by
// all cores at once.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/internal/line_files.hpp"
#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::sorting {

/// Owns what was decompressed. By the first core of the process; suspends.
class share_reader {
 public:
  /// Appends the share to `texts`. With a header, takes away that of each file, which must have the same columns: gossamer::error.
  void take(line_files& files, const line_rule& rule, const std::string& header, line_texts& texts);

  /// Does the same for binary files of numbers of so many bytes. Throws gossamer::error for a file that ends inside one.
  void take_numbers(line_files& files, std::size_t number_bytes, line_texts& texts);

 private:
  struct stream {
    std::uint32_t file;
    std::uint64_t begin, end;  // compressed bytes
    std::size_t unit;  // bytes of a number; 0: records of text
    std::vector<sort_buffer<char>> blocks = {};
    std::vector<std::string_view> texts = {};
  };

  void read_streams(const line_files& files, bool quotes);
  static void read(const line_file& f, stream& from, bool quotes);

  std::vector<stream> streams_;
};

}  // namespace gossamer::sorting
