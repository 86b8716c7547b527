#include "gossamer/fiber/internal/stacks.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "gossamer/base/assert.hpp"

namespace gossamer::fiber {

namespace {

std::size_t colours_of(std::size_t bytes) {
  std::size_t colours = 64;
  while (colours > 1 && colours * k_line_bytes * 4 > bytes) colours /= 2;  // at most a quarter of the stack
  return colours;
}

/// Returns the bytes of a slot: an odd number of pages. The lowest is the guard: so there are three at least.
std::size_t slot_bytes(std::size_t bytes) {
  const std::size_t page = machine::page_bytes();
  return (divide_up(bytes, 2 * page) * 2 + 1) * page;
}

}  // namespace

stacks::stacks(stack_class kind, stack_options o, std::uint32_t& numbers, guard_supply guards)
    : kind_(kind),
      most_(o.fibers),
      bytes_(slot_bytes(o.bytes)),
      colour_mask_(colours_of(o.bytes) - 1),
      numbers_(numbers),
      guards_(guards) {
  constexpr std::size_t k_doublings = 32;
  segments_.reserve(k_doublings);  // never moves: fault handlers of other threads read it
  constexpr std::size_t k_most_reserved_first = std::size_t{64} << 30;  // large stacks: addresses are short
  reserve(std::min({o.first, most_, divide_up(k_most_reserved_first, bytes_)}));
}

stacks::~stacks() {
  each_touched([](fiber& f) {
    f.sanitizer.discard();
    f.~fiber();
  });
}

void stacks::reserve(std::size_t slots) {
  segments_.push_back({{slots * bytes_, "fiber stacks", machine::pages::small}, slots, numbers_});
  reserved_ += slots;
  numbers_ += static_cast<std::uint32_t>(slots);
}

/// Doubles the number of slots. Returns false where addresses are short (ulimit -v), and so leaves the last
/// to others.
bool stacks::reserve_more() {
  try {
    reserve(std::min(reserved_, most_ - reserved_));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

fiber* stacks::take_fresh() {
  constexpr std::size_t k_touched_pages =
      2;  // the fiber's head and a few frames; an unguarded stack's canary
  constexpr std::size_t k_always = 16;  // whatever memory is left: reports and orderly ends need fibers
  if (fresh_ == most_) return nullptr;
  if (fresh_ >= k_always) {
    short_of_memory_ = !machine::may_take(k_touched_pages * machine::page_bytes());
    if (short_of_memory_) return nullptr;
  }
  if (fresh_ == reserved_ && !reserve_more()) {
    short_of_memory_ = true;
    return nullptr;
  }
  segment& last = segments_.back();
  fiber* const f = prepare(last, fresh_ - (reserved_ - last.slots));
  ++fresh_;
  return f;
}

bool stacks::guard(segment& s, std::size_t slot) {
  const std::size_t page = machine::page_bytes();
  if (guards_.regions) guards_.regions = s.region.install_guard(slot * bytes_, page);
  if (guards_.regions) return true;
  if (guards_.mappings == 0 || !s.region.protect(slot * bytes_, page)) return false;
  --guards_.mappings;
  return true;
}

fiber* stacks::prepare(segment& s, std::size_t slot) {
  auto* f = new (head_of(s, slot)) fiber;
  f->index = s.first_index + static_cast<std::uint32_t>(slot);
  f->kind = kind_;
  // Without a guard the canary goes where the guard would have ended: the page below then costs nothing.
  f->low = s.region.data() + slot * bytes_ + machine::page_bytes();
  f->guarded = guard(s, slot);
  if (!f->guarded) *reinterpret_cast<std::uint64_t*>(f->low) = k_canary;
  std::byte* const low = f->low + (f->guarded ? 0 : sizeof(k_canary));
  f->sanitizer.describe(low, static_cast<std::size_t>(reinterpret_cast<std::byte*>(f) - low));
  return f;
}

fiber* stacks::at(const void* address) const {
  std::size_t touched = fresh_;
  for (const segment& s : segments_) {
    if (s.region.contains(address)) {
      const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - s.region.data());
      return offset / bytes_ < std::min(touched, s.slots) ? head_of(s, offset / bytes_) : nullptr;
    }
    touched -= std::min(touched, s.slots);
  }
  return nullptr;
}

bool stacks::in_guard(const void* address) const {
  const fiber* f = at(address);
  return f != nullptr && f->guarded && static_cast<const std::byte*>(address) < f->low;
}

bool stacks::canary_intact(const fiber& f) const {
  return f.guarded || *reinterpret_cast<const std::uint64_t*>(f.low) == k_canary;
}

__attribute__((no_sanitize("address", "thread"))) std::size_t stacks::deepest_use() const {
  std::size_t deepest = 0;
  each_touched([&](const fiber& f) __attribute__((no_sanitize("address", "thread"))) {
    const auto* const top = reinterpret_cast<const std::uint64_t*>(&f);
    const auto* word = reinterpret_cast<const std::uint64_t*>(f.low) + (f.guarded ? 0 : 1);
    while (word < top && *word == 0) ++word;  // pages are zero until something is written
    deepest = std::max(deepest, static_cast<std::size_t>(top - word) * sizeof *word);
  });
  return deepest;
}

}  // namespace gossamer::fiber
