#pragma once
// Says whose memory this core reads and writes by plain loads and stores. One-sided transfers ask here and
// nowhere else, so a way to map the memory of further processes changes this predicate alone.

#include "gossamer/message/core_id.hpp"

namespace gossamer::memory {

/// Returns whether what core `c` owns lies in this process's address space, at the addresses that it has for
/// `c`. Today: the cores of the same process.
inline bool addressable(const message::endpoint& self, core_id c) { return self.is_local(c); }

}  // namespace gossamer::memory
