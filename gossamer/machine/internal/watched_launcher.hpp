#pragma once
// The launcher's process on this node, the parent of the job's processes: whether it is there, and its end where it waits
// for a node that does not answer. One thread, in the fork of a process that may have threads: no allocation, no
// locks, no exceptions.

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

  /// Holds the process that has this number and started then, under `event`. Its name says whether it is an MPI's. Below
  /// 2: there is none. Where it is held already, it is held anew.
  void hold(int pid, std::uint64_t start_time, const char* name, int most_descriptors,
            const event_set& events, std::uint32_t event, std::uint64_t now_ns) noexcept;

  /// Notes that it has ended, when its event has come.
  void ended(const event_set& events, std::uint64_t now_ns) noexcept;
  /// Returns since when it has been known to be gone; k_never: it is there, or there is none.
  std::uint64_t lost_since() const noexcept { return lost_since_; }

  /// Returns whether it is still there, and the launcher of an MPI. No batch system's process is meant.
  bool stays() const noexcept;

  /// Returns a descriptor of its standard error, to which lines can be written that no process of the job has to pass on; -1 where that
  /// may not be had.
  int open_standard_error() const noexcept;

  /// Ends it where it stays, and first what it has started: its connections to other nodes, which may hold the job's standard output. It
  /// is past asking: Open MPI's crashes where it is asked to end while it ends.
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
