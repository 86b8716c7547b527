#pragma once
// What the commands without a graph have in common: the keys that each of them sets.

#include "output/session.hpp"

namespace gossamer::cli {

/// Sets processes, cores and seconds, of the whole job; inside run().
void set_run(session& s, double seconds);

/// Formats the time and the place: "1.29 s on 2 cores", "1.29 s on 4 cores of 2 processes".
std::string time_and_place(double seconds);

}  // namespace gossamer::cli
