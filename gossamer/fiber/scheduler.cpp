#include "gossamer/fiber/scheduler.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/short_name.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/fiber/context.hpp"
#include "gossamer/fiber/turn_watch.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::fiber {

constinit thread_local scheduler* scheduler::t_current = nullptr;

namespace {
/// What reports call a class, and what raises its limits.
struct class_words {
  const char *name, *raise_fibers, *raise_bytes;
};
constexpr class_words k_classes[k_stack_classes] = {
    {"large", "nothing: there are two", "job_options::main_stack_bytes"},
    {"regular", "job_options::fibers (GOSSAMER_FIBERS)", "job_options::stack_bytes (GOSSAMER_STACK_BYTES)"},
    {"small", "job_options::small_fibers (GOSSAMER_SMALL_FIBERS)",
     "job_options::small_stack_bytes (GOSSAMER_SMALL_STACK_BYTES)"}};

/// Switches between two visits to the root context. A turn that lasts is cut by the turn watch.
constexpr int k_turn_switches = ready_ring::k_longest_turn;

stack_options with_room_for_tasks(stack_options o) {
  o.bytes += o.bytes / 2;
  return o;
}

/// Returns the pops of a turn, as a simulation's seed has changed them: fewer fibers may have their turn.
/// Also lets another fiber come first.
std::ptrdiff_t perturbed_pops(ready_ring& ready, machine::simulated_system& by, unsigned pops) {
  const auto first = static_cast<unsigned>(std::min<std::size_t>(ready.size(), pops));
  if (first > 1) ready.rotate(by.choose(first, "ready"));
  return static_cast<std::ptrdiff_t>(pops - by.choose(pops, "ready"));
}
}  // namespace

// Fibers are numbered class by class, the few large ones first: low numbers are woken cheapest
// (wake_bits.hpp). Those that come when a class grows have the next numbers.
scheduler::scheduler(unsigned id, const scheduler_options& o, sleep_group& group)
    : id_(id),
      stacks_{stacks{stack_class::large, o.large, numbers_, o.guards},
              stacks{stack_class::regular, with_room_for_tasks(o.regular), numbers_, o.guards},
              stacks{stack_class::small, o.small, numbers_, o.guards}},
      most_workers_(std::min(o.regular.fibers, o.regular.first)),
      task_bytes_(o.regular.bytes),
      spin_ticks_(o.spin_ns * machine::ticks_per_us() / 1000),
      poll_ticks_(machine::ticks_per_us() / 64),
      wakes_(o.large.fibers + o.regular.fibers + o.small.fibers),
      sleeper_(group),
      activity_(o.activity_ns != 0 ? std::make_unique<activity>(o.activity_ns) : nullptr) {
  now_.running = &root_;
  root_.home = this;
}

scheduler::~scheduler() = default;

void scheduler::refuse_outside(const char* call) {
  fatal(fmt::format("{}: called outside of gossamer::run(), where there are no cores", call).c_str());
}

fiber* scheduler::find(const void* address) const {
  for (const stacks& s : stacks_)
    if (fiber* const f = s.at(address)) return f;
  return nullptr;
}

bool scheduler::in_own_frames(const void* address) const {
  const void* const here = __builtin_frame_address(0);
  return address > here && address < find(here);
}

fiber& scheduler::by_index(std::size_t index) const {
  for (const stacks& s : stacks_)
    if (fiber* const f = s.by_index(index)) return *f;
  __builtin_unreachable();  // numbers come from fibers of this core
}

void scheduler::check_stack(const fiber& f) const {
  if (f.guarded) return;
  if (stacks_of(f.kind).canary_intact(f)) return;
  char line[256];
  std::snprintf(line, sizeof line, "a fiber ran over its stack: raise %s",
                k_classes[static_cast<std::size_t>(f.kind)].raise_bytes);
  fatal(line);
}

// --- switching ----------------------------------------------------------------------------------

