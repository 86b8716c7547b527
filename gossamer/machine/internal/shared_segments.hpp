#pragma once
// Segments of shared memory that an MPI made in /dev/shm and had no time to remove, because its processes
// were killed before all of them had attached.

#include <cstdint>

namespace gossamer::machine {

/// Removes the files in /dev/shm that are named as Open MPI, MPICH and UCX name theirs and belong to this user.
/// Only those made at or after `since_s` (seconds of the wall clock), and open in no process that can be seen
/// (for writing, in no process at all). The caller ignores SIGIO, and has none of them open. For the fork
/// of a process that may have threads: no locks of ours, no exceptions.
void remove_dead_segments(std::int64_t since_s) noexcept;

}  // namespace gossamer::machine
