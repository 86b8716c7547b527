#include "gossamer/fabric/bulk_mover.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

void bulk_mover::note_change() {
  const std::uint64_t us =
      k_moment_us + std::min(bytes_.load(std::memory_order_relaxed) / k_bytes_of_us, k_most_us);
  looks_until_.store(machine::ticks() + us * machine::ticks_per_us(), std::memory_order_relaxed);
}

void bulk_mover::start(std::unique_ptr<bulk_move> m) noexcept {
  GOSSAMER_ASSERT(m->tag < tags_);
  constexpr std::uint64_t k_sides = 2;
  if (m->answers) expected_.fetch_add(k_sides, std::memory_order_seq_cst);  // before either end can arrive
  bytes_.fetch_add(m->bytes, std::memory_order_relaxed);
  note_change();
  count_.fetch_add(1, std::memory_order_seq_cst);
  machine::preemption_point();
  const std::lock_guard hold(starting_lock_);
  bulk_move* const newest = m.get();
  (starting_ == nullptr ? starting_ : last_starting_->next) = std::move(m);
  last_starting_ = newest;
  any_starting_.store(true, std::memory_order_relaxed);
}

bool bulk_mover::start_waiting() {
  if (!any_starting_.load(std::memory_order_relaxed)) return false;
  std::unique_ptr<bulk_move> waiting;
  {
    const std::lock_guard hold(starting_lock_);
    any_starting_.store(false, std::memory_order_relaxed);
    waiting = std::move(starting_);
  }
  const bool some = waiting != nullptr;
  while (waiting != nullptr) {
    const std::unique_ptr<bulk_move> one = std::move(waiting);
    waiting = std::move(one->next);
    bulk_move& m = *one;
    if (free_slots_.empty()) free_slots_.push_back(slots_++);
    const unsigned slot = free_slots_.back(), tag = first_tag_ + m.tag;
    free_slots_.pop_back();
    if (m.direction == bulk_move::way::out)
      transport_.bulk_send(slot, m.peer, tag, {m.at, m.bytes});
    else
      transport_.bulk_receive(slot, m.peer, tag, {m.at, m.bytes});
    under_way_.push_back({std::move(m), slot});
  }
  return some;
}

/// Removes a finished move. Returns the core to notify, if any.
std::optional<unsigned> bulk_mover::finish(std::size_t place) {
  started done = std::move(under_way_[place]);
  if (place + 1 != under_way_.size()) under_way_[place] = std::move(under_way_.back());
  under_way_.pop_back();
  free_slots_.push_back(done.slot);
  bytes_.fetch_sub(done.move.bytes, std::memory_order_relaxed);
  note_change();
  if (done.move.end == nullptr) {
    ended_.fetch_add(1, std::memory_order_seq_cst);
    count_.fetch_sub(1, std::memory_order_seq_cst);
    return std::nullopt;
  }
  finished& list = over_[done.move.core];
  const std::lock_guard hold(list.lock);
  list.ends.push_back(std::move(done.move.end));
  list.any.store(true, std::memory_order_seq_cst);  // before its core is notified: pairs with any_over()
  return done.move.core;
}

std::vector<std::unique_ptr<move_end>> bulk_mover::take_over(unsigned core) {
  finished& list = over_[core];
  std::vector<std::unique_ptr<move_end>> ends;
  {
    const std::lock_guard hold(list.lock);
    list.any.store(false, std::memory_order_seq_cst);
    ends.swap(list.ends);
  }
  ended_.fetch_add(ends.size(), std::memory_order_seq_cst);  // its core is awake
  count_.fetch_sub(ends.size(), std::memory_order_seq_cst);
  return ends;
}

void bulk_mover::forget_over() {
  for (unsigned core = 0; core < over_.size(); ++core) take_over(core);
}

bulk_mover::lone_send bulk_mover::find_lone_send() {
  thrown_away_.clear();
  start_waiting();
  const auto one =
      std::ranges::find(under_way_, bulk_move::way::out, [](const started& s) { return s.move.direction; });
  if (one == under_way_.end()) return {};
  return {one->move.peer, one->move.tag, one->move.bytes};
}

void bulk_mover::receive_lone_send(unsigned from, const lone_send& s) {
  thrown_away_.emplace_back(s.bytes, "what a failed job has sent", machine::pages::small);
  start({bulk_move::way::in, false, from, s.tag, thrown_away_.back().data(), s.bytes});
  start_waiting();
}

bool bulk_mover::has(bulk_move::way direction, unsigned peer, unsigned tag) const {
  return std::ranges::any_of(under_way_, [&](const started& s) {
    return s.move.direction == direction && s.move.peer == peer && s.move.tag == tag;
  });
}

void bulk_mover::cancel() {
  start_waiting();
  for (const started& one : under_way_)
    transport_.bulk_cancel(one.slot, one.move.direction == bulk_move::way::out);
  for (const started& one : under_way_) bytes_.fetch_sub(one.move.bytes, std::memory_order_relaxed);
  count_.fetch_sub(under_way_.size(), std::memory_order_seq_cst);
  under_way_.clear();
}

}  // namespace gossamer::fabric
