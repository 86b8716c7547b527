#include "host.hpp"

#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/parallel/host_link.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::python {

// Interrupts this task only: the lock keeps it from beginning or ending, and another from beginning, in between.
bool task::cancel() {
  const std::scoped_lock lock(mutex_);
  cancelled_.store(true, std::memory_order_relaxed);
  if (under_way_in_ != nullptr) (void)under_way_in_->interrupt();
  return begun_;
}

void task::set_under_way(runtime* in) {
  const std::scoped_lock lock(mutex_);
  under_way_in_ = in;
}

/// Runs the body on the main fiber.
void task::run() {
  struct under_way {
    explicit under_way(task& t) : of(t) {
      const std::scoped_lock lock(of.mutex_);
      of.check();
      of.begun_ = true;
      of.under_way_in_ = of.home_;
    }
    ~under_way() { of.set_under_way(nullptr); }
    task& of;
  };
  const auto body = std::exchange(body_, nullptr);  // what it holds goes on this thread
  const under_way here(*this);
  body(*this);
}

host& host::instance() {
  static host* const only =
      new host;  // never destroyed: threads of the interpreter may outlive static objects
  return *only;
}

bool host::of_several() {
  const options environment;
  return environment.text("GOSSAMER_TRANSPORT") != "none" && machine::find_launch(environment).several();
}

bool host::join() {
  if (machine::find_launch().rank != 0) return false;
  const std::scoped_lock lock(mutex_);
  if (!ended_.empty()) throw no_job(ended_);  // another import, after one that has failed
  try {
    start();
  } catch (const error& e) {
    throw no_job(ended_ = e.what());
  }
  ended_ = "the job of all processes has ended";
  return true;
}

int host::serve() {
  return parallel::report_errors_of_host([] { runtime(job_options::from_environment()).serve(); });
}

void host::set_cores(unsigned cores) {
  const std::scoped_lock lock(mutex_);
  if (cores_there_ && cores_there_->processes() > 1)
    throw no_job("the cores of all processes have started: GOSSAMER_CORES sets their number");
  if (cores_there_) throw no_job("the cores have started: their number is chosen before the first use");
  cores_ = cores;
}

bool host::started() {
  const std::scoped_lock lock(mutex_);
  return cores_there_.has_value();
}

namespace {

constexpr const char* k_forked =
    "this process was forked from one that had used gossamer, whose cores are not here: start processes by "
    "\"spawn\" (multiprocessing.set_start_method), or fork before the first use";
constexpr const char* k_simulated = "GOSSAMER_SIMULATE is set: simulations are for the program gossamer";

}  // namespace

std::string host::refusal() {
  if (foreign_.load(std::memory_order_relaxed)) return k_forked;
  const std::scoped_lock lock(mutex_);
  if (cores_there_) return {};
  if (!ended_.empty()) return ended_;
  try {
    return simulation::options::from_environment() ? k_simulated : "";
  } catch (const error& e) {
    return e.what();  // as start() would say
  }
}

void host::submit(const std::shared_ptr<task>& work) {
  if (foreign_.load(std::memory_order_relaxed)) throw no_job(k_forked);
  const std::scoped_lock lock(mutex_);
  if (cores_there_) {
    try {
      return give(work);
    } catch (const error& e) {
      if (!ended_.empty()) ended_ = e.what();
      leave_broken();
    }
  }
  if (!ended_.empty()) throw no_job(ended_);
  try {
    start();
    give(work);
  } catch (const error& e) {
    cores_there_.reset();
    throw no_job(e.what());
  }
}

/// Ends a runtime in which a task has stalled: the bodies of its tasks do not come back. Called under mutex_.
void host::leave_broken() {
  for (const auto& each : std::exchange(submitted_, {}))
    if (const auto work = each.lock()) work->set_under_way(nullptr);
  cores_there_.reset();
}

/// Submits a task. Called under mutex_.
void host::give(const std::shared_ptr<task>& work) {
  std::erase_if(submitted_, [](const std::weak_ptr<task>& t) { return t.expired(); });
  submitted_.push_back(work);
  work->home_ = &*cores_there_;
  work->answer_ = cores_there_->submit([work] { work->run(); });
}

/// Starts the cores. Called under mutex_.
void host::start() {
  if (simulation::options::from_environment()) throw no_job(k_simulated);
  job_options how = job_options::from_environment();
  if (cores_ != 0) how.cores = cores_;
  cores_there_.emplace(how);
}

void host::stop() {
  const std::scoped_lock lock(mutex_);
  if (foreign_.load(std::memory_order_relaxed)) return;
  end_cores();
  if (!ended_.empty()) fabric::leave_others();
}

void host::leave(std::optional<int> code) {
  const std::scoped_lock lock(mutex_);
  if (foreign_.load(std::memory_order_relaxed)) return;
  end_cores();
  if (!ended_.empty() && code) fabric::leave_others(*code);  // else exit() does, which knows the code
}

/// Cancels all tasks and ends the runtime. Called under mutex_.
void host::end_cores() {
  if (!cores_there_) return;
  for (const auto& each : std::exchange(submitted_, {}))
    if (const auto work = each.lock()) (void)work->cancel();
  cores_there_.reset();
}

}  // namespace gossamer::python
