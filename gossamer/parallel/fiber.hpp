#pragma once
// Explicit fibers: yield, start and join. Loops and tasks need none of this. It is for programs that
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

/// Lets every other ready fiber of this core run first. By a fiber.
inline void yield() {
  machine::computing_point();
  fiber::scheduler::inside("yield").yield();
}

/// Declares that this core has computed for `ns` nanoseconds. A simulated cluster charges them if computing
/// is `fixed` (docs/simulation.md); elsewhere they are only counted. Loops declare 1 ns per element
/// themselves.
inline void charge_work(std::uint64_t ns) { fiber::scheduler::inside("charge_work").count().work_ns += ns; }

/// Starts f() in a new fiber of this core. join() of the returned handle returns its result or rethrows its
/// exception. Does not suspend.
/// Completions: the completion that encloses this call counts the fiber, and everything that f issues and
/// spawns. So finish(), the loop or on_all_cores() waits for its end. Destroying a handle without join() also
/// waits; the completion that encloses the destruction then rethrows the exception. f may capture references
/// to objects that outlive the fiber.
/// Stacks: stack_class::regular is for ordinary code, stack_class::small for many fibers. A small stack has
/// 16 KiB above its guard page (job_options::small_stack_bytes changes that), and uses the memory that it
/// touches: usually one page. The smallest has 8 KiB: check what runs on it. The first call from one shared
/// library to another takes up to 3 KiB, a thrown exception takes more. The stack of a sending fiber also runs
/// the handlers of messages that arrive meanwhile.
/// Errors: throws gossamer::error if all fibers of the class are in use (job_options::fibers, small_fibers),
/// or memory does not suffice. Costs some tens of ns with a reused stack, about 2 us if the stack is touched
/// for the first time.
template <class F>
auto start(F f, stack_class kind = stack_class::regular) -> joinable<std::invoke_result_t<F&>> {
  auto& self = message::inside("start");
  message::completion* scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr,
                  "a fiber needs an enclosing completion: start it from a fiber of the job");
  // Called when f was destroyed: what f captures may suspend or send then, and is counted, too.
  auto handle = fiber::start(self, std::move(f), kind, scope, [scope] { scope->finish(1); });
  scope->issue(1);
  return handle;
}

}  // namespace gossamer
