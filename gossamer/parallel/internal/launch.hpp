#pragma once
// Starts work for the public calls: tasks under the caller's completion, on this core, on other cores of the
// process, and in other processes.

#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "gossamer/message/delegate.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::parallel {

/// Refuses a body that cannot be copied to other cores: because of its type, or because it captures an
/// address of the caller's stack. `where` is the program's line that passes it. Checked in every build, once
/// for all bodies of a call.
template <class F>
void check_body(const F& f, const std::source_location& where) {
  static_assert(std::is_trivially_copyable_v<F>,
                "the body of a loop is copied as bytes to other cores: capture numbers and handles by value "
                "(handle() of what is scoped_), no "
                "strings, vectors or references");
  message::find_captures(f, message::endpoint::here(), &where);
}

/// Makes a task counted by the scope of the running fiber or handler. For Send see task::make().
template <auto Send = nullptr, class F>
task counted_task(core& self, F f) {
  message::completion* scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr, "a task needs an enclosing completion: spawn from a fiber of the job");
  const task t = task::make<Send>(scope, std::move(f));  // may throw: nothing was counted then
  scope->issue(1);
  return t;
}

/// A stealable task that was sent by another process. It may be stolen again, also back.
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

/// Runs body(core, completion) under a new completion and waits for it (message/visit.hpp).
template <class Body>
void under_completion(Body body, const char* call) {
  auto& self = static_cast<core&>(message::inside(call));
  message::wait_for_all([&] { body(self, *self.scope()); }, call);
}

/// A body that all cores of a process run, each on a copy. The original stays on the stack of the waiting
/// fiber. One type for all bodies reduces compile time.
struct shared_body {
  struct kind {
    task::kind of_task;
    void (*run)(const void* body);  // runs a copy of it
  };

  const kind* type;
  const void* body;

  template <class F>
  static shared_body of(const F& f) {
    return {&k_kind<F>, &f};
  }
  task make_task(message::completion* scope) const {
    task t;
    t.type = &type->of_task;
    t.scope = scope;
    static_assert(sizeof(shared_body) <= sizeof t.payload);
    new (t.payload) shared_body(*this);
    return t;
  }

 private:
  static void run_payload(void* payload) {
    const auto& shared = *std::launder(static_cast<shared_body*>(payload));
    shared.type->run(shared.body);
  }
  template <class F>
  static void run_copy(const void* body) {
    F mine(*static_cast<const F*>(body));
    mine();
  }
  template <class F>
  inline static const kind k_kind{{&run_payload, nullptr, name_of<F>()}, &run_copy<F>};
};

/// Starts a body on a core of this process. `all` counts it, and the caller waits for `all`.
void launch_on(core& self, core_id to, message::completion& all, const shared_body& f);
/// Starts a body on all cores of this process.
void launch_on_team(core& self, message::completion& all, const shared_body& f);
/// Starts a body on all cores of this process, and waits. `call`: the called function, for errors.
void run_on_team(const shared_body& f, const char* call);

/// The message that starts a body in another process; carries its bytes.
template <class F>
struct remote_launch_record {
  F f;
  void operator()(const message::dispatch& d) const {
    core& self = core::here();
    self.push_plain(counted_task(self, f));
    (void)d;
  }
};
/// Whether the bytes of a body fit a record, and its alignment.
template <class F>
inline constexpr bool k_ships = sizeof(F) <= 1000;
template <class F>
inline constexpr bool k_is_aligned = alignof(F) <= 8;

}  // namespace gossamer::parallel
