#include "gossamer/parallel/collective.hpp"

#include "gossamer/machine/clock.hpp"

namespace gossamer::parallel {

void meeting::barrier(core& self) {
  constexpr int k_spins = 2000;
  const std::uint64_t mine =
      generation_.load(std::memory_order_relaxed);  // cannot move before this core arrives
  // acq_rel: the last one sees what all did before; they see it through generation_
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == cores_) {
    arrived_.store(0, std::memory_order_relaxed);                   // before the release below
    generation_.store(mine + 1, std::memory_order_seq_cst);  // lets everybody go; pairs with the loads below
    for (unsigned c = 0; c < cores_; ++c)
      if (fiber::fiber* f = places_[c].waiting.exchange(nullptr, std::memory_order_seq_cst))
        f->home->wake_from_anywhere(*f);
    return;
  }
  for (int i = 0; spin_ && i < k_spins; ++i) {
    if (generation_.load(std::memory_order_acquire) != mine) return;  // pairs with the store
    machine::cpu_relax();
  }
  auto& waiting = places_[self.id()].waiting;
  // A loop: the last core of the barrier before may still be on its round of waking, and wake this fiber too
  // early.
  do {
    waiting.store(self.running(),
                  std::memory_order_seq_cst);  // before the look; pairs with the last one's exchange
    if (generation_.load(std::memory_order_seq_cst) != mine &&
        waiting.exchange(nullptr, std::memory_order_seq_cst) != nullptr)
      return;  // it opened meanwhile, and nobody has taken the fiber to wake it
    self.suspend("barrier");
  } while (generation_.load(std::memory_order_acquire) == mine);  // pairs with the store
}

}  // namespace gossamer::parallel
