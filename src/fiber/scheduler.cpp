#include "gossamer/fiber/scheduler.hpp"

#include <cxxabi.h>

#include <cstdio>

#include "gossamer/fiber/context.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::fiber {

constinit thread_local scheduler* scheduler::t_current = nullptr;

scheduler::scheduler(unsigned id, const scheduler_options& options, sleep_group& group)
    : id_(id),
      ready_(options.fibers + options.large_stacks),
      regular_(options.fibers, options.stack_bytes, 0, options.guards),
      large_(options.large_stacks, options.large_stack_bytes, static_cast<std::uint32_t>(options.fibers),
             options.large_stacks),
      spin_ticks_(options.spin_ns * machine::ticks_per_us() / 1000),
      wakes_(options.fibers + options.large_stacks),
      sleeper_(group) {}

scheduler::~scheduler() = default;

fiber* scheduler::find(const void* address) const {
  if (regular_.contains(address)) return regular_.at(address);
  return large_.contains(address) ? large_.at(address) : nullptr;
}

fiber* scheduler::running() const { return find(__builtin_frame_address(0)); }

bool scheduler::on_fiber_stack(const void* address) const { return find(address) != nullptr; }

fiber& scheduler::by_index(std::size_t index) const {
  return index < regular_.count() ? *regular_.head_of(index) : *large_.head_of(index - regular_.count());
}

sanitizer_stack& scheduler::sanitizer_of(void* sp) {
  fiber* f = find(sp);
  return f != nullptr ? f->sanitizer : thread_stack_;
}

void scheduler::check_stack(const fiber& f) const {
  GOSSAMER_DEBUG_ASSERT(&f == running());
  if (f.guarded) return;
  GOSSAMER_ASSERT(regular_.canary_intact(f), "a fiber ran over its stack: raise stack_bytes");
}

void scheduler::name_task(const char* task) {
  if (fiber* f = running()) f->task = task;
}

// --- switching ----------------------------------------------------------------------------------

void scheduler::leave(fiber& self, void** save, void* to) {
  check_stack(self);
  ++counters_.switches;
  void* const local = local_;
  // An exception may be in flight here (a destructor or catch block that suspends): it is the fiber's.
  const exception_state exceptions = *exceptions_;
  if (exceptions.caught != nullptr || exceptions.uncaught != 0) *exceptions_ = {};
  sanitizer_leave(self.sanitizer, sanitizer_of(to));
  gossamer_switch(save, to);
  sanitizer_arrive(self.sanitizer, &thread_stack_);
  *exceptions_ = exceptions;
  local_ = local;
}

void scheduler::enter(void* sp) {
  sanitizer_leave(thread_stack_, sanitizer_of(sp));
  gossamer_switch(&root_sp_, sp);
  sanitizer_arrive(thread_stack_, nullptr);
  local_ = nullptr;
}

void* scheduler::next_context() {
  if (--patience_ <= 0 || ready_.empty()) {
    patience_ = k_patience;
    return root_sp_;
  }
  return ready_.pop();
}

void scheduler::yield() {
  if (ready_.empty() && patience_ > 1) {
    --patience_;
    return;
  }
  fiber* self = running();
  GOSSAMER_ASSERT(self != nullptr, "only a fiber can yield");
  void* to = next_context();
  leave(*self, ready_.push_slot(), to);
}

void scheduler::suspend(const char* reason) {
  fiber* self = running();
  GOSSAMER_ASSERT(self != nullptr, "only a fiber can suspend (a handler cannot)");
  self->waits_for = reason;
  void* to = next_context();
  leave(*self, &self->sp, to);
}

void scheduler::wake_from_anywhere(fiber& f) {
  if (t_current == this) return wake(f);
  wakes_.set(f.index);
  sleeper_.notify();
}

void scheduler::collect_wakes() {
  wakes_.drain([this](std::size_t index) {
    ++counters_.wakes_remote;
    wake(by_index(index));
  });
}

// --- fibers -------------------------------------------------------------------------------------

fiber* scheduler::prepare(stacks& from, entry body, void* argument, const char* task) {
  fiber* f = from.take();
  if (f == nullptr) return nullptr;
  f->home = this;
  f->entry = body;
  f->argument = argument;
  f->task = task;
  f->sp = make_context(f, &fiber_entry, f);
  ++counters_.fibers_created;
  const std::uint64_t alive = regular_.in_use() + large_.in_use();
  if (alive > counters_.fibers_peak) counters_.fibers_peak = alive;
  return f;
}

fiber* scheduler::start(entry body, void* argument, const char* task, stack_class kind) {
  fiber* f = prepare(kind == stack_class::large ? large_ : regular_, body, argument, task);
  if (f != nullptr) ready_.push(f->sp);
  return f;
}

