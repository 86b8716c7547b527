#pragma once
// The scheduler of one core: it decides which fiber runs. A thread becomes a core by calling run(). Its own stack is
// the root context, which collects wake-ups, polls messages and decides to sleep. Fibers switch
// directly to one another; the root context runs when the ready ring is empty, and after every 128
// switches. Fibers never leave their core.
//
// A turn is the time between two visits to the root context. Its switches are bounded, and the turn watch (turn_watch.hpp) bounds its
// time: a thread that checks whether a core is still in the same turn as before. If so, it cuts the turn: the next switch goes to the root
// context, a worker polls after the task that it runs, and calls that issue messages poll (late()).
//
// Layers above derive from it: they define polling and provide tasks. A worker
// fiber runs task after task; another worker is taken only when it suspends inside one.
// Everything here is for the owning core, except notify(), wake_from_anywhere(), request_stop() and abandon().

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "gossamer/base/activity.hpp"
#include "gossamer/base/assert.hpp"
#include "gossamer/base/counters.hpp"
#include "gossamer/fiber/context.hpp"
#include "gossamer/fiber/internal/ready_ring.hpp"
#include "gossamer/fiber/internal/sleep_group.hpp"
#include "gossamer/fiber/internal/stacks.hpp"
#include "gossamer/fiber/internal/wake_bits.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::fiber {

/// The most fibers of one class on one core, as 32-bit numbers and the wake bits allow. Memory is usually the tighter limit.
inline constexpr std::size_t k_most_fibers = std::size_t{1} << 24;

struct scheduler_options {
  stack_options large{2, 1 << 20};
  // Half as much more is reserved, for tasks run on a waiting fiber's stack.
  stack_options regular{k_most_fibers, 64 << 10};
  stack_options small{k_most_fibers, 16 << 10, 65536};
  guard_supply guards = {};  // for each class
  std::uint64_t spin_ns = 50'000;  // how long an idle core polls for work before it sleeps
  std::uint64_t activity_ns =
      0;  // the shortest interval over which active fibers are counted; 0: not counted
};

class scheduler {
 public:
  using entry = void (*)(void* argument);

  scheduler(unsigned id, const scheduler_options& options, sleep_group& group);
  virtual ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Returns the core that runs this code; null outside a job.
  static scheduler* current() noexcept { return t_current; }
  /// Returns the core as current() does. Outside a job, ends the program in one line that names `call`.
  static scheduler& inside(const char* call) {
    if (t_current == nullptr) [[unlikely]]
      refuse_outside(call);
    return *t_current;
  }
  /// Makes `s` the core that runs from now on, and returns the previous one. For a simulation, which runs all cores on one
  /// thread.
  static scheduler* swap_current(scheduler* s) noexcept { return std::exchange(t_current, s); }

  unsigned id() const { return id_; }
  /// Returns the number of the job among those of this process, from 1 (owning_job.hpp).
  std::uint64_t job() const { return sleeper_.group().job; }
  const counters& count() const { return counters_; }
  counters& count() { return counters_; }
  /// Returns how many fibers were active over time; null where the options do not enable it.
  const activity* active_over_time() const { return activity_.get(); }
  /// Returns how long this core was idle: asleep, yielding to the system, or polling without success. By the core itself. Polls that
  /// ended in an arrival are counted with the least time that a poll takes; all other time is measured.
  std::uint64_t idle_ns() const;

  // --- for fibers ---------------------------------------------------------------------------

  /// Lets every other ready fiber run first. ~25 instructions.
  void yield() {
    GOSSAMER_DEBUG_ASSERT(running() != nullptr, "only a fiber can yield");
    if (ready_.turn_over() || exceptions_->in_flight()) [[unlikely]]
      return yield_slowly();  // also where canaries are checked: a turn is then one switch long
    void** const save = ready_.push_slot();
    hop(save, ready_.pop_slot());
  }

  /// Suspends this fiber until wake(). `reason` is a literal, which the report of a stall prints.
  void suspend(const char* reason) {
    fiber* const self = now_.running;
    GOSSAMER_ASSERT(self != &root_, k_fiber_rule);
    self->waits_for = reason;
    leave(&self->sp);
  }

  /// Polls for messages on the stack of the calling fiber for a short time. Where no other fiber and no task is ready, that saves the
  /// switches to the root context and back. Returns done(); if it is false, the caller suspends. Handlers of this core make
  /// done() true. They must not wake the fiber meanwhile: it is not suspended.
  template <class Done>
  bool poll_for(Done done) {
    GOSSAMER_ASSERT(now_.running != &root_, k_fiber_rule);
    if (!ready_.empty() || ++polled_here_ % k_patience == 0 || !may_poll_here()) return done();
    unsigned i = 1;
    for (; i <= k_polls_at_once; ++i) {
      // Messages of handlers have left by now: others may wait for them, and this fiber may compute for long.
      if (take_arrivals() && (done() || !ready_.empty() || has_task() || !settle_before_poll())) break;
      if (others_want(i)) break;
      machine::cpu_relax();
    }
    count_polls(i - 1);
    return done();
  }

