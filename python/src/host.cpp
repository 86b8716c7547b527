#include "host.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::python {

// Interrupts this task only: the lock keeps it from ending, and another from beginning, in between.
void task::cancel() {
  cancelled_.store(true, std::memory_order_relaxed);
  const std::scoped_lock lock(mutex_);
  if (under_way_in_ != nullptr) (void)under_way_in_->interrupt();
}

/// Runs the body on the main fiber.
void task::run() {
  struct under_way {
    explicit under_way(task& t) : of(t) { set(of.home_); }
    ~under_way() { set(nullptr); }
    void set(runtime* in) const {
      const std::scoped_lock lock(of.mutex_);
      of.under_way_in_ = in;
    }
    task& of;
  };
  const under_way here(*this);
  const auto body = std::exchange(body_, nullptr);  // what it holds goes on this thread
  check();
  body(*this);
}

host& host::instance() {
  static host* const only =
      new host;  // never destroyed: threads of the interpreter may outlive static objects
  return *only;
}

void host::set_cores(unsigned cores) {
  const std::scoped_lock lock(mutex_);
  if (cores_there_) throw no_job("the cores have started: their number is chosen before the first use");
  cores_ = cores;
}

bool host::started() {
  const std::scoped_lock lock(mutex_);
  return cores_there_.has_value();
}

void host::submit(const std::shared_ptr<task>& work) {
  if (foreign_.load(std::memory_order_relaxed))
    throw no_job(
        "this process was forked from one that had used gossamer, whose cores are not here: start processes "
        "by "
        "\"spawn\" (multiprocessing.set_start_method), or fork before the first use");
  const std::scoped_lock lock(mutex_);
  try {
    if (!cores_there_) start();
    work->home_ = &*cores_there_;
    work->answer_ = cores_there_->submit([work] { work->run(); });
    newest_ = work;
  } catch (const error& e) {
    cores_there_.reset();  // of a call that stalled: the next one starts others
    throw no_job(e.what());
  }
}

/// Starts the cores. Called under mutex_.
void host::start() {
  if (const auto launch = machine::find_launch(); launch.several())
    throw no_job(fmt::format("{} has started {} processes: from Python a job has one process so far",
                             launch.launcher, launch.processes));
  if (simulation::options::from_environment())
    throw no_job("GOSSAMER_SIMULATE is set: simulations are for the program gossamer");
  job_options how = job_options::from_environment();
  if (cores_ != 0) how.cores = cores_;
  cores_there_.emplace(how);
}

void host::stop() {
  const std::scoped_lock lock(mutex_);
  if (foreign_.load(std::memory_order_relaxed) || !cores_there_) return;
  if (const auto last = newest_.lock()) last->cancel();
  cores_there_.reset();
}

}  // namespace gossamer::python
