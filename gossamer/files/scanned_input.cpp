#include "gossamer/files/scanned_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::files {

std::vector<file_chunk> scan_records(const input_files& files, record_length length) {
  constexpr std::uint64_t k_chunks_of_core = 16;  // of small files, so that all cores have some
  constexpr std::uint64_t k_least_bytes = std::uint64_t{16} << 10, k_most_bytes = std::uint64_t{1} << 20;
  const std::uint64_t all = files.common_bytes();
  const std::uint64_t first = parallel::block_begin(0, all, process(), processes());
  const std::uint64_t last = parallel::block_begin(0, all, process() + 1, processes());
  const std::uint64_t step = std::clamp(all / (k_chunks_of_core * cores()), k_least_bytes, k_most_bytes);
  std::vector<file_chunk> chunks;
  std::uint64_t before = 0;
  for (std::uint32_t number = 0; number < files.size(); ++number) {
    const io::text_file& file = files[number];
    const std::string_view bytes = file.text();
    std::uint64_t from = 0, to = bytes.size();  // for standard input, which belongs to one process
    if (!file.is_standard_input()) {
      from = std::clamp(first, before, before + bytes.size()) - before;
      to = std::clamp(last, before, before + bytes.size()) - before;
      before += bytes.size();
    }
    if (from == to) continue;
    for (std::uint64_t at = 0; at < to;) {
      const std::uint64_t n = length(bytes.substr(at)), left = bytes.size() - at;
      if (n == 0 || n > left)
        throw error(fmt::format("{}: expected a whole record at byte {}, found one of {} bytes, with {} left",
                                file.name(), at, n, left));
      if (at >= from) {
        if (chunks.empty() || chunks.back().file != number || at - chunks.back().begin >= step)
          chunks.push_back({number, at, at});
        chunks.back().end = at + n;
      }
      at += n;
    }
  }
  return chunks;
}

}  // namespace gossamer::files
