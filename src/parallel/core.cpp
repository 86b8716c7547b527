#include "gossamer/parallel/core.hpp"

#include <exception>

namespace gossamer::parallel {

core::~core() {
  for (auto& [parent, s] : shares_) delete s.counts;  // only after a stall: nobody waits any more
}

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
    share& s = share_of(scope);
    ++s.running;
    counts = s.counts;
  }
  set_local(counts);
  try {
    t.run(t.payload);
  } catch (...) {
    counts->fail(std::current_exception());
  }
  set_local(nullptr);
  if (at_home) {
    scope.finish(1);
    return;
  }
  share& s = shares_.at(&scope);  // while one of its tasks runs it stays
  ++s.finished;
  if (--s.running == 0 && s.finished >= k_report) report(scope, s);
}

core::share& core::share_of(message::completion& parent) {
  share& s = shares_[&parent];
  if (s.counts == nullptr) s.counts = new message::completion(*this);
  return s;
}

void core::report(message::completion& parent, share& s) {
  message::completion* counts = s.counts;
  const std::int64_t finished = s.finished;
  shares_.erase(&parent);
  counts->seal_for(parent, finished);  // deletes itself
}

bool core::before_idle() {
  for (auto it = shares_.begin(); it != shares_.end();) {
    auto& [parent, s] = *it++;  // report() erases this entry only
    if (s.running == 0) report(*parent, s);
  }
  return endpoint::before_idle();
}

// --- stealing -----------------------------------------------------------------------------------

bool core::anybody_offers() const {
  for (const auto* e : shared_.endpoints)
    if (e != this && static_cast<const core*>(e)->stealable_.any_shared()) return true;
  return false;
}

bool core::has_news() const { return endpoint::has_news() || anybody_offers(); }

bool core::steal() {
  for (unsigned tries = 1; tries < cores(); ++tries) {
    next_victim_ = (next_victim_ + 1) % cores();
    if (next_victim_ == id()) next_victim_ = (next_victim_ + 1) % cores();
    ++counters_.steal_attempts;
    if (const std::size_t n = other_core(next_victim_).stealable_.steal_into(stealable_)) {
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
  for (unsigned c = 1; c < cores(); ++c) other((id() + c) % cores()).notify();
}

}  // namespace gossamer::parallel
