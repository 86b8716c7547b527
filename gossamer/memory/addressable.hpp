#pragma once
// Decides which memory this core reads and writes by plain loads and stores. One-sided transfers decide it here only.

#include "gossamer/memory/array.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::memory {

/// What memory of a core a transfer touches.
enum class place : bool {
  array,  ///< elements of a global array
  other,  ///< a heap, a per_core, a stack
};

/// Returns whether memory of core `c` is mapped in this process at the addresses that it has for `c`. That holds for all memory
/// of this process's cores, and for the elements of arrays that a core of a neighbour process on the node owns.
inline bool addressable(const message::endpoint& self, core_id c, place what) {
  return self.is_local(c) || (what == place::array && lies_here(c));
}

}  // namespace gossamer::memory
