#pragma once
// Runs functions of the MPI layer on the home core of its process, where the layer's state is.

#include <utility>

#include "gossamer/message/core_id.hpp"
#include "gossamer/mpi/internal/failure.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::mpi {

/// A call on its way: on the stack of the fiber that waits for it.
template <class F>
struct home_visit {
  F* f;
  fiber::fiber* caller;

  static void entry(void* argument) {
    auto& visit = *static_cast<home_visit*>(argument);
    fiber::fiber& caller = *visit.caller;
    (*visit.f)();
    caller.home->wake_from_anywhere(caller);
  }
};

template <class F>
struct home_visit_record {
  home_visit<F>* visit;
  void operator()(const message::dispatch& d) const {
    if (d.self.start(&home_visit<F>::entry, visit, "a call of another core", fiber::stack_class::regular) ==
        nullptr)
      end_job("memory is short for the fibers of MPI calls from other cores");
  }
};

/// Runs f() on that core, for a fiber of another one.
template <class F>
[[gnu::noinline]] void visit_home(core_id home, F& f) {
  auto& self = parallel::core::here();
  home_visit<F> visit{&f, self.running()};
  self.issue_uncounted(home, home_visit_record<F>{&visit});
  self.suspend("the home core of its process");
}

/// Runs f() on the home core of this process, in a fiber that may suspend, and waits for its end. A plain call there. On
/// another core: one message and one fiber. f throws nothing.
template <class F>
void at_home(core_id home, F f) {
  if (here() == home) [[likely]]
    return f();
  visit_home(home, f);
}
template <class F>
void at_home(F f) {
  at_home(first_core(process()), f);
}

}  // namespace gossamer::mpi
