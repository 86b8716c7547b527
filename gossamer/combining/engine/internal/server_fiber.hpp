#pragma once
// A fiber that serves work queued by other fibers and handlers of its core. It sleeps while there is none,
// and ends when its owner closes it. Core-local, so there are no locks.
//
//   owner:   start() ... close(): waits until the fiber has ended
//   others:  queue work, then notify()
//   fiber:   while (next(there is work, reason)) serve it

#include <utility>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::combining {

class server_fiber {
 public:
  /// Starts the fiber, which runs serve(self) and then ends. Returns false if all fibers are in use. `name`
  /// is a literal, for reports.
  template <auto Serve, class Owner>
  bool start(Owner* owner, const char* name) {
    fiber_ = parallel::core::here().start([](void* self) { (static_cast<Owner*>(self)->*Serve)(); }, owner,
                                          name, fiber::stack_class::regular);
    return fiber_ != nullptr;
  }
  bool started() const { return fiber_ != nullptr; }

  /// Wakes the fiber if it sleeps. By a fiber or a handler of the core.
  void notify() {
    if (asleep_) [[unlikely]] {
      asleep_ = false;
      fiber::scheduler::current()->wake(*fiber_);
    }
  }

  /// Suspends until there is work; `reason` describes it in reports. Called by the server fiber. Returns
  /// false to end the fiber, which must then return.
  template <class HasWork>
  bool next(HasWork has_work, const char* reason) {
    auto& self = *fiber::scheduler::current();
    while (closer_ == nullptr) {
      if (has_work()) return true;
      asleep_ = true;
      self.suspend(reason);
    }
    fiber_ = nullptr;
    self.wake(*closer_);
    return false;
  }

  /// Ends the fiber, and suspends until it has ended. Does nothing if it was never started.
  void close() {
    if (fiber_ == nullptr) return;
    auto& self = *fiber::scheduler::current();
    closer_ = self.running();
    notify();
    self.suspend("the end of a structure");
  }

 private:
  fiber::fiber* fiber_ = nullptr;
  fiber::fiber* closer_ = nullptr;
  bool asleep_ = false;
};

}  // namespace gossamer::combining
