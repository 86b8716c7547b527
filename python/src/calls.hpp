#pragma once
// How a Python thread has something computed: it gives the job a task, lets the interpreter go on (the GIL is released), and
// waits. Ctrl-C is Python's: its handlers run in the waiting thread; where one raises, the task is cancelled.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/graph/ingest/progress.hpp"
#include "host.hpp"

namespace gossamer::python {

/// What an interrupted caller does where the task does not end within a second. A task may be left only where it owns all that it
/// uses.
enum class when_interrupted : bool { waits, leaves };

/// Gives the host a task. Does not return where another thread ends the interpreter.
void submit(const std::shared_ptr<task>& work);

/// Waits for a task, with the GIL released. Throws what it threw; nanobind's python_error where a signal handler raised.
void wait_for(const std::shared_ptr<task>& work, when_interrupted then);

/// Tells the recorder of explain(), where there is one, that a call begins. On the main fiber; suspends then.
void call_begins();
/// Does the same for a call that has ended.
void call_ended();

/// Calls f(hook), or f(hook, runtime), on the main fiber of the job, and returns what it returns. `hook` ends f where the caller is
/// interrupted: give it to an algorithm. With the GIL. f is copied, and runs without the GIL: it must not touch Python.
template <class F>
auto call(F f, when_interrupted then = when_interrupted::waits) {
  const auto apply = [](F& to, const task& self) {
    const graph::progress_hook hook = [&self](const char*, std::uint64_t, std::uint64_t) { self.check(); };
    if constexpr (std::is_invocable_v<F&, const graph::progress_hook&, runtime&>)
      return to(hook, self.home());
    else
      return to(hook);
  };
  using result = std::invoke_result_t<decltype(apply), F&, const task&>;
  auto answer = std::make_shared<std::optional<result>>();
  auto work = std::make_shared<task>([f = std::move(f), answer, apply](const task& self) mutable {
    call_begins();
    answer->emplace(apply(f, self));
    call_ended();
  });
  submit(work);
  wait_for(work, then);
  return std::move(**answer);
}

/// Calls f() as call() does. Compiled once, for callers with many small tasks.
void compute(std::function<void()> f);

/// Calls f(begin, end) for chunks of [0, n), of at most `grain`, on the cores of process 0, which see what Python has there. Inside a task.
/// An interrupt is looked at before each chunk. Suspends.
void for_chunks(std::uint64_t n, std::uint64_t grain,
                const std::function<void(std::uint64_t begin, std::uint64_t end)>& f);

}  // namespace gossamer::python
