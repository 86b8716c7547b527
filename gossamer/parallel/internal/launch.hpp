#pragma once
// How work is started for the calls above: tasks under the completion of the caller, on this core, on other cores of the process, and
// in other processes.

#include <type_traits>
#include <utility>

#include "gossamer/message/delegate.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::parallel {

template <class F>
void check_body([[maybe_unused]] const F& f) {
  static_assert(
      std::is_trivially_copyable_v<F>,
      "the body of a loop is copied as bytes to other cores: capture numbers and handles by value, no "
      "strings, vectors or references");
  message::check_captures(f);
}

/// Makes one more task under the scope of the running fiber or handler. For Send see task::make().
template <auto Send = nullptr, class F>
task counted_task(core& self, F f) {
  message::completion* scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr, "a task needs an enclosing completion: spawn from a fiber of the job");
  const task t = task::make<Send>(scope, std::move(f));  // may throw: nothing has been counted then
  scope->issue(1);
  return t;
}

/// A stealable task that has come from another process. There it may be stolen on, also back.
template <class F>
struct arrival {
  F f;
  void operator()() const;
};
template <class F>
void send_task(const F& f, unsigned to) {
  async_on(to, arrival<F>{f});
}
template <class F>
void arrival<F>::operator()() const {
  core& self = core::here();
  self.arrive(counted_task<&send_task<F>>(self, f));
}

template <class F>
task stealable_task(core& self, F f) {
  if constexpr (k_travels<F>)
    return counted_task<&send_task<F>>(self, std::move(f));
  else
    return counted_task(self, std::move(f));
}

/// Runs body(core, completion) under a completion of its own and waits for it (message/visit.hpp).
template <class Body>
void under_completion(Body body, const char* call) {
  auto& self = static_cast<core&>(message::inside(call));
  message::wait_for_all([&] { body(self, *self.scope()); }, call);
}

/// Inside a process: the body stays on the stack of the fiber that waits for the completion.
template <class F>
struct launch_record {
  const F* f;
  message::completion* scope;
  void operator()(const message::dispatch&) const { launch(core::here(), f, scope); }

  static void launch(core& at, const F* f, message::completion* scope) {
    at.push_plain(task::make(scope, [f] {
      F mine(*f);
      mine();
    }));
  }
};

/// To another process the body travels.
template <class F>
struct remote_launch_record {
  F f;
  void operator()(const message::dispatch& d) const {
    core& self = core::here();
    self.push_plain(counted_task(self, f));
    (void)d;
  }
};
template <class F>
inline constexpr bool k_ships = sizeof(remote_launch_record<F>) <= 1024;

}  // namespace gossamer::parallel
