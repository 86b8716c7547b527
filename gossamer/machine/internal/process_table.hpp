#pragma once
// The processes of this node that a watch holds, by their pidfd: which have ended, in which order, how, and which is the
// cause. Knows no links, no launcher, and prints nothing.
//
// The first sign of an end is that a process closes its connections (begins_to_die()); the kernel tells its end a moment
// later (ended()). Deaths are told in the order of their first signs, each once it is complete:
//
//   alive --begins_to_die()--> dying --ended()--> gone       next_death() tells it
//                              dying --500 ms-->  alive      it has closed its connections, and lives
//
// One thread, in the fork of a process that may have threads: no allocation, no locks, no exceptions. Times are those of
// now_ns(), which the caller gives.

#include <array>
#include <cstdint>
#include <optional>

#include "gossamer/machine/internal/event_set.hpp"

namespace gossamer::machine {

inline constexpr std::size_t k_most_watched = 1024;  // processes of one node

/// A process as the others of its node know it.
struct watched_process {
  int pid;
  std::uint32_t rank;
  std::uint64_t start_time;
};

/// When something was seen, and whether it came after all that was seen before. What was read late may be older.
struct sighting {
  std::uint64_t now_ns;
  bool ordered;
};

class process_table {
 public:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  /// `known`: k_most_watched processes, of which hold_first() and hold_all() read as many as they hold.
  process_table(const watched_process* known, const event_set& events) : known_(known), events_(events) {}
  ~process_table();
  process_table(const process_table&) = delete;
  process_table& operator=(const process_table&) = delete;

  /// Holds the first process, by its pidfd, which the table takes over.
  void hold_first(int descriptor) noexcept;
  /// Holds the first `count` processes instead. Each event is its number. A process without a descriptor for lack of
  /// them is looked at from time to time. Those that have ended already have not ended here until end_missing().
  void hold_all(std::uint32_t count, int most_descriptors, std::uint64_t now_ns) noexcept;
  /// Notes the end of those that were gone when they were to be held.
  void end_missing(sighting seen) noexcept;

  std::uint32_t count() const noexcept { return count_; }
  const watched_process& process(std::uint32_t i) const noexcept { return known_[i]; }
  /// Returns the number of a process; nothing where it is not held.
  std::optional<std::uint32_t> find(std::uint32_t rank, int pid) const noexcept;
  bool is_gone(std::uint32_t i) const noexcept { return peers_[i].gone; }
  /// Returns the wait status of a process that is gone; -1 where it is unknown.
  int status(std::uint32_t i) const noexcept { return peers_[i].status; }
  bool all_gone() const noexcept;

  /// Notes that a process has said why it ends.
  void leaves(std::uint32_t i) noexcept { peers_[i].leaving = true; }
  bool one_leaves() const noexcept;

  void begins_to_die(std::uint32_t i, sighting seen) noexcept;
  /// Notes the end of a process, once, and how it ended.
  void ended(std::uint32_t i, sighting seen) noexcept;
  /// Returns the next process that has ended, in order; nothing while the first that dies has not. What only seemed to
  /// die is forgotten.
  std::optional<std::uint32_t> next_death(std::uint64_t now_ns) noexcept;
  bool one_dies() const noexcept { return told_ < deaths_; }
  /// Returns when the first that dies is forgotten; k_never where none dies.
  std::uint64_t forgets_at() const noexcept;

  /// Looks at the processes that no descriptor could be had for. Returns whether it was time.
  bool look_at_unheld(sighting seen) noexcept;
  std::uint64_t next_look() const noexcept { return next_unheld_; }

  /// Returns the process whose death is the cause, where the order of two deaths is not known. A death that no launcher
  /// deals out comes first. Next comes one that the launcher had collected at the first look, since it collects before it
  /// kills the others.
  std::uint32_t cause_of(std::uint32_t i, sighting seen) noexcept;

  /// Looks once for stopped processes. Returns one that so many looks in a row have found stopped while others ran: a
  /// suspended job is no trouble, unless `alone_counts`.
  std::optional<std::uint32_t> find_stopped(unsigned looks, bool alone_counts) noexcept;

  /// Sends a signal to all that live, but the first where `spares_first`.
  void signal_all(int number, bool spares_first) const noexcept;

 private:
  struct peer {
    int descriptor = -1;
    int status = -1;
    bool gone = false;
    bool leaving = false;
    bool dying = false;
    bool unordered = false;  // when it began to die is not known
    bool unheld = false;  // no descriptor could be had: it is looked at from time to time
    unsigned stopped_looks = 0;  // in a row that found it stopped
    std::uint64_t dying_since = 0;
  };

  void hold(std::uint32_t i, int most_descriptors, std::uint64_t now_ns) noexcept;
  int likelihood(std::uint32_t i) const noexcept;

  const watched_process* const known_;
  const event_set& events_;
  std::uint32_t count_ = 0, deaths_ = 0, told_ = 0;
  std::uint64_t next_unheld_ = k_never;
  std::array<peer, k_most_watched> peers_;
  std::array<std::uint32_t, 2 * k_most_watched> order_;  // of the first signs of an end
};

/// Returns the descriptor, unless it leaves too few for files in /proc. Then closes it and returns -1 with errno EMFILE.
int kept_descriptor(int descriptor, int most_descriptors) noexcept;

}  // namespace gossamer::machine
