#pragma once
// A completion counts outstanding work: operations that its home core issued, minus operations finished on
// any core. Waiting for it waits for all of them.
//
//   open:    balance = k_bias + finished           issued counted in a plain integer of the home core
//   sealed:  balance = finished - issued           by wait() or seal_for(); the core that brings it to 0 settles it
//
// The bias keeps the balance of an open completion away from 0. So a core that brings the balance to 0 knows
// that it was the last, and that a fiber waits. It then wakes the fiber or, for a proxy of a remote
// completion, reports to the parent. Nothing else may destroy the completion before.
//
//   field      writes                        reads              protected by
//   balance_   any core                      any core           acq_rel RMW: the last finisher sees all
//   issued_, sealed_   home core             home core          owner only
//   waiter_, parent_, held_   home, before sealing   last finisher   balance_
//   error_     any core, first wins          waiter             balance_ (written before finishing)

#include <atomic>
#include <cstdint>
#include <exception>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::message {

class completion;

/// Names a completion anywhere in the job. The address is valid in its own process only.
struct scope_id {
  unsigned core;  // its home core
  completion* at;
  friend bool operator==(const scope_id&, const scope_id&) = default;
};

class completion {
 public:
  explicit completion(fiber::scheduler& home) : home_(&home) {}
  ~completion();
  completion(const completion&) = delete;
  completion& operator=(const completion&) = delete;

  fiber::scheduler& home() const { return *home_; }
  scope_id name() { return {home_->id(), this}; }

  /// Counts `n` more as outstanding. On the home core this is a plain addition while the completion is open.
  /// On other cores it is atomic, and allowed only for a task or record that is counted here and not finished
  /// yet.
  void issue(std::int64_t n) {
    if (fiber::scheduler::current() == home_ && !sealed_)
      issued_ += n;
    else
      balance_.fetch_sub(n, std::memory_order_relaxed);  // the caller's own share keeps it above 0
  }

  /// Counts `n` as finished. Any core. The completion may be gone when this returns.
  void finish(std::int64_t n) {
    if (fiber::scheduler::current() == home_ && !sealed_) {  // no fiber waits yet: no atomic operation
      issued_ -= n;
      return;
    }
    machine::preemption_point();
    // acq_rel: releases this core's effects to the waiter; the last core acquires those of all cores
    if (balance_.fetch_add(n, std::memory_order_acq_rel) + n == 0) settle();
  }

  /// Keeps the first exception for the waiter. Call before finish() of the operation that failed.
  void fail(std::exception_ptr what) noexcept;

  /// Suspends the calling fiber (of the home core) until everything issued has finished; rethrows the first
  /// exception. Before, all packets must have left the outbox. The completion can be used again afterwards.
  void wait();

  /// Seals a core's proxy of `parent` that will issue nothing more. When the rest has finished, the proxy
  /// reports `held` to the parent (in another process: by a message) and deletes itself. Home core.
  void seal_for(const scope_id& parent, std::int64_t held);

 private:
  static constexpr std::int64_t k_bias = std::int64_t{1} << 62;

  bool seal();  // returns true if nothing is outstanding
  void settle();

  alignas(k_line_bytes) std::atomic<std::int64_t> balance_{k_bias};
  fiber::scheduler* home_;
  std::int64_t issued_ = 0;
  bool sealed_ = false;
  fiber::fiber* waiter_ = nullptr;
  scope_id parent_{0, nullptr};
  std::int64_t held_ = 0;
  std::atomic<std::exception_ptr*> error_{nullptr};
};

}  // namespace gossamer::message
