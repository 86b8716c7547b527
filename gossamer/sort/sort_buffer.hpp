#pragma once
// Buffers for elements while they are sorted.

#include "gossamer/machine/room.hpp"

namespace gossamer::sorting {

template <class K>
using sort_buffer = machine::room<K>;

}  // namespace gossamer::sorting