  /// Returns the calling fiber; null in the root context.
  fiber* running() const { return now_.running != &root_ ? now_.running : nullptr; }

  /// Makes a suspended fiber of this core ready: a plain store into the ring.
  void wake(fiber& f) {
    GOSSAMER_DEBUG_ASSERT(f.home == this && f.waits_for != nullptr);
    f.waits_for = nullptr;
    ready_.push(f.sp);
  }

  /// Makes a suspended fiber ready, from any core. Costs an atomic OR and, where this core sleeps, a system call.
  void wake_from_anywhere(fiber& f);

  /// Starts a fiber that is no worker: entry(argument) on a stack of the given class. Returns null when no fiber
  /// is free, or when memory is short for a new one.
  [[nodiscard]] fiber* start(entry body, void* argument, const char* task, stack_class kind);

  /// Prepares a fiber whose owner keeps data on its stack until after its end (joinable.hpp). release() frees the stack; the owner calls
  /// it after the body has returned. Throws as refuse() does.
  [[nodiscard]] fiber* prepare(entry body, const char* task, stack_class kind);
  void launch(fiber& f, void* top, void* argument) {
    f.argument = argument;
    ready_.push(make_context(top, &fiber_entry, &f));
  }
  /// Throws gossamer::error that explains why start() has returned null, and what raises the limit.
  [[noreturn]] void refuse(stack_class kind) const;
  void release(fiber& f) {
    stacks_of(f.kind).give_back(f);
    --alive_;
  }

  /// Handles the exception of a fiber whose handle is destroyed without join(). Prints a line on standard error; layers
  /// above override it and pass the exception to a completion.
  virtual void not_joined(const fiber& f, std::exception_ptr what) noexcept;

  /// Names the task of the running fiber, for reports; a literal.
  void name_task(const char* task) { now_.running->task = task; }

  /// Returns the fiber-local pointer.
  void* local() const { return now_.running->local; }
  void set_local(void* value) { now_.running->local = value; }

  // --- for the thread -----------------------------------------------------------------------

  /// Runs fibers and tasks on the calling thread until request_stop().
  void run();
  void request_stop();
  /// Stops the core as request_stop() does, but also while fibers are ready, which are abandoned. Takes effect at the next visit to the
  /// root context.
  void abandon();
  /// Wakes this core if it sleeps. Call it after publishing work for the core by a seq_cst operation.
  void notify() { sleeper_.notify(); }
  /// Returns the number of the turn, odd while fibers run. Any thread.
  std::uint64_t turn() const { return turn_.load(std::memory_order_seq_cst); }  // pairs with run_ready()
  /// Returns whether the turn has lasted too long. Any thread.
  bool late() const { return late_.load(std::memory_order_relaxed); }
  /// Ends the turn at the next switch, and makes late() return true. Any thread.
  void cut_turn() {
    late_.store(true, std::memory_order_relaxed);
    ready_.cut_turn();
  }

  /// Calls f(fiber) for every suspended fiber; only while the core sleeps or has stopped.
  void each_suspended(const std::function<void(const fiber&)>& f) const;
  /// Allows this core more workers if tasks wait because all workers are suspended; returns whether that was
  /// so. Any thread, while all cores sleep.
  bool allow_more_workers();
  /// Returns whether the last refusal of a fiber was for lack of memory.
  bool short_of_memory() const;
  /// Returns whether the address lies in the caller's frames, on the stack of a fiber of this core.
  bool in_own_frames(const void* address) const;
  /// Describes a fault in a guard page, async-signal-safe; returns false when the address is in none.
  bool explain_fault(const void* address, char* buffer, std::size_t size) const;
  /// Returns the most bytes that any fiber of the class has ever used of its stack.
  std::size_t deepest_use(stack_class kind) const { return stacks_of(kind).deepest_use(); }
  /// Writes "core 1, fiber 7, task forall" for a failed assertion; returns the bytes written.
  std::size_t describe_running(char* buffer, std::size_t size) const;

