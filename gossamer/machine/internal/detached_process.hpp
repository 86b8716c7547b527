#pragma once
// Detaches a forked process, so that no program waits for it.

#include <span>

namespace gossamer::machine {

/// Releases all resources of this forked process except standard error and the given descriptors; descriptors
/// below 3 get other numbers. A program that waits for the end of its output, or for its connections to
/// close, must not wait for this process. The process gets its own session, this name, and as many
/// descriptors as allowed; it ignores signals that ask it to end. Returns the descriptor limit. For the fork
/// of a process that may have threads.
int detach_process(const char* name, std::span<int* const> kept) noexcept;

}  // namespace gossamer::machine
