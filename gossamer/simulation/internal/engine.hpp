#pragma once
// The engine: the contexts of all simulated processes, their clocks, and the scheduler. The process that is
// furthest behind runs until all of its contexts have reached the time of the next process plus the model's
// lookahead, the minimum time of a message. Inside a process, the context that is furthest behind runs. So no
// context misses what it should see, and the engine seldom changes processes. If processes write into each
// other's lanes, the lookahead is 1 ns.
//
//   runnable --look(), behind no more--> runnable      waiting --wake(), time-out, arrival--> runnable
//            --wait()--> waiting                       joining --the other one ends--> runnable
//            --join()--> joining                       meeting --the last process comes--> runnable
//            --meet()--> meeting
//   any --its process is lost, the end of a failed run--> abandoned
//
// A context is interrupted only in system calls (look, wait, yield, join, meet): between two of them it runs
// alone.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/thread_cpu_time.hpp"
#include "gossamer/machine/window.hpp"
#include "gossamer/simulation/internal/engine_interface.hpp"
#include "gossamer/simulation/internal/event_queue.hpp"
#include "gossamer/simulation/internal/model.hpp"
#include "gossamer/simulation/internal/simulated_thread.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

class engine final : public engine_interface {
 public:
  engine(const options& o, model& costs);
  ~engine() override;

  /// Sets the simulated system for that process's code. Before run().
  void set_system(unsigned process, machine::simulated_system& system) { at(process).system = &system; }
  /// Adds a context of that process. If a context runs, the new one begins at its time plus
  /// model::start_ns().
  context& add(unsigned process, std::string name, std::function<void()> body, std::size_t stack_bytes);
  /// Runs until all contexts have ended. failure() returns what went wrong.
  void run();

  const std::string& failure() const { return failure_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t digest() const { return digest_; }
  /// Returns the latest time that any context has reached.
  std::uint64_t latest() const { return running_ != nullptr ? std::max(latest_, running_->clock) : latest_; }
  /// Returns the options as text.
  const std::string& what() const { return what_; }
  machine::windows& windows() { return windows_; }

  // --- for the running context ---------------------------------------------------------------

  void look();
  void yield();
  /// Lets the other contexts run first, for a time that the seed decides.
  void step_aside();
  /// Makes the context compute for a time that the seed decides, 10 us to 20 ms.
  void compute();
  bool wait(const void* word, std::uint32_t expected, std::uint32_t found, std::uint64_t timeout_ns,
            bool spinning);
  void wake(const void* word);
  /// Makes a spinning context of another process poll after the time of a poll: something has arrived for it
  /// alone.
  void notice(unsigned process, unsigned number);
  void join(context& other);
  /// Ends the run with this failure; does not return.
  [[noreturn]] void fail(std::string what);

  // engine_interface
  unsigned processes() const override { return static_cast<unsigned>(processes_.size()); }
  std::uint64_t now() override;
  std::uint64_t waited() const override { return running_->waited_ns; }
  void charge(std::uint64_t ns) override;
  void expect(unsigned process, std::uint64_t at) override;
  void meet(unsigned process) override;
  unsigned choose(unsigned n, const char* what) override;
  [[noreturn]] void aborted(unsigned process, int code) override;

 private:
  struct process_state {
    machine::simulated_system* system = nullptr;
    std::vector<std::unique_ptr<context>> contexts;
    event_queue order;  // of the contexts
    std::vector<context*> spinners;  // waiting, and polling for arrivals
    std::vector<std::uint64_t> arrivals;  // a heap, earliest first: times at which something arrives
    bool lost = false;
  };

  static constexpr unsigned k_nobody = ~0U;

  process_state& at(unsigned process) { return processes_[process]; }
  void run_process(unsigned p);
  void run_context(process_state& in, context& c);
  std::uint64_t some_time();
  bool held_back(process_state& in, context& c);
  bool went_too_far();
  void lose(unsigned p);
  void settle(context& c);
  void set_next(context& c, std::uint64_t next);
  void ready(context& c, std::uint64_t at);
  void forget_wait(context& c);
  void watch_arrivals(process_state& in);
  std::uint64_t next_arrival(process_state& in, std::uint64_t seen);
  void leave(context& c);
  void mix(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3 + (digest_ >> 29); }
  std::string stopped(std::uint64_t time) const;
  std::string report() const;

  const options options_;
  const std::string what_;
  model& model_;
  const std::uint64_t lookahead_;
  base_stack base_;
  std::optional<machine::thread_cpu_time> own_;  // if computing time is measured
  machine::windows windows_;
  std::vector<process_state> processes_;
  event_queue order_;  // of the processes; never for the one that runs
  unsigned live_ = 0;
  context* running_ = nullptr;
  unsigned entered_ = k_nobody;  // the process that runs
  std::uint64_t limit_ = 0;  // until when its contexts may run
  std::uint64_t horizon_ = 0;  // until when the running context may continue without a check
  std::unordered_map<const void*, context*> waiters_;  // only looked up: its order depends on addresses
  std::vector<context*> meeting_;
  std::uint64_t meeting_at_ = 0;
  std::string failure_;
  bool failed_ = false;
  std::uint64_t steps_ = 0, observations_ = 0, latest_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

}  // namespace gossamer::simulation
