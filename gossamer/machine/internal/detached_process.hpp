#pragma once
// How the fork of a process becomes a process of its own, which no program waits for.

#include <span>

namespace gossamer::machine {

/// Gives up all of this process but standard error and the given descriptors, of which those below 3 get other
/// numbers. A program that waits for the end of its output, or for its connections to close, must not wait for this
/// process. It gets a session of its own, this name, and as many descriptors as it may have; it ignores signals that
/// ask it to end. Returns how many descriptors it may have. For the fork of a process that may have threads.
int detach_process(const char* name, std::span<int* const> kept) noexcept;

}  // namespace gossamer::machine
