#pragma once
// Wait objects for the fibers of one core: event, semaphore, mutex, condition variable, barrier,
// full/empty cell. An object belongs to the core that made it; fibers of other cores reach it by a delegate. So
// it is plain memory: waiting costs a switch, waking costs a store into the ready ring. Waiting suspends the fiber.
// Signalling never suspends, so handlers may signal. Fibers are served first come, first served.

#include <cstddef>
#include <optional>
#include <utility>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

/// A queue of suspended fibers, oldest first. The other wait objects are built on it.
class wait_queue {
 public:
  /// Returns whether no fiber waits.
  bool empty() const { return head_ == nullptr; }

  /// Suspends the calling fiber until wake_one() or wake_all() wakes it. Reports of stalls quote `reason`.
  void wait(const char* reason) {
    scheduler& core = scheduler::inside("waiting");
    fiber* self = core.running();
    GOSSAMER_ASSERT(self != nullptr, "only a fiber can wait (a handler cannot)");
    self->next = nullptr;
    (head_ == nullptr ? head_ : tail_->next) = self;
    tail_ = self;
    core.suspend(reason);
  }
  /// Wakes the fiber that has waited longest. Returns false where no fiber waits.
  bool wake_one() {
    fiber* f = head_;
    if (f == nullptr) return false;
    head_ = f->next;
    f->next = nullptr;
    f->home->wake(*f);
    return true;
  }
  /// Wakes all waiting fibers.
  void wake_all() {
    while (wake_one()) {}
  }

 private:
  fiber* head_ = nullptr;
  fiber* tail_ = nullptr;
};

/// A flag that fibers wait for. Once it is set, wait() returns at once until reset().
class event {
 public:
  /// Returns whether the event is set.
  bool is_set() const { return set_; }
  /// Sets the event and wakes all waiting fibers.
  void set() {
    set_ = true;
    waiters_.wake_all();
  }
  /// Clears the event: later waits suspend again.
  void reset() { set_ = false; }
  /// Suspends until the event is set. Returns at once where it is.
  void wait(const char* reason = "event") {
    if (!set_) waiters_.wait(reason);  // woken by set() alone, whatever reset() has done since
  }

 private:
  bool set_ = false;
  wait_queue waiters_;
};

/// A counting semaphore for the fibers of one core.
class semaphore {
 public:
  /// Starts with `units` units.
  explicit semaphore(std::size_t units) : units_(units) {}
  /// Takes a unit if there is one, and returns whether it did. Never suspends.
  bool try_acquire() {
    if (units_ == 0) return false;
    --units_;
    return true;
  }
  void acquire() {
    if (!try_acquire()) waiters_.wait("semaphore");  // release() hands its unit over
  }
  /// Returns a unit, and hands it to the fiber that has waited longest. Never suspends.
  void release() {
    if (!waiters_.wake_one()) ++units_;
  }

 private:
  std::size_t units_;
  wait_queue waiters_;
};

/// A mutex for the fibers of one core. It works with std::lock_guard and std::unique_lock.
class mutex {
 public:
  /// Locks the mutex. Suspends until it is free.
  void lock() { units_.acquire(); }
  /// Locks the mutex if it is free, and returns whether it did. Never suspends.
  bool try_lock() { return units_.try_acquire(); }
  /// Unlocks the mutex, and hands it to the fiber that has waited longest. Never suspends.
  void unlock() { units_.release(); }

 private:
  semaphore units_{1};
};

/// A condition variable for the fibers of one core.
class condition_variable {
 public:
  /// Unlocks `lock`, suspends until notified, and locks again.
  template <class Lock>
  void wait(Lock& lock) {
    lock.unlock();
    waiters_.wait("condition variable");
    lock.lock();
  }
  /// Suspends as wait(lock) does until ready() returns true.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate ready) {
    while (!ready()) wait(lock);
  }
  /// Wakes the fiber that has waited longest.
  void notify_one() { waiters_.wake_one(); }
  /// Wakes all waiting fibers.
  void notify_all() { waiters_.wake_all(); }

 private:
  wait_queue waiters_;
};

/// A barrier for a fixed number of fibers of one core. It can be used again at once.
class barrier {
 public:
  /// Makes a barrier for `fibers` fibers.
  explicit barrier(std::size_t fibers) : fibers_(fibers) {
    GOSSAMER_ASSERT(fibers > 0, "a barrier is for one fiber at least");
  }
  void arrive_and_wait() {
    if (++arrived_ < fibers_) return waiters_.wait("barrier of fibers");
    arrived_ = 0;
    waiters_.wake_all();  // fibers that arrive for the next round queue behind them
  }

 private:
  std::size_t fibers_, arrived_ = 0;
  wait_queue waiters_;
};

/// A cell that is full or empty, as the memory words of the Tera MTA. take() waits until it is full and empties it; put()
/// waits until it is empty and fills it; read() waits until it is full and leaves it full. Not first come, first served: a
/// fiber that finds the cell as it needs it overtakes those that were woken and have not run yet.
template <class T>
class full_empty {
 public:
  /// Returns whether the cell holds a value.
  bool full() const { return value_.has_value(); }
  /// Suspends until the cell is empty, and fills it.
  void put(T value) {
    while (value_.has_value()) for_empty_.wait("full/empty cell: to be emptied");
    value_ = std::move(value);
    for_full_.wake_all();
  }
  /// Suspends until the cell is full, empties it, and returns the value.
  T take() {
    while (!value_.has_value()) for_full_.wait("full/empty cell: to be filled");
    T value = *std::exchange(value_, std::nullopt);
    for_empty_.wake_one();
    return value;
  }
  /// Suspends until the cell is full, and returns the value, which stays in the cell.
  const T& read() {
    while (!value_.has_value()) for_full_.wait("full/empty cell: to be filled");
    return *value_;
  }

 private:
  std::optional<T> value_;
  wait_queue for_full_, for_empty_;
};

}  // namespace gossamer::fiber
