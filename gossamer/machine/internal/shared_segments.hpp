#pragma once
// Shared memory segments in /dev/shm that an MPI could not remove, because its processes were killed before
// all of them had attached.

#include <cstdint>

namespace gossamer::machine {

/// Removes the files in /dev/shm with names that Open MPI, MPICH and UCX use, and that belong to this user.
/// Only those made at or after `since_s` (seconds of the wall clock), and open in no visible process (for
/// writing, in no process at all). The caller ignores SIGIO, and has none of them open. For the fork of a
/// process that may have threads: no locks of ours, no exceptions.
void remove_dead_segments(std::int64_t since_s) noexcept;

}  // namespace gossamer::machine
