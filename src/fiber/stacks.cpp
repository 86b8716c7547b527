#include "gossamer/fiber/stacks.hpp"

#include <algorithm>
#include <new>

#include "gossamer/base/assert.hpp"

namespace gossamer::fiber {

namespace {

std::size_t colours_of(std::size_t bytes) {
  std::size_t colours = 64;
  while (colours > 1 && colours * k_line_bytes * 4 > bytes) colours /= 2;  // at most a quarter of the stack
  return colours;
}

/// An odd number of pages. The lowest is the guard: so there are three at least.
std::size_t slot_bytes(std::size_t bytes) {
  const std::size_t page = machine::page_bytes();
  return (divide_up(bytes, 2 * page) * 2 + 1) * page;
}

}  // namespace

stacks::stacks(stack_class kind, std::size_t count, std::size_t bytes, std::uint32_t first_index,
               guard_supply guards)
    : kind_(kind),
      count_(count),
      bytes_(slot_bytes(bytes)),
      colour_mask_(colours_of(bytes) - 1),
      first_index_(first_index),
      guards_(guards),
      region_(count * bytes_, "fiber stacks", machine::pages::small) {}

stacks::~stacks() {
  for (std::size_t slot = 0; slot < fresh_; ++slot) {
    head_of(slot)->sanitizer.discard();
    head_of(slot)->~fiber();
  }
}

fiber* stacks::take_fresh() {
  constexpr std::size_t k_touched_pages =
      2;  // the fiber's head and a few frames; an unguarded stack's canary
  constexpr std::size_t k_always = 16;  // whatever memory is left: reports and orderly ends need fibers
  if (fresh_ == count_) return nullptr;
  if (fresh_ >= k_always) {
    short_of_memory_ = !machine::may_take(k_touched_pages * machine::page_bytes());
    if (short_of_memory_) return nullptr;
  }
  return prepare(fresh_++);
}

bool stacks::guard(std::size_t slot) {
  const std::size_t page = machine::page_bytes();
  if (guards_.regions) guards_.regions = region_.install_guard(slot * bytes_, page);
  if (guards_.regions) return true;
  if (guards_.mappings == 0 || !region_.protect(slot * bytes_, page)) return false;
  --guards_.mappings;
  return true;
}

fiber* stacks::prepare(std::size_t slot) {
  auto* f = new (head_of(slot)) fiber;
  f->index = first_index_ + static_cast<std::uint32_t>(slot);
  f->kind = kind_;
  f->guarded = guard(slot);
  if (!f->guarded) *reinterpret_cast<std::uint64_t*>(low_of(*f)) = k_canary;
  std::byte* const low = low_of(*f) + (f->guarded ? 0 : sizeof(k_canary));
  f->sanitizer.describe(low, static_cast<std::size_t>(reinterpret_cast<std::byte*>(f) - low));
  return f;
}

// Without a guard the canary goes where the guard would have ended: the page below then costs nothing.
std::byte* stacks::low_of(const fiber& f) const {
  return region_.data() + slot_of(f) * bytes_ + machine::page_bytes();
}

bool stacks::in_guard(const void* address) const {
  if (!contains(address)) return false;
  const fiber* f = at(address);
  return slot_of(*f) < fresh_ && f->guarded && static_cast<const std::byte*>(address) < low_of(*f);
}

bool stacks::canary_intact(const fiber& f) const {
  return f.guarded || *reinterpret_cast<const std::uint64_t*>(low_of(f)) == k_canary;
}

__attribute__((no_sanitize("address", "thread"))) std::size_t stacks::deepest_use() const {
  std::size_t deepest = 0;
  for (std::size_t slot = 0; slot < fresh_; ++slot) {
    const fiber& f = *head_of(slot);
    const auto* const top = reinterpret_cast<const std::uint64_t*>(&f);
    const auto* word = reinterpret_cast<const std::uint64_t*>(low_of(f)) + (f.guarded ? 0 : 1);
    while (word < top && *word == 0) ++word;  // pages are zero until something is written
    deepest = std::max(deepest, static_cast<std::size_t>(top - word) * sizeof *word);
  }
  return deepest;
}

}  // namespace gossamer::fiber
