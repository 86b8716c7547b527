#pragma once
// Sleeping on a 32-bit word until another thread wakes it (Linux futex, private to the process unless its name says otherwise).
// A wait may return for no reason: always check the condition again in a loop. A wake is a system
// call (~17 us until an idle processor runs the sleeper), so wake only when a thread is known to sleep.
// The word's own loads and stores give the ordering; the calls here add none.

#include <atomic>
#include <cstdint>

namespace gossamer::machine {

/// Sleeps while `word` holds `expected`; returns at once where it does not.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// Does the same as futex_wait() for at most `timeout_ns`. Returns false when the time ran out.
bool futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t timeout_ns) noexcept;

/// Does the same for a word in memory that processes share. Async-signal-safe, and so is its wake.
void shared_futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
void shared_futex_wake_all(std::atomic<std::uint32_t>& word) noexcept;

void futex_wake_one(std::atomic<std::uint32_t>& word) noexcept;
void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace gossamer::machine
