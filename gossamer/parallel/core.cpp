#include "gossamer/parallel/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "gossamer/base/random.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::parallel {

namespace {

struct idle_thief_record {
  unsigned thief;
  void operator()(const message::dispatch&) const { core::here().serve_thief(thief); }
};

}  // namespace

std::vector<task> task_ring::allocate(std::size_t slots) noexcept {
  try {
    return std::vector<task>(slots);
  } catch (const std::bad_alloc&) {
    fatal(
        fmt::format("memory does not suffice for {} tasks that wait on one core: spawn fewer at once", slots)
            .c_str());
  }
}

/// Returns whether this core has a task to run. Shared tasks, of this core or others, are for cores that have
/// nothing else to do. But a fiber that yields forever does not delay a task forever.
bool core::has_task() {
  constexpr unsigned k_rounds = 16;
  if (!departures_.empty() || !plain_.empty() || stealable_.any_private()) return true;
  if (any_ready() && ++busy_rounds_ % k_rounds != 0) return false;
  return stealable_.any_shared() || any_core_offers();
}

bool core::run_task() {
  if (!departures_.empty()) {
    send_departures();
    return true;
  }
  task t;
  if (!plain_.empty())
    t = newest_first() ? plain_.pop_back() : plain_.pop_front();
  else if (!stealable_.pop(t) && !(steal() && stealable_.pop(t)))
    return false;
  execute(t);
  return true;
}

/// Runs body() counted by the completion that counts the task, and counts the task as finished.
template <class Body>
void core::under_scope(task& t, Body body) {
  message::completion& scope = *t.scope;
  const bool at_home = &scope.home() == this;
  message::completion* counts = &scope;
  if (!at_home) {
    auto& proxy = completion_proxies().of(scope.name());
    ++proxy.running;
    counts = proxy.counts;
  }
  void* const outer = local();
  set_local(counts);
  try {
    body();
  } catch (...) {
    counts->fail(std::current_exception());
  }
  set_local(outer);
  if (at_home)
    scope.finish(1);
  else
    completion_proxies().finished_one(scope.name());
}

void core::execute(task& t) {
  ++counters_.tasks;
  name_task(t.type->name);
  under_scope(t, [&t] { t.type->run(t.payload); });
}

// --- tasks on the stack of the fiber that waits for them ----------------------------------------

/// Returns whether the newest task runs next, not the oldest. Usually the oldest runs, because tasks may wait
/// for older ones. The newest runs while a fiber waits for children that did not fit its stack. Then the
/// depth of a recursion bounds the number of fibers, not its breadth.
bool core::newest_first() {
  if (deep_waits_ == 0) [[likely]] {
    newest_patience_.renew();
    return false;
  }
  return !newest_patience_.over();
}

/// Returns whether `scope` counts the newest task, as far as can be determined without a lock. Plain tasks
/// precede stealable ones here, too.
bool core::newest_is_of(const message::completion& scope) const {
  return plain_.empty() ? stealable_.newest_may_be_of(scope) : plain_.back().scope == &scope;
}

bool core::pop_of(const message::completion& scope, task& t) {
  if (plain_.empty()) return stealable_.pop_of(scope, t);
  if (plain_.back().scope != &scope) return false;
  t = plain_.pop_back();
  return true;
}

// Runs tasks that `scope` counts on the stack of the calling fiber, which has to wait for them anyway. If a
// task suspends on its stack, it delays no other task: other workers run the rest.
bool core::help(message::completion& scope) {
  if (!newest_is_of(scope) || exception_in_flight()) return true;
  if (!has_stack_for_task()) return false;  // once: all of them start at this frame
  flush();  // first of all: the issued messages may take long
  fiber::fiber* const self = running();
  const char* const name = self->task;
  task t;
  while (pop_of(scope, t)) {
    execute(t);
    self->task = name;
    let_others_run();
  }
  return true;
}

/// Yields to all other work, between two tasks of help(). Fibers run after every task, except those that
/// yield here, too. Messages are handled after k_tasks_per_poll tasks. Other tasks run when new ones have
/// arrived by messages, or when patience has run out.
void core::let_others_run() {
  if (!departures_.empty()) send_departures();
  bool tasks_first = help_patience_.over();
  if (--until_poll_ == 0 || late()) {
    until_poll_ = k_tasks_per_poll;
    const std::size_t before = plain_.size();
    poll_all();
    tasks_first |= plain_.size() > before;
  }
  if (!tasks_first && ready_fibers() <= yielding_) return;
  ++yielding_;
  tasks_first ? yield_to_root() : yield();
  --yielding_;
}

