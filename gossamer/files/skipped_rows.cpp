#include "gossamer/files/skipped_rows.hpp"

#include <fmt/format.h>

namespace gossamer {

void skipped_rows::add(const text_chunk& chunk, std::size_t at, function_ref<std::string()> what) {
  const summary found{1, chunk.file, chunk.block_begin, chunk.begin + at};
  const bool earlier = found.is_before(all_);
  const std::uint64_t rows = all_.rows + 1;
  if (earlier) {
    first_ = fmt::format("{}: {}", place_of(chunk, at), what());
    all_ = found;
  }
  all_.rows = rows;
}

void skipped_rows::add(const summary& rows, std::string_view first) {
  const std::uint64_t sum = all_.rows + rows.rows;
  if (rows.is_before(all_)) {
    all_ = rows;
    first_ = first;
  }
  all_.rows = sum;
}

}  // namespace gossamer
