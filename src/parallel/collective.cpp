#include "gossamer/parallel/collective.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer::parallel {

namespace {

constexpr int k_spins = 2000;

unsigned rounds_of(unsigned processes) { return static_cast<unsigned>(std::bit_width(processes - 1)); }

}  // namespace

meeting::meeting(unsigned cores, unsigned processes, unsigned process, bool spin)
    : cores_(cores),
      processes_(processes),
      process_(process),
      first_(process * cores),
      spin_(spin),
      places_(std::make_unique<place[]>(cores)),
      rounds_(rounds_of(processes)) {}

void meeting::meet(core& self, std::size_t bytes) {
  const std::uint64_t mine =
      generation_.load(std::memory_order_relaxed);  // cannot move before this core arrives
  const bool first = self.id() == first_;
  // acq_rel: the opener sees what all did before; they see it through generation_
  const bool last = arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == cores_;
  if (processes_ == 1) {
    if (last) return open(self, bytes);
    return wait_until_open(self, mine);
  }
  if (first) {
    if (!last) wait_for_all(self);
    return open(self, bytes);
  }
  if (last)
    if (fiber::fiber* f = places_[0].waiting.exchange(nullptr, std::memory_order_seq_cst))
      f->home->wake_from_anywhere(*f);
  wait_until_open(self, mine);
}

void meeting::open(core& self, std::size_t bytes) {
  if (processes_ > 1) exchange(self, bytes);
  arrived_.store(0, std::memory_order_relaxed);  // before the release below
  generation_.store(generation_.load(std::memory_order_relaxed) + 1,
                    std::memory_order_seq_cst);  // lets everybody go; pairs with the loads below
  for (unsigned c = 0; c < cores_; ++c)
    if (fiber::fiber* f = places_[c].waiting.exchange(nullptr, std::memory_order_seq_cst))
      f->home->wake_from_anywhere(*f);
}

void meeting::wait_until_open(core& self, std::uint64_t generation) {
  for (int i = 0; spin_ && i < k_spins; ++i) {
    if (generation_.load(std::memory_order_acquire) != generation) return;  // pairs with the store
    machine::cpu_relax();
  }
  auto& waiting = places_[self.id() - first_].waiting;
  // A loop: the opener of the barrier before may still be on its round of waking, and wake this fiber too
  // early.
  do {
    waiting.store(self.running(),
                  std::memory_order_seq_cst);  // before the look; pairs with the opener's exchange
    if (generation_.load(std::memory_order_seq_cst) != generation &&
        waiting.exchange(nullptr, std::memory_order_seq_cst) != nullptr)
      return;  // it opened meanwhile, and nobody has taken the fiber to wake it
    self.suspend("barrier");
  } while (generation_.load(std::memory_order_acquire) == generation);  // pairs with the store
}

/// The first core, over several processes: until its own have arrived.
void meeting::wait_for_all(core& self) {
  const auto all = [this] { return arrived_.load(std::memory_order_seq_cst) == cores_; };
  for (int i = 0; spin_ && i < k_spins; ++i) {
    if (all()) return;
    machine::cpu_relax();
  }
  auto& waiting = places_[0].waiting;
  do {
    waiting.store(self.running(), std::memory_order_seq_cst);  // before the look; pairs with the last one's
    if (all() && waiting.exchange(nullptr, std::memory_order_seq_cst) != nullptr) return;
    self.suspend("barrier");
  } while (!all());
}

// --- between processes ----------------------------------------------------------------------------

namespace {

struct round_record {
  std::uint32_t round;
  std::uint64_t episode;
  void operator()(std::span<const std::byte> values) const {
    core& self = core::here();
    self.everybody().take_round(self, round, episode, values);
  }
};

}  // namespace

void meeting::take_round(core& self, std::uint32_t round, std::uint64_t episode,
                         std::span<const std::byte> values) {
  round_slot& slot = rounds_[round];
  slot.values[episode % 2].assign(values.begin(), values.end());
  slot.episode[episode % 2] = episode;
  if (round_waiter_ != nullptr) self.wake(*std::exchange(round_waiter_, nullptr));
}

/// Bruck's all-gather: before round r this process has the values of itself and of the 2^r - 1 after it.
void meeting::exchange(core& self, std::size_t bytes) {
  ++episode_;
  const std::size_t mine = cores_ * bytes;
  const unsigned turn = places_[0].turn;
  std::vector<std::byte> have(mine);
  for (unsigned c = 0; bytes != 0 && c < cores_; ++c)
    std::memcpy(&have[c * bytes], places_[c].words[turn].data(), bytes);
  for (unsigned r = 0; r < rounds_.size(); ++r) {
    const unsigned distance = 1U << r;
    const unsigned to = (process_ + processes_ - distance) % processes_;
    const std::size_t blocks = std::min(distance, processes_ - distance);
    void* const outer = self.local();
    self.set_local(nullptr);  // nobody counts it
    async_on(first_core(to), round_record{r, episode_},
             std::span<const std::byte>(have).first(blocks * mine));
    self.set_local(outer);
    self.flush();
    round_slot& slot = rounds_[r];
    while (slot.episode[episode_ % 2] != episode_) {
      round_waiter_ = self.running();
      self.suspend("barrier: another process");
    }
    const auto& got = slot.values[episode_ % 2];
    have.insert(have.end(), got.begin(), got.end());
  }
  if (bytes == 0) return;
  far_[turn].resize(processes_ * mine);
  for (unsigned k = 0; k < processes_; ++k)
    std::memcpy(&far_[turn][((process_ + k) % processes_) * mine], &have[k * mine], mine);
}

}  // namespace gossamer::parallel