 protected:
  /// Moves messages; returns whether anything happened. Runs on the root context or on a worker.
  virtual bool poll() = 0;
  /// Handles messages of other cores as poll() does, does nothing else, and does what before_woken() does. Called repeatedly while
  /// the core idles. On the root context, or on the stack of a fiber in poll_for().
  virtual bool take_arrivals() { return false; }
  /// Returns whether run_task() would find a task.
  virtual bool has_task() = 0;
  /// Runs one task on the calling fiber, if there is one.
  virtual bool run_task() = 0;
  /// The steps of idling: it begins, and continues when nothing has arrived for a short time.
  enum class idling : std::uint8_t { begins, goes_on };
  /// Flushes when nothing is ready: before spinning, after the first polls, and again before sleeping. Returns false while
  /// something could not be sent, so that the core must not sleep.
  virtual bool before_idle(idling step) = 0;
  /// Flushes small packets when nothing is ready, before polling, because more records are unlikely soon.
  virtual void flush_small() {}
  /// Sends open packets to cores that have taken all earlier ones: they may idle. Called between two turns of fibers that arrivals have
  /// woken.
  virtual void flush_to_idle() {}
  /// Flushes before a fiber polls in poll_for(). Returns false where before_idle() would do more.
  virtual bool settle_before_poll() { return false; }
  /// Does work that cannot wait for before_idle(). Called from time to time while fibers or tasks run. `late`: fibers of this core have
  /// computed for long, so everything is flushed whatever its age.
  virtual void while_busy(bool /*late*/) {}
  /// Sends messages that others wait for. Called before fibers run that were woken while no other was ready: they may compute for long.
  virtual void before_woken() {}
  /// Counts that this core has found work, for the detection of stalls. By the core itself.
  void bump_wake_epoch() { sleeper_.bump_wake_epoch(); }
  /// Returns resources that other cores may need. Called before sleeping, after before_idle().
  virtual void before_sleep() {}
  /// Returns whether other cores have published something. Reads with seq_cst loads.
  virtual bool has_news() const = 0;
  bool any_ready() const { return !ready_.empty(); }
  /// Returns whether tasks waited for a worker when root ran last: more tasks are no news then. Only this core's fibers free
  /// workers, and root looks again after them.
  bool tasks_wait() const { return tasks_wait_; }
  /// Returns the name of the running handler, for reports; null where none runs.
  virtual const char* running_handler() const { return nullptr; }

  /// Marks code that is no fiber, until end_handlers(), whatever stack it runs on: suspending and
  /// yielding there fail an assertion, which costs nothing elsewhere.
  struct interrupted {
    fiber* running;
    std::ptrdiff_t turn;
  };
  interrupted begin_handlers() { return {std::exchange(now_.running, &root_), ready_.interrupt()}; }
  void end_handlers(const interrupted& before) {
    ready_.resume(before.turn);
    if (late()) [[unlikely]]
      ready_.cut_turn();
    now_.running = before.running;
  }

  std::size_t ready_fibers() const { return ready_.size(); }

  /// Returns whether the calling fiber has as much stack left as a fresh fiber has for a task.
  bool has_stack_for_task() const {
    return stacks_of(now_.running->kind).left(*now_.running, __builtin_frame_address(0)) >= task_bytes_;
  }
  /// Returns whether the calling fiber handles an exception. Another task on its stack would take that exception for its
  /// own.
  bool exception_in_flight() const { return exceptions_->in_flight(); }
  /// Collects wake-ups and polls, for a fiber that runs tasks without switching. Never suspends.
  void poll_all();
  /// Counts a new turn for the turn watch, and resets late(). Returns what late() was. A requested cut stays.
  bool renew_turn();
  /// Runs the root context, which starts a worker if tasks wait, and every ready fiber.
  void yield_to_root();

  counters counters_;

 private:
  [[noreturn, gnu::cold]] static void refuse_outside(const char* call);

  static constexpr std::size_t k_many_ready = 512;  // fibers whose stacks have left the caches
  static constexpr const char* k_fiber_rule = "only a fiber can suspend (a handler cannot)";
  static constexpr int k_patience = 64;  // polls or tasks between two visits to root or poll
  static constexpr unsigned k_polls_at_once = 64;  // polls of poll_for() at a time

  struct exception_state {  // the C++ runtime's two per-thread words (Itanium C++ ABI 2.2.2)
    void* caught = nullptr;
    unsigned uncaught = 0;
    bool in_flight() const { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0; }
  };
  class kept_exceptions;

