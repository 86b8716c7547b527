#pragma once
// Reads the JSON answers of the commands that scale and sweep run, and formats their failures.

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

/// Returns the rate of an answer; nothing if it has none.
std::optional<answered_rate> rate_of(const json_object& answer);

/// Returns the seconds of an answer. In the answer of a graph command, these are the seconds of the
/// algorithm; without one, those of loading and building.
double seconds_of(const json_object& answer);

/// Returns why a run failed, in one line.
std::string failure_text(const machine::program_result& r, std::uint64_t timeout_s);

/// Returns the words, separated by blanks.
std::string joined(const std::vector<std::string>& words);

/// Formats a number with three significant digits; from 1,000 on as an integer.
std::string three_figures(double x);

}  // namespace gossamer::cli
