#pragma once
// One run of a command: its options and its answer. Commands add to a text and to a JSON object. Only one of
// them is printed, at the end, so standard output never has half an answer. Each process of a job has a
// session; that of process 0 prints the answer.

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
  bool keeps_standard_output = true;  // false: the command writes its result there, as convert a graph
};

class session {
 public:
  explicit session(session_options how);

  json_object& json() { return json_; }
  progress& steps() { return steps_; }
  /// Begins a step, which the progress line shows, and a phase of the run. By the main fiber; suspends with
  /// --explain.
  void step(std::string_view what, std::uint64_t input_bytes = 0);
  /// Begins a phase of the run, for --explain; the time of phase "" is left out. By the main fiber; suspends
  /// if there is a recorder.
  void phase(std::string_view name);
  /// Sets the recorder of phases; null: none.
  void record(run_recorder* by) { recorder_ = by; }
  /// Returns the recorder; null if nothing is recorded.
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

  /// Opens --output, if it was given. Call before the graph is read.
  void open_rows(std::vector<std::string> columns);
  /// Renames --output, unless the answer is wrong. finish() does the same; for commands that must do
  /// something after it.
  void commit_rows();
  /// Returns the writer of --output; null if it was not given, or has been committed.
  row_writer* rows() { return rows_ ? &*rows_ : nullptr; }

  /// Sets the outcome of --verify. A wrong answer is printed with its reason, its rows are not written, and
  /// the exit code is 1.
  void verified(const check& outcome, std::string_view method);

  /// Returns whether an answer did not pass --verify.
  bool is_wrong() const { return !wrong_.empty(); }
  /// Returns whether this process prints the answer.
  bool speaks() const { return speaks_; }

  /// Returns whether the command runs on a simulated cluster. The answer then says nothing of this machine.
  bool simulated() const { return simulated_; }

  /// Renames --output, prints text or JSON, and returns the exit code. In a process that does not print the
  /// answer, only returns 0.
  int finish();

 private:
  const session_options how_;
  const bool speaks_;
  json_object json_;
  std::string text_;
  paint colours_;
  std::optional<row_writer> rows_;
  std::string wrong_;  // why the answer is wrong; empty: it is not
  const bool simulated_;
  run_recorder* recorder_ = nullptr;  // with --explain, inside the job
  progress steps_;  // last member: clears its line first
};

}  // namespace gossamer::cli
