#pragma once
// One core's scheduler: which fiber runs. A thread becomes a core by calling run(); its own stack is
// the root context, where wake-ups are collected, messages polled and sleep decided. Fibers switch
// straight to one another; the root is visited when the ready ring is empty and every k_patience
// switches. Fibers never leave their core.
//
// Rooms above derive from it: they say what polling means and where tasks come from. A worker
// fiber runs task after task; another one is taken only when it suspends inside one.
// Everything here is for the owning core, but for notify(), wake_from_anywhere() and request_stop().

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/counters.hpp"
#include "gossamer/fiber/ready_ring.hpp"
#include "gossamer/fiber/sleep_group.hpp"
#include "gossamer/fiber/stacks.hpp"
#include "gossamer/fiber/wake_bits.hpp"

namespace gossamer::fiber {

struct scheduler_options {
  std::size_t fibers = 4096;              // most at once
  std::size_t stack_bytes = 64 << 10;     // rounded up to a power of two
  std::size_t large_stacks = 2;           // for main fibers
  std::size_t large_stack_bytes = 1 << 20;
  std::size_t guards = 4096;              // guard pages, at most
  std::uint64_t spin_ns = 50'000;         // how long an idle core looks for work before it sleeps
};

enum class stack_class : std::uint8_t { regular, large };

class scheduler {
 public:
  using entry = void (*)(void* argument);

  scheduler(unsigned id, const scheduler_options& options, sleep_group& group);
  virtual ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// The core that runs this code; null outside of a job.
  static scheduler* current() noexcept { return t_current; }

  unsigned id() const { return id_; }
  const counters& count() const { return counters_; }
  counters& count() { return counters_; }

  // --- for fibers ---------------------------------------------------------------------------

  /// Lets every other ready fiber run first.
  void yield();

  /// Stops this fiber until wake(). `reason` is a literal, shown when the job stalls.
  void suspend(const char* reason);

  /// The fiber that calls; null in the root context.
  fiber* running() const;

  /// Makes a suspended fiber of this core ready: a plain store into the ring.
  void wake(fiber& f) {
    GOSSAMER_DEBUG_ASSERT(f.home == this && f.waits_for != nullptr);
    f.waits_for = nullptr;
    ready_.push(f.sp);
  }

  /// The same from any core: an atomic OR and, where this core sleeps, a system call.
  void wake_from_anywhere(fiber& f);

  /// Starts a fiber of its own (not a worker): entry(argument) on the given stack. Null when no stack is
  /// free.
  [[nodiscard]] fiber* start(entry body, void* argument, const char* task, stack_class kind);

  /// What the running fiber is doing, for reports; a literal.
  void name_task(const char* task);

  /// A pointer that follows the fiber: saved when it suspends, restored when it goes on.
  void* local() const { return local_; }
  void set_local(void* value) { local_ = value; }

  // --- for the thread -----------------------------------------------------------------------

  /// Runs fibers and tasks on the calling thread until request_stop().
  void run();
  void request_stop();
  /// Work was published for this core (by a seq_cst operation): wakes it if it sleeps.
  void notify() { sleeper_.notify(); }

  /// Calls f(fiber) for every suspended fiber; only while the core sleeps or has stopped.
  void each_suspended(const std::function<void(const fiber&)>& f) const;
  /// Whether the address lies on a stack of this core's fibers.
  bool on_fiber_stack(const void* address) const;
  /// Describes a fault in a guard page, async-signal-safe; false when the address is none.
  bool explain_fault(const void* address, char* buffer, std::size_t size) const;
  /// Writes "core 1, fiber 7, task forall" for a failed assertion; returns the bytes written.
  std::size_t describe_running(char* buffer, std::size_t size) const;

 protected:
  /// Moves messages; returns whether anything happened. Runs on the root context or on a worker.
  virtual bool poll() = 0;
  /// Whether run_task() would find one.
  virtual bool has_task() = 0;
  /// Runs one task on the calling fiber, if there is one.
  virtual bool run_task() = 0;
  /// Called once when nothing is ready, before spinning: flush. Returns false while something could not
  /// leave and the core must not sleep.
  virtual bool before_idle() = 0;
  /// Looks at what other cores publish, with seq_cst loads.
  virtual bool has_news() const = 0;

  counters counters_;

 private:
  static constexpr int k_patience = 64;  // switches or tasks between two visits to root or poll

  static void worker_entry(void* self);
  static void fiber_entry(void* self);
  fiber* prepare(stacks& from, entry body, void* argument, const char* task);
  void work();
  void park();
  [[noreturn]] void finish();
  void leave(fiber& self, void** save, void* to);
  void enter(void* sp);
  void* next_context();
  void collect_wakes();
  void start_worker();
  void idle();
  fiber* find(const void* address) const;
  fiber& by_index(std::size_t index) const;
  sanitizer_stack& sanitizer_of(void* sp);
  void check_stack(const fiber& f) const;

  const unsigned id_;
  void* local_ = nullptr;
  struct exception_state {  // the C++ runtime's two per-thread words (Itanium C++ ABI 2.2.2)
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  exception_state* exceptions_ = nullptr;
  int patience_ = k_patience;
  ready_ring ready_;
  void* root_sp_ = nullptr;
  fiber* idle_workers_ = nullptr;
  stacks regular_;
  stacks large_;
  std::uint64_t spin_ticks_;
  std::uint64_t idle_since_ = 0;
  unsigned idle_rounds_ = 0;    // 0 while there is work
  [[no_unique_address]] sanitizer_stack thread_stack_;
  std::atomic<bool> stop_{false};
  wake_bits wakes_;
  sleeper sleeper_;

  static constinit thread_local scheduler* t_current;
};

}  // namespace gossamer::fiber
