#include "gossamer/memory/array.hpp"

#include <fmt/core.h>

#include "gossamer/base/error.hpp"

namespace gossamer::memory {

namespace {

constexpr std::size_t k_checked_bytes = 64 << 20;  // asking what is left costs ~100 us

machine::memory_region take(std::uint64_t elements, std::size_t element_bytes) {
  std::size_t bytes;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes))
    throw error(
        fmt::format("an array of {} elements of {} bytes does not fit any memory", elements, element_bytes));
  if (bytes == 0) bytes = 1;
  if (bytes >= k_checked_bytes) machine::require_memory(bytes, "a global array");
  return {bytes, "a global array",
          bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default};
}

}  // namespace

array_state::array_state(const distribution& d, std::uint64_t size, std::size_t element_bytes, unsigned cores)
    : where(d, size, cores), region(take(where.storage_size(), element_bytes)), data(region.data()) {}

}  // namespace gossamer::memory
