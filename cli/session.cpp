#include "session.hpp"

#include <cmath>

#include "gossamer/base/options.hpp"
#include "gossamer/machine/launcher.hpp"
#include "terminal.hpp"
#include "version.hpp"

namespace gossamer::cli {

session::session(const options& asked)
    : asked_(asked),
      speaks_(machine::speaks_for_job()),
      colours_(output_has_colours() &&
               machine::find_launch().launcher.empty()),  // Open MPI's is always a terminal
      simulated_(gossamer::options().text("GOSSAMER_SIMULATE").has_value()),
      steps_(asked.quiet || asked.what == command::doctor || asked.what == command::network || !speaks_ ||
             simulated_) {
  json_.set("command", asked.name);
  json_.set("version", k_version);
}

void session::took(std::string_view part, double seconds) {
  json_.set(fmt::format("seconds/{}", part), std::round(seconds * 1e9) / 1e9);
}

void session::open_rows(std::vector<std::string> columns) {
  if (!asked_.output.empty()) rows_.emplace(asked_.output, std::move(columns));
}

void session::verified(bool ok, std::string_view reason, std::string_view method) {
  json_.set("verified", ok);
  if (ok) {
    say("\nverified: {} (independent serial {})", colours_.good("yes"), method);
    return;
  }
  wrong_ = printable(reason);
  json_.set("verify_reason", reason);
  say("\nverified: {} (independent serial {}): {}", colours_.bad("no"), method, wrong_);
}

int session::finish() {
  steps_.finish();
  if (!speaks_) return 0;
  if (rows_ && wrong_.empty()) {
    rows_->commit();
    say("\nwrote {}", printable(asked_.output));
  }
  // Standard output is the rows' or the graph's where "-" was given for a file.
  if (asked_.output != "-" && asked_.destination != "-")
    write_output(asked_.json ? json_.text() + "\n" : text_);
  if (wrong_.empty()) return 0;
  write_error(fmt::format("error: {}: the answer did not pass verification: {}\n", asked_.name, wrong_));
  return 1;
}

}  // namespace gossamer::cli
