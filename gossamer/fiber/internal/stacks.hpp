#pragma once
// The stacks of one class of fibers of a core: reserved regions cut into slots of equal size, used last in,
// first out, so that touched pages are reused. If all slots are in use, as many again are reserved, up to the
// maximum of the class. The fiber itself lies at the top of its slot, moved down by 0..63 cache lines
// ("colours"): tops that are equal modulo 4 KiB would share one set of the L1 cache. A slot has an odd number
// of pages, for the same reason: with a power of two, they would share a sixteenth of the TLB. The low end is
// a guard page or, if the kernel has none left, a canary that the scheduler checks at every switch.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fiber {

class scheduler;

enum class stack_class : std::uint8_t {
  large,  // main fibers
  regular,  // what tasks run on
  small  // many fibers that do little
};
inline constexpr std::size_t k_stack_classes = 3;

/// Head of a fiber, at the top of its stack, above its function object. Belongs to one core for life.
/// Suspending and waking touch only its first line.
struct alignas(k_line_bytes) fiber {
  void* sp = nullptr;  // saved while suspended; meaningless while running or in the ready ring
  fiber* next = nullptr;  // link of its wait queue, idle list or free list
  const char* waits_for = nullptr;  // the reason to wait; null while it runs or is ready
  void* local = nullptr;  // a pointer that follows the fiber
  const char* task = nullptr;  // name of its task, for reports
  scheduler* home = nullptr;
  std::uint32_t index = 0;  // among all fibers of its core
  stack_class kind = stack_class::regular;
  bool guarded = true;
  bool kept = false;  // until its owner releases it; otherwise it ends with its body
  std::byte* low = nullptr;  // low end of its stack, above the guard page

  alignas(k_line_bytes) void (*entry)(void*) = nullptr;  // what it was started with
  void* argument = nullptr;
  [[no_unique_address]] sanitizer_stack sanitizer;
};

struct stack_options {
  std::size_t fibers;  // maximum at one time
  std::size_t bytes;  // of a stack; rounded up to an even number of pages. A guard page comes on top
  std::size_t first = 4096;  // reserved at the start, up to 64 GiB, and again when all are in use
};

/// Guard pages: the kernel's guard regions (Linux 6.13) if available, which cost nothing; otherwise at most
/// `mappings` protected pages, two mappings each.
struct guard_supply {
  bool regions = true;
  std::size_t mappings = 4096;
};

class stacks {
 public:
  /// Reserves address space for `first` stacks; `most` is the maximum. `numbers` counts, and so numbers, the
  /// fibers of all classes of a core; it outlives this.
  stacks(stack_class kind, stack_options o, std::uint32_t& numbers, guard_supply guards);
  ~stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;

  /// Returns a fiber with a fresh or reused stack. Returns null if all are in use, or if memory is short for
  /// a fresh one.
  fiber* take() {
    fiber* f = free_;
    if (f == nullptr) [[unlikely]]
      return take_fresh();
    free_ = f->next;
    f->next = nullptr;
    return f;
  }
  void give_back(fiber& f) {
    f.next = free_;
    f.task = nullptr;
    f.waits_for = nullptr;
    free_ = &f;
  }

  /// Returns the fiber in whose slot `address` lies; null if it lies in no used slot.
  fiber* at(const void* address) const;
  /// Returns the fiber of this number; null if it belongs to another class.
  fiber* by_index(std::size_t index) const {
    for (const segment& s : segments_)
      if (const std::size_t slot = index - s.first_index; slot < s.slots) return head_of(s, slot);
    return nullptr;
  }
  /// Calls f(fiber) for each whose stack was used at least once.
  template <class F>
  void each_touched(F f) const {
    std::size_t left = fresh_;
    for (const segment& s : segments_)
      for (std::size_t slot = 0; slot < s.slots && left > 0; ++slot, --left) f(*head_of(s, slot));
  }

  /// Returns whether take() has returned null because memory was short.
  bool short_of_memory() const { return short_of_memory_; }
  std::size_t most() const { return most_; }
  std::size_t touched() const { return fresh_; }  // slots used at least once
  std::size_t reserved() const { return reserved_; }
  std::size_t bytes() const { return bytes_; }
  /// Returns the bytes of the fiber's stack below `address`, which lies on it.
  std::size_t left(const fiber& f, const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - f.low);
  }
  /// Returns whether `address` is in the guard page of its slot.
  bool in_guard(const void* address) const;
  bool canary_intact(const fiber& f) const;

  /// Returns the most bytes of its stack that any fiber has ever written to, in multiples of 8. Reads all
  /// touched stacks. Only while the owner does not run fibers, or from one of them.
  std::size_t deepest_use() const;

 private:
  static constexpr std::uint64_t k_canary = 0x5afe57ac4b0770c5;

  struct segment {
    machine::memory_region region;
    std::size_t slots;
    std::uint32_t first_index;
  };

  fiber* head_of(const segment& s, std::size_t slot) const {
    return reinterpret_cast<fiber*>(s.region.data() + (slot + 1) * bytes_ - colour(slot) * k_line_bytes -
                                    sizeof(fiber));
  }
  std::size_t colour(std::size_t slot) const { return (slot * 0x9E3779B97F4A7C15ULL >> 58) & colour_mask_; }
  fiber* take_fresh();
  bool reserve_more();
  void reserve(std::size_t slots);
  fiber* prepare(segment& s, std::size_t slot);
  bool guard(segment& s, std::size_t slot);

  stack_class kind_;
  std::size_t most_;
  std::size_t bytes_;  // of a slot
  std::size_t colour_mask_;
  std::uint32_t& numbers_;
  guard_supply guards_;
  std::size_t reserved_ = 0, fresh_ = 0;  // slots; fresh ones come from the last segment
  bool short_of_memory_ = false;  // at the last request
  fiber* free_ = nullptr;
  std::vector<segment> segments_;
};

}  // namespace gossamer::fiber
