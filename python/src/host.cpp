#include "host.hpp"

#include <fmt/format.h>

#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::python {

bool task::wait_for(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, most, [this] { return done_; });
}

void task::run() noexcept {
  try {
    check();
    body_(*this);
  } catch (...) {
    error_ = std::current_exception();
  }
  finish();
}

void task::fail(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  finish();
}

void task::finish() noexcept {
  body_ = nullptr;  // what it holds goes on this thread
  const std::scoped_lock lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

host& host::instance() {
  static host* const only =
      new host;  // never destroyed: threads of the interpreter may outlive static objects
  return *only;
}

void host::set_cores(unsigned cores) {
  const std::scoped_lock lock(mutex_);
  if (running_) throw no_job("the cores have started: their number is chosen before the first use");
  cores_ = cores;
}

bool host::started() {
  const std::scoped_lock lock(mutex_);
  return running_;
}

void host::submit(std::shared_ptr<task> work) {
  if (foreign_.load(std::memory_order_relaxed))
    throw no_job(
        "this process was forked from one that had used gossamer, whose cores are not here: start processes "
        "by "
        "\"spawn\" (multiprocessing.set_start_method), or fork before the first use");
  const std::scoped_lock lock(mutex_);
  if (!running_) start();
  queue_.push_back(std::move(work));
  changed_.notify_all();
}

// Starts the job. Called under mutex_.
void host::start() {
  if (const auto launch = machine::find_launch(); launch.several())
    throw no_job(fmt::format("{} has started {} processes: from Python a job has one process so far",
                             launch.launcher, launch.processes));
  if (simulation::options::from_environment())
    throw no_job("GOSSAMER_SIMULATE is set: simulations are for the program gossamer");
  if (thread_.joinable()) thread_.join();  // of a job that failed
  stopping_ = false;
  thread_ = std::thread([this] { run_job(); });
  running_ = true;
}

void host::run_job() {
  machine::set_thread_name("gossamer");
  try {
    job_options how = job_options::from_environment();
    if (cores_ != 0) how.cores = cores_;
    run(how, [this] { serve(); });
    fail_all("the job has ended");
  } catch (const std::exception& e) {
    fail_all(e.what());
  }
}

void host::serve() {
  while (const std::shared_ptr<task> work = next()) work->run();
}

/// Waits for a task. Returns null where the job shall end. Blocks the thread of core 0: nothing is under way.
std::shared_ptr<task> host::next() {
  std::unique_lock lock(mutex_);
  current_ = nullptr;
  changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
  if (stopping_) return nullptr;
  current_ = std::move(queue_.front());
  queue_.pop_front();
  return current_;
}

void host::fail_all(const char* what) {
  const std::scoped_lock lock(mutex_);
  running_ = false;
  if (current_) queue_.push_front(std::exchange(current_, nullptr));
  for (const auto& work : queue_) work->fail(std::make_exception_ptr(no_job(what)));
  queue_.clear();
}

void host::stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (foreign_.load(std::memory_order_relaxed) || !thread_.joinable()) return;
    stopping_ = true;
    if (current_) current_->cancel();
    changed_.notify_all();
  }
  thread_.join();
}

}  // namespace gossamer::python
