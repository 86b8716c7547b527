#pragma once
// Information of the kernel about other processes, from /proc and their descriptors. For the fork of a
// process that may have threads: no allocation, no locks, no exceptions.

#include <cstdint>

namespace gossamer::machine {

/// Fields of /proc/<pid>/stat. The state is 0 if there is no such process, 'T' if it is stopped.
struct process_stat {
  char state = 0;
  int parent = 0;
  std::uint64_t start_time = 0;  // ticks after boot: distinguishes processes with a reused number
  int exit_code = -1;  // a wait status; only a process that has ended has one
};

/// Reads the fields of a process. Async-signal-safe.
process_stat stat_of(int pid) noexcept;

/// Returns when a process started, in ticks after boot; 0 if there is none. Async-signal-safe.
std::uint64_t start_time_of(int pid) noexcept;

/// Returns the wait status of a process that has ended; -1 if it is unknown. `descriptor` is its pidfd.
int wait_status_of(int pid, std::uint64_t start_time, int descriptor) noexcept;

/// Returns the number in that variable of a process's initial environment. Returns -1 if there is none, or it
/// may not be read.
int environment_number(int pid, const char* name) noexcept;

/// Calls visit(context, pid) for every visible process.
void visit_processes(void (*visit)(void* context, int pid), void* context) noexcept;

/// Calls f(pid) for every visible process.
template <class F>
void for_each_process(F f) noexcept {
  visit_processes([](void* context, int pid) { (*static_cast<F*>(context))(pid); }, &f);
}

}  // namespace gossamer::machine
