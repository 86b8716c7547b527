#pragma once
// Abstract socket names as locks: one process of a user can hold a name, and the kernel frees it with that
// process. For the fork of a process that may have threads: no allocation, no locks, no exceptions.

#include <cstdint>

namespace gossamer::machine {

/// Takes a name that only one process of this user can hold; returns false if another one holds it. Before
/// the processes know each other, each has its own watch, and one death is followed by others. All of them
/// have one parent on this node. A name made from it can be taken once, and is held until the end. Names that
/// other users hold are skipped: there are a few alternatives. If all are held, a line is at worst printed
/// twice.
bool take_name(const char* what, std::uint64_t pid_namespace, int parent,
               std::uint64_t parent_start) noexcept;

/// Returns whether the socket's other end belongs to the user of this process. Async-signal-safe.
bool connects_own_user(int connected) noexcept;

}  // namespace gossamer::machine
