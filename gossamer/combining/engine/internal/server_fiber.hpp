#pragma once
// A fiber that serves what other fibers and handlers of its core put aside: it sleeps while there is nothing, and
// ends when its owner closes it. Core-local, so nothing is locked.
//
//   owner:   start() ... close(): waits until the fiber has ended
//   others:  put something aside, then notify()
//   fiber:   while (next(there is something, reason)) serve it

#include <utility>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::combining {

class server_fiber {
 public:
  /// Starts the fiber, which runs serve(self) and then ends. Returns false where all fibers are in use. `name` is a
  /// literal, for reports.
  template <auto Serve, class Owner>
  bool start(Owner* owner, const char* name) {
    fiber_ = parallel::core::here().start([](void* self) { (static_cast<Owner*>(self)->*Serve)(); }, owner,
                                          name, fiber::stack_class::regular);
    return fiber_ != nullptr;
  }
  bool started() const { return fiber_ != nullptr; }

  /// Wakes the fiber where it sleeps. From a fiber or a handler of the core.
  void notify() {
    if (asleep_) [[unlikely]] {
      asleep_ = false;
      fiber::scheduler::current()->wake(*fiber_);
    }
  }

  /// Suspends until there is work; `reason` says for what. The server fiber calls it. Returns false when the
  /// fiber shall end, which it then does.
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

  /// Ends the fiber; suspends until it has gone. Does nothing where it was never started.
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
