#pragma once
// The processes of a job on this node before they know each other, as one of them sees them: which are
// stopped, and which are missing. They have the same parent and a rank in their environment. A stopped
// process may have no watch yet; the watches of the others detect it. One thread, in the fork of a process
// that may have threads: no allocation, no locks, no exceptions.
//
// A check is begin_check(), see() for each process, end_check(). Checks are counted, not the time between them.

#include <array>
#include <bitset>
#include <cstdint>
#include <span>

namespace gossamer::machine {

class starting_group {
 public:
  enum class finding : std::uint8_t { nothing, stopped, missing };

  void begin_check() noexcept;
  /// Adds a process of the job, with its state in /proc/<pid>/stat.
  void see(std::uint32_t rank, int pid, char state) noexcept;
  /// Returns the finding: a process that more than `checks` consecutive checks have found stopped while others
  /// ran, or fewer than `processes` processes at the check number `waiting_checks`. A group that is stopped as
  /// a whole is suspended; such a check does not count.
  finding end_check(unsigned checks, unsigned waiting_checks, std::uint32_t processes) noexcept;

  /// Returns the stopped process that was found.
  std::uint32_t stopped_rank() const noexcept { return stopped_rank_; }
  int stopped_pid() const noexcept { return stopped_pid_; }
  /// Returns the number of ranks at the last check; several programs may share one (`gossamer … | less` in a
  /// script).
  std::uint32_t seen() const noexcept { return seen_; }
  /// Writes the ranks that were missing at the last check: "1, 4-7". Only some of very many.
  void list_missing(std::span<char> into) const noexcept;

 private:
  static constexpr std::size_t k_most_ranks = 4096;  // that can be listed

  /// A process that was stopped when last seen.
  struct stopped_process {
    int pid = 0;
    unsigned checks = 0;
    bool seen = false;
  };

  unsigned stopped_checks(int pid) noexcept;

  std::array<stopped_process, 64> stopped_;
  std::bitset<k_most_ranks> ranks_;  // seen by the last check
  std::uint32_t processes_seen_ = 0, seen_ = 0, seen_stopped_ = 0, stopped_rank_ = 0, processes_ = 0;
  unsigned counted_checks_ = 0, longest_ = 0;
  int stopped_pid_ = 0;
};

}  // namespace gossamer::machine
