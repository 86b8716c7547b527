#include "gossamer/fabric/bulk_mover.hpp"

#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

void bulk_mover::start(const bulk_move& m) {
  GOSSAMER_ASSERT(m.tag < transport_.bulk_tags());
  count_.fetch_add(1, std::memory_order_seq_cst);
  machine::preemption_point();
  const std::lock_guard hold(starting_lock_);
  starting_.push_back(m);
  any_starting_.store(true, std::memory_order_relaxed);
}

bool bulk_mover::start_waiting() {
  if (!any_starting_.load(std::memory_order_relaxed)) return false;
  std::vector<bulk_move> now;
  {
    const std::lock_guard hold(starting_lock_);
    any_starting_.store(false, std::memory_order_relaxed);
    now.swap(starting_);
  }
  for (const bulk_move& m : now) {
    if (free_slots_.empty()) free_slots_.push_back(slots_++);
    const unsigned slot = free_slots_.back();
    free_slots_.pop_back();
    if (m.direction == bulk_move::way::out)
      transport_.bulk_send(slot, m.peer, m.tag, {m.at, m.bytes});
    else
      transport_.bulk_receive(slot, m.peer, m.tag, {m.at, m.bytes});
    under_way_.push_back({m, slot});
  }
  return !now.empty();
}

/// Takes a move that is over off. Returns the core that is to be told, if any.
std::optional<unsigned> bulk_mover::finish(std::size_t place) {
  const started done = under_way_[place];
  under_way_[place] = under_way_.back();
  under_way_.pop_back();
  free_slots_.push_back(done.slot);
  if (done.move.token == nullptr) {
    count_.fetch_sub(1, std::memory_order_seq_cst);
    return std::nullopt;
  }
  finished& list = over_[done.move.core];
  const std::lock_guard hold(list.lock);
  list.tokens.push_back(done.move.token);
  list.any.store(true, std::memory_order_seq_cst);  // before its core is told: pairs with any_over()
  return done.move.core;
}

std::vector<void*> bulk_mover::take_over(unsigned core) {
  finished& list = over_[core];
  std::vector<void*> tokens;
  {
    const std::lock_guard hold(list.lock);
    list.any.store(false, std::memory_order_seq_cst);
    tokens.swap(list.tokens);
  }
  count_.fetch_sub(tokens.size(), std::memory_order_seq_cst);
  return tokens;
}

}  // namespace gossamer::fabric
