#pragma once
// The line about a loss: its text, and which watch prints it. If the process that has the watch survives, it
// is notified instead. Ends no process. One thread, in the fork of a process that may have threads: no
// allocation, no locks, no exceptions.

#include <cstdint>

#include "gossamer/machine/internal/monitor_page.hpp"

namespace gossamer::machine {

class starting_group;

class loss_report {
 public:
  explicit loss_report(monitor_page& page) : page_(page) {}

  /// Allows only the first ending process of this node to print from here on, or all again. A process that is
  /// killed before the processes know each other may have been killed for the loss of another one.
  void defer(bool deferred) noexcept { deferred_ = deferred; }
  bool is_deferred() const noexcept { return deferred_; }
  /// Returns whether this process is the first ending process of this node.
  void find_first() noexcept { is_first_ = take("first"); }
  /// Notes that the process which has the watch has ended: it cannot survive.
  void owner_is_gone() noexcept { owner_is_gone_ = true; }

  /// Prints "error: process 1 (pid 1234 on node17) was lost (killed by SIGKILL)"; the status is -1 if it is
  /// unknown.
  void lost(const watched_process& which, int status) noexcept;
  /// Prints the same for a process of which no more is known.
  void lost(std::uint32_t rank, int pid) noexcept { lost({pid, rank, 0}, -1); }
  /// Prints "... has not answered for 20 s: it is stopped"
  void stopped(std::uint32_t rank, int pid) noexcept;
  /// Prints "... has not answered for 20 s", for another node
  void silent(const heartbeat_peer& node) noexcept;
  /// Prints "... has not answered process 2 (pid 8 on n3) for 20 s, but answers process 0 (pid 7 on n1): does a
  /// firewall stop packets between n2 and n3?"
  void apart(const heartbeat_peer& node, const heartbeat_peer& hearer) noexcept;
  /// Prints "error: mpirun (pid 800 on node17), the parent of process 1, was lost"
  void launcher_lost() noexcept;
  /// Prints "... has waited 20 s for the other processes of the job to start: 1 of 3 are on this node, and
  /// not 1-2; ..."
  void waited(const starting_group& group) noexcept;
  /// Prints nothing. Notifies the surviving process that process `which` has ended, or signal handlers that a
  /// line `was_printed`.
  void ended_in_order(const watched_process& which, bool was_printed) noexcept;

  /// Returns whether this watch has printed the line.
  bool was_printed() const noexcept { return was_printed_; }
  /// Returns whether the process that has the watch survives.
  bool owner_survives() const noexcept { return owner_survives_; }

 private:
  static constexpr unsigned k_most = 640;

  void say(const char* line, int length) noexcept;
  bool tell_survivor(const char* line, int length) noexcept;
  bool take(const char* what) const noexcept;

  monitor_page& page_;
  bool deferred_ = false, is_first_ = false, owner_is_gone_ = false;
  bool was_printed_ = false, owner_survives_ = false;
};

}  // namespace gossamer::machine
