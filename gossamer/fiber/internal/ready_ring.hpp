#pragma once
// The ready fibers of a core, oldest first. It holds saved stack pointers, not fibers, so the lines that the
// next switch needs can be prefetched without another miss. Owner core only.
//
// A queue that moves through an array, and is copied back to its start when it reaches the end, so that
// neither end wraps. The array is at least twice as long as the queue, so a move costs each entry at most one
// copy. A *turn* is a number of pops after which the scheduler polls; begin_turn() reserves as many pushes,
// so that a yield makes one comparison. Another thread may cut a turn that lasts too long: it writes only the
// word with which a yield compares.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/base/assert.hpp"

namespace gossamer::fiber {

class ready_ring {
 public:
  static constexpr std::ptrdiff_t k_longest_turn = 128;

  ready_ring() { grow(k_first_slots); }

  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return static_cast<std::size_t>(tail_ - head_); }

  /// Begins a turn of at most `pops` pops, which are at most k_longest_turn. The turn ends at turn_over().
  void begin_turn(std::ptrdiff_t pops = k_longest_turn) {
    GOSSAMER_DEBUG_ASSERT(pops <= k_longest_turn, "push_slot() does not check for room");
    if (tail_ >= full_) make_room();
    set_end(head_ + pops);
    turn_ = pops;
  }
  bool turn_over() const { return head_ >= limit_.load(std::memory_order_relaxed); }
  /// Ends the turn until resume(): turn_over() returns true.
  std::ptrdiff_t interrupt() {
    const std::ptrdiff_t left = end_ - head_;
    set_end(head_);
    return left;
  }
  void resume(std::ptrdiff_t left) { set_end(head_ + left); }
  /// Makes turn_over() return true until the next begin_turn(), or until resume() or a move of the slots,
  /// which may forget it. Any thread.
  void cut_turn() {
    limit_.store(nullptr, std::memory_order_relaxed);
  }  // a hint: the next turn may overtake it
  /// Returns whether begin_turn() leaves the slots where they are.
  bool has_room() const { return tail_ < full_; }
  /// Returns the number of pops since the turn began.
  std::size_t taken() const { return static_cast<std::size_t>(turn_ - (end_ - head_)); }

  void push(void* sp) {
    if (tail_ >= full_) [[unlikely]]
      make_room();
    *tail_++ = sp;
  }
  /// Makes the oldest n entries the newest. Between two turns; n at most size().
  void rotate(std::size_t n) {
    for (; n > 0; --n) push(*head_++);
  }
  /// Returns the slot for the next entry. Once for every pop of a turn.
  void** push_slot() { return tail_++; }

  /// Returns the entry that will be taken after `n` others. There are more than n.
  void* ahead(std::ptrdiff_t n) const { return head_[n]; }

  /// Returns the slot of the newest entry.
  void** last_slot() { return tail_ - 1; }

  /// Removes the oldest entry and returns its slot. The ring is not empty, or an entry is about to be pushed.
  void** pop_slot() {
    auto* const ahead = static_cast<std::byte*>(head_[k_ahead]);  // past the end: an old one, or null
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    return head_++;
  }
  static constexpr std::ptrdiff_t k_deep_bytes = 256;
  /// Does the same as pop_slot() between fibers that wait. Their frames are deeper than those of fibers that
  /// yield: prefetches k_deep_bytes.
  void** pop_deep_slot() {
    auto* const ahead = static_cast<std::byte*>(head_[k_ahead]);
    __builtin_prefetch(ahead + 128);
    __builtin_prefetch(ahead + 192);
    return pop_slot();
  }

 private:
  static constexpr std::ptrdiff_t k_ahead = 16;  // switches between the prefetch and the use
  static constexpr std::size_t k_first_slots = 1024;

  void make_room() {
    const std::size_t n = size();
    if (2 * (n + k_longest_turn) > slots_) return grow(2 * slots_);
    std::copy(head_, tail_, array_.get());
    settle(n, end_ - head_);
  }
  void grow(std::size_t slots) {
    const std::size_t n = head_ != nullptr ? size() : 0;
    auto wider = std::make_unique<void*[]>(slots + k_longest_turn + k_ahead);
    if (n != 0) std::copy(head_, tail_, wider.get());
    const std::ptrdiff_t left = end_ - head_;
    array_ = std::move(wider);
    slots_ = slots;
    settle(n, left);
  }
  void settle(std::size_t n, std::ptrdiff_t left_of_turn) {
    head_ = array_.get();
    tail_ = head_ + n;
    set_end(head_ + left_of_turn);
    full_ = head_ + slots_;
  }
  void set_end(void** end) {
    end_ = end;
    limit_.store(end, std::memory_order_relaxed);
  }

  void** head_ = nullptr;
  std::atomic<void**> limit_{
      nullptr};  // where head_ may go before the turn ends: end_, or null if it was cut
  void** end_ = nullptr;
  void** tail_ = nullptr;
  void** full_ = nullptr;  // from here on only push_slot() may write
  std::ptrdiff_t turn_ = 0;
  std::size_t slots_ = 0;
  std::unique_ptr<void*[]> array_;
};

}  // namespace gossamer::fiber
