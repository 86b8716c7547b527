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
space::space(unsigned process, unsigned processes, const fabric::node_group* neighbours)
    : process_(process),
      neighbours_(neighbours != nullptr && neighbours->memory() != nullptr ? neighbours : nullptr) {
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

space::~space() {
  for (const auto& [at, m] : mapped_) discard(m.common);
}

void space::map(std::byte* at, std::uint64_t bytes) {
  using machine::pages;
  const pages kind = bytes >= machine::k_huge_page_bytes ? pages::huge : pages::as_default;
  mapped_.emplace(
      at, mapping{machine::memory_region::at(at, round_up(bytes, unit_for(bytes)), "memory of the job", kind),
                  {}});
}

void space::map_in_common(std::byte* at, std::uint64_t own_bytes, std::uint64_t bytes) {
  if (neighbours_ == nullptr || bytes <= own_bytes) return map(at, bytes);
  std::byte* const common = at + own_bytes;
  mapped_.emplace(at, mapping{own_bytes == 0 ? machine::memory_region()
                                             : machine::memory_region::at(at, own_bytes, "memory of the job"),
                              neighbours_->memory()->map(
                                  common, reinterpret_cast<std::uintptr_t>(common) - k_common_first,
                                  bytes - own_bytes, "memory of the job")});
}

void space::unmap(std::byte* at) {
  const auto one = mapped_.find(at);
  if (one == mapped_.end()) return;
  discard(one->second.common);
  mapped_.erase(one);
}

/// Makes memory in common zeroes again, where this is the first of the neighbours.
void space::discard(const machine::memory_region& common) const {
  if (common.size() != 0 && neighbours_->number(process_) == 0)
    neighbours_->memory()->discard(reinterpret_cast<std::uintptr_t>(common.data()) - k_common_first,
                                   common.size());
}

}  // namespace gossamer::memory
