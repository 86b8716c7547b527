#pragma once
// Fibers started by handlers, for operations that wait, which handlers must not do.

#include <memory>
#include <utility>

#include "gossamer/base/short_name.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer::message {

template <class F>
struct counted_body {
  F f;
  completion* scope;

  void call() {
    try {
      f();
    } catch (...) {
      scope->fail(std::current_exception());
    }
  }
  static void run(void* argument) {
    std::unique_ptr<counted_body> mine(static_cast<counted_body*>(argument));
    completion* const scope = mine->scope;
    mine->call();
    mine.reset();  // counted, too: what it captures may suspend or send when it is destroyed
    scope->finish(1);
  }
  /// Starts a fiber that runs the body. Returns false where all fibers are in use.
  static bool start(std::unique_ptr<counted_body>& b) {
    GOSSAMER_ASSERT(b->scope != nullptr, "a fiber needs an enclosing completion");
    fiber::fiber* const made =
        endpoint::here().start(&counted_body::run, b.get(), name_of<F>(), fiber::stack_class::regular);
    if (made == nullptr) return false;
    completion* const scope = b.release()->scope;
    made->local = scope;
    scope->issue(1);
    return true;
  }
};

/// Runs f() in a fiber of its own on this core, under the completion that counts the running handler or
/// fiber, and counted by it, exceptions included. Throws gossamer::error where all fibers are in use.
template <class F>
void start_counted(F f) {
  using body = counted_body<F>;
  auto b = std::make_unique<body>(body{std::move(f), endpoint::here().scope()});
  if (!body::start(b)) endpoint::here().refuse(fiber::stack_class::regular);
}

/// Does the same as start_counted(), from a fiber. Where all fibers are in use, that fiber runs f() itself.
template <class F>
void start_counted_or_run(F f) {
  using body = counted_body<F>;
  auto b = std::make_unique<body>(body{std::move(f), endpoint::here().scope()});
  if (!body::start(b)) b->call();
}

/// Does the same as start_counted() on core `to`; returns at once.
template <class F>
void fiber_on(core_id to, F f) {
  async_on(to, [f] { start_counted(f); });
}

/// Runs body() with a completion of its own, and waits for all operations that it issued. Rethrows the first
/// exception. `call`: the function that the program called, for the error message outside of run().
template <class Body>
void wait_for_all(Body body, const char* call = "waiting for all") {
  endpoint& self = inside(call);
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

/// Runs f() as a handler on the first core of every process, and waits for all.
template <class F>
void at_every_process(F f) {
  wait_for_all([&] {
    for (unsigned p = 0; p < processes(); ++p) async_on(first_core(p), f);
  });
}

}  // namespace gossamer::message
