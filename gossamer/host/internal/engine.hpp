#pragma once
// A runtime without its handle: the thread that is core 0, the job on it, and the queue of calls. Handles, kept values and
// signal handlers refer to it; it lives as long as the last of them.
//
//   made -> runs -> ended             the program's end(), its exit
//           runs -> broken            a call stalled, or a process was lost: the job has ended, and with it all data
//
// The main fiber takes calls one by one. Between two calls it waits for the host program (fiber/outside_event.hpp).

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
  /// Claims the process, which has one runtime at a time. Throws gossamer::error where there is one.
  explicit engine(const job_options& options);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Starts the job, in process 0. Waits until the cores run; throws what kept them from it.
  void start();
  /// Serves process 0, in another process. Returns when process 0 has ended its runtime.
  void serve();
  /// Adds a call for core 0.
  void submit(std::shared_ptr<pending_call> call);
  void give_up(std::shared_ptr<kept_base> value) noexcept;
  bool interrupt() noexcept;
  /// Returns what has ended the job; empty: nothing has failed, or it goes on. Any thread.
  std::string failure() const { return queue_.closed() ? failure_ : std::string(); }
  /// Ends the job after the calls that were submitted. Any thread of the program; returns when the job has ended.
  void end() noexcept;
  /// Returns whether this is a forked child of the process that made it, or one of its cores: it cannot end it.
  bool is_out_of_reach() const;
  /// Keeps itself: it is never destroyed.
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
  const std::uint64_t owner_;  // process
  unsigned cores_ = 0;
  unsigned processes_ = 1, process_ = 0;
  fiber::outside_event news_;
  call_queue queue_;
  std::shared_ptr<pending_call> now_;  // what core 0 runs
  kept_base* newest_kept_ = nullptr;
  std::atomic<std::uint32_t> state_{k_made};
  std::string failure_;  // written before queue_ is closed
  std::exception_ptr refusal_;  // of the job, before it ran; written before state_
  std::atomic<bool> ending_{false};
  std::atomic<bool> ended_{false};
  std::atomic<std::uint32_t> over_{0};  // 1: end() has ended the job
  bool claimed_ = true;
  bool takes_interrupts_ = false;
  std::unique_ptr<machine::thread> thread_;
  std::shared_ptr<engine> itself_;  // after keep()

  // Of the process: a signal handler and the program's exit find them here.
  inline static constinit std::atomic<engine*> s_live{nullptr};
  inline static constinit message::call_phase s_call;
  inline static constinit std::atomic<std::uint64_t> s_owner{0};  // the process that runs it
};

}  // namespace gossamer::host
