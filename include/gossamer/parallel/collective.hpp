#pragma once
// STUB of the interface: barrier() is for SPMD sections, one fiber per core, inside on_all_cores.
#include <atomic>
#include <thread>

#include "gossamer/memory/core_id.hpp"

namespace gossamer {
/// Collective.
inline void barrier() {
  static std::atomic<unsigned> count{0}, generation{0};
  const unsigned g = generation.load();
  if (count.fetch_add(1) + 1 == cores()) {
    count = 0;
    ++generation;
  } else {
    while (generation.load() == g) std::this_thread::yield();
  }
}
}  // namespace gossamer
