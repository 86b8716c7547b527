#pragma once
// Wait objects for the fibers of one core: event, semaphore, mutex, condition variable, barrier,
// full/empty cell. Each belongs to the core that made it; fibers of other cores reach it by a delegate. So
// they are plain memory: waiting costs a switch, waking a store into the ready ring. Signalling never
// suspends (handlers may); waiting suspends the fiber. First come, first served.

#include <cstddef>
#include <optional>
#include <utility>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

/// Suspended fibers, oldest first. The building block of the others.
class wait_queue {
 public:
  /// Returns whether no fiber waits.
  bool empty() const { return head_ == nullptr; }

  /// Suspends the calling fiber until it is woken from here.
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
  /// Wakes all fibers that wait.
  void wake_all() {
    while (wake_one()) {}
  }

 private:
  fiber* head_ = nullptr;
  fiber* tail_ = nullptr;
};

/// Happens once (until reset): waiters pass from then on.
class event {
 public:
  /// Returns whether it has been set.
  bool is_set() const { return set_; }
  /// Sets it and wakes all fibers that wait.
  void set() {
    set_ = true;
    waiters_.wake_all();
  }
  /// Lets later waits suspend again.
  void reset() { set_ = false; }
  /// Suspends until it is set.
  void wait(const char* reason = "event") {
    while (!set_) waiters_.wait(reason);
  }

 private:
  bool set_ = false;
  wait_queue waiters_;
};

/// A number of units that fibers of one core acquire and release.
class semaphore {
 public:
  /// Starts with so many units.
  explicit semaphore(std::size_t units) : units_(units) {}
  /// Takes a unit where there is one. Returns whether it did; never suspends.
  bool try_acquire() {
    if (units_ == 0) return false;
    --units_;
    return true;
  }
  void acquire() {
    if (!try_acquire()) waiters_.wait("semaphore");  // release() hands its unit over
  }
  /// Gives a unit back and wakes a fiber that waits for one.
  void release() {
    if (!waiters_.wake_one()) ++units_;
  }

 private:
  std::size_t units_;
  wait_queue waiters_;
};

/// BasicLockable and Lockable: std::lock_guard and std::unique_lock work.
class mutex {
 public:
  /// Suspends until the mutex is free, and takes it.
  void lock() { units_.acquire(); }
  /// Takes the mutex where it is free. Returns whether it did; never suspends.
  bool try_lock() { return units_.try_acquire(); }
  /// Frees the mutex.
  void unlock() { units_.release(); }

 private:
  semaphore units_{1};
};

/// Waits for a condition that other fibers of the core make true.
class condition_variable {
 public:
  /// Unlocks, suspends until notified, and locks again.
  template <class Lock>
  void wait(Lock& lock) {
    lock.unlock();
    waiters_.wait("condition variable");
    lock.lock();
  }
  /// Waits until ready() is true.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate ready) {
    while (!ready()) wait(lock);
  }
  /// Wakes one fiber that waits.
  void notify_one() { waiters_.wake_one(); }
  /// Wakes all fibers that wait.
  void notify_all() { waiters_.wake_all(); }

 private:
  wait_queue waiters_;
};

/// Where a known number of fibers meet, again and again: arrive_and_wait() returns once all have come.
class barrier {
 public:
  /// For so many fibers of one core.
  explicit barrier(std::size_t fibers) : fibers_(fibers) {
    GOSSAMER_ASSERT(fibers > 0, "a barrier is for one fiber at least");
  }
  void arrive_and_wait() {
    if (++arrived_ < fibers_) return waiters_.wait("barrier of fibers");
    arrived_ = 0;
    waiters_.wake_all();  // those that come for the next round queue up behind
  }

 private:
  std::size_t fibers_, arrived_ = 0;
  wait_queue waiters_;
};

/// A cell that is full or empty (as the memory words of the Tera MTA were): take() waits until it
/// is full and empties it, put() waits until it is empty and fills it, read() leaves it full.
template <class T>
class full_empty {
 public:
  /// Returns whether it holds a value.
  bool full() const { return value_.has_value(); }
  /// Suspends until the cell is empty, and fills it.
  void put(T value) {
    while (value_.has_value()) for_empty_.wait("full/empty cell: to be emptied");
    value_ = std::move(value);
    for_full_.wake_all();
  }
  /// Suspends until the cell is full, and empties it.
  T take() {
    while (!value_.has_value()) for_full_.wait("full/empty cell: to be filled");
    T value = *std::exchange(value_, std::nullopt);
    for_empty_.wake_one();
    return value;
  }
  /// Suspends until the cell is full; leaves the value there.
  const T& read() {
    while (!value_.has_value()) for_full_.wait("full/empty cell: to be filled");
    return *value_;
  }

 private:
  std::optional<T> value_;
  wait_queue for_full_, for_empty_;
};

}  // namespace gossamer::fiber
