#include "gossamer/parallel/core.hpp"

#include <exception>

namespace gossamer::parallel {

bool core::has_task() {
  return !plain_.empty() || stealable_.any_private() || stealable_.any_shared() || anybody_offers();
}

bool core::run_task() {
  task t;
  if (!plain_.empty())
    t = plain_.pop_front();
  else if (!stealable_.pop(t) && !(steal() && stealable_.pop(t)))
    return false;
  execute(t);
  return true;
}

void core::execute(task& t) {
  ++counters_.tasks;
  name_task(t.name);
  message::completion& scope = *t.scope;
  const bool at_home = &scope.home() == this;
  message::completion* counts = &scope;
  if (!at_home) {
    auto& share = shares().of(scope.name());
    ++share.running;
    counts = share.counts;
  }
  set_local(counts);
  try {
    t.run(t.payload);
  } catch (...) {
    counts->fail(std::current_exception());
  }
  set_local(nullptr);
  if (at_home)
    scope.finish(1);
  else
    shares().finished_one(scope.name());
}

// --- stealing -----------------------------------------------------------------------------------

bool core::anybody_offers() const {
  for (const auto* e : shared_.endpoints)
    if (e != this && static_cast<const core*>(e)->stealable_.any_shared()) return true;
  return false;
}

bool core::has_news() const { return endpoint::has_news() || anybody_offers(); }

bool core::steal() {
  const unsigned team = shared_.cores(), self = id() - shared_.first;
  for (unsigned tries = 1; tries < team; ++tries) {
    next_victim_ = (next_victim_ + 1) % team;
    if (next_victim_ == self) next_victim_ = (next_victim_ + 1) % team;
    ++counters_.steal_attempts;
    if (const std::size_t n = team_mate(next_victim_).stealable_.steal_into(stealable_)) {
      counters_.steals += n;
      return true;
    }
  }
  return false;
}

bool core::work_is_wanted() {
  poll();
  while_busy();
  return !stealable_.any_shared();
}

void core::wake_a_thief() {
  const unsigned team = shared_.cores(), self = id() - shared_.first;
  for (unsigned c = 1; c < team; ++c) team_mate((self + c) % team).notify();
}

}  // namespace gossamer::parallel
