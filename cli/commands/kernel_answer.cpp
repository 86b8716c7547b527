#include "commands/kernel_answer.hpp"

#include <cmath>

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

}  // namespace gossamer::cli
