#pragma once
// The fibers of a core that may run, oldest first. It holds saved stack pointers, not fibers: the
// lines that the next switch needs can then be prefetched without another miss (100,000 fibers
// yield in tens of ns where libraries that chase a pointer need 200). Owner core only.

#include <cstddef>
#include <memory>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"

namespace gossamer::fiber {

class ready_ring {
 public:
  /// Room for `fibers` entries: a fiber is in the ring at most once, so it never overflows.
  explicit ready_ring(std::size_t fibers)
      : mask_((std::size_t{1} << log2_up(fibers + 2)) - 1),
        slots_(std::make_unique_for_overwrite<void*[]>(mask_ + 1)) {}

  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }

  void push(void* sp) { *push_slot() = sp; }

  /// The slot that the next switch saves its stack pointer into.
  void** push_slot() {
    GOSSAMER_DEBUG_ASSERT(size() <= mask_);
    return &slots_[tail_++ & mask_];
  }

  void* pop() {
    void* sp = slots_[head_ & mask_];
    if (size() > k_ahead) {
      auto* ahead = static_cast<std::byte*>(slots_[(head_ + k_ahead) & mask_]);
      __builtin_prefetch(ahead);
      __builtin_prefetch(ahead + k_line_bytes);
    }
    ++head_;
    return sp;
  }

 private:
  static constexpr std::size_t k_ahead = 8;  // switches between the prefetch and the use

  std::size_t head_ = 0, tail_ = 0;
  std::size_t mask_;
  std::unique_ptr<void*[]> slots_;
};

}  // namespace gossamer::fiber
