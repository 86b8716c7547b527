#include "gossamer/parallel/internal/meeting.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/message/payload.hpp"

namespace gossamer::parallel {

namespace {

/// By measurement: with a processor for each core, and between processes, nothing beats fewest steps in a
/// row; where cores share processors every signal may be a system call, and fewest signals win.
barrier_algorithm best_near(bool spin) {
  return spin ? barrier_algorithm::dissemination : barrier_algorithm::centralised;
}

/// Between processes every member has a flag of its own at the first one, so a counter is not needed.
unsigned far_arrivals(unsigned processes) { return std::max(barrier_flags::arrivals(processes), processes); }

}  // namespace

meeting::meeting(unsigned cores, unsigned processes, unsigned process, bool spin, barrier_algorithm how)
    : cores_(cores),
      processes_(processes),
      process_(process),
      first_(process * cores),
      near_how_(how != barrier_algorithm::automatic ? how : best_near(spin)),
      far_how_(how != barrier_algorithm::automatic ? how : barrier_algorithm::dissemination),
      near_(cores, spin),
      places_(std::make_unique<place[]>(cores)),
      far_flags_(processes == 1 ? 0 : barrier_flags::count(far_arrivals(processes), processes)),
      rounds_(barrier_rounds(processes)) {}

void meeting::meet(core& self, barrier_algorithm near_how, barrier_algorithm far_how, std::size_t bytes) {
  process_flags::level near = near_.begin(self, self.id() - first_);
  if (processes_ == 1) return meet_by(near, near_how);
  gather(near,
         near_how);  // no core may go before the other processes have come: dissemination is a tree here
  if (near.me == 0) {
    ++far_episode_;
    if (bytes != 0)
      exchange(self, bytes);
    else
      meet_processes(self, far_how);
  }
  release(near, near_how);
}

// --- between processes ----------------------------------------------------------------------------

namespace {

/// Not counted: the fibers in the barrier wait for it.
template <class Issue>
void send_uncounted(core& self, Issue issue) {
  void* const outer = self.local();
  self.set_local(nullptr);
  issue();
  self.set_local(outer);
}

struct signal_record {
  std::uint32_t flag;
  std::uint64_t episode;
  void operator()() const {
    core& self = core::here();
    self.everybody().take_signal(self, flag, episode);
  }
};

struct round_record {
  std::uint32_t round;
  std::uint64_t episode;
  void operator()(std::span<const std::byte> values) const {
    core& self = core::here();
    self.everybody().take_round(self, round, episode, values);
  }
};

}  // namespace

void meeting::wait_for_far(core& self) {
  far_waiter_ = self.running();
  self.suspend("barrier: another process");
}

void meeting::wake_far_waiter(core& self) {
  if (far_waiter_ != nullptr) self.wake(*std::exchange(far_waiter_, nullptr));
}

void meeting::take_signal(core& self, std::uint32_t flag, std::uint64_t episode) {
  far_flags_[flag] = std::max(far_flags_[flag], episode);
  wake_far_waiter(self);
}

void meeting::take_round(core& self, std::uint32_t round, std::uint64_t episode,
                         std::span<const std::byte> values) {
  round_slot& slot = rounds_[round];
  slot.values[episode % 2].assign(values.begin(), values.end());
  slot.episode[episode % 2] = episode;
  wake_far_waiter(self);
}

/// The processes, each by its first core. Signals leave when it waits, or with the release.
struct meeting::far_level {
  static constexpr bool k_any_may_release = false;
  meeting& all;
  core& self;
  unsigned me, members, rounds_from;

  void signal(unsigned member, unsigned flag) {
    send_uncounted(self, [&] { async_on(member * all.cores_, signal_record{flag, all.far_episode_}); });
  }
  void wait(unsigned flag) {
    self.flush();
    while (all.far_flags_[flag] < all.far_episode_) all.wait_for_far(self);
  }
  bool arrive_last() {
    if (me != 0) return signal(0, barrier_flags::k_arrival + me), false;
    for (unsigned m = 1; m < members; ++m) wait(barrier_flags::k_arrival + m);
    return true;
  }
};

void meeting::meet_processes(core& self, barrier_algorithm how) {
  far_level far{*this, self, process_, processes_, barrier_flags::k_arrival + far_arrivals(processes_)};
  meet_by(far, how);
  self.flush();
}

/// Bruck's all-gather: before round r this process has the values of itself and of the 2^r - 1 after it.
void meeting::exchange(core& self, std::size_t bytes) {
  const std::size_t mine = cores_ * bytes;
  const unsigned turn = places_[0].turn;
  std::vector<std::byte> have(mine);
  for (unsigned c = 0; c < cores_; ++c) std::memcpy(&have[c * bytes], places_[c].words[turn].data(), bytes);
  for (unsigned r = 0; r < rounds_.size(); ++r) {
    const unsigned distance = 1U << r;
    const unsigned to = (process_ + processes_ - distance) % processes_;
    const std::size_t blocks = std::min(distance, processes_ - distance);
    send_uncounted(self, [&] {
      async_on(to * cores_, round_record{r, far_episode_},
               std::span<const std::byte>(have).first(blocks * mine));
    });
    self.flush();
    round_slot& slot = rounds_[r];
    while (slot.episode[far_episode_ % 2] != far_episode_) wait_for_far(self);
    const auto& got = slot.values[far_episode_ % 2];
    have.insert(have.end(), got.begin(), got.end());
  }
  far_[turn].resize(processes_ * mine);
  for (unsigned k = 0; k < processes_; ++k)
    std::memcpy(&far_[turn][((process_ + k) % processes_) * mine], &have[k * mine], mine);
}

}  // namespace gossamer::parallel
