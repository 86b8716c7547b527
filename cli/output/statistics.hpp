#pragma once
// --stats: the counters of the run, per core: minimum, median, maximum, and total.

#include <span>

#include "gossamer/base/counters.hpp"
#include "output/session.hpp"

namespace gossamer::cli {

/// Adds the table and the key "stats". Peak memory is the process's.
void say_statistics(session& s, std::span<const counters> per_core);

}  // namespace gossamer::cli