void scheduler::fiber_entry(void* argument) {
  auto* self = static_cast<fiber*>(argument);
  scheduler* home = self->home;
  sanitizer_arrive(self->sanitizer, &home->thread_stack_);
  home->local_ = nullptr;
  self->entry(self->argument);
  home->finish();
}

void scheduler::finish() {
  fiber* self = running();
  check_stack(*self);
  (large_.contains(self) ? large_ : regular_).give_back(*self);
  // The stack is still ours until the switch: only this core takes stacks from these lists.
  void* unused;
  leave(*self, &unused, next_context());
  __builtin_unreachable();
}

void scheduler::worker_entry(void* self) { static_cast<scheduler*>(self)->work(); }

void scheduler::work() {
  for (int until_poll = k_patience;;) {
    // A worker that root has started runs at least one task, so that fibers which yield for ever starve none.
    if (!run_task() || !ready_.empty()) park();
    if (--until_poll == 0) {
      until_poll = k_patience;
      poll();
    }
  }
}

void scheduler::park() {
  fiber* self = running();
  self->task = nullptr;
  self->next = idle_workers_;
  idle_workers_ = self;
  leave(*self, &self->sp, next_context());
}

void scheduler::start_worker() {
  fiber* f = idle_workers_;
  if (f != nullptr) {
    idle_workers_ = f->next;
    f->next = nullptr;
  } else {
    f = prepare(regular_, &worker_entry, this, nullptr);
    if (f == nullptr) return;  // all in use: the tasks wait
  }
  ready_.push(f->sp);
}

// --- the thread ---------------------------------------------------------------------------------

void scheduler::run() {
  GOSSAMER_ASSERT(t_current == nullptr, "this thread is a core already");
  t_current = this;
  static_assert(sizeof(exception_state) <= 2 * sizeof(void*));
  exceptions_ = reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
  thread_stack_.adopt_thread();
  while (true) {
    collect_wakes();
    const bool moved = poll();
    if (has_task()) start_worker();
    if (!ready_.empty()) {
      idle_rounds_ = 0;
      patience_ = k_patience;
      enter(ready_.pop());
    } else if (moved) {
      idle_rounds_ = 0;
    } else if (stop_.load(std::memory_order_acquire)) {  // pairs with request_stop()
      break;
    } else {
      idle();
    }
  }
  t_current = nullptr;
}

void scheduler::request_stop() {
  stop_.store(true, std::memory_order_seq_cst);  // before the look at the sleeper; pairs with sleep()'s check
  sleeper_.notify();
}

void scheduler::idle() {
  constexpr unsigned k_yields = 8;  // to the operating system, before sleeping
  const std::uint64_t now = machine::ticks();
  if (idle_rounds_ == 0) {
    idle_rounds_ = 1;
    idle_since_ = now;
    before_idle();
  } else if (now - idle_since_ < spin_ticks_) {
    machine::cpu_relax();
  } else if (!before_idle() || ++idle_rounds_ < k_yields) {
    machine::yield_thread();
  } else {
    const bool slept = sleeper_.sleep([this] {
      return !ready_.empty() || has_news() || wakes_.any() || stop_.load(std::memory_order_seq_cst);
    });
    counters_.sleeps += slept;
    idle_rounds_ = 0;
  }
}

// --- reports ------------------------------------------------------------------------------------

void scheduler::each_suspended(const std::function<void(const fiber&)>& f) const {
  for (const stacks* s : {&large_, &regular_})
    for (std::size_t slot = 0; slot < s->touched(); ++slot)
      if (const fiber* one = s->head_of(slot); one->waits_for != nullptr) f(*one);
}

bool scheduler::explain_fault(const void* address, char* buffer, std::size_t size) const {
  for (const stacks* s : {&regular_, &large_}) {
    if (!s->contains(address)) continue;
    const fiber* f = s->at(address);
    const auto slot = static_cast<std::size_t>(f->index) - (s == &large_ ? regular_.count() : 0);
    if (!s->in_guard(slot, address)) return false;
    std::snprintf(buffer, size, "stack overflow on core %u, fiber %u (task %s): its stack has %zu KiB", id_,
                  f->index, f->task != nullptr ? f->task : "unnamed", s->bytes() >> 10);
    return true;
  }
  return false;
}

std::size_t scheduler::describe_running(char* buffer, std::size_t size) const {
  const fiber* f = running();
  const int n = f != nullptr ? std::snprintf(buffer, size, "core %u, fiber %u, task %s", id_, f->index,
                                             f->task != nullptr ? f->task : "unnamed")
                             : std::snprintf(buffer, size, "core %u, root context", id_);
  return n < 0 ? 0 : static_cast<std::size_t>(n) < size ? static_cast<std::size_t>(n) : size;
}

}  // namespace gossamer::fiber