#if defined(GOSSAMER_ASAN) || defined(GOSSAMER_TSAN)
void scheduler::hop(void** save, void** load) {
  if (save == load) return;  // a fiber that yields to itself
  fiber& self = *now_.running;
  fiber* to = find(*load);
  sanitizer_leave(self.sanitizer, (to != nullptr ? *to : root_).sanitizer);
  switch_context(&now_, save, load);
  sanitizer_arrive(self.sanitizer, &root_.sanitizer);
}
#endif

void scheduler::leave_slowly(void** save) {
  check_stack(*now_.running);
  void** const load = next();
  // An exception may be in flight here (a destructor or catch block that suspends): it is the fiber's.
  const exception_state exceptions = *exceptions_;
  *exceptions_ = {};
  hop(save, load);
  *exceptions_ = exceptions;
}

void scheduler::enter() {
  hop(&root_.sp, ready_.pop_slot());
  counters_.switches += ready_.taken();
  ready_.begin_turn(0);  // no fiber yields from here
  turn_.store(turn() + 1, std::memory_order_relaxed);
}

bool scheduler::renew_turn() {
  if (!late()) [[likely]] {
    turn_.store(turn() + 2, std::memory_order_relaxed);
    return false;
  }
  late_.store(false, std::memory_order_relaxed);
  turn_.store(
      turn() + 2,
      std::memory_order_seq_cst);  // before checking whether the watch pauses; pairs with turn_watch::tick()
  if (auto* const watch = sleeper_.group().watch) watch->resume();
  late_turns_ = k_patience;
  return true;
}

/// Returns the switches of a turn. Many fibers that arrivals have woken run in two turns at least: cores that idle then take what the
/// first half has sent (flush_to_idle()) while the second half runs. Simulated cores run them in one.
std::ptrdiff_t scheduler::turn_pops(bool arrived) {
  constexpr std::ptrdiff_t k_least_half = 32;  // of fewer fibers the packets would be too small
  in_halves_ = false;
  if (any_unguarded_) return 1;
  const auto ready = static_cast<std::ptrdiff_t>(ready_.size());
  const std::ptrdiff_t half = std::min<std::ptrdiff_t>((ready + 1) / 2, k_turn_switches);
  in_halves_ = arrived && half >= k_least_half;
  return in_halves_ ? half : k_turn_switches;
}

void scheduler::begin_turns(bool arrived) {
  turn_.store(turn() + 1, std::memory_order_relaxed);
  // Unguarded stacks have their canaries checked at every switch: a turn is then one switch long.
  turns_left_ = any_unguarded_ ? k_turn_switches : 1;
  if (auto* const s = machine::simulated(); s != nullptr && !any_unguarded_) [[unlikely]]
    return ready_.begin_turn(perturbed_pops(ready_, *s, k_turn_switches));
  ready_.begin_turn(turn_pops(arrived));
}

/// Returns where the stack pointer of the next to run lies: a fiber's, or root's when its turn has come.
void** scheduler::next() {
  if (ready_.turn_over() && --turns_left_ > 0 && !late() &&
      ready_.has_room()) {  // without: the slots would move
    counters_.switches += ready_.taken();
    ready_.begin_turn(1);
  }
  return ready_.turn_over() || ready_.empty() ? &root_.sp : ready_.pop_slot();
}

void scheduler::yield_slowly() {
  GOSSAMER_ASSERT(running() != nullptr, "only a fiber can yield (a handler cannot)");
  ready_.push(nullptr);  // a place in the queue, before next() checks whether it is empty
  void** const save = ready_.last_slot();
  leave_slowly(save);
}

void scheduler::yield_to_root() {
  check_stack(*now_.running);
  ready_.push(nullptr);
  hop(ready_.last_slot(), &root_.sp);
}

void scheduler::poll_all() {
  if (auto* const s = machine::simulated()) [[unlikely]]
    s->look();
  collect_wakes();
  poll();
  while_busy(renew_turn());
}

