#pragma once
// Where a cluster is simulated (room simulation) it plays the operating system for the code that runs in it:
// time, threads, sleep, randomness, processors and the addresses common to all processes come from
// here. Null in a real run, which is all that this costs there. Above machine only the few places ask for it
// that look at what other threads publish; all other code asks machine as ever.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace gossamer::machine {

/// The system as one simulated process sees it. Everything may be called on any stack of the thread that
/// simulates, by the thread that the simulation runs at this moment; blocking calls run others meanwhile.
class simulated_system {
 public:
  simulated_system() = default;
  simulated_system(const simulated_system&) = delete;
  simulated_system& operator=(const simulated_system&) = delete;
  virtual ~simulated_system() = default;

  /// Returns the virtual time of the thread that runs, with what it has done so far.
  virtual std::uint64_t now_ns() noexcept = 0;
  /// Lets threads that are behind in time go first. Called when the thread is about to look at what others
  /// publish.
  virtual void look() noexcept = 0;
  /// Lets the simulation run another thread first, in development builds. Never while a lock is held.
  virtual void preemption_point() noexcept = 0;
  /// Lets the fiber that runs, if one does, compute for a while before the call of the program that it is about to make, in
  /// development builds: its core looks at nothing meanwhile.
  virtual void computing_point() noexcept = 0;
  /// Returns a number below n: 0 unless the seed says otherwise. `what` is a literal, for the trace.
  virtual unsigned choose(unsigned n, const char* what) noexcept = 0;

  /// Blocks while `word` holds `expected`; false when the time ran out. timeout_ns 0: for ever. `spinning`:
  /// the thread does not sleep but looks again and again, and also goes on when something arrives.
  virtual bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns,
                    bool spinning) noexcept = 0;
  virtual void wake(const std::atomic<std::uint32_t>& word, bool all) noexcept = 0;
  virtual void yield() noexcept = 0;

  virtual std::uintptr_t start(std::string name, std::function<void()> body) = 0;
  virtual void join(std::uintptr_t thread) noexcept = 0;

  virtual std::uint64_t random() noexcept = 0;
  virtual unsigned processors() const noexcept = 0;
  virtual unsigned processes() const noexcept = 0;
  /// Returns how long the thread that runs has slept, looked in vain and given way. Moves no clock.
  virtual std::uint64_t waited_ns() const noexcept = 0;

  /// Maps zeroed memory of this process at an address common to all. unmap_common() makes it zeroes again,
  /// and returns false where these bytes are not common.
  virtual std::byte* map_common(std::byte* at, std::size_t bytes) = 0;
  virtual bool unmap_common(std::byte* at, std::size_t bytes) noexcept = 0;
  /// Handles a failed access to that address, in the handler of a fault. Returns true where it is to be tried
  /// again. System calls do not fault but fail: their memory is touched before.
  virtual bool bring_common(const void* at) noexcept = 0;
  /// Returns how far the common addresses reach.
  virtual std::uint64_t common_bytes() const noexcept = 0;
};

namespace detail {
inline constinit thread_local simulated_system* t_simulated = nullptr;
}  // namespace detail

/// Returns the simulated system that runs the calling code; null in a real run.
inline simulated_system* simulated() noexcept { return detail::t_simulated; }

/// Lets a simulation run any other core where a protocol is open, in development builds. Nothing else. Never
/// under a lock that others wait for.
inline void preemption_point() noexcept {
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  if (auto* s = simulated()) [[unlikely]]
    s->preemption_point();
#endif
}

/// Lets a simulation have the fiber that runs compute before a call of the program, in development builds. Nothing else.
inline void computing_point() noexcept {
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  if (auto* s = simulated()) [[unlikely]]
    s->computing_point();
#endif
}

/// Makes this thread run code of that process from now on. Called by the simulation. Returns the one before.
inline simulated_system* simulate(simulated_system* process) noexcept {
  simulated_system* const before = detail::t_simulated;
  detail::t_simulated = process;
  return before;
}

}  // namespace gossamer::machine
