#pragma once
// Who runs this code: the number of the core, and how many there are in the job.

#include "gossamer/message/endpoint.hpp"

namespace gossamer {

/// Number of a core in the whole job, from 0.
using core_id = unsigned;

/// The core that runs this code; 0 outside of a job.
inline core_id here() {
  const auto* core = fiber::scheduler::current();
  return core != nullptr ? core->id() : 0;
}

/// Cores of the job; 1 outside of one.
inline unsigned cores() {
  return fiber::scheduler::current() != nullptr ? message::endpoint::here().cores() : 1;
}

}  // namespace gossamer
