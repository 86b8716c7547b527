#pragma once
// A runtime that stays: cores for a host program with threads of its own, such as a server or an interpreter. It starts the
// cores once, takes calls from any thread, and keeps global data (arrays, graphs, structures) between them. gossamer::run() is
// for programs whose main() is one job.
//
// A call runs as the main fiber on core 0, so everything that may stand in run() may stand there. Calls run one after the
// other, in the order of their submission. Between calls the cores sleep.
//
// What keeps data: handles (array, per_core, frozen views, ...) are plain values, which the host program may hold wherever it
// likes. What owns (scoped_array, graphs, sets and maps) is made and destroyed in calls: keep() sees to both.

#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/host/future.hpp"
#include "gossamer/host/internal/kept_value.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer {

/// A value that a runtime keeps (runtime::keep()). Move-only; may be destroyed by any thread and inside calls, does not wait
/// there: the value is destroyed by a call of its own, or when the runtime ends.
template <class T>
class kept {
 public:
  kept() = default;
  /// Takes over a kept value; runtime::keep() does.
  explicit kept(std::shared_ptr<host::kept_value<T>> value) : value_(std::move(value)) {}
  /// Takes over another one's value.
  kept(kept&& other) noexcept = default;
  /// Takes over another one's value and gives up the own one.
  kept& operator=(kept&& other) noexcept {
    reset();
    value_ = std::move(other.value_);
    return *this;
  }
  ~kept() { reset(); }

  /// Returns whether there is a value: one was kept, not given up, and its runtime has not ended.
  explicit operator bool() const { return value_ != nullptr && value_->alive(); }
  /// Returns the value. Use it inside calls; outside only for what needs no core, such as copying a handle. Throws
  /// gossamer::error where there is none.
  T& operator*() const {
    if (!*this) [[unlikely]]
      host::kept_base::refuse();
    return value_->value();
  }
  /// Does the same as operator*.
  T* operator->() const { return &**this; }
  /// Returns what has ended the runtime with the value, such as a process that was lost. Empty where the value is there, was given up, or
  /// its runtime was ended.
  std::string failure() const { return value_ == nullptr ? std::string() : value_->failure(); }
  /// Gives the value up: it is destroyed on core 0 after the calls that were submitted before.
  void reset() noexcept {
    if (value_ != nullptr) host::give_up(std::exchange(value_, nullptr));
  }

 private:
  std::shared_ptr<host::kept_value<T>> value_;
};

/// The cores of this process for a host program. One at a time in a process, and not beside run(); one may follow another.
///
/// Over several processes every process makes its runtime. Process 0 is the host: there the constructor returns when all
/// processes have come, and calls are submitted. All others call serve(), which returns when process 0 ends the runtime.
///
/// A call that waits for something that cannot come (a stall) ends with gossamer::runtime_ended, which lists what waits for what.
/// Its fibers cannot be unwound, so the runtime has ended then: its data is gone, and further calls are refused with that reason.
///
/// Where another process is lost, the same happens in process 0, if the launcher lets it live: `gossamer run` without an MPI does.
/// The message names the process. Launchers of an MPI end process 0, too, and the error line comes from its watch.
///
/// Ctrl-C interrupts the running call (interrupt()). A second one, or one while no call runs, ends the program. Where the
/// program handles SIGINT itself, its handler stays. Over several processes Ctrl-C ends the job, as launchers do.
///
/// In a forked child all members refuse with gossamer::error; the destructor does nothing there.
class runtime {
 public:
  /// Starts the cores: ~100 us. In process 0 of several, waits for serve() of the others. Throws gossamer::error for options that
  /// make no sense, for lack of memory, and where this process has a runtime or runs a job already.
  explicit runtime(const job_options& options = job_options::from_environment());
  /// Does what end() does.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Lets core 0 run f(). Returns at once; the future has what f returns or throws, after all that f has spawned has ended. Any
  /// thread, fibers of the runtime included. f is moved; it is destroyed on core 0 before the future is ready. Costs one
  /// allocation, and a system call where core 0 sleeps. Where 4096 calls wait already it waits for room, or throws
  /// gossamer::error in a fiber. Throws it after end(), and in a process that serves.
  template <class F>
  auto submit(F f) -> future<std::invoke_result_t<F&>> {
    auto call = std::make_shared<host::submitted_call<F>>(std::move(f));
    submit_call(call);
    return future<std::invoke_result_t<F&>>(std::move(call));
  }
  /// Submits f and waits for it: returns what it returns, throws what it throws. Not from inside a call, where it throws
  /// gossamer::error: call f itself there.
  template <class F>
  auto call(F f) -> std::invoke_result_t<F&> {
    refuse_inside("call");
    return submit(std::move(f)).get();
  }
  /// Calls make() as call() does and keeps what it returns (of any type, also one that cannot be moved) until the handle is
  /// destroyed or reset, or the runtime ends: newest first then. Inside a call, by a fiber of core 0, it makes the value at once;
  /// on other cores it throws gossamer::error.
  template <class F>
  auto keep(F make) -> kept<std::invoke_result_t<F&>> {
    auto value = std::make_shared<host::kept_value<std::invoke_result_t<F&>>>(engine_);
    try {
      if (is_inside("keep"))
        value->make(make);
      else
        submit([value = value.get(), make = std::move(make)]() mutable { value->make(make); }).get();
    } catch (...) {
      host::give_up(std::move(value));  // made, perhaps: what make() has spawned may throw after it
      throw;
    }
    return kept<std::invoke_result_t<F&>>(std::move(value));
  }

  /// Interrupts the call that runs: chunks of its loops that have not begun throw gossamer::interrupted, and so does
  /// check_interrupt(). The call ends when the chunks that run have ended, and throws it. Data is as loops that were cut
  /// left it; what was not written to is whole. Where fibers of the call wait for one another at a barrier, it may end as a
  /// stall instead. Returns false where no call runs, or it has been interrupted before. Any thread; async-signal-safe. Over
  /// several processes a loop of process 0 has to look first: it tells the others, whose cores hear of it when they poll
  /// (forall does now and then, forall_chunks when it ends).
  bool interrupt() noexcept;

  /// Works for process 0, in another process, until that ends its runtime. Once. Throws gossamer::error where a call has
  /// stalled there, and in process 0.
  void serve();

  /// Ends the runtime: waits for the calls that were submitted, destroys what is kept, and stops the cores. Also at the
  /// program's exit. Of several threads that call it, each returns when the cores have stopped. Without effect in a forked child,
  /// and from inside a call.
  void end() noexcept;

  /// Returns the number of cores of all processes. In a process that serves: 0.
  unsigned cores() const;
  /// Returns the number of processes.
  unsigned processes() const;
  /// Returns the number of this process; 0 is the host.
  unsigned process() const;

 private:
  static void refuse_inside(const char* call);
  static bool is_inside(const char* call);
  void submit_call(std::shared_ptr<host::pending_call> call);

  std::shared_ptr<host::engine> engine_;
};

}  // namespace gossamer
