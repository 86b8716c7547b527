#include "gossamer/mapreduce/internal/containers/dense_array.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::mapreduce {

void refuse_key(bool negative, std::uint64_t key, std::uint64_t n) {
  const std::string found =
      negative ? fmt::format("{}", static_cast<std::int64_t>(key)) : fmt::format("{}", key);
  if (n == 0) throw error(fmt::format("map_reduce: expected no key (dense_keys{{0}}), found {}", found));
  throw error(
      fmt::format("map_reduce: expected keys from 0 to {} (dense_keys{{{}}}), found {}", n - 1, n, found));
}

void check_dense_keys(std::uint64_t n, std::size_t cell_bytes) {
  std::uint64_t bytes;
  if (__builtin_mul_overflow(n, cell_bytes, &bytes)) bytes = ~std::uint64_t{0} / 2;
  machine::require_chunk(bytes, fmt::format("a dense array of {} keys", n));
}

}  // namespace gossamer::mapreduce
