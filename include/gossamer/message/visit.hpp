#pragma once
// Fibers started from handlers, for what a handler may not do itself: wait.

#include <memory>
#include <typeinfo>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer::message {

/// Runs f() in a fiber of its own on this core, under the completion that counts the running handler or
/// fiber, and counted by it, exceptions included. Throws gossamer::error where all fibers are in use.
template <class F>
void start_counted(F f) {
  struct body {
    F f;
    completion* scope;
    static void run(void* argument) {
      const std::unique_ptr<body> mine(static_cast<body*>(argument));
      try {
        mine->f();
      } catch (...) {
        mine->scope->fail(std::current_exception());
      }
      mine->scope->finish(1);
    }
  };
  endpoint& self = endpoint::here();
  completion* const scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr, "a fiber needs an enclosing completion");
  auto b = std::make_unique<body>(body{std::move(f), scope});
  fiber::fiber* const made = self.start(&body::run, b.get(), typeid(F).name(), fiber::stack_class::regular);
  if (made == nullptr) throw error("all fibers of a core are in use: raise job_options::fibers");
  (void)b.release();
  made->local = scope;
  scope->issue(1);
}

/// The same on core `to`; returns at once.
template <class F>
void fiber_on(core_id to, F f) {
  async_on(to, [f] { start_counted(f); });
}

/// Runs body() with a completion of its own, and waits for all that it issued. Rethrows the first exception.
template <class Body>
void wait_for_all(Body body) {
  endpoint& self = endpoint::here();
  completion mine(self);
  void* const outer = self.local();
  self.set_local(&mine);
  std::exception_ptr error;
  try {
    body();
  } catch (...) {
    error = std::current_exception();
  }
  self.set_local(outer);
  self.flush();
  try {
    mine.wait();
  } catch (...) {
    if (!error) error = std::current_exception();
  }
  if (error) std::rethrow_exception(error);
}

/// f() as a handler on the first core of every process; waits for all.
template <class F>
void at_every_process(F f) {
  wait_for_all([&] {
    for (unsigned p = 0; p < processes(); ++p) async_on(first_core(p), f);
  });
}

}  // namespace gossamer::message
