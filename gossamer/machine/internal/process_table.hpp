#pragma once
// The processes of this node that a watch holds, by their pidfd: which have ended, in which order, how, and
// which death is the cause. Knows no links and no launcher, and prints nothing.
//
// The first sign of an end is that a process closes its connections (begins_to_die()); the kernel reports its
// end a moment later (ended()). Deaths are returned in the order of their first signs, each once it is
// complete:
//
//   alive --begins_to_die()--> dying --ended()--> gone       next_death() returns it
//                              dying --500 ms-->  alive      it has closed its connections, but lives
//
// One thread, in the fork of a process that may have threads: no allocation, no locks, no exceptions. The
// caller passes times of now_ns().

#include <array>
#include <cstdint>
#include <optional>

#include "gossamer/machine/internal/event_set.hpp"

namespace gossamer::machine {

inline constexpr std::size_t k_most_watched = 1024;  // processes of one node

/// The identity of a process among those of its node.
struct watched_process {
  int pid;
  std::uint32_t rank;
  std::uint64_t start_time;
};

/// When an event was read, and whether it happened after all events read before. One that was read late may
/// be older.
struct sighting {
  std::uint64_t now_ns;
  bool ordered;
};

class process_table {
 public:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  /// `known`: k_most_watched processes; hold_first() and hold_all() read as many as they hold.
  process_table(const watched_process* known, const event_set& events) : known_(known), events_(events) {}
  ~process_table();
  process_table(const process_table&) = delete;
  process_table& operator=(const process_table&) = delete;

  /// Holds the first process, by its pidfd, which the table then owns.
  void hold_first(int descriptor) noexcept;
  /// Holds the first `count` processes instead. The event of each is its number. A process without a
  /// descriptor, because none was available, is polled from time to time. Those that have already ended are
  /// reported by end_missing().
  void hold_all(std::uint32_t count, int most_descriptors, std::uint64_t now_ns) noexcept;
  /// Marks processes as ended that had ended before they could be held.
  void end_missing(sighting seen) noexcept;

  std::uint32_t count() const noexcept { return count_; }
  const watched_process& process(std::uint32_t i) const noexcept { return known_[i]; }
  /// Returns the number of a process; nothing if it is not held.
  std::optional<std::uint32_t> find(std::uint32_t rank, int pid) const noexcept;
  bool is_gone(std::uint32_t i) const noexcept { return peers_[i].gone; }
  /// Returns the wait status of a process that is gone; -1 if it is unknown.
  int status(std::uint32_t i) const noexcept { return peers_[i].status; }
  bool all_gone() const noexcept;

  /// Notes that a process has reported why it ends.
  void leaves(std::uint32_t i) noexcept { peers_[i].leaving = true; }
  bool one_leaves() const noexcept;

  void begins_to_die(std::uint32_t i, sighting seen) noexcept;
  /// Notes the end of a process, once, and how it ended.
  void ended(std::uint32_t i, sighting seen) noexcept;
  /// Returns the next process that has ended, in order; nothing while the first dying process has not ended.
  /// Forgets dying processes that live on.
  std::optional<std::uint32_t> next_death(std::uint64_t now_ns) noexcept;
  bool one_dies() const noexcept { return told_ < deaths_; }
  /// Returns when the first dying process is forgotten; k_never if none is dying.
  std::uint64_t forgets_at() const noexcept;

  /// Polls the processes without a descriptor. Returns whether it was time.
  bool poll_unheld(sighting seen) noexcept;
  std::uint64_t next_poll() const noexcept { return next_unheld_; }

  /// Returns the process whose death is the cause if the order of two deaths is unknown. First choice: a
  /// death that no launcher causes. Second: one that the launcher had already collected before it could be held,
  /// because it collects before it kills the others.
  std::uint32_t cause_of(std::uint32_t i, sighting seen) noexcept;

  /// Checks once for stopped processes. Returns one that more than `checks` consecutive checks have found
  /// stopped while others ran. A job that is suspended as a whole does not count, unless `alone_counts`.
  std::optional<std::uint32_t> find_stopped(unsigned checks, bool alone_counts) noexcept;

  /// Sends a signal to all living processes, except the first if `spares_first`.
  void signal_all(int number, bool spares_first) const noexcept;

 private:
  struct peer {
    int descriptor = -1;
    int status = -1;
    bool gone = false;
    bool leaving = false;
    bool dying = false;
    bool unordered = false;  // it is unknown when it began to die
    bool unheld = false;  // no descriptor was available: it is polled
    unsigned stopped_checks = 0;  // consecutive checks that found it stopped
    std::uint64_t dying_since = 0;
  };

  void hold(std::uint32_t i, int most_descriptors, std::uint64_t now_ns) noexcept;
  int likelihood(std::uint32_t i) const noexcept;

  const watched_process* const known_;
  const event_set& events_;
  std::uint32_t count_ = 0, deaths_ = 0, told_ = 0;
  std::uint64_t next_unheld_ = k_never;
  std::array<peer, k_most_watched> peers_;
  std::array<std::uint32_t, 2 * k_most_watched> order_;  // of the first signs of ends
};

/// Returns the descriptor, unless too few remain for files in /proc. Then closes it and returns -1 with errno
/// EMFILE.
int kept_descriptor(int descriptor, int most_descriptors) noexcept;

}  // namespace gossamer::machine
