#pragma once
// Buffers for elements while they are sorted.

#include "gossamer/machine/uninitialised_buffer.hpp"

namespace gossamer::sorting {

template <class K>
using sort_buffer = machine::uninitialised_buffer<K>;

}  // namespace gossamer::sorting
