#include "gossamer/sort/sort.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::sorting {
namespace {

void require_copies(const char* call, std::uint64_t elements, std::size_t element_bytes) {
  const std::uint64_t copies = processes() > 1 ? 5 : cores() > 2 ? 2 : 1;
  if (elements >= k_sort_alone)
    machine::require_chunk(elements / processes() * element_bytes * copies,
                           fmt::format("{} of {} elements", call, elements));
}

}  // namespace

void check_sort(const char* call, bool contiguous, std::uint64_t elements, std::size_t element_bytes) {
  if (!contiguous)
    throw error(fmt::format(
        "{}: the array is spread by block_cyclic or hashed, where neighbours have different owners: "
        "make it with block or by_boundaries",
        call));
  require_copies(call, elements, element_bytes);
}

void check_sort_memory(std::uint64_t elements, std::size_t element_bytes) {
  if (processes() > 1)
    throw error(
        fmt::format("sort_memory: expected a job of one process, found {}: make a global array and sort() it",
                    processes()));
  require_copies("sort_memory", elements, element_bytes);
}

}  // namespace gossamer::sorting
