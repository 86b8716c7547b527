#include "gossamer/simulation/internal/engine.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"

namespace gossamer::simulation {

namespace {

constexpr std::uint64_t k_longest_turn_ns = 10'000'000;  // between two checks of the bounds of a run

std::uint64_t later(std::uint64_t time, std::uint64_t by) {
  return time > k_never - by ? k_never : time + by;
}

}  // namespace

engine::engine(const options& o, model& costs)
    : options_(o),
      what_(o.print()),
      model_(costs),
      lookahead_(o.node > 1 ? 1 : std::max<std::uint64_t>(1, costs.lookahead_ns())),
      windows_(o.processes, o.window_bytes),
      processes_(o.processes) {
  for (unsigned p = 0; p < o.processes; ++p) order_.add();
  if (o.compute == options::computing::measured) own_.emplace();
}

engine::~engine() = default;

context& engine::add(unsigned process, std::string name, std::function<void()> body,
                     std::size_t stack_bytes) {
  process_state& in = at(process);
  const auto number = static_cast<unsigned>(in.contexts.size());
  in.contexts.push_back(
      std::make_unique<context>(process, number, std::move(name), std::move(body), stack_bytes, base_));
  context& c = *in.contexts.back();
  in.order.add();
  ++live_;
  if (running_ != nullptr) {
    settle(*running_);
    c.clock = running_->clock + model_.start_ns();
  }
  ready(c, c.clock);
  return c;
}

// --- what runs ----------------------------------------------------------------------------------

void engine::run() {
  while (live_ != 0 && !failed_) {
    const unsigned p = order_.first();
    const std::uint64_t time = order_.earliest();
    if (options_.lose && !at(options_.lose->process).lost && time >= options_.lose->at_ns) {
      lose(options_.lose->process);
      continue;
    }
    if (time == k_never || time > options_.most_ns) {
      failure_ = stopped(time);
      break;
    }
    run_process(p);
  }
  for (process_state& in : processes_)
    for (auto& c : in.contexts)
      if (c->is != context::state::ended) c->is = context::state::abandoned;
}

void engine::run_process(unsigned p) {
  process_state& in = at(p);
  order_.set(p, k_never);
  limit_ = std::min(later(order_.earliest(), lookahead_), later(options_.most_ns, 1));
  if (options_.lose && !at(options_.lose->process).lost) limit_ = std::min(limit_, options_.lose->at_ns);
  entered_ = p;
  machine::simulated_system* const outside = machine::simulate(in.system);
  windows_.enter(p);
  while (!failed_ && in.order.earliest() < limit_ && !went_too_far())
    if (context& c = *in.contexts[in.order.first()]; !held_back(in, c)) run_context(in, c);
  machine::simulate(outside);
  entered_ = k_nobody;
  order_.set(p, in.order.earliest());
}

/// Returns whether the run took more steps than allowed, and fails it then. Without this limit a loop that
/// polls for ever would hang in real time, because virtual time may hardly advance.
bool engine::went_too_far() {
  if (steps_ + observations_ <= options_.most_steps) return false;
  failure_ = fmt::format("the simulation has made {} steps (steps=) and is at {} ns of virtual time{}",
                         steps_ + observations_, latest_, report());
  return failed_ = true;
}

/// Returns a time that the seed chooses, from a poll to a timed wait, each order of magnitude equally likely.
/// So the run reaches both long-lasting states and rare coincidences.
std::uint64_t engine::some_time() {
  constexpr unsigned k_scales = 13;
  const std::uint64_t least = model_.look_ns() << choose(k_scales, "order");
  return least + least * choose(8, "order") / 8;
}

/// Delays a context if the seed chooses another order: others run first. Returns whether it did.
bool engine::held_back(process_state& in, context& c) {
  constexpr unsigned k_seldom = 8;
  if (choose(k_seldom, "order") != 1) return false;
  c.next += some_time();
  in.order.set(c.number, c.next);
  return true;
}

void engine::run_context(process_state& in, context& c) {
  const std::uint64_t left = c.clock;
  if (c.is == context::state::waiting) {  // time-out, or an arrival for a spinning context
    c.clock = std::max(c.clock, c.next);
    forget_wait(c);
  } else {
    c.clock = std::max(c.clock, c.next);
  }
  c.is = context::state::runnable;
  in.order.set(c.number, k_never);
  horizon_ = std::min({in.order.earliest(), limit_ - 1, later(c.clock, k_longest_turn_ns)});
  ++steps_;
  mix((c.clock << 20) ^ (std::uint64_t{c.process} << 10) ^ c.number);
  const std::uint64_t resumed = c.clock;
  if (resumed > left) model_.note(c.pausing, c.process, c.number, left, resumed, 0);
  if (c.pausing != model::trace_event::meet) c.waited_ns += resumed - left;
  c.pausing = model::trace_event::meet;
  running_ = &c;
  if (own_) c.ticks_seen = own_->read();
  c.resume();
  running_ = nullptr;
  model_.note(model::trace_event::run, c.process, c.number, resumed, c.clock, 0);
  latest_ = std::max(latest_, c.clock);
  if (c.is == context::state::ended) {
    --live_;
    c.next = k_never;
    if (c.joiner != nullptr) ready(*c.joiner, std::max(c.joiner->clock, c.clock));
  }
  in.order.set(c.number, c.next);
}

/// Advances the clock of a context by its work since the last call.
void engine::settle(context& c) {
  const fiber::scheduler* const core = fiber::scheduler::current();
  if (core != c.counted) {
    c.counted = core;
    c.seen = {};
  }
  if (core == nullptr) return;
  std::uint64_t used = 0;
  if (own_) {
    const std::uint64_t ticks = own_->read();
    used = ticks - std::exchange(c.ticks_seen, ticks);
  }
  c.clock += model_.cost(c.process, c.number, c.seen, core->count(), used);
  c.seen = core->count();
}

void engine::leave(context& c) { c.leave(); }

/// Sets the time at which a context continues. The running process is ordered by its contexts, the other
/// processes among themselves.
void engine::set_next(context& c, std::uint64_t next) {
  c.next = next;
  if (&c == running_) return;  // when it leaves
  process_state& in = at(c.process);
  in.order.set(c.number, next);
  if (c.process != entered_) {
    order_.set(c.process, in.order.earliest());
    limit_ = std::min(limit_, later(next, lookahead_));
    horizon_ = std::min(horizon_, limit_ - 1);
  } else {
    horizon_ = std::min(horizon_, next);
  }
}

void engine::ready(context& c, std::uint64_t when) {
  c.is = context::state::runnable;
  set_next(c, when);
}

void engine::look() {
  context& c = *running_;
  settle(c);
  c.clock += model_.look_ns();
  ++observations_;
  if (c.clock <= horizon_) return;
  c.next = c.clock;
  leave(c);
}

void engine::yield() {
  context& c = *running_;
  settle(c);
  c.clock += model_.yield_ns();
  c.waited_ns += model_.yield_ns();
  c.next = c.clock;
  leave(c);
}

void engine::step_aside() {
  context& c = *running_;
  settle(c);
  c.clock += some_time();
  c.next = c.clock;
  leave(c);
}

void engine::compute() {
  constexpr unsigned k_scales = 11, k_steps = 8;
  constexpr std::uint64_t k_shortest_ns = 10'000;
  const std::uint64_t least = k_shortest_ns << choose(k_scales, "compute");
  context& c = *running_;
  settle(c);
  c.clock += least + least * choose(k_steps, "compute") / k_steps;
  c.next = c.clock;
  leave(c);
}

// --- waiting ------------------------------------------------------------------------------------

bool engine::wait(const void* word, std::uint32_t expected, std::uint32_t found, std::uint64_t timeout_ns,
                  bool spinning) {
  if (found != expected) return true;
  context& c = *running_;
  settle(c);
  process_state& in = at(c.process);
  const std::uint64_t deadline = timeout_ns == 0 ? k_never : later(c.clock, timeout_ns);
  c.next = deadline;
  c.is = context::state::waiting;
  c.word = word;
  c.spinning = spinning;
  c.pausing = spinning ? model::trace_event::idle : model::trace_event::timed_wait;
  c.woken = false;
  const bool alone = waiters_.emplace(word, &c).second;
  GOSSAMER_ASSERT(alone, "two simulated threads wait for one word");
  if (spinning) {
    in.spinners.push_back(&c);
    c.next = std::min(c.next, next_arrival(in, c.clock));
  }
  leave(c);
  return c.woken || c.clock < deadline;
}

/// Returns the first arrival after `seen`, the time up to which a context has polled, and drops the earlier
/// ones.
std::uint64_t engine::next_arrival(process_state& in, std::uint64_t seen) {
  auto& heap = in.arrivals;
  while (!heap.empty() && heap.front() <= seen) {
    std::ranges::pop_heap(heap, std::greater<>());
    heap.pop_back();
  }
  return heap.empty() ? k_never : heap.front();
}

void engine::forget_wait(context& c) {
  waiters_.erase(c.word);
  c.word = nullptr;
  if (!c.spinning) return;
  process_state& in = at(c.process);
  std::erase(in.spinners, &c);
  watch_arrivals(in);
}

/// Makes one spinning context poll at the next arrival, unless one does already. A context that polled
/// earlier may already be running other work.
void engine::watch_arrivals(process_state& in) {
  if (in.spinners.empty() || in.arrivals.empty()) return;
  const std::uint64_t when = in.arrivals.front();
  if (std::ranges::any_of(in.spinners, [when](const context* c) { return c->next <= when; })) return;
  const unsigned which =
      in.spinners.size() > 1 ? choose(static_cast<unsigned>(in.spinners.size()), "spin") : 0;
  context& c = *in.spinners[which];
  set_next(c, std::max(c.clock, when));
}

void engine::wake(const void* word) {
  settle(*running_);
  const auto found = waiters_.find(word);
  if (found == waiters_.end()) return;
  context& c = *found->second;
  forget_wait(c);
  c.woken = true;
  ready(c, std::max(c.clock, running_->clock + (c.spinning ? model_.look_ns() : model_.wake_ns())));
}

void engine::notice(unsigned process, unsigned number) {
  settle(*running_);
  process_state& in = at(process);
  if (number >= in.contexts.size()) return;
  context& c = *in.contexts[number];
  const std::uint64_t when = std::max(c.clock, running_->clock + model_.look_ns());
  if (c.is == context::state::waiting && c.spinning && when < c.next) set_next(c, when);
}

void engine::expect(unsigned process, std::uint64_t when) {
  process_state& in = at(process);
  in.arrivals.push_back(when);
  std::ranges::push_heap(in.arrivals, std::greater<>());
  watch_arrivals(in);
}

void engine::join(context& other) {
  context& c = *running_;
  settle(c);
  if (other.is == context::state::ended) {
    c.clock = std::max(c.clock, other.clock);
    return;
  }
  GOSSAMER_ASSERT(other.joiner == nullptr);
  other.joiner = &c;
  c.is = context::state::joining;
  c.next = k_never;
  leave(c);
}

void engine::meet(unsigned process) {
  context& c = *running_;
  GOSSAMER_ASSERT(c.process == process);
  settle(c);
  meeting_at_ = std::max(meeting_at_, c.clock);
  if (meeting_.size() + 1 < processes_.size()) {
    meeting_.push_back(&c);
    c.is = context::state::meeting;
    c.next = k_never;
    return leave(c);
  }
  c.clock = c.next = std::exchange(meeting_at_, 0);
  for (context* other : std::exchange(meeting_, {})) ready(*other, c.clock);
  leave(c);
}

// --- choices, the end ---------------------------------------------------------------------------

std::uint64_t engine::now() {
  if (running_ == nullptr) return latest_;
  settle(*running_);
  return running_->clock;
}

void engine::charge(std::uint64_t ns) {
  if (running_ != nullptr) running_->clock += ns;
}

unsigned engine::choose(unsigned n, const char* what) {
  if (n < 2) return 0;
  const unsigned chosen = model_.choose(n, what);
  GOSSAMER_ASSERT(chosen < n);
  if (chosen != 0) mix(chosen);  // development builds make more choices
  return chosen;
}

void engine::lose(unsigned p) {
  process_state& in = at(p);
  in.lost = true;
  const bool had_ended =
      std::ranges::all_of(in.contexts, [](const auto& c) { return c->is == context::state::ended; });
  for (auto& c : in.contexts) {
    if (c->is == context::state::ended) continue;
    if (c->is == context::state::waiting) forget_wait(*c);
    std::erase(meeting_, c.get());
    c->is = context::state::abandoned;
    in.order.set(c->number, k_never);
    --live_;
  }
  order_.set(p, k_never);
  // No process is left to say so.
  if (live_ == 0 && !had_ended) failure_ = fmt::format("process {} was lost", p);
}

void engine::aborted(unsigned process, int code) {
  fail(fmt::format("process {} has ended the job with code {}", process, code));
}

void engine::fail(std::string what) {
  failure_ = std::move(what);
  failed_ = true;
  running_->next = k_never;
  leave(*running_);
  __builtin_unreachable();
}

std::string engine::stopped(std::uint64_t time) const {
  const std::string who = report();
  if (time != k_never) return fmt::format("the limit of virtual time (most=) is reached: {} ns{}", time, who);
  for (const process_state& in : processes_)
    if (in.lost)
      return fmt::format("process {} was lost, and the others wait for it{}", options_.lose->process, who);
  return "the simulation is stuck: no thread can go on" + who;
}

std::string engine::report() const {
  static constexpr const char* k_states[] = {"could run", "waits", "joins", "meets", "has ended", "is lost"};
  constexpr unsigned k_shown = 16;
  unsigned total = 0;
  std::string who;
  for (const process_state& in : processes_)
    for (const auto& c : in.contexts)
      if (c->is != context::state::ended && ++total <= k_shown)
        who += fmt::format("; process {} {} {} since {} ns", c->process, c->name,
                           k_states[static_cast<std::size_t>(c->is)], c->clock);
  return who + (total > k_shown ? "; ..." : "");
}

}  // namespace gossamer::simulation
