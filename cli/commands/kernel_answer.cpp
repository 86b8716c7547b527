#include "commands/kernel_answer.hpp"

#include <cmath>

#include "gossamer/machine/standard_error.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::cli {

void set_run(session& s, double seconds) {
  json_object& j = s.json();
  j.set("processes", processes());
  j.set("cores", cores());
  j.set("seconds", std::round(seconds * 1e9) / 1e9);
}

std::string time_and_place(double seconds) {
  return fmt::format("{} on {}{}", format_duration(seconds), plural(cores(), "core", "cores"),
                     processes() > 1 ? fmt::format(" of {} processes", processes()) : std::string());
}

void warn_of_skipped(std::uint64_t n, const std::string& thing, std::string_view first) {
  if (n == 0) return;
  machine::print_warning(
      fmt::format("{} skipped; the first: {}", plural(n, thing + " was", thing + "s were"), first));
}

void say_stage_times(session& s, std::span<const std::pair<const char*, double>> stages) {
  table rows({{"stage", table::align::left}, {"time"}});
  for (const auto& [stage, seconds] : stages) {
    rows.row({stage, format_duration(seconds)});
    s.json().set(fmt::format("stages/{}", stage), seconds);
  }
  s.say("");
  s.say(rows);
}

}  // namespace gossamer::cli