  fiber* try_prepare(entry body, const char* task, stack_class kind);
  static void worker_entry(void* self);
  static void fiber_entry(running_word* now);
  void work();
  void park();
  void yield_slowly();
  /// Switches to the next ready fiber. Always inlined: a processor predicts a return by the calls before it. After a switch those
  /// are another fiber's, so each return from here to the program is mispredicted.
  [[gnu::always_inline]] void leave(void** save) {
    if (ready_.turn_over() || ready_.empty() || exceptions_->in_flight()) [[unlikely]]
      return leave_slowly(save);
    if (ready_.size() >= k_many_ready) fetch_coming();
    hop(save, ready_.pop_deep_slot());
  }
  /// Prefetches the part of a coming fiber's stack above the frames that the ready ring prefetches: callers' frames, its argument,
  /// its head. With so many fibers ready, all of that has left the caches.
  [[gnu::noinline]] void fetch_coming() const {
    constexpr std::ptrdiff_t k_ahead = 10;  // the ready ring has prefetched the frame a few switches before
    constexpr std::ptrdiff_t k_frame_lines = 6, k_start_lines = 2;
    const auto* const frame = static_cast<const std::byte*>(ready_.ahead(k_ahead));
    const auto* const head = reinterpret_cast<const std::byte*>(fiber_of(frame));
    const auto* const start = head - k_start_lines * k_line_bytes;
    const auto* const callers = frame + ready_ring::k_deep_bytes;
    for (const auto* line = callers; line < start && line < callers + k_frame_lines * k_line_bytes;
         line += k_line_bytes)
      __builtin_prefetch(line, 1);
    __builtin_prefetch(head, 1);
    __builtin_prefetch(head - k_line_bytes);
    __builtin_prefetch(start);
  }
  void leave_slowly(void** save);
  void enter();
  void** next();
  void begin_turns(bool arrived);
  std::ptrdiff_t turn_pops(bool arrived);
  bool collect_wakes();
  bool start_worker();
  bool lacks_workers();
  void idle();
  void poll_repeatedly(std::uint64_t began);
  std::uint64_t count_idle();
  void count_polls(unsigned polls) { idle_ticks_ += polls * poll_ticks_; }
  void leave_idle();
  void run_ready(bool arrived);
  void before_fibers(bool were_idle);
  bool anything_new() const;
  bool may_sleep();
  bool may_poll_here();
  bool others_want(unsigned polls) const;
  stacks& stacks_of(stack_class kind) { return stacks_[static_cast<std::size_t>(kind)]; }
  const stacks& stacks_of(stack_class kind) const { return stacks_[static_cast<std::size_t>(kind)]; }
  fiber* find(const void* address) const;
  fiber& by_index(std::size_t index) const;
  void check_stack(const fiber& f) const;
  void note_activity();

#if defined(GOSSAMER_ASAN) || defined(GOSSAMER_TSAN)
  void hop(void** save, void** load);
#else
  void hop(void** save, void** load) { switch_context(&now_, save, load); }
#endif

  running_word now_;
  ready_ring ready_;
  exception_state* exceptions_ = nullptr;
  const unsigned id_;
  int turns_left_ = 0;
  bool any_unguarded_ = false;
  std::uint64_t alive_ = 0;
  fiber root_;  // represents the thread's own stack
  std::uint32_t numbers_ = 0;  // number of fibers of all classes that can exist
  std::array<stacks, k_stack_classes> stacks_;
  fiber* idle_workers_ = nullptr;
  std::size_t workers_ = 0;
  bool tasks_wait_ = false;  // in the last round of the root context no worker could be started for a task
  std::atomic<std::size_t>
      most_workers_;  // written while all cores sleep; read by the owner when it has woken
  std::atomic<bool> lacks_workers_{false};  // written before sleeping; read while all cores sleep
  const std::size_t task_bytes_;  // stack that a task may rely on
  std::uint64_t spin_ticks_;
  std::uint64_t idle_since_ = 0;
  std::uint64_t idle_counted_ = 0;  // ticks: idle_ticks_ contains this idle period up to here
  std::uint64_t idle_ticks_ = 0;  // measured idle time, and polls without success before one that succeeded
  std::uint64_t poll_ticks_;  // the least time of a poll, as measured so far; at first too little
  unsigned idle_rounds_ = 0;  // 0 while there is work
  unsigned polled_here_ = 0;  // calls of poll_for() that polled
  unsigned late_turns_ = 0;  // turns still treated as late, after one was
  bool in_halves_ = false;  // the ready fibers run in two turns or more
  bool idled_long_ = false;  // since the last call to the turn watch
  std::atomic<std::uint64_t> turn_{0};  // written by this core at each turn, read by the turn watch
  std::atomic<bool> late_{false};  // written by the turn watch; relaxed: a hint
  enum stop_word : std::uint8_t { k_runs, k_stops_idle, k_stops };
  std::atomic<stop_word> stop_{k_runs};
  wake_bits wakes_;
  sleeper sleeper_;
  std::uint64_t parked_ = 0;  // workers without a task
  std::unique_ptr<activity> activity_;

  static constinit thread_local scheduler* t_current;
};

}  // namespace gossamer::fiber
