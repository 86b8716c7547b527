#pragma once
// Sleeping on a 32-bit word until another thread wakes it (Linux futex, private to the process unless its
// name says otherwise). Wake-ups may be spurious: always check the condition again in a loop. A wake is a
// system call, and takes microseconds until an idle processor runs the sleeper. So wake only if a thread is
// known to sleep. The word's own loads and stores give the ordering; the calls here add none.

#include <atomic>
#include <cstdint>

namespace gossamer::machine {

/// Sleeps while `word` holds `expected`; returns at once if it does not.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// Does the same as futex_wait() for at most `timeout_ns`. Returns false after a time-out.
bool futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t timeout_ns) noexcept;

/// Does the same for a word in shared memory. Async-signal-safe, and so is its wake.
void shared_futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
void shared_futex_wake_all(std::atomic<std::uint32_t>& word) noexcept;

void futex_wake_one(std::atomic<std::uint32_t>& word) noexcept;
void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace gossamer::machine
