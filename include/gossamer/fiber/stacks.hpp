#pragma once
// The stacks of a core: one reserved region cut into slots of equal size, used last-in first-out so
// that touched pages are used again (a first touch costs ~2 us). The fiber itself sits at the top
// of its slot, moved down by 0..63 cache lines ("colours"): tops that are equal modulo 4 KiB would
// all meet in one set of the L1 cache. The low end is a guard page while the kernel has mappings
// to give, else a canary that the scheduler checks at every switch.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fiber {

class scheduler;

/// Head of a fiber, at the top of its stack. Belongs to one core for life.
struct alignas(k_line_bytes) fiber {
  void* sp = nullptr;  // saved while suspended; meaningless while running or in the ready ring
  fiber* next = nullptr;  // link of the wait queue, idle list or free list that it is on
  const char* waits_for = nullptr;  // why it is suspended; null while it runs or is ready
  const char* task = nullptr;  // what it runs, for reports
  void (*entry)(void*) = nullptr;  // what it was started with
  void* argument = nullptr;
  std::byte* low = nullptr;  // lowest usable byte of the stack
  scheduler* home = nullptr;
  std::uint32_t index = 0;  // among all fibers of its core
  bool guarded = false;
  [[no_unique_address]] sanitizer_stack sanitizer;
};

class stacks {
 public:
  /// Reserves address space only. `first_index` numbers the fibers; at most `max_guards` guard pages.
  stacks(std::size_t count, std::size_t bytes, std::uint32_t first_index, std::size_t max_guards);
  ~stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;

  /// A fiber with a fresh or reused stack; null when all are in use.
  fiber* take();
  void give_back(fiber& f);

  bool contains(const void* address) const { return region_.contains(address); }
  /// The fiber on whose stack `address` lies; contains(address) must hold.
  fiber* at(const void* address) const {
    return head_of(static_cast<std::size_t>(static_cast<const std::byte*>(address) - region_.data()) >>
                   shift_);
  }
  fiber* head_of(std::size_t slot) const {
    return reinterpret_cast<fiber*>(region_.data() + ((slot + 1) << shift_) - colour(slot) * k_line_bytes -
                                    sizeof(fiber));
  }

  std::size_t count() const { return count_; }
  std::size_t touched() const { return fresh_; }  // slots used at least once: 0..touched()-1
  std::size_t in_use() const { return in_use_; }
  std::size_t bytes() const { return std::size_t{1} << shift_; }
  /// Whether `address` is in the guard page of `slot`.
  bool in_guard(std::size_t slot, const void* address) const;
  bool canary_intact(const fiber& f) const;

 private:
  static constexpr std::uint64_t k_canary = 0x5afe57ac4b0770c5;

  std::size_t colour(std::size_t slot) const { return (slot * 0x9E3779B97F4A7C15ULL >> 58) & colour_mask_; }
  fiber* prepare(std::size_t slot);

  std::size_t count_;
  unsigned shift_;
  std::size_t colour_mask_;
  std::uint32_t first_index_;
  std::size_t guards_left_;
  std::size_t fresh_ = 0;
  std::size_t in_use_ = 0;
  fiber* free_ = nullptr;
  machine::memory_region region_;
};

}  // namespace gossamer::fiber
