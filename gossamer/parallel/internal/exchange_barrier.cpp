#include "gossamer/parallel/internal/exchange_barrier.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer::parallel {

namespace {

/// Returns the number of arrival flags between processes. The counters of all members are flags of the first
/// process, which receives them by messages.
unsigned remote_arrivals(unsigned processes) {
  return std::max(barrier_flags::arrivals(processes), processes);
}

}  // namespace

exchange_barrier::exchange_barrier(const barrier_shape& shape, unsigned process, bool spin,
                                   barrier_algorithm how)
    : cores_(shape.cores),
      processes_(shape.processes),
      process_(process),
      first_(process * cores_),
      how_(how != barrier_algorithm::automatic ? barrier_choice{how, how} : best_barrier(shape)),
      spin_(spin),
      local_(cores_, spin),
      places_(std::make_unique<place[]>(cores_)),
      remote_flags_(processes_ == 1 ? 0 : barrier_flags::count(remote_arrivals(processes_), processes_)),
      node_pages_(processes_, nullptr),
      rounds_(barrier_rounds(processes_)) {}

void exchange_barrier::meet(core& self, const barrier_choice& how, std::size_t bytes) {
  process_flags::level local = local_.begin(self, self.id() - first_);
  if (processes_ == 1) return meet_by(local, how.inside);
  // No core may leave before the other processes have arrived: dissemination acts as a tree here.
  gather(local, how.inside);
  if (local.me == 0) {
    ++remote_episode_;
    if (bytes != 0)
      exchange(self, bytes);
    else
      meet_processes(self, how.between);
  }
  release(local, how.inside);
}

// --- between processes ----------------------------------------------------------------------------