// --- stealing -----------------------------------------------------------------------------------

bool core::any_core_offers() const {
  for (const auto* e : shared_.endpoints)
    if (e != this && static_cast<const core*>(e)->stealable_.any_shared()) return true;
  return false;
}

/// Returns whether there is a message, or a task of another core that this core has a worker for. Without one it must be
/// able to sleep: when all cores do, they get more workers, or the job has stalled.
bool core::has_news() const { return endpoint::has_news() || (!tasks_wait() && any_core_offers()); }

bool core::steal() {
  const unsigned team = shared_.cores(), self = id() - shared_.first;
  if (auto* const s = machine::simulated()) [[unlikely]]
    next_victim_ += s->choose(team, "steal");
  for (unsigned tries = 1; tries < team; ++tries) {
    next_victim_ = (next_victim_ + 1) % team;
    if (next_victim_ == self) next_victim_ = (next_victim_ + 1) % team;
    ++counters_.steal_attempts;
    if (const std::size_t n =
            team_mate(next_victim_).stealable_.steal_into(stealable_, limits_.steal_chunk)) {
      counters_.steals += n;
      counters_.count_steal_of(n);
      return true;
    }
  }
  return false;
}

idle_thieves core::has_idle_thieves() {
  poll();
  if (!departures_.empty()) send_departures();
  while_busy(renew_turn());
  return {!stealable_.any_shared(), !idle_thieves_.empty()};
}

// --- stealing across processes ------------------------------------------------------------------

/// Sends requests for tasks once. They leave when the core idles again.
bool core::before_idle(idling step) {
  if (!has_requested_ && processes() > 1 &&
      start(&request_tasks, this, "a look for work", fiber::stack_class::regular))
    has_requested_ = true;
  return endpoint::before_idle(step);
}

void core::request_tasks(void* self) {
  core& mine = *static_cast<core*>(self);
  const unsigned team = mine.shared_.cores(), process = mine.id() / team;
  const auto ask = [&mine](unsigned victim) {
    ++mine.counters_.steal_attempts;
    mine.issue_uncounted(victim, idle_thief_record{mine.id()});
  };
  if (mine.processes() > 2) {  // of two, the other one receives a request below
    const std::uint64_t random = hash64(mine.id(), mine.requests_sent_++) % (mine.cores() - team);
    ask((mine.shared_.first + team + static_cast<unsigned>(random)) % mine.cores());
  }
  for (unsigned bit = 1; bit < mine.processes(); bit *= 2) {
    const unsigned neighbour = process ^ bit;
    if (neighbour >= mine.processes()) continue;
    ask(neighbour * team + mine.id() % team);
  }
}

/// Serves a thief of another process, in a handler. Takes shared tasks of this process; a fiber sends them.
void core::serve_thief(unsigned thief) {
  std::size_t offered = 0;
  for (unsigned c = 0; c < shared_.cores(); ++c) offered += team_mate(c).stealable_.offered();
  std::size_t wanted = limits_.steal_tasks != 0 ? limits_.steal_tasks : divide_up(offered, std::size_t{2});
  const unsigned self = id() - shared_.first;
  task t;
  std::size_t taken = 0;
  for (unsigned k = 0; k < shared_.cores() && wanted > 0; ++k) {
    stealable_tasks& from = team_mate((self + k) % shared_.cores()).stealable_;
    for (; wanted > 0 && from.take_traveller(t); --wanted, ++taken) depart(t, thief);
  }
  if (taken != 0)
    counters_.count_steal_of(taken);
  else if (std::find(idle_thieves_.begin(), idle_thieves_.end(), thief) == idle_thieves_.end())
    idle_thieves_.push_back(thief);
}

unsigned core::take_idle_thief() {
  const unsigned thief = idle_thieves_.front();
  idle_thieves_.erase(idle_thieves_.begin());
  return thief;
}

/// Sends the tasks that leave for other processes. In a fiber. Suspends when packets are exhausted. Tasks
/// that are added meanwhile go with these.
void core::send_departures() {
  while (!departures_.empty()) {
    departure d = departures_.back();
    departures_.pop_back();
    under_scope(d.what, [&d] { d.what.type->ship(d.what.payload, d.to); });
  }
  request_flush();
}

void core::wake_a_thief() {
  const unsigned team = shared_.cores(), self = id() - shared_.first;
  for (unsigned c = 1; c < team; ++c) team_mate((self + c) % team).notify();
}

}  // namespace gossamer::parallel
