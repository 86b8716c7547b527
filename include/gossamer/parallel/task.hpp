#pragma once
// Tasks: function objects to run in a fiber, counted by the completion under which they were spawned.
// Plain tasks stay on their core, oldest first; stealable ones may be taken by idle cores of the same
// process, newest first at home, oldest first abroad.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/message/completion.hpp"

namespace gossamer::parallel {

/// One line: what to run and who counts it. Moved as bytes; larger or non-trivial function objects are boxed.
struct alignas(k_line_bytes) task {
  static constexpr std::size_t k_inline_bytes = 40;

  void (*run)(void* payload) = nullptr;  // also destroys
  message::completion* scope = nullptr;
  const char* name = nullptr;  // for reports
  alignas(8) std::byte payload[k_inline_bytes];

  template <class F>
  static task make(message::completion* scope, F f) {
    task t;
    t.scope = scope;
    t.name = typeid(F).name();
    if constexpr (std::is_trivially_copyable_v<F> && sizeof(F) <= k_inline_bytes && alignof(F) <= 8) {
      new (t.payload) F(std::move(f));
      t.run = [](void* p) { (*std::launder(static_cast<F*>(p)))(); };
    } else {
      F* boxed = new F(std::move(f));
      std::memcpy(t.payload, &boxed, sizeof boxed);
      t.run = [](void* p) {
        F* mine;
        std::memcpy(&mine, p, sizeof mine);
        const std::unique_ptr<F> owner(mine);
        (*mine)();
      };
    }
    return t;
  }
};
static_assert(sizeof(task) == k_line_bytes);

/// A ring of tasks that grows; one owner. Bounded by k_most: beyond, the job ends with a clear line.
class task_ring {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  void push_back(const task& t) {
    if (size() == slots_.size()) grow();
    slots_[tail_++ & (slots_.size() - 1)] = t;
  }
  task pop_back() { return slots_[--tail_ & (slots_.size() - 1)]; }
  task pop_front() { return slots_[head_++ & (slots_.size() - 1)]; }

 private:
  static constexpr std::size_t k_most = std::size_t{1} << 26;  // 4 GiB of waiting tasks on one core

  void grow() {
    GOSSAMER_ASSERT(slots_.size() < k_most, "67 million tasks wait on one core: spawn fewer at once");
    std::vector<task> wider(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) wider[i] = slots_[(head_ + i) & (slots_.size() - 1)];
    slots_ = std::move(wider);
    head_ = 0;
    tail_ = n;
  }

  std::vector<task> slots_;
  std::size_t head_ = 0, tail_ = 0;
};

/// Stealable tasks of one core, in two parts: a private one (plain memory, newest first) and a shared one,
/// the oldest, from which thieves take half at a time without interrupting the owner. The owner moves tasks
/// over when the shared part has run empty.
///
///   field      writes           reads            protected by
///   private_   owner            owner            owner only
///   shared_    owner, thieves   owner, thieves   lock_
///   offered_   owner, thieves   any core         seq_cst: a core looks at it before it sleeps
class stealable_tasks {
 public:
  bool any_private() const { return !private_.empty(); }
  /// From any core: whether there is something to steal (or to take back).
  bool any_shared() const { return offered_.load(std::memory_order_seq_cst) != 0; }  // pairs with publish()

  /// Owner. Returns whether tasks have been offered to others by it (then somebody may have to be woken).
  bool push(const task& t) {
    private_.push_back(t);
    return private_.size() >= k_offer_from && !any_shared() && offer();
  }
  /// Owner: the newest; takes its oldest back when nothing else is left.
  bool pop(task& t) {
    if (private_.empty() && (!any_shared() || take_into(private_) == 0)) return false;
    t = private_.pop_back();
    return true;
  }
  /// Thief: moves half of what is offered into `mine`; returns how many.
  std::size_t steal_into(stealable_tasks& mine) { return any_shared() ? take_into(mine.private_) : 0; }

 private:
  static constexpr std::size_t k_offer_from = 2;  // keep one, offer the rest

  bool offer() {
    std::lock_guard hold(lock_);
    for (std::size_t n = divide_up(private_.size(), std::size_t{2}); n > 0; --n)
      shared_.push_back(private_.pop_front());
    publish();
    return true;
  }
  std::size_t take_into(task_ring& to) {
    std::lock_guard hold(lock_);
    const std::size_t n = divide_up(shared_.size(), std::size_t{2});
    for (std::size_t i = 0; i < n; ++i) to.push_back(shared_.pop_front());
    publish();
    return n;
  }
  void publish() { offered_.store(shared_.size(), std::memory_order_seq_cst); }  // pairs with any_shared()

  task_ring private_;
  alignas(k_line_bytes) std::mutex lock_;
  task_ring shared_;
  std::atomic<std::size_t> offered_{0};
};

}  // namespace gossamer::parallel