namespace {

/// Issues messages that no completion counts: the fibers in the barrier wait for them.
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

struct arrival_record {
  void operator()() const {
    core& self = core::here();
    self.everybody().take_arrival(self);
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

void exchange_barrier::use(const fabric::node_lanes& node) {
  if (remote_flags_.size() * k_line_bytes > machine::page_bytes()) return;
  for (unsigned p = 0; p < processes_; ++p) node_pages_[p] = node.page(p);
}

/// Returns a flag of a process of this node; null if the process is elsewhere. The flag stores twice the
/// episode of the last signal, plus one while a fiber sleeps on it.
std::atomic<std::uint64_t>* exchange_barrier::node_flag(unsigned process, unsigned flag) const {
  std::byte* const page = node_pages_[process];
  return page == nullptr ? nullptr
                         : reinterpret_cast<std::atomic<std::uint64_t>*>(page + flag * k_line_bytes);
}

/// Returns whether a flag of this process was set in this episode. Spins for a short time if that is worth
/// it.
bool exchange_barrier::node_flag_set(unsigned flag) const {
  constexpr int k_polls = 2000;  // some us, as long as a message to a sleeper takes
  const auto* const word = node_flag(process_, flag);
  // In a simulation other contexts run only while this one is suspended.
  const int polls = spin_ && machine::simulated() == nullptr ? k_polls : 1;
  for (int i = 0; word != nullptr && i < polls; ++i)
    if (word->load(std::memory_order_acquire) >= 2 * remote_episode_)
      return true;  // pairs with signal_in_node()
  return false;
}

/// Makes the process that sets a flag of this process send a message, too. Returns false if the flag is
/// already set.
bool exchange_barrier::arm_node_flag(unsigned flag) const {
  auto* const word = node_flag(process_, flag);
  if (word == nullptr) return true;
  std::uint64_t now = word->load(std::memory_order_acquire);  // pairs with signal_in_node()
  do {
    if (now >= 2 * remote_episode_) return false;
    // acquire if the signal has arrived: pairs with signal_in_node(). The waiter is local to this core, and
    // is not published
  } while (!word->compare_exchange_weak(now, now | 1, std::memory_order_relaxed, std::memory_order_acquire));
  return true;
}

/// Sets a flag of a process of this node. Returns false if a message has to follow: a fiber sleeps, or the
/// process is elsewhere.
bool exchange_barrier::signal_in_node(unsigned process, unsigned flag) const {
  auto* const word = node_flag(process, flag);
  if (word == nullptr) return false;
  // release: publishes writes before the barrier; acquire: for writes that others have published: pairs with
  // the loads above
  return (word->exchange(2 * remote_episode_, std::memory_order_acq_rel) & 1) == 0;
}

void exchange_barrier::wait_for_remote(core& self) {
  remote_waiter_ = self.running();
  self.suspend("barrier: another process");
}

void exchange_barrier::wake_remote_waiter(core& self) {
  if (remote_waiter_ != nullptr) self.wake(*std::exchange(remote_waiter_, nullptr));
}

void exchange_barrier::take_arrival(core& self) {
  ++remote_arrived_;
  wake_remote_waiter(self);
}

void exchange_barrier::take_signal(core& self, std::uint32_t flag, std::uint64_t episode) {
  remote_flags_[flag] = std::max(remote_flags_[flag], episode);
  wake_remote_waiter(self);
}

void exchange_barrier::take_round(core& self, std::uint32_t round, std::uint64_t episode,
                                  std::span<const std::byte> values) {
  round_slot& slot = rounds_[round];
  slot.values[episode % 2].assign(values.begin(), values.end());
  slot.episode[episode % 2] = episode;
  wake_remote_waiter(self);
}

/// The processes, each represented by its first core. Signals are sent when it waits, or with the release.
struct exchange_barrier::remote_level {
  static constexpr bool k_any_may_release = false;
  exchange_barrier& all;
  core& self;
  unsigned me, members, rounds_from;

  void signal(unsigned member, unsigned flag) {
    if (all.signal_in_node(member, flag)) return;
    send_uncounted(self, [&] { async_on(member * all.cores_, signal_record{flag, all.remote_episode_}); });
  }
  void wait(unsigned flag) {
    self.flush();
    while (all.remote_flags_[flag] < all.remote_episode_ && !all.node_flag_set(flag))
      if (all.arm_node_flag(flag)) all.wait_for_remote(self);
  }
  bool arrive_last() {
    if (me != 0) return send_uncounted(self, [] { async_on(0, arrival_record{}); }), false;
    while (all.remote_arrived_ < members - 1) all.wait_for_remote(self);
    all.remote_arrived_ = 0;
    return true;
  }
  void arrive() { signal(0, barrier_flags::k_arrival + me); }
  void wait_for(unsigned member) { wait(barrier_flags::k_arrival + member); }
};

void exchange_barrier::meet_processes(core& self, barrier_algorithm how) {
  remote_level remote{*this, self, process_, processes_,
                      barrier_flags::k_arrival + remote_arrivals(processes_)};
  meet_by(remote, how);
  self.flush();
}

/// Exchanges the values of all processes by Bruck's all-gather. Before round r this process has the values of
/// itself and of the 2^r - 1 after it.
void exchange_barrier::exchange(core& self, std::size_t bytes) {
  const std::size_t mine = cores_ * bytes;
  const unsigned turn = places_[0].turn;
  std::vector<std::byte> have(mine);
  for (unsigned c = 0; c < cores_; ++c) std::memcpy(&have[c * bytes], places_[c].words[turn].data(), bytes);
  for (unsigned r = 0; r < rounds_.size(); ++r) {
    const unsigned distance = 1U << r;
    const unsigned to = (process_ + processes_ - distance) % processes_;
    const std::size_t blocks = std::min(distance, processes_ - distance);
    send_uncounted(self, [&] {
      async_on(to * cores_, round_record{r, remote_episode_},
               std::span<const std::byte>(have).first(blocks * mine));
    });
    self.flush();
    round_slot& slot = rounds_[r];
    while (slot.episode[remote_episode_ % 2] != remote_episode_) wait_for_remote(self);
    const auto& got = slot.values[remote_episode_ % 2];
    have.insert(have.end(), got.begin(), got.end());
  }
  remote_values_[turn].resize(processes_ * mine);
  for (unsigned k = 0; k < processes_; ++k)
    std::memcpy(&remote_values_[turn][((process_ + k) % processes_) * mine], &have[k * mine], mine);
}

}  // namespace gossamer::parallel
