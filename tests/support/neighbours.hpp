#pragma once
// The lanes between two processes of a node, both ends of each in this one.

#include <cstddef>

#include "gossamer/fabric/node_lanes.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::test {

struct neighbours {
  neighbours(unsigned cores, std::size_t packet_bytes) : neighbours({cores, {0, 1}, packet_bytes}) {}
  explicit neighbours(const fabric::node_lanes::layout& l)
      : memory(l.bytes(), "lanes"), first(l, 0, memory.data()), second(l, 1, memory.data()) {}

  machine::memory_region memory;
  fabric::node_lanes first, second;
};

}  // namespace gossamer::test
