#pragma once
// What scale and sweep read of the answers of the commands that they run, and how they say that one failed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/machine/subprocess.hpp"
#include "output/json.hpp"

namespace gossamer::cli {

/// The rate that a command reports, and its unit.
struct answered_rate {
  double value = 0;
  std::string_view unit;
};

/// Returns the rate of an answer, nothing where it has none.
std::optional<answered_rate> rate_of(const json_object& answer);

/// Returns the seconds of an answer: one number, or the parts of a graph command. Of these it takes the algorithm, else loading and
/// building.
double seconds_of(const json_object& answer);

/// Returns why a run failed, in one line.
std::string failure_text(const machine::program_result& r, std::uint64_t timeout_s);

/// Returns words with blanks between.
std::string joined(const std::vector<std::string>& words);

/// Formats a number with three figures, from 1,000 on with all of them.
std::string three_figures(double x);

}  // namespace gossamer::cli