void scheduler::wake_from_anywhere(fiber& f) {
  if (t_current == this) return wake(f);
  wakes_.set(f.index);
  sleeper_.notify();
}

bool scheduler::collect_wakes() {
  return wakes_.drain(numbers_, [this](std::size_t index) {
    ++counters_.wakes_remote;
    wake(by_index(index));
  });
}

// --- fibers -------------------------------------------------------------------------------------

fiber* scheduler::prepare(entry body, const char* task, stack_class kind) {
  fiber* const f = try_prepare(body, task, kind);
  if (f == nullptr) refuse(kind);
  f->kept = true;
  return f;
}

void scheduler::refuse(stack_class kind) const {
  const stacks& all = stacks_of(kind);
  if (all.short_of_memory())
    throw error(fmt::format("a fiber after {} others on core {} needs memory for its stack: {} available{}",
                            alive_, id_, format_bytes(machine::available_memory()),
                            machine::memory_limit_hint()));
  throw error(fmt::format("all {} {} fibers of core {} are in use: raise {}", all.most(),
                          k_classes[static_cast<std::size_t>(kind)].name, id_,
                          k_classes[static_cast<std::size_t>(kind)].raise_fibers));
}

void scheduler::not_joined(const fiber& f, std::exception_ptr what) noexcept {
  const auto say = [&](const char* text) {
    machine::print_error(fmt::format("fiber {} of core {} (task {}) has failed and was not joined: {}",
                                     f.index, id_, shown(f.task).chars.data(), text));
  };
  try {
    std::rethrow_exception(std::move(what));
  } catch (const std::exception& e) {
    say(e.what());
  } catch (...) {
    say("something that is not a std::exception was thrown");
  }
}

fiber* scheduler::try_prepare(entry body, const char* task, stack_class kind) {
  fiber* f = stacks_of(kind).take();
  if (f == nullptr && kind == stack_class::regular && idle_workers_ != nullptr) {
    release(*std::exchange(idle_workers_, idle_workers_->next));  // nothing on its stack has an end to come
    --workers_;
    --parked_;
    f = stacks_of(kind).take();
  }
  if (f == nullptr) return nullptr;
  f->sanitizer.renew();
  f->home = this;
  f->entry = body;
  f->task = task;
  f->local = nullptr;
  f->kept = false;
  any_unguarded_ |= !f->guarded;
  ++counters_.fibers_created;
  if (++alive_ > counters_.fibers_peak) counters_.fibers_peak = alive_;
  return f;
}

fiber* scheduler::start(entry body, void* argument, const char* task, stack_class kind) {
  fiber* f = try_prepare(body, task, kind);
  if (f != nullptr) launch(*f, f, argument);
  return f;
}

// Runs a fiber. All calls have returned when it switches for the last time: the joiner then returns as the processor predicts.
void scheduler::fiber_entry(running_word* now) {
  fiber* self = now->running;
  scheduler& home = *self->home;
  sanitizer_arrive(self->sanitizer, &home.root_.sanitizer);
  self->entry(self->argument);
  // The stack is still ours until the switch: only this core takes stacks from these lists.
  if (!self->kept) home.release(*self);
  void* unused;
  home.leave(&unused);
  __builtin_unreachable();
}

void scheduler::worker_entry(void* self) { static_cast<scheduler*>(self)->work(); }

void scheduler::work() {
  for (int until_poll = k_patience;;) {
    // A worker that root has started runs at least one task, so that fibers which yield for ever starve none.
    if (!run_task() || !ready_.empty()) park();
    if (--until_poll == 0 || late()) {
      until_poll = k_patience;
      poll();
      while_busy(renew_turn());
      if (stop_.load(std::memory_order_relaxed) == k_stops) [[unlikely]]  // checked in each round
        park();
    }
  }
}

