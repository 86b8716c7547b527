#pragma once
// Fibers of one's own: yield, and start/join. Loops and tasks need none of this; it is for programs that
// are written as communicating threads, by the million. A fiber stays on the core that started it.

#include <cstdint>
#include <utility>

#include "gossamer/fiber/joinable.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer {

using fiber::joinable;
using fiber::stack_class;

/// Lets every other ready fiber of this core run first. From a fiber.
inline void yield() {
  machine::computing_point();
  fiber::scheduler::inside("yield").yield();
}

/// Declares that this core has computed for so long: what a simulated cluster charges for it where computing
/// is `fixed` (docs/simulation.md); elsewhere it is only counted. Loops declare 1 ns per element by
/// themselves.
inline void charge_work(std::uint64_t ns) { fiber::scheduler::inside("charge_work").count().work_ns += ns; }

/// Runs f() in a fiber of its own on this core; the handle's join() gives its result or rethrows its
/// exception. A handle that goes without join() waits for the end, too; the exception is then that of the
/// completion that encloses the handle's end: finish(), the loop or run() rethrows it. What f issues and
/// spawns is counted by the completion that encloses this call, and so is the fiber itself: the enclosing
/// finish(), loop or on_all_cores() waits for its end. f may capture references to whatever outlives the
/// fiber. Stacks: stack_class::small for many (12 KiB of addresses unless
/// job_options::small_stack_bytes says otherwise, and the memory that is touched: mostly one page), regular
/// for ordinary code. With 4 KiB in all, mind what runs on them. The first call of a function from one shared
/// library to another takes up to 3 KiB by itself, a thrown exception more. Messages that come while the fiber
/// sends are handled on it. Does not suspend; throws gossamer::error when all fibers of the class are
/// in use (job_options::fibers, small_fibers), or memory is short. Some tens of ns with a reused stack, ~2 us
/// where the stack is touched for the first time.
template <class F>
auto start(F f, stack_class kind = stack_class::regular) -> joinable<std::invoke_result_t<F&>> {
  auto& self = message::inside("start");
  message::completion* scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr,
                  "a fiber needs an enclosing completion: start it from a fiber of the job");
  auto counted = [f = std::move(f), scope]() mutable -> std::invoke_result_t<F&> {
    struct counted_end {
      message::completion* scope;
      ~counted_end() { scope->finish(1); }
    } end{scope};
    return f();
  };
  auto handle = fiber::start(self, std::move(counted), kind, scope);
  scope->issue(1);
  return handle;
}

}  // namespace gossamer
