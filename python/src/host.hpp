#pragma once
// The runtime in which a Python process computes (gossamer/host/runtime.hpp). It starts at first use, lives until the interpreter
// ends, and graphs stay alive between its tasks. Here are the task that its caller may cancel, and the beginning and end.
// Of a job of several processes each calls join() once: process 0 goes on as host, the others serve it.
// Nothing here knows Python: calls.hpp is the bridge.
//
//   task states    queued -> under way -> done        a cancelled task does not begin, or ends where its loops look
//   task fields    body_: the thread that has the task; answer_: submit(), then the caller; home_: submit(); the others: under mutex_
//   host fields    all under mutex_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gossamer/host/runtime.hpp"

namespace gossamer::python {

/// Says that there is nothing to compute in: the runtime could not start, has ended, or belongs to another process.
class no_job : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Leaves an algorithm whose caller has been interrupted.
class cancelled : public std::exception {};

/// Work for the runtime. Shared by its caller and core 0, so that either may be done with it first.
class task {
 public:
  /// Keeps what shall run on the main fiber. `body` refers to nothing that its caller owns alone.
  explicit task(std::function<void(const task&)> body) : body_(std::move(body)) {}

  /// Waits for the end of the task. Returns false where that took longer.
  bool wait_for(std::chrono::milliseconds most) {
    return answer_.wait_for_us(static_cast<std::uint64_t>(most.count()) * 1000);
  }
  /// Asks the task to end. Returns at once: whether its body has begun. If not, it never will. No other task is interrupted.
  bool cancel();
  /// Throws `cancelled` where the caller has asked for the end. Called by the body.
  void check() const {
    if (cancelled_.load(std::memory_order_relaxed)) throw cancelled();  // relaxed: checked again and again
  }
  /// Returns the runtime that the body runs in. Called by the body.
  runtime& home() const { return *home_; }
  /// Throws what the body threw, or why it could not end. Called once, when the task is done.
  void rethrow() { answer_.get(); }

 private:
  friend class host;
  void run();
  void set_under_way(runtime* in);

  std::function<void(const task&)> body_;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  bool begun_ = false;
  runtime* under_way_in_ = nullptr;
  runtime* home_ = nullptr;
  future<void> answer_;
};

/// The one runtime of the process.
class host {
 public:
  /// Returns the host of this process. It lives as long as the process.
  static host& instance();

  /// Returns whether a launcher has started this process with others as one job.
  static bool of_several();
  /// Joins the other processes of the job. In process 0 also starts the cores: returns true. In another process returns false:
  /// serve() is next. Throws no_job where there is no job.
  bool join();
  /// Works for process 0 until its job has ended, if there is one. Returns the exit code.
  int serve();

  /// Sets the number of cores; 0: one per processor, or what GOSSAMER_CORES says. Throws no_job where the cores have started.
  void set_cores(unsigned cores);
  /// Gives core 0 a task, and starts the cores where there are none. Throws no_job after a fork, in a simulation, and where a job
  /// of several processes has ended.
  void submit(const std::shared_ptr<task>& work);
  /// Ends the runtime: cancels all tasks and waits for the end of the one under way. A later submit() starts another one, unless
  /// there were several processes.
  void stop();
  /// Ends the runtime as the interpreter ends. `code`: it will not call exit(), and ends with that code.
  void leave(std::optional<int> code);
  /// Returns whether the cores have been started.
  bool started();
  /// Returns why submit() would refuse every task, without starting anything. Empty: it would not, as far as is known before the start.
  std::string refusal();
  /// Notes that this process is a fork of the one that started the cores: they are not here.
  void forked() { foreign_.store(true, std::memory_order_relaxed); }

 private:
  host() = default;
  void start();
  void give(const std::shared_ptr<task>& work);
  void leave_broken();
  void end_cores();

  std::mutex mutex_;
  std::optional<runtime> cores_there_;
  std::vector<std::weak_ptr<task>> submitted_;  // those that are not over, perhaps more
  unsigned cores_ = 0;
  std::string
      ended_;  // why there is no job of several processes any more; empty: there is, or there was none
  std::atomic<bool> foreign_{false};
};

}  // namespace gossamer::python