void scheduler::park() {
  fiber* self = running();
  self->task = nullptr;
  self->next = idle_workers_;
  idle_workers_ = self;
  ++parked_;
  leave(&self->sp);
}

/// Starts a worker. Returns false if all are in use, or if memory is short for another: the tasks wait.
bool scheduler::start_worker() {
  fiber* f = idle_workers_;
  if (f != nullptr) {
    idle_workers_ = f->next;
    f->next = nullptr;
    --parked_;
    ready_.push(f->sp);
    return true;
  }
  if (workers_ >= most_workers_.load(std::memory_order_relaxed) ||
      start(&worker_entry, this, nullptr, stack_class::regular) == nullptr)
    return false;
  ++workers_;
  return true;
}

/// Returns whether tasks wait because all workers are suspended that this core may have for now.
bool scheduler::lacks_workers() {
  const std::size_t most = most_workers_.load(std::memory_order_relaxed);
  return workers_ >= most && most < stacks_of(stack_class::regular).most() && has_task();
}

// Doubles the limit of workers. Tasks that all wait for one another then cost a few sleeps. Tasks that wait
// for something else do not take all memory.
bool scheduler::allow_more_workers() {
  if (!lacks_workers_.exchange(false, std::memory_order_acquire))
    return false;  // pairs with may_sleep()'s release
  const std::size_t most = most_workers_.load(std::memory_order_relaxed);
  most_workers_.store(std::min(2 * most, stacks_of(stack_class::regular).most()), std::memory_order_relaxed);
  notify();  // publishes it
  return true;
}

// --- the thread ---------------------------------------------------------------------------------

/// Clears the thread's exception state, and restores it at the end of the scope.
class scheduler::kept_exceptions {
 public:
  explicit kept_exceptions(exception_state& of) : of_(of), kept_(std::exchange(of, {})) {}
  ~kept_exceptions() { of_ = kept_; }
  kept_exceptions(const kept_exceptions&) = delete;
  kept_exceptions& operator=(const kept_exceptions&) = delete;

 private:
  exception_state& of_;
  const exception_state kept_;
};

void scheduler::run() {
  GOSSAMER_ASSERT(t_current == nullptr, "this thread is a core already");
  t_current = this;
  static_assert(sizeof(exception_state) <= 2 * sizeof(void*));
  exceptions_ = reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
  // A catch block may have called run(): its exception belongs to the caller's frames, not to the fibers.
  const kept_exceptions callers(*exceptions_);
  root_.sanitizer.adopt_thread();
  while (true) {
    if (auto* s = machine::simulated()) [[unlikely]]
      s->look();
    const bool were_idle = ready_.empty();
    collect_wakes();
    if (activity_ != nullptr) [[unlikely]]
      note_activity();
    if (ready_.empty() && idle_rounds_ == 0) flush_small();
    const bool moved = poll();
    if (stop_.load(std::memory_order_relaxed) == k_stops) [[unlikely]]  // checked in each round
      break;
    tasks_wait_ = has_task() && !start_worker();
    if (!ready_.empty()) {
      leave_idle();
      before_fibers(were_idle);
      run_ready(moved);
    } else if (moved) {
      idle_rounds_ = 0;
      while_busy(false);
    } else if (stop_.load(std::memory_order_acquire) != k_runs) {  // pairs with request_stop()
      break;
    } else {
      idle();
    }
  }
  t_current = nullptr;
}

void scheduler::request_stop() {
  stop_word before = k_runs;
  // seq_cst: before reading the sleeper's word; pairs with sleep()'s check
  stop_.compare_exchange_strong(before, k_stops_idle, std::memory_order_seq_cst);
  sleeper_.notify();
}

void scheduler::abandon() {
  stop_.store(k_stops, std::memory_order_seq_cst);  // as in request_stop()
  sleeper_.notify();
}

/// Notes how many fibers are in tasks, and how many of those wait. In the root context.
void scheduler::note_activity() {
  const std::uint64_t active = alive_ - parked_;
  activity_->note(machine::now_ns(), active, active - ready_.size());
}

