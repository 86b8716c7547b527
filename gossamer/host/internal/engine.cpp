#include "gossamer/host/internal/engine.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/host/future.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/core.hpp"
#include "gossamer/parallel/spawn.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::host {

engine::engine(const job_options& options) : options_(options), owner_(machine::process_id()) {
  if (options.simulate || simulation::options::from_environment())
    throw error(
        "runtime: a simulated cluster cannot wait for a host program: unset GOSSAMER_SIMULATE, or use "
        "gossamer::run()");
  engine* other = nullptr;
  if (!s_live.compare_exchange_strong(other, this, std::memory_order_acq_rel))  // pairs with release_claim()
    throw error(
        other->owner_ == owner_
            ? std::string("runtime: this process has one already: end that first")
            : fmt::format(
                  "runtime: this process was forked from process {}, which has one: start a program of its "
                  "own instead",
                  other->owner_));
  try {
    if (const auto* t =
            fabric::connected_transport()) {  // by this thread: an MPI is ended by the one that began it
      processes_ = t->size();
      process_ = t->rank();
    }
  } catch (...) {
    release_claim();
    throw;
  }
}

engine::~engine() {
  if (is_out_of_reach()) (void)thread_.release();  // a thread of another process, or the calling thread
  release_claim();
}

void engine::release_claim() noexcept {
  if (!std::exchange(claimed_, false) || owner_ != machine::process_id()) return;
  if (std::exchange(takes_interrupts_, false)) machine::give_interrupts_back();
  engine* self = this;
  s_live.compare_exchange_strong(self, nullptr,
                                 std::memory_order_acq_rel);  // pairs with the next one's claim
}

bool engine::is_out_of_reach() const {
  return owner_ != machine::process_id() || fiber::scheduler::current() != nullptr;
}

/// Throws gossamer::error if the calling process does not run core 0 of this runtime.
void engine::check_reach(const char* call) const {
  if (owner_ != machine::process_id())
    throw error(fmt::format(
        "{}: this process was forked from process {}, which has the runtime: call it there", call, owner_));
  if (process_ != 0)
    throw error(
        fmt::format("{}: process {} serves the runtime of process 0: call serve() here, and {}() there", call,
                    process_, call));
}

void engine::start() {
  s_owner.store(owner_, std::memory_order_relaxed);
  takes_interrupts_ = processes_ == 1 && machine::take_interrupts(&interrupt_running);  // else the launcher's
  thread_ = std::make_unique<machine::thread>("gossamer-0", [this] { run_thread(); });
  while (state_.load(std::memory_order_acquire) == k_made)
    machine::futex_wait(state_, k_made);  // pairs with both stores
  if (state_.load(std::memory_order_relaxed) == k_runs) {
    // Registered after the handlers of the transport and the job, so it runs before them.
    (void)std::atexit([] { at_exit(); });
    return;
  }
  thread_->join();
  ended_.store(true, std::memory_order_relaxed);
  release_claim();
  std::rethrow_exception(std::exchange(refusal_, nullptr));
}

void engine::serve() {
  if (owner_ != machine::process_id() || process_ == 0)
    throw error(process_ == 0 ? "serve: process 0 has the host program: it submits calls, the others serve"
                              : "serve: this process was forked from one that serves");
  if (ended_.exchange(true, std::memory_order_relaxed))
    throw error("serve: this runtime has ended: make another one, in every process");
  const parallel::host_link link{news_, s_call};
  parallel::run_job(options_, [] {}, &link);
}

void engine::submit(std::shared_ptr<pending_call> call) {
  check_reach("submit");
  queue_.push(std::move(call), fiber::scheduler::current() == nullptr);
  news_.signal();
}

void engine::give_up(std::shared_ptr<kept_base> value) noexcept {
  if (owner_ != machine::process_id()) return;
  if (queue_.push_at_once(std::move(value))) news_.signal();
}

bool engine::interrupt() noexcept {
  return owner_ == machine::process_id() && process_ == 0 && s_call.interrupt();
}

bool engine::interrupt_running() noexcept {
  // relaxed: written before the handler is installed. A forked child has the handler, but no call.
  return s_owner.load(std::memory_order_relaxed) == machine::process_id() && s_call.interrupt();
}

void engine::at_exit() noexcept {
  if (engine* const live = s_live.load(std::memory_order_acquire)) live->end();  // pairs with the claim
}

