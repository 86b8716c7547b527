#include "gossamer/memory/internal/space.hpp"

#include <fmt/core.h>

#include <iterator>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::memory {

namespace {

using machine::k_common_first;

std::uint64_t half() {
  const auto* s = machine::simulated();
  return (s != nullptr ? s->common_bytes() : machine::k_common_bytes) / 2;
}

std::uint64_t part_of_others(unsigned processes) {
  return processes > 1 ? round_down(half() / (processes - 1), machine::k_huge_page_bytes) : half();
}

}  // namespace

/// Process 0, whose main fiber makes most of it, has half; the others share the rest.
space::space(unsigned process, unsigned processes) {
  const std::uint64_t each = part_of_others(processes);
  const std::uint64_t first = process == 0 ? k_common_first : k_common_first + half() + (process - 1) * each;
  free_.emplace(reinterpret_cast<std::byte*>(first), process == 0 ? half() : each);
}

unsigned space::giver(const std::byte* at, unsigned processes) {
  const std::uint64_t from = reinterpret_cast<std::uintptr_t>(at) - k_common_first;
  return from < half() ? 0 : static_cast<unsigned>(1 + (from - half()) / part_of_others(processes));
}

std::uint64_t space::unit_for(std::uint64_t bytes) {
  return bytes >= machine::k_huge_page_bytes ? machine::k_huge_page_bytes : machine::page_bytes();
}

std::byte* space::take(std::uint64_t bytes) {
  const std::uint64_t unit = unit_for(bytes);
  bytes = round_up(bytes, unit);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto first = reinterpret_cast<std::uintptr_t>(it->first);
    const std::uint64_t skip = round_up(first, unit) - first;
    if (it->second < skip + bytes) continue;
    std::byte* const at = it->first + skip;
    const std::uint64_t rest = it->second - skip - bytes;
    if (skip != 0)
      it->second = skip;
    else
      free_.erase(it);
    if (rest != 0) free_.emplace(at + bytes, rest);
    taken_.emplace(at, bytes);
    return at;
  }
  throw error(fmt::format("cannot find addresses for {} of memory of the job", format_bytes(bytes)));
}

void space::give(std::byte* at) {
  const auto one = taken_.find(at);
  GOSSAMER_ASSERT(one != taken_.end());
  std::uint64_t bytes = one->second;
  taken_.erase(one);
  auto next = free_.lower_bound(at);
  if (next != free_.end() && at + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      before->second += bytes;
      return;
    }
  }
  free_.emplace(at, bytes);
}

void space::map(std::byte* at, std::uint64_t bytes) {
  using machine::pages;
  const pages kind = bytes >= machine::k_huge_page_bytes ? pages::huge : pages::as_default;
  mapped_.emplace(
      at, machine::memory_region::at(at, round_up(bytes, unit_for(bytes)), "memory of the job", kind));
}

void space::unmap(std::byte* at) { mapped_.erase(at); }

}  // namespace gossamer::memory