bool scheduler::anything_new() const {
  return !ready_.empty() || has_news() || wakes_.any() || stop_.load(std::memory_order_seq_cst) != k_runs;
}

/// Looks once more before sleeping. Other cores that offer a task from now on wake this core.
bool scheduler::may_sleep() {
  lacks_workers_.store(lacks_workers(), std::memory_order_release);  // pairs with allow_more_workers()
  return !anything_new();
}

void scheduler::leave_idle() {
  if (idle_rounds_ != 0) sleeper_.bump_wake_epoch();
  idle_rounds_ = 0;
}

/// Sends what may not wait for the fibers that are about to run.
void scheduler::before_fibers(bool were_idle) {
  if (renew_turn() || late_turns_ != 0) [[unlikely]] {
    if (late_turns_ != 0) --late_turns_;
    return while_busy(true);
  }
  while_busy(false);
  if (were_idle)
    before_woken();
  else if (in_halves_)
    flush_to_idle();
}

/// Runs the fibers that are ready, until none is or root's turn has come.
void scheduler::run_ready(bool arrived) {
  begin_turns(arrived);
  if (idled_long_) [[unlikely]] {
    idled_long_ = false;
    turn_.store(
        turn(),
        std::
            memory_order_seq_cst);  // before checking whether the watch pauses; pairs with turn_watch::tick()
    if (auto* const watch = sleeper_.group().watch) watch->resume();
  }
  enter();
}

/// Returns whether a fiber may poll on its own stack: not on a small one, because handlers run there. The cores
/// of a simulation do not poll repeatedly.
bool scheduler::may_poll_here() {
  return spin_ticks_ != 0 && now_.running->kind != stack_class::small && machine::simulated() == nullptr &&
         !has_task() && settle_before_poll();
}

/// Returns whether there is work other than that of take_arrivals(): a wake-up or, checked at every eighth poll
/// because it is expensive and seldom urgent, anything new.
bool scheduler::others_want(unsigned polls) const {
  constexpr unsigned k_polls_for_all = 8;
  return wakes_.any() || (polls % k_polls_for_all == 0 && anything_new());
}

std::uint64_t scheduler::idle_ns() const {
  if (const auto* s = machine::simulated()) return s->waited_ns();
  const std::uint64_t of_us = machine::ticks_per_us();
  return idle_ticks_ / of_us * 1000 +
         idle_ticks_ % of_us * 1000 / of_us;  // a product of all ticks would overflow
}

/// Counts the time since this core began to idle, or since the last call. Returns the current ticks. A simulation
/// counts by itself, because reading its clock takes virtual time.
std::uint64_t scheduler::count_idle() {
  if (machine::simulated() != nullptr) return 0;
  const std::uint64_t now = machine::ticks();
  idle_ticks_ += now - std::exchange(idle_counted_, now);
  return now;
}

/// Polls for a short time. Handles arrivals at once, and then runs the fibers that waited for them, and those that
/// other cores have woken: a ping-pong needs nothing else. `began`: ticks.
void scheduler::poll_repeatedly(std::uint64_t began) {
  for (unsigned i = 1; i <= k_polls_at_once; ++i) {
    if (take_arrivals() || collect_wakes()) {
      count_polls(i - 1);
      if (!ready_.empty()) {
        leave_idle();
        (void)renew_turn();  // a turn that was cut and ended before the core idled is over
        run_ready(true);
        if (ready_.empty()) flush_small();  // before all else: others wait for it
      }
      idle_rounds_ = 0;
      return while_busy(renew_turn());
    }
    if (others_want(i)) {
      count_polls(i);
      return;
    }
    machine::cpu_relax();
  }
  poll_ticks_ = std::min(poll_ticks_, (count_idle() - began) / k_polls_at_once);
}

