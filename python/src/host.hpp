#pragma once
// The job in which a Python process computes. It starts at first use, lives until the interpreter ends, and graphs stay alive
// between its tasks. A thread of its own calls run() once; the main fiber takes tasks from a queue, one after another. While the
// queue is empty that thread sleeps, and so do the other cores.
// Nothing here knows Python: calls.hpp is the bridge.
//
//   task states    queued -> under way -> done        a task that is cancelled ends at its next check()
//   task fields    body, error_: the thread that has the task; done_: under mutex_
//   host fields    all under mutex_, but for the thread, which start() and stop() own

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace gossamer::python {

/// Says that there is no job to compute in: it could not start, has ended, or belongs to another process.
class no_job : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Leaves an algorithm whose caller has been interrupted.
class cancelled : public std::exception {};

/// Work for the job. Shared by its caller and the job, so that either may be done with it first.
class task {
 public:
  /// Keeps what shall run on the main fiber. `body` refers to nothing that its caller owns alone.
  explicit task(std::function<void(const task&)> body) : body_(std::move(body)) {}

  /// Waits for the end of the task. Returns false where that took longer.
  bool wait_for(std::chrono::milliseconds most);
  /// Asks the task to end. Returns at once.
  void cancel() {
    cancelled_.store(true, std::memory_order_relaxed);
  }  // relaxed: a hint, checked again and again
  /// Throws `cancelled` where the caller has asked for the end. Called by the body.
  void check() const {
    if (cancelled_.load(std::memory_order_relaxed)) throw cancelled();
  }
  /// Throws what the body threw. Called when the task is done.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  /// Runs the body. Called by the job.
  void run() noexcept;
  /// Ends the task without running it. Called by the job.
  void fail(std::exception_ptr error) noexcept;

 private:
  void finish() noexcept;

  std::function<void(const task&)> body_;
  std::atomic<bool> cancelled_{false};
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
};

/// The one job of the process.
class host {
 public:
  /// Returns the host of this process. It lives as long as the process.
  static host& instance();

  /// Sets the number of cores; 0: one per processor, or what GOSSAMER_CORES says. Throws no_job where the job has started.
  void set_cores(unsigned cores);
  /// Gives the job a task, and starts the job where there is none. Throws no_job after a fork, under a launcher of several
  /// processes, and in a simulation.
  void submit(std::shared_ptr<task> work);
  /// Ends the job: cancels what is under way and waits for its end. A later submit() starts another job.
  void stop();
  /// Returns whether a job is there.
  bool started();
  /// Notes that this process is a fork of the one that started the job: the cores are not here.
  void forked() { foreign_.store(true, std::memory_order_relaxed); }

 private:
  host() = default;
  void start();
  void run_job();
  void serve();
  std::shared_ptr<task> next();
  void fail_all(const char* what);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<task>>
      queue_;  // bounded by the threads of the interpreter: each waits for its task
  std::shared_ptr<task> current_;
  std::thread thread_;
  unsigned cores_ = 0;
  bool running_ = false, stopping_ = false;
  std::atomic<bool> foreign_{false};
};

}  // namespace gossamer::python
