#pragma once
// Says whose memory this core reads and writes by plain loads and stores. One-sided transfers ask here and nowhere else.

#include "gossamer/memory/array.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::memory {

/// What memory of a core a transfer touches.
enum class place : bool {
  slice,  ///< of a global array
  other,  ///< of its heap, a per_core, a stack
};

/// Returns whether memory of core `c` lies in this process, at the addresses that it has for `c`: all of what cores of this process
/// own, and slices of arrays that a neighbour on the node owns.
inline bool addressable(const message::endpoint& self, core_id c, place what) {
  return self.is_local(c) || (what == place::slice && lies_here(c));
}

}  // namespace gossamer::memory
