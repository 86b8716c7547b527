#pragma once
// Tasks: spawn() and finish(). The enclosing completion counts spawned tasks: finish(), a loop or
// on_all_cores() returns when all of them have ended, on any core. By fibers; spawn() also by handlers.

#include <utility>

#include "gossamer/parallel/internal/launch.hpp"

namespace gossamer {

namespace parallel {

/// Runs the newest tasks first from begin() on (core::begin_deep_wait()).
class deep_wait {
 public:
  deep_wait() = default;
  deep_wait(const deep_wait&) = delete;
  deep_wait& operator=(const deep_wait&) = delete;
  ~deep_wait() {
    if (at_ != nullptr) at_->end_deep_wait();
  }
  void begin(core& at) {
    at.begin_deep_wait();
    at_ = &at;
  }

 private:
  core* at_ = nullptr;
};

}  // namespace parallel

/// Runs f() in this fiber, and waits for everything that it issued and spawned. Rethrows the first exception.
/// While it waits, this fiber runs tasks that f spawned, newest first, as long as job_options::stack_bytes of
/// its stack are left. So fork and join by spawn() and finish() proceeds depth-first, and takes another fiber
/// only if a stack is full.
template <class F>
void finish(F f) {
  parallel::deep_wait deep;
  parallel::under_completion(
      [&](parallel::core& self, message::completion& mine) {
        f();
        if (!self.help(mine)) deep.begin(self);
      },
      "finish");
}

/// Spawns a task of this core, and returns at once. By fibers and handlers. f may be any movable function object.
template <class F>
void spawn(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn"));
  self.push_plain(parallel::counted_task(self, std::move(f)));
}

/// Spawns a task, as spawn() does, that an idle core may steal. If f is trivially
/// copyable and has at most 1000 bytes, a core of another process may steal it, too (one message). Capture
/// numbers and handles by value then.
template <class F>
void spawn_stealable(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_stealable"));
  self.push_stealable(parallel::stealable_task(self, std::move(f)));
}

using parallel::idle_thieves;
using parallel::offered;

/// Spawns a stealable task, preferably for other cores: this core runs it when it has nothing else to do. For
/// work that is split off for idle cores (has_idle_thieves()). Use offered::prefer_local for a task that is
/// not worth a transfer now: it leaves the process only if another process requests tasks while it is still
/// queued.
template <class F>
void spawn_offered(F f, offered to = offered::to_all) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_offered"));
  self.push_offered(parallel::stealable_task(self, std::move(f)), to);
}

/// Returns which cores would take a spawn_offered() now. Before that, sends tasks that were split off before
/// and handles the messages that have arrived. For a task that computes for long. Costs some tens of
/// instructions if nothing has arrived. Suspends when packets are exhausted.
inline idle_thieves has_idle_thieves() {
  return static_cast<parallel::core&>(message::inside("has_idle_thieves")).has_idle_thieves();
}

}  // namespace gossamer
