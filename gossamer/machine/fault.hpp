#pragma once
// Reports bad memory accesses: a line that names the cause instead of "signal 11". A fiber that overflows its
// stack hits a guard page; the fiber layer explains it. A mapped file that was truncated is named. All other
// faults go to the previous handler (a sanitizer) or to the default action.

#include <cstddef>
#include <memory>

namespace gossamer::machine {

/// Called for every bad access. Returns true if it knows the address; then it has written one line without a
/// newline into `buffer`, zero-terminated. Runs in the signal handler: async-signal-safe, no locks.
using fault_explainer = bool (*)(void* address, char* buffer, std::size_t size);

/// Handles SIGSEGV and SIGBUS (and removes temporary files on SIGABRT). Program-wide, idempotent. An
/// explained fault prints "gossamer: <line>", the failure context and a backtrace, and aborts.
void install_fault_handlers();

/// Sets the explainer of faults; null removes it.
void set_fault_explainer(fault_explainer explain) noexcept;

/// The stack on which this thread's faults are handled; needed because the fault may be that the stack is
/// full. Make one at the start of every thread that runs fibers; destroy it on the same thread. Does nothing
/// in simulated code.
class fault_stack {
 public:
  fault_stack();
  ~fault_stack();
  fault_stack(const fault_stack&) = delete;
  fault_stack& operator=(const fault_stack&) = delete;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Names a mapped range to the SIGBUS handler: [begin, begin+bytes) is `path`. Returns the entry, or -1 if
/// the table (256) is full: then the fault is explained less well.
int watch_mapping(const void* begin, std::size_t bytes, const char* path) noexcept;
void unwatch_mapping(int entry) noexcept;

}  // namespace gossamer::machine
