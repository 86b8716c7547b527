#include "gossamer/fiber/stacks.hpp"

#include <new>

#include "gossamer/base/assert.hpp"

namespace gossamer::fiber {

namespace {
std::size_t colours_of(std::size_t bytes) {
  std::size_t colours = 64;
  while (colours > 1 && colours * k_line_bytes * 4 > bytes) colours /= 2;  // at most a quarter of the stack
  return colours;
}
}  // namespace

stacks::stacks(std::size_t count, std::size_t bytes, std::uint32_t first_index, std::size_t max_guards)
    : count_(count),
      shift_(log2_up(bytes < machine::page_bytes() ? machine::page_bytes() : bytes)),
      colour_mask_(colours_of(std::size_t{1} << shift_) - 1),
      first_index_(first_index),
      guards_left_(shift_ > log2_up(2 * machine::page_bytes()) ? max_guards : 0),
      region_(count << shift_, "fiber stacks", machine::pages::small) {}

stacks::~stacks() {
  for (std::size_t slot = 0; slot < fresh_; ++slot) {
    head_of(slot)->sanitizer.discard();
    head_of(slot)->~fiber();
  }
}

fiber* stacks::take() {
  fiber* f = free_;
  if (f != nullptr) {
    free_ = f->next;
    f->next = nullptr;
  } else if (fresh_ < count_) {
    f = prepare(fresh_++);
  } else {
    return nullptr;
  }
  ++in_use_;
  return f;
}

void stacks::give_back(fiber& f) {
  f.next = free_;
  f.task = nullptr;
  f.waits_for = nullptr;
  free_ = &f;
  --in_use_;
}

fiber* stacks::prepare(std::size_t slot) {
  std::byte* low = region_.data() + (slot << shift_);
  auto* f = new (head_of(slot)) fiber;
  f->index = first_index_ + static_cast<std::uint32_t>(slot);
  if (guards_left_ > 0 && region_.protect(slot << shift_, machine::page_bytes())) {
    --guards_left_;
    f->guarded = true;
    f->low = low + machine::page_bytes();
  } else {
    *reinterpret_cast<std::uint64_t*>(low) = k_canary;
    f->low = low + sizeof(k_canary);
  }
  f->sanitizer.describe(f->low, static_cast<std::size_t>(reinterpret_cast<std::byte*>(f) - f->low));
  return f;
}

bool stacks::in_guard(std::size_t slot, const void* address) const {
  const std::byte* low = region_.data() + (slot << shift_);
  const auto* byte = static_cast<const std::byte*>(address);
  return slot < fresh_ && head_of(slot)->guarded && byte >= low && byte < low + machine::page_bytes();
}

bool stacks::canary_intact(const fiber& f) const {
  return f.guarded || *reinterpret_cast<const std::uint64_t*>(f.low - sizeof(k_canary)) == k_canary;
}

}  // namespace gossamer::fiber
