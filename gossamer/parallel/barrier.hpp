#pragma once
// Barriers as patterns of signals: each member signals its arrival to others, and others release it. A
// pattern uses two operations of its *level*. signal(member, flag) sets a flag, and wait(flag) waits until
// one of the member's own flags has the signal of this episode. Inside a process a flag is a word in shared
// memory (process_flags), between processes a small message (exchange_barrier.hpp). A flag stores the number
// of its episode and only grows, so no flag is ever reset.
//
// After Mellor-Crummey & Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors",
// 1991; the last one after the barrier of RCCE, the message library of Intel's SCC. If several members
// write a flag in different episodes, no member may leave an episode before the flag's waiter has seen it.
// So the patterns share the flags of releases and arrivals, and dissemination has separate flags.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/base/bits.hpp"
#include "gossamer/fiber/scheduler.hpp"

namespace gossamer {

/// The algorithms. Columns: signals one after another from the last arrival to the last departure; signals in all; of n members.
///   centralised    one counter; the last arrival releases all others             2           n
///   tournament     pairs; the winner waits for the loser; back the same way      2 log2 n    2n
///   tree           up by fours, down by twos                                     ~1.5 log2 n 2n
///   dissemination  in round r a signal to the member 2^r further; no releases    log2 n      n log2 n
///   rcce           a counter of each; member 0 reads all, then releases all      n           2n
/// automatic: the choice of best_barrier().
enum class barrier_algorithm : std::uint8_t {
  automatic,
  centralised,
  tournament,
  tree,
  dissemination,
  rcce,
};

namespace parallel {

/// The input of best_barrier().
struct barrier_shape {
  unsigned cores = 1, processes = 1;  // cores of each process
  unsigned cores_per_processor = 1;  // the largest ratio of the job, rounded up
};

struct barrier_choice {
  barrier_algorithm inside, between;  // among the cores of a process; among the processes
  bool operator==(const barrier_choice&) const = default;
};

/// Returns the algorithms that were fastest for this shape in measurements (docs/performance/processes.md).
barrier_choice best_barrier(const barrier_shape& shape);

inline unsigned barrier_rounds(unsigned members) {
  return static_cast<unsigned>(std::bit_width(members - 1));
}

/// The flags of a member: its release, its own counter, arrivals by round or child, and rounds of dissemination.
struct barrier_flags {
  static constexpr unsigned k_release = 0, k_counter = 1, k_arrival = 2, k_arity = 4;
  static unsigned arrivals(unsigned members) { return std::max(k_arity, barrier_rounds(members)); }
  static unsigned count(unsigned arrivals, unsigned members) {
    return k_arrival + arrivals + barrier_rounds(members);
  }
};

// A level has: me, members; rounds_from (its first flag of dissemination); signal(member, flag); wait(flag);
// arrive_last(), which counts arrivals in one place and returns whether this was the last one; arrive(), which sets the member's
// own counter, and wait_for(member), by which member 0 waits for another member.

template <class Level>
void gather_by_tournament(Level& level) {
  for (unsigned round = 0, d = 1; d < level.members; ++round, d *= 2) {
    if (level.me & d) return level.signal(level.me - d, barrier_flags::k_arrival + round);
    if (level.me + d < level.members) level.wait(barrier_flags::k_arrival + round);
  }
}

template <class Level>
void release_by_tournament(Level& level) {
  if (level.me != 0) level.wait(barrier_flags::k_release);
  // The opponents that it won against, the last one first.
  unsigned d = level.me != 0 ? level.me & -level.me : std::bit_ceil(level.members);
  while ((d /= 2) != 0)
    if (level.me + d < level.members) level.signal(level.me + d, barrier_flags::k_release);
}

template <class Level>
void gather_by_tree(Level& level) {
  constexpr unsigned k = barrier_flags::k_arity;
  for (unsigned child = 0; child < k && k * level.me + child + 1 < level.members; ++child)
    level.wait(barrier_flags::k_arrival + child);
  if (level.me != 0) level.signal((level.me - 1) / k, barrier_flags::k_arrival + (level.me - 1) % k);
}

template <class Level>
void release_by_tree(Level& level) {
  if (level.me != 0) level.wait(barrier_flags::k_release);
  for (unsigned child = 2 * level.me + 1; child <= 2 * level.me + 2 && child < level.members; ++child)
    level.signal(child, barrier_flags::k_release);
}

template <class Level>
void gather_by_counter(Level& level) {
  const bool last = level.arrive_last();
  if (level.me == 0 && !last) level.wait(barrier_flags::k_arrival);
  if (level.me != 0 && last) level.signal(0, barrier_flags::k_arrival);
}

template <class Level>
void gather_by_counters(Level& level) {
  if (level.me != 0) return level.arrive();
  for (unsigned m = 1; m < level.members; ++m) level.wait_for(m);
}

template <class Level>
void release_others(Level& level) {
  for (unsigned m = 0; m < level.members; ++m)
    if (m != level.me) level.signal(m, barrier_flags::k_release);
}

/// Waits for arrivals: returns to member 0 when all members have arrived, to the others when they may wait
/// for their release.
template <class Level>
void gather(Level& level, barrier_algorithm how) {
  if (how == barrier_algorithm::centralised) return gather_by_counter(level);
  if (how == barrier_algorithm::rcce) return gather_by_counters(level);
  if (how == barrier_algorithm::tournament) return gather_by_tournament(level);
  gather_by_tree(level);
}

/// Releases the members of a level. Member 0 calls it once all may leave, the others after gather().
template <class Level>
void release(Level& level, barrier_algorithm how) {
  if (how == barrier_algorithm::centralised || how == barrier_algorithm::rcce)
    return level.me == 0 ? release_others(level) : level.wait(barrier_flags::k_release);
  if (how == barrier_algorithm::tournament) return release_by_tournament(level);
  release_by_tree(level);
}

template <class Level>
void disseminate(Level& level) {
  for (unsigned round = 0, d = 1; d < level.members; ++round, d *= 2) {
    level.signal((level.me + d) % level.members, level.rounds_from + round);
    level.wait(level.rounds_from + round);
  }
}

/// Runs a whole barrier among the members of one level.
template <class Level>
void meet_by(Level& level, barrier_algorithm how) {
  if (how == barrier_algorithm::dissemination) return disseminate(level);
  if (how == barrier_algorithm::centralised && Level::k_any_may_release)
    return level.arrive_last() ? release_others(level) : level.wait(barrier_flags::k_release);
  gather(level, how);
  release(level, how);
}

/// The flags of the cores of one process, each on a separate cache line.
///
///   field      writes                       reads           protected by
///   word       its signaller;               its waiter      one RMW each: 2 x episode, + 1 while a fiber sleeps
///              its waiter sets the lowest bit
///   A core's counter is signalled by that core, and core 0 is its waiter; the waiter of other flags is the flag's core.
///   waiter     its core                     its signaller   the lowest bit: set after it (release), read before
///   arrived_   every core                   every core      acq_rel RMW
///   episode    its core                     its core
///
///   waiter:    spin;  waiter = fiber;  word: old -> old + 1, where old is of an earlier episode;  suspend
///   signaller: word: old -> 2 x episode;  if old is odd: wake the fiber
/// Both change the word in one atomic operation. So either the waiter sees the new episode, or the signaller sees the
/// lowest bit.
class process_flags {
 public:
  process_flags(unsigned cores, bool spin);

