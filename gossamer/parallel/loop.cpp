#include "gossamer/parallel/loop.hpp"

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::parallel {

void refuse_range(const char* call, std::uint64_t begin, std::uint64_t end) {
  fatal(fmt::format(
            "{}: expected a range of fewer than 2^63 indices, found {} to {} (as signed numbers {} to {})",
            call, begin, end, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end))
            .c_str());
}

void check_bounds(const std::vector<std::uint64_t>& bounds, unsigned cores, std::uint64_t grain) {
  if (bounds.size() != std::size_t{cores} + 1)
    fatal(fmt::format("forall_chunks: expected {} bounds for {} cores, found {}", cores + 1, cores,
                      bounds.size())
              .c_str());
  if (grain == 0) fatal("forall_chunks: expected a grain of 1 or more, found 0");
  for (unsigned c = 0; c < cores; ++c)
    if (bounds[c] > bounds[c + 1])
      fatal(fmt::format("forall_chunks: expected bounds that ascend, found {} for core {} and {} behind it",
                        bounds[c], c, bounds[c + 1])
                .c_str());
}

void refuse_pair(const char* call, std::uint64_t first, std::uint64_t second) {
  if (first != second)
    throw error(
        fmt::format("{}: expected two arrays of one size, found {} and {} elements", call, first, second));
  throw error(fmt::format(
      "{}: expected two arrays of one distribution, found two of {} elements that are divided differently",
      call, first));
}

void throw_interrupted() {
  if (processes() > 1 && process() == 0 && core::here().process().call->first_to_notify())
    for (unsigned p = 1; p < processes(); ++p)  // counted by the call, which ends after them
      async_on(first_core(p), [] { core::here().process().call->follow(); });
  throw interrupted();
}

}  // namespace gossamer::parallel
