#pragma once
// The launcher's process on this node, the parent of the job's processes. Detects its end, and ends it if it
// waits for a node that does not answer. One thread, in the fork of a process that may have threads: no
// allocation, no locks, no exceptions.

#include <cstdint>

#include "gossamer/machine/internal/event_set.hpp"

namespace gossamer::machine {

class watched_launcher {
 public:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  watched_launcher() = default;
  ~watched_launcher();
  watched_launcher(const watched_launcher&) = delete;
  watched_launcher& operator=(const watched_launcher&) = delete;

  /// Holds the process with this number and start time, under `event`. Its name says whether it belongs to an
  /// MPI. Below 2: there is none. Replaces one that was held before.
  void hold(int pid, std::uint64_t start_time, const char* name, int most_descriptors,
            const event_set& events, std::uint32_t event, std::uint64_t now_ns) noexcept;

  /// Notes that it has ended; call at its event.
  void ended(const event_set& events, std::uint64_t now_ns) noexcept;
  /// Returns when it was first known to be gone; k_never: it lives, or there is none.
  std::uint64_t lost_since() const noexcept { return lost_since_; }

  /// Returns whether it lives and is the launcher of an MPI, not a process of a batch system.
  bool stays() const noexcept;

  /// Returns a descriptor of its standard error, for lines that no process of the job has to forward; -1 if
  /// it is not available.
  int open_standard_error() const noexcept;

  /// Kills it if it does not end, and before that its children: its connections to other nodes, which may
  /// hold the job's standard output. Sends no SIGTERM: Open MPI crashes if it gets one while it ends.
  void end() const noexcept;

 private:
  int descriptor_ = -1;
  int pid_ = 0;
  std::uint64_t start_time_ = 0;
  const char* name_ = "";
  std::uint64_t lost_since_ = k_never;
};

/// Returns whether a program's name is that of an MPI's launcher.
bool is_launcher_of_mpi(const char* name) noexcept;

}  // namespace gossamer::machine