  /// One core's view of an episode.
  struct level {
    static constexpr bool k_any_may_release = true;
    process_flags& all;
    fiber::scheduler& self;
    unsigned me, members, rounds_from;
    std::uint64_t episode;

    void signal(unsigned member, unsigned flag) { all.signal(member, all.word_of(member, flag), episode); }
    void wait(unsigned flag) { all.wait(self, me, all.word_of(me, flag), episode); }
    bool arrive_last() { return all.arrive_last(); }
    void arrive() { all.signal(0, all.word_of(me, barrier_flags::k_counter), episode); }
    void wait_for(unsigned of) { all.wait(self, me, all.word_of(of, barrier_flags::k_counter), episode); }
  };

  /// Begins the next episode of core `me`.
  level begin(fiber::scheduler& self, unsigned me) {
    return {*this, self, me, cores_, barrier_flags::k_arrival + arrivals_, ++members_[me].episode};
  }

 private:
  struct alignas(k_line_bytes) flag_line {
    std::atomic<std::uint64_t> word{0};
  };
  struct alignas(k_line_bytes) member {
    fiber::fiber* waiter = nullptr;
    std::uint64_t episode = 0;
  };

  using word = std::atomic<std::uint64_t>;

  word& word_of(unsigned of, unsigned flag) { return flags_[of * flags_each_ + flag].word; }
  /// Sets the word, and wakes the fiber that sleeps on it. `waiter` is the core that waits for this word.
  void signal(unsigned waiter, word& w, std::uint64_t episode);
  void wait(fiber::scheduler& self, unsigned me, word& w, std::uint64_t episode);
  bool arrive_last();

  const unsigned cores_, arrivals_, flags_each_;
  const bool spin_;
  std::unique_ptr<flag_line[]> flags_;
  std::unique_ptr<member[]> members_;
  alignas(k_line_bytes) std::atomic<unsigned> arrived_{0};
};

}  // namespace parallel
}  // namespace gossamer
