#pragma once
// Parts of the answers of commands without a graph.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "output/session.hpp"

namespace gossamer::cli {

/// Sets the keys processes, cores and seconds, of the whole job. Inside run().
void set_run(session& s, double seconds);

/// Formats the time, cores and processes: "1.29 s on 2 cores", "1.29 s on 4 cores of 2 processes".
std::string time_and_place(double seconds);

/// Warns that lines or rows were left out, if any were, with the problem of the first one.
void warn_of_skipped(std::uint64_t n, const std::string& thing, std::string_view first);

/// Adds a table of the time of each stage, and the keys stages/<name>.
void say_stage_times(session& s, std::span<const std::pair<const char*, double>> stages);

}  // namespace gossamer::cli
