#pragma once
// The numbers of this core and its process, and how many cores and processes the job has. All processes have the same number of
// cores; those of process p are first_core(p), first_core(p) + 1, ...

#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer {

/// The number of a core in the whole job, from 0.
using core_id = unsigned;

/// Returns the core that runs this code; 0 outside of a job.
inline core_id here() {
  const auto* core = fiber::scheduler::current();
  return core != nullptr ? core->id() : 0;
}

/// Returns the number of cores of the job; 1 outside of one.
inline unsigned cores() {
  return fiber::scheduler::current() != nullptr ? message::endpoint::here().cores() : 1;
}

/// Returns the number of processes of the job; 1 outside of one.
inline unsigned processes() {
  return fiber::scheduler::current() != nullptr ? message::endpoint::here().processes() : 1;
}
/// Returns the number of cores of each process; 1 outside of a job.
inline unsigned cores_per_process() {
  return fiber::scheduler::current() != nullptr ? message::endpoint::here().cores_per_process() : 1;
}

/// Returns the process that runs this code, from 0.
inline unsigned process() { return here() / cores_per_process(); }
/// Returns the process of a core.
inline unsigned process_of(core_id c) { return c / cores_per_process(); }
/// Returns the first core of a process.
inline core_id first_core(unsigned process) { return process * cores_per_process(); }

namespace message {

/// Ends the program in one line: `call` got a core that does not exist, or a null pointer.
[[noreturn, gnu::cold]] void refuse_core(const char* call, core_id core);
[[noreturn, gnu::cold]] void refuse_null(const char* call);

/// Returns this core. Outside a job, ends the program in one line that names `call`.
inline endpoint& inside(const char* call) {
  machine::computing_point();
  return static_cast<endpoint&>(fiber::scheduler::inside(call));
}
/// Returns this core, as inside(call) does. Ends the program in one line if `to` is no core of the job.
inline endpoint& inside(const char* call, core_id to) {
  endpoint& self = inside(call);
  if (to >= self.cores()) [[unlikely]]
    refuse_core(call, to);
  return self;
}

}  // namespace message

}  // namespace gossamer
