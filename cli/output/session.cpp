#include "output/session.hpp"

#include <cmath>

#include "gossamer/base/options.hpp"
#include "gossamer/machine/launcher.hpp"
#include "output/terminal.hpp"
#include "version.hpp"

namespace gossamer::cli {

session::session(session_options how)
    : how_(std::move(how)),
      speaks_(machine::speaks_for_job()),
      colours_(output_has_colours() &&
               machine::find_launch().launcher.empty()),  // Open MPI's is always a terminal
      simulated_(gossamer::options().text("GOSSAMER_SIMULATE").has_value()),
      steps_(how_.quiet || !speaks_ || simulated_) {
  json_.set("command", how_.command);
  json_.set("version", k_version);
}

void session::step(std::string_view what, std::uint64_t input_bytes) {
  steps_.step(what, input_bytes);
  phase(what);
}

void session::phase(std::string_view name) {
  if (recorder_ != nullptr) recorder_->begin(name);
}

void session::took(std::string_view part, double seconds) {
  json_.set(fmt::format("seconds/{}", part), std::round(seconds * 1e9) / 1e9);
}

void session::note(std::string_view text) {
  json_.append("notes", text);
  if (!speaks_ || how_.quiet) return;
  steps_.finish();
  write_error(fmt::format("note: {}\n", printable(text)));
}

void session::open_rows(std::vector<std::string> columns) {
  if (!how_.output.empty()) rows_.emplace(how_.output, std::move(columns));
}

void session::verified(const check& outcome, std::string_view method) {
  json_.set("verified", outcome.ok);
  if (outcome) {
    say("\nverified: {} (independent serial {})", colours_.good("yes"), method);
    return;
  }
  wrong_ = printable(outcome.reason);
  json_.set("verify_reason", outcome.reason);
  say("\nverified: {} (independent serial {}): {}", colours_.bad("no"), method, wrong_);
}

void session::commit_rows() {
  if (!rows_ || is_wrong()) return;
  rows_->commit();
  rows_.reset();
  say("\nwrote {}", printable(how_.output));
}

int session::finish() {
  steps_.finish();
  if (!speaks_) return 0;
  commit_rows();
  // With "-" for a file, standard output has only the rows or the graph.
  if (how_.output != "-" && how_.keeps_standard_output) write_output(how_.json ? json_.text() + "\n" : text_);
  if (wrong_.empty()) return 0;
  write_error(fmt::format("error: {}: the answer did not pass verification: {}\n", how_.command, wrong_));
  return 1;
}

}  // namespace gossamer::cli
