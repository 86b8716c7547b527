#pragma once
// One run of the program: what was asked, what is being answered. Commands add to the text for people
// and to the JSON object; only one of them is printed, at the end, so standard output never holds
// half an answer. In a job of several processes every one has a session, and that of process 0 answers.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/base/check.hpp"
#include "gossamer/parallel/run_recorder.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/rows.hpp"
#include "output/text.hpp"

namespace gossamer::cli {

struct session_options {
  std::string command;
  bool json = false;
  bool quiet = false;
  std::string output = {};            // a row per vertex
  bool keeps_standard_output = true;  // false: the answer itself goes there, as convert writes a graph
};

class session {
 public:
  explicit session(session_options how);

  json_object& json() { return json_; }
  progress& steps() { return steps_; }
  /// Begins a step, which the progress line shows, and a phase of the run. Main fiber; suspends with --explain.
  void step(std::string_view what, std::uint64_t input_bytes = 0);
  /// Begins a phase of the run, for --explain; "" is no part of it. Main fiber; suspends where there is a recorder.
  void phase(std::string_view name);
  /// Has phases recorded from now on; null: no more.
  void record(run_recorder* by) { recorder_ = by; }
  /// Returns the recorder, or null where nothing is recorded.
  run_recorder* recorder() const { return recorder_; }
  const paint& colours() const { return colours_; }

  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);  // format_to() would compile all of fmt here
    text_ += '\n';
  }
  void say(const table& t) { text_ += t.text(colours_); }

  /// Prints "note: ..." on standard error at once, unless --quiet. Adds the text to the key "notes".
  void note(std::string_view text);

  /// Sets the key seconds/<part>, to the nanosecond.
  void took(std::string_view part, double seconds);

  /// Opens --output, where it was given. Call before the graph is read.
  void open_rows(std::vector<std::string> columns);
  /// Gives --output its name, unless the answer is wrong: before finish() does, where the command has something to do afterwards.
  void commit_rows();
  /// Returns null where no rows were asked for, or where they have been committed.
  row_writer* rows() { return rows_ ? &*rows_ : nullptr; }

  /// Notes the outcome of --verify. A wrong answer is printed with its reason, its rows are not written, and
  /// the program ends with 1.
  void verified(const check& outcome, std::string_view method);

  /// Returns whether an answer did not pass --verify.
  bool is_wrong() const { return !wrong_.empty(); }
  /// Returns whether this is the process that answers.
  bool speaks() const { return speaks_; }

  /// Returns whether the command runs on a simulated cluster. The answer then says nothing of this machine.
  bool simulated() const { return simulated_; }

  /// Gives --output its name, prints text or JSON, and returns the exit code; nothing but 0 where another
  /// answers.
  int finish();

 private:
  const session_options how_;
  const bool speaks_;
  json_object json_;
  std::string text_;
  paint colours_;
  std::optional<row_writer> rows_;
  std::string wrong_;  // why --verify says no
  const bool simulated_;
  run_recorder* recorder_ = nullptr;  // with --explain, inside the job
  progress steps_;  // last: its line goes before anything else does
};

}  // namespace gossamer::cli
