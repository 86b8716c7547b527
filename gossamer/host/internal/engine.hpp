#pragma once
// The state of a runtime: the thread of core 0, its job, and the queue of calls. Handles and kept values
// share it; it lives as long as the last of them.
//
//   made -> runs -> ended             by end(), or at the exit of the program
//           runs -> broken            a call stalled, or a process was lost: its data is lost
//
// The main fiber takes calls one by one. Between two calls it waits for the host program
// (fiber/outside_event.hpp).

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "gossamer/fiber/outside_event.hpp"
#include "gossamer/host/internal/call_queue.hpp"
#include "gossamer/host/internal/kept_value.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/message/call_phase.hpp"
#include "gossamer/parallel/host_link.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::host {

class engine {
 public:
  /// Claims the process, which has one runtime at a time. Throws gossamer::error if it has one.
  explicit engine(const job_options& options);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Starts the job, in process 0. Waits until the cores run. Rethrows the exception if the job does not
  /// start.
  void start();
  /// Serves process 0, in another process. Returns when process 0 has ended its runtime.
  void serve();
  /// Adds a call for core 0.
  void submit(std::shared_ptr<pending_call> call);
  void give_up(std::shared_ptr<kept_base> value) noexcept;
  bool interrupt() noexcept;
  /// Returns the failure that has ended the job; empty if it did not fail or still runs. Any thread.
  std::string failure() const {
    return has_failed_.load(std::memory_order_acquire) ? failure_ : std::string();  // pairs with run_thread()
  }
  /// Ends the job after the calls that were submitted. Any thread of the program; returns when the job has
  /// ended.
  void end() noexcept;
  /// Returns whether the caller cannot end the job: a forked child of the process that made it, or one of its
  /// cores.
  bool is_out_of_reach() const;
  /// Stores a reference to itself, so that it is never destroyed.
  void keep(std::shared_ptr<engine> self) noexcept { itself_ = std::move(self); }

  unsigned cores() const { return cores_; }
  unsigned processes() const { return processes_; }
  unsigned process() const { return process_; }

 private:
  friend class kept_base;
  enum state : std::uint32_t { k_made, k_runs, k_refused };

  void check_reach(const char* call) const;
  void run_thread();
  void main_fiber();
  void run_call();
  void finish_call() noexcept;
  void refuse_rest(const std::string& reason) noexcept;
  void end_kept_values();
  void release_claim() noexcept;
  static bool interrupt_running() noexcept;
  static void at_exit() noexcept;

  const job_options options_;
  const std::uint64_t owner_;  // process id of the process that made it
  unsigned cores_ = 0;
  unsigned processes_ = 1, process_ = 0;
  fiber::outside_event news_;
  call_queue queue_;
  std::shared_ptr<pending_call> now_;  // the call that core 0 runs
  kept_base* newest_kept_ = nullptr;
  std::atomic<std::uint32_t> state_{k_made};
  std::string failure_;  // written once, before has_failed_
  std::atomic<bool> has_failed_{false};
  std::exception_ptr refusal_;  // why the job did not start; written before state_
  std::atomic<bool> ending_{false};
  std::atomic<bool> ended_{false};
  std::atomic<std::uint32_t> over_{0};  // 1: end() has ended the job
  bool claimed_ = true;
  bool takes_interrupts_ = false;
  std::unique_ptr<machine::thread> thread_;
  std::shared_ptr<engine> itself_;  // after keep()

  // One per process, for the signal handler and the exit of the program.
  inline static constinit std::atomic<engine*> s_live{nullptr};
  inline static constinit message::call_phase s_call;
  inline static constinit std::atomic<std::uint64_t> s_owner{0};  // the process that runs it
};

}  // namespace gossamer::host
