#pragma once
// What the commands without a graph have in common: the keys that each of them sets.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "output/session.hpp"

namespace gossamer::cli {

/// Sets processes, cores and seconds, of the whole job; inside run().
void set_run(session& s, double seconds);

/// Formats the time and the place: "1.29 s on 2 cores", "1.29 s on 4 cores of 2 processes".
std::string time_and_place(double seconds);

/// Warns that some lines or rows were left out, if there are any, and says what is wrong with the first of them.
void warn_of_skipped(std::uint64_t n, const std::string& thing, std::string_view first);

/// Says the time of each stage, and sets the keys stages/<name>.
void say_stage_times(session& s, std::span<const std::pair<const char*, double>> stages);

}  // namespace gossamer::cli
