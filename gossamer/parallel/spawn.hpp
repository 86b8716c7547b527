#pragma once
// Tasks: spawn() and finish(). What is spawned is counted by the enclosing completion, and finish(), a loop or
// on_all_cores() returns when all of it has ended, wherever it went. For fibers; spawn() also for handlers.

#include <utility>

#include "gossamer/parallel/internal/launch.hpp"

namespace gossamer {

namespace parallel {

/// From begin() on the newest tasks come first (core::begin_deep_wait()).
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

/// Runs f() in this fiber and waits for everything that it issued and spawned. Meanwhile this fiber runs
/// tasks that f spawned, newest first, while job_options::stack_bytes are left of its stack: fork and join by
/// spawn() and finish() go into the depth, and take a fiber only for so many levels as fill a stack.
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

/// Spawns a task of this core; also from handlers. Returns at once. f may be any movable function object.
template <class F>
void spawn(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn"));
  self.push_plain(parallel::counted_task(self, std::move(f)));
}

/// Spawns a task that an idle core may take. Otherwise does the same as spawn(). Where f is trivially
/// copyable and of at most 1000 bytes, a core of another process may take it, too (one message). Capture
/// numbers and handles by value then.
template <class F>
void spawn_stealable(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_stealable"));
  self.push_stealable(parallel::stealable_task(self, std::move(f)));
}

using parallel::idle_thieves;
using parallel::offered;

/// Does the same as spawn_stealable(), but for others first: this core takes the task back when it has
/// nothing else to do. For work that is split off for idle cores (has_idle_thieves()). offered::prefer_local
/// is for a task that is not worth a transfer now. That task leaves the process only if another process asks
/// while it still lies there.
template <class F>
void spawn_offered(F f, offered to = offered::to_all) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_offered"));
  self.push_offered(parallel::stealable_task(self, std::move(f)), to);
}

/// Returns which cores would welcome a spawn_offered() now. Before that, sends what was split off before and
/// handles the messages that have come. For a task that computes for long. Costs some tens of instructions
/// where nothing has come. Suspends when packets are exhausted.
inline idle_thieves has_idle_thieves() {
  return static_cast<parallel::core&>(message::inside("has_idle_thieves")).has_idle_thieves();
}

}  // namespace gossamer
