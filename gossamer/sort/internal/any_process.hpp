#pragma once
// A logical or over the processes of a sort.

#include "gossamer/parallel/per_process.hpp"

namespace gossamer::sorting {

/// Returns whether `mine` is true in any process. Collective; by the first core of each process.
inline bool any_process(bool mine) {
  bool any = false;
  for (const char one : all_gather_processes(static_cast<char>(mine))) any |= one != 0;
  return any;
}

}  // namespace gossamer::sorting