void scheduler::idle() {
  constexpr std::uint64_t k_first_wait_ns = 20'000;
  constexpr unsigned k_wait_share =
      8;  // what comes during a timed wait waits by so much of the idle time more
  constexpr std::uint64_t k_long_idle_us = 1000;  // the turn watch may pause then
  constexpr unsigned k_begun = 1, k_polled = 2, k_gone_on = 3;
  constexpr unsigned k_yields = 10;  // rounds in which the operating system may run others, before sleeping
  if (idle_rounds_ == 0) {
    // First of all: other cores may wait for what leaves now. Simulated cores do not poll repeatedly.
    idle_rounds_ = machine::simulated() == nullptr ? k_begun : k_gone_on;
    before_idle(idle_rounds_ == k_begun ? idling::begins : idling::goes_on);
    idle_since_ = idle_counted_ = machine::ticks();
  } else if (idle_rounds_ == k_polled) {
    idle_rounds_ = k_gone_on;
    before_idle(idling::goes_on);
  } else if (const std::uint64_t idle_for = machine::ticks() - idle_since_; idle_for < spin_ticks_) {
    idled_long_ |= idle_for > k_long_idle_us * machine::ticks_per_us();
    if (machine::simulated() != nullptr)
      sleeper_.pre_sleep([this] { return anything_new(); }, spin_ticks_ - idle_for);
    else
      poll_repeatedly(idle_since_ + idle_for);
    if (idle_rounds_ == k_begun) idle_rounds_ = k_polled;
  } else if (!before_idle(idling::goes_on) || ++idle_rounds_ < k_yields) {
    idled_long_ = true;
    machine::yield_thread();
    (void)count_idle();
  } else {
    before_sleep();
    const std::uint64_t longest = sleeper_.group().longest_wait_ns;
    const std::uint64_t idle_ns = (machine::ticks() - idle_since_) * 1000 / machine::ticks_per_us();
    const std::uint64_t timed_wait =
        longest == 0 ? 0 : std::min(longest, std::max(k_first_wait_ns, idle_ns / k_wait_share));
    counters_.sleeps += sleeper_.sleep([this] { return !may_sleep(); }, timed_wait);
    (void)count_idle();
    // After a timed wait it may begin the next one without polling for long.
    if (longest == 0 || anything_new()) idle_rounds_ = 0;
  }
}

// --- reports ------------------------------------------------------------------------------------

void scheduler::each_suspended(const std::function<void(const fiber&)>& f) const {
  for (const stacks& s : stacks_)
    s.each_touched([&](const fiber& one) {
      if (one.waits_for != nullptr) f(one);
    });
}

bool scheduler::short_of_memory() const { return std::ranges::any_of(stacks_, &stacks::short_of_memory); }

bool scheduler::explain_fault(const void* address, char* buffer, std::size_t size) const {
  for (const stacks& s : stacks_) {
    if (!s.in_guard(address)) continue;
    const fiber* f = s.at(address);
    std::snprintf(buffer, size,
                  "stack overflow on core %u, fiber %u (task %s): its stack has %zu KiB, raise %s", id_,
                  f->index, shown(f->task).chars.data(), (s.bytes() - machine::page_bytes()) >> 10,
                  k_classes[static_cast<std::size_t>(f->kind)].raise_bytes);
    return true;
  }
  return false;
}

std::size_t scheduler::describe_running(char* buffer, std::size_t size) const {
  const fiber* f = running();
  const int n = f != nullptr ? std::snprintf(buffer, size, "core %u, fiber %u, task %s", id_, f->index,
                                             shown(f->task).chars.data())
                : running_handler() != nullptr ? std::snprintf(buffer, size, "core %u, handler %s", id_,
                                                               shown(running_handler()).chars.data())
                                               : std::snprintf(buffer, size, "core %u, root context", id_);
  return n < 0 ? 0 : static_cast<std::size_t>(n) < size ? static_cast<std::size_t>(n) : size;
}

}  // namespace gossamer::fiber