void engine::end() noexcept {
  if (is_out_of_reach()) return;
  if (ended_.exchange(true, std::memory_order_acq_rel)) {
    while (thread_ != nullptr && over_.load(std::memory_order_acquire) == 0)  // pairs with the store below
      machine::futex_wait(over_, 0);
    return;
  }
  if (thread_ != nullptr) {
    ending_.store(true, std::memory_order_seq_cst);  // before the check whether the fiber waits
    news_.signal();
    thread_->join();
  }
  release_claim();
  over_.store(1, std::memory_order_release);  // pairs with the load of others
  machine::futex_wake_all(over_);
}

// --- core 0 -------------------------------------------------------------------------------------

void engine::run_thread() {
  const parallel::host_link link{news_, s_call};
  std::string reason = "the runtime has ended";
  std::exception_ptr failure;
  try {
    parallel::run_job(options_, [this] { main_fiber(); }, &link);
  } catch (...) {
    failure = std::current_exception();
  }
  s_call.end();
  if (failure && state_.load(std::memory_order_relaxed) == k_made) {
    queue_.close("the runtime has not started");
    refusal_ = std::move(failure);
    state_.store(k_refused, std::memory_order_release);  // pairs with start()'s acquire
    machine::futex_wake_all(state_);
    return;
  }
  if (failure) {  // the runtime has ended before the caller gets the failure
    const std::string what = message::text_of(failure);
    reason = "the runtime has ended, and its data is gone: " + what;
    failure_ = what;
    has_failed_.store(true, std::memory_order_release);  // pairs with failure()
    queue_.close(reason);
    while (newest_kept_ != nullptr)
      (void)newest_kept_->unlink();  // after the reason is set, which threads then read
    if (now_ != nullptr) {
      now_->fail(std::make_exception_ptr(runtime_ended(what)));
      finish_call();
    }
  }
  refuse_rest(reason);
}

void engine::refuse_rest(const std::string& reason) noexcept {
  queue_.close(reason);
  while ((now_ = queue_.pop()) != nullptr) {
    now_->fail(std::make_exception_ptr(runtime_ended(reason)));
    finish_call();
  }
}

void engine::main_fiber() {
  cores_ = gossamer::cores();
  state_.store(k_runs, std::memory_order_release);  // pairs with start()'s acquire
  machine::futex_wake_all(state_);
  for (;;) {
    while ((now_ = queue_.pop()) != nullptr) run_call();
    if (ending_.load(std::memory_order_seq_cst)) break;
    machine::yield_thread();  // the thread that gets the answer may wait for this processor
    news_.wait([this] { return !queue_.empty() || ending_.load(std::memory_order_seq_cst); });
  }
  queue_.close("the runtime has ended");
  while ((now_ = queue_.pop()) != nullptr) run_call();  // calls that were submitted before the end
  end_kept_values();
}

void engine::run_call() {
  const bool interruptible = now_->interruptible();
  if (interruptible) s_call.begin();
  try {
    finish([this] { now_->run(); });
  } catch (...) {
    now_->fail(std::current_exception());
  }
  if (s_call.notified()) message::at_every_process([] { parallel::core::here().process().call->end(); });
  if (interruptible) s_call.end();
  finish_call();
}

/// Publishes the result of the call, after its function object is destroyed.
void engine::finish_call() noexcept {
  now_->drop();
  now_->publish();
  now_ = nullptr;
}

// --- kept values --------------------------------------------------------------------------------

void give_up(std::shared_ptr<kept_base> value) noexcept {
  const std::shared_ptr<engine> owner = value->owner();  // a refused value may have the last reference
  owner->give_up(std::move(value));
}

void kept_base::refuse() {
  throw error("kept: the value is gone: it was given up, or its runtime has ended");
}

std::string kept_base::failure() const {
  if (alive_.load(std::memory_order_acquire)) return {};  // pairs with unlink(), which follows the failure
  return owner_->failure();
}

void kept_base::link() {
  alive_.store(true, std::memory_order_relaxed);
  listed_ = shared_from_this();
  older_ = std::exchange(owner_->newest_kept_, this);
  if (older_ != nullptr) older_->newer_ = this;
}

std::shared_ptr<kept_base> kept_base::unlink() noexcept {
  alive_.store(false, std::memory_order_release);  // pairs with failure()
  (newer_ != nullptr ? newer_->older_ : owner_->newest_kept_) = older_;
  if (older_ != nullptr) older_->newer_ = newer_;
  return std::exchange(listed_, nullptr);
}

void kept_base::end_value() {
  if (!alive()) return;  // make() has failed
  const auto last_reference = unlink();
  destroy();
}

void engine::end_kept_values() {
  while (newest_kept_ != nullptr) finish([this] { newest_kept_->end_value(); });
}

}  // namespace gossamer::host
