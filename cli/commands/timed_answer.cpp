#include "commands/timed_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "output/text.hpp"

namespace gossamer::cli {
namespace {

struct rate_unit {
  const char* key;
  std::string_view unit;
};
constexpr std::array<rate_unit, 6> k_rates{{{"mteps", "MTEPS"},
                                            {"mnodes_per_s", "M nodes/s"},
                                            {"mups", "M/s"},
                                            {"mops", "M/s"},
                                            {"mpoints", "M points/s"},
                                            {"mwords", "M words/s"}}};

}  // namespace

std::optional<answered_rate> rate_of(const json_object& answer) {
  std::optional<answered_rate> found;
  for (const rate_unit& one : k_rates)
    if (const auto rate = answer.number(one.key)) found = answered_rate{*rate, one.unit};
  return found;
}

double seconds_of(const json_object& answer) {
  if (const auto whole = answer.number("seconds")) return *whole;
  if (const auto run = answer.number("seconds/run")) return *run;
  return answer.number("seconds/load").value_or(0) + answer.number("seconds/build").value_or(0);
}

std::string failure_text(const machine::program_result& r, std::uint64_t timeout_s) {
  if (r.timed_out) return fmt::format("no end within {} s", timeout_s);
  if (r.signal_number != 0) return fmt::format("ended by signal {}", r.signal_number);
  std::string said = r.errors;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  said = said.substr(said.rfind('\n') + 1);
  if (said.starts_with("error: ")) said = said.substr(7);
  return said.empty() ? fmt::format("exit code {}", r.exit_code) : printable(said);
}

std::string joined(const std::vector<std::string>& words) { return fmt::to_string(fmt::join(words, " ")); }

std::string three_figures(double x) {
  return std::abs(x) >= 999.5 ? format_count(static_cast<std::uint64_t>(std::llround(x)))
                              : fmt::format("{:.3g}", x);
}

}  // namespace gossamer::cli
