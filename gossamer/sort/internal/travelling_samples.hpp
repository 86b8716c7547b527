#pragma once
// Sends samples of lines to all processes.

#include <vector>

#include "gossamer/sort/internal/line_splitters.hpp"

namespace gossamer::sorting {

/// Returns the samples of all processes, in the same order everywhere. Collective over the processes, by their first cores.
std::vector<line_sample> exchange_samples(const std::vector<line_sample>& mine);

}  // namespace gossamer::sorting
