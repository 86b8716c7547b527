#pragma once
// A persistent runtime: cores for a host program that has its own threads, such as a server or an
// interpreter. It starts the cores once, accepts calls from any thread, and keeps global data (arrays,
// graphs, structures) between them. gossamer::run() is for programs whose main() is one job.
//
// A call runs as the main fiber on core 0, so it may do everything that a function of run() may do. Calls run
// one after another, in the order of their submission. Between calls the cores sleep.
//
// Ownership: handles (array, per_core, frozen views, ...) are plain values, which the host program may keep
// anywhere. Owners (scoped_array, graphs, sets and maps) are made and destroyed in calls; keep() does both.

#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/host/future.hpp"
#include "gossamer/host/internal/kept_value.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer {

/// A value that a runtime keeps (runtime::keep()). Move-only. Any thread may destroy the handle, also inside
/// a call, without waiting: the value is destroyed on core 0 later, or at the end of the runtime.
template <class T>
class kept {
 public:
  kept() = default;
  /// Takes over a kept value. Called by runtime::keep().
  explicit kept(std::shared_ptr<host::kept_value<T>> value) : value_(std::move(value)) {}
  /// Takes over the value of another handle.
  kept(kept&& other) noexcept = default;
  /// Resets its own value, then takes over that of another handle.
  kept& operator=(kept&& other) noexcept {
    reset();
    value_ = std::move(other.value_);
    return *this;
  }
  ~kept() { reset(); }

  /// Returns whether there is a value: it was not reset, and its runtime has not ended.
  explicit operator bool() const { return value_ != nullptr && value_->alive(); }
  /// Returns the value. Use it inside calls; outside only for operations that need no core, such as copying a
  /// handle. Throws gossamer::error if there is no value.
  T& operator*() const {
    if (!*this) [[unlikely]]
      host::kept_base::refuse();
    return value_->value();
  }
  /// Returns a pointer to the value, as operator* does.
  T* operator->() const { return &**this; }
  /// Returns why the runtime ended with the value, such as the loss of a process. Empty if the value is alive
  /// or was reset, or if runtime::end() ended the runtime.
  std::string failure() const { return value_ == nullptr ? std::string() : value_->failure(); }
  /// Releases the value: core 0 destroys it after the calls that were submitted before.
  void reset() noexcept {
    if (value_ != nullptr) host::give_up(std::exchange(value_, nullptr));
  }

 private:
  std::shared_ptr<host::kept_value<T>> value_;
};

/// The cores of this process for a host program. A process has one runtime at a time, and none during run();
/// one may follow another.
///
/// With several processes every process makes its runtime. Process 0 is the host: its constructor returns
/// when all processes have joined, and calls are submitted there. All others call serve(), which returns when
/// process 0 ends the runtime.
///
/// A call that waits for something that cannot happen (a stall) ends with gossamer::runtime_ended, which
/// lists the waiting fibers. Its fibers cannot be unwound, so the runtime ends with it: its data is lost, and
/// it refuses further calls with the same reason.
///
/// The loss of another process ends the runtime in the same way if the launcher keeps process 0 alive, as
/// `gossamer run` without an MPI does. The message names the lost process. Launchers of an MPI end process 0,
/// too; its watch then prints the error line.
///
/// Ctrl-C interrupts the running call (interrupt()). A second Ctrl-C, or one while no call runs, ends the
/// program. A SIGINT handler of the program stays in place. With several processes Ctrl-C ends the job, as
/// launchers do.
///
/// In a forked child all members throw gossamer::error, and the destructor does nothing.
class runtime {
 public:
  /// Starts the cores: about 100 us. In process 0 of several, waits until the others call serve(). Throws
  /// gossamer::error for invalid options, for lack of memory, and if this process has a runtime or runs a job
  /// already.
  explicit runtime(const job_options& options = job_options::from_environment());
  /// Ends the runtime as end() does.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Submits f() to core 0 and returns at once. The future gets the result or exception of f after all work
  /// that f has spawned has ended. Any thread may submit, also fibers of the runtime. f is moved; core 0
  /// destroys it before the future is ready. Costs one allocation, and a system call if core 0 sleeps. If
  /// 4096 calls wait already, a thread waits until one has begun, and a fiber gets gossamer::error. Throws
  /// gossamer::error after end(), and in a process that serves.
  template <class F>
  auto submit(F f) -> future<std::invoke_result_t<F&>> {
    auto call = std::make_shared<host::submitted_call<F>>(std::move(f));
    submit_call(call);
    return future<std::invoke_result_t<F&>>(std::move(call));
  }
  /// Submits f and waits for its end. Returns its result, or throws its exception. Throws gossamer::error
  /// inside a call: call f itself there.
  template <class F>
  auto call(F f) -> std::invoke_result_t<F&> {
    refuse_inside("call");
    return submit(std::move(f)).get();
  }
  /// Runs make() as call() does, and keeps its result until the handle is destroyed or reset, or the runtime
  /// ends. At that end the newest value is destroyed first. The result may have any type, also one that
  /// cannot be moved. Inside a call, a fiber of core 0 makes the value at once; on other cores it throws
  /// gossamer::error.
  template <class F>
  auto keep(F make) -> kept<std::invoke_result_t<F&>> {
    auto value = std::make_shared<host::kept_value<std::invoke_result_t<F&>>>(engine_);
    try {
      if (is_inside("keep"))
        value->make(make);
      else
        submit([value = value.get(), make = std::move(make)]() mutable { value->make(make); }).get();
    } catch (...) {
      host::give_up(
          std::move(value));  // it may exist: a task that make() has spawned may have thrown after it
      throw;
    }
    return kept<std::invoke_result_t<F&>>(std::move(value));
  }

  /// Interrupts the running call: chunks of its loops that have not begun throw gossamer::interrupted, and so
  /// does check_interrupt(). The call ends with that exception when the running chunks have ended. Elements
  /// that no chunk was writing are unchanged; what an interrupted loop wrote is incomplete. If fibers of the
  /// call wait for one another at a barrier, the call may end as a stall instead. Returns false if no call
  /// runs, or if it was interrupted already. Any thread; async-signal-safe. With several processes a loop of
  /// process 0 checks first and informs the others, whose cores see it when they poll: in forall() from time
  /// to time, in forall_chunks() at its end.
  bool interrupt() noexcept;

  /// Serves process 0 in another process until process 0 ends its runtime. May be called once. Throws
  /// gossamer::error after a call that stalled, and in process 0.
  void serve();

  /// Ends the runtime: waits for the submitted calls, destroys kept values, and stops the cores. Happens also
  /// at the program's exit. If several threads call it, each returns when the cores have stopped. Does
  /// nothing in a forked child and inside a call.
  void end() noexcept;

  /// Returns the number of cores of all processes; 0 in a process that serves.
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
