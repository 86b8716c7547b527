#pragma once
// The interface of a simulated cluster (layer simulation), which replaces the operating system for the code
// that runs in it: time, threads, sleep, randomness, processors and the addresses common to all processes.
// Null in a real run, which costs nothing else there. Above machine, only code that reads data published by
// other threads uses it; all other code calls machine as usual.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace gossamer::machine {

/// The system as one simulated process sees it. Call on any stack of the simulating thread, by the simulated
/// thread that runs at this moment. Blocking calls run other threads meanwhile.
class simulated_system {
 public:
  simulated_system() = default;
  simulated_system(const simulated_system&) = delete;
  simulated_system& operator=(const simulated_system&) = delete;
  virtual ~simulated_system() = default;

  /// Returns the virtual time of the running thread, including its work so far.
  virtual std::uint64_t now_ns() noexcept = 0;
  /// Lets threads that are behind in time run first. Called before the thread reads data that others publish.
  virtual void look() noexcept = 0;
  /// Lets the simulation run another thread first, in development builds. Never while a lock is held.
  virtual void preemption_point() noexcept = 0;
  /// Lets the running fiber, if there is one, compute for a while before the call that it is about to make,
  /// in development builds: its core does not poll meanwhile.
  virtual void computing_point() noexcept = 0;
  /// Returns a number below n: 0 unless the seed decides otherwise. `what` is a literal, for the trace.
  virtual unsigned choose(unsigned n, const char* what) noexcept = 0;

  /// Blocks while `word` holds `expected`; returns false after a time-out. timeout_ns 0: for ever.
  /// `spinning`: the thread does not sleep but polls, and also continues when something arrives.
  virtual bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns,
                    bool spinning) noexcept = 0;
  virtual void wake(const std::atomic<std::uint32_t>& word, bool all) noexcept = 0;
  virtual void yield() noexcept = 0;

  virtual std::uintptr_t start(std::string name, std::function<void()> body) = 0;
  virtual void join(std::uintptr_t thread) noexcept = 0;

  virtual std::uint64_t random() noexcept = 0;
  virtual unsigned processors() const noexcept = 0;
  virtual unsigned processes() const noexcept = 0;
  /// Returns how long the running thread has slept, polled without success and yielded. Does not advance the
  /// clock.
  virtual std::uint64_t waited_ns() const noexcept = 0;

  /// Maps zeroed memory of this process at a common address. unmap_common() clears it, and returns false if
  /// these bytes are not common.
  virtual std::byte* map_common(std::byte* at, std::size_t bytes) = 0;
  virtual bool unmap_common(std::byte* at, std::size_t bytes) noexcept = 0;
  /// Handles a failed access to that address, in the fault handler. Returns true if the access must be
  /// repeated. System calls do not fault but fail: their memory is touched before.
  virtual bool bring_common(const void* at) noexcept = 0;
  /// Returns the size of the common address range.
  virtual std::uint64_t common_bytes() const noexcept = 0;
};

namespace detail {
inline constinit thread_local simulated_system* t_simulated = nullptr;
}  // namespace detail

/// Returns the simulated system that runs the calling code; null in a real run.
inline simulated_system* simulated() noexcept { return detail::t_simulated; }

/// Lets a simulation run any other core in the middle of a protocol, in development builds. Otherwise does
/// nothing. Never under a lock that others wait for.
inline void preemption_point() noexcept {
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  if (auto* s = simulated()) [[unlikely]]
    s->preemption_point();
#endif
}

/// Lets a simulation make the running fiber compute before a call of the program, in development builds.
/// Otherwise does nothing.
inline void computing_point() noexcept {
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  if (auto* s = simulated()) [[unlikely]]
    s->computing_point();
#endif
}

/// Makes this thread run code of that process from now on. Called by the simulation. Returns the previous
/// process.
inline simulated_system* simulate(simulated_system* process) noexcept {
  simulated_system* const before = detail::t_simulated;
  detail::t_simulated = process;
  return before;
}

}  // namespace gossamer::machine
