#pragma once
// A command of the program: name and help, options, checks, and execution. Each command is one file in this
// folder, with a maker function that registry.cpp lists.
//
//   declare()   declares the options, whose values go to members; the parser calls it once
//   check()     checks combinations of options, before anything starts
//   run()       runs the command and returns the exit code: 0, or 1 if a result was found wrong
//
// Most commands derive from job_command (runs inside gossamer::run) or graph_command (reads a graph first).

#include <string>
#include <string_view>
#include <vector>

#include "parse/declaration.hpp"

namespace gossamer::cli {

class json_object;

struct command_text {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  // whole lines, indented by two
};

class command {
 public:
  explicit command(const command_text& text) : text_(text) {}
  virtual ~command() = default;
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  std::string name() const { return std::string(text_.name); }
  std::string_view summary() const { return text_.summary; }
  std::string_view examples() const { return text_.examples; }

  /// Returns the exact definition of the result, as a paragraph of Markdown; empty if the summary has it.
  virtual std::string_view definition() const { return {}; }
  /// Returns the columns of --output of a question about a graph: "vertex core", or "none"; empty for other
  /// commands.
  virtual std::string columns() const { return {}; }

  /// Declares the arguments and options.
  virtual void declare(declaration& d) = 0;
  /// Checks combinations of options. Throws gossamer::error.
  virtual void check() {}
  /// Adds the options that influence the answer to the JSON object.
  virtual void describe(json_object&) const {}
  virtual int run() = 0;

  /// Returns why the command cannot run in a job of several processes; empty if it can.
  virtual std::string not_for_several() const { return {}; }
  /// Returns why `gossamer simulate` does not accept the command; empty if it does.
  virtual std::string not_for_simulation() const { return not_for_several(); }
  /// Returns whether `gossamer scale` and `sweep` can time the command.
  virtual bool is_timed() const { return false; }
  /// Throws gossamer::error if an option sets the number of cores, which the command `by` sets.
  virtual void check_cores(std::string_view /*by*/) const {}
  /// Throws gossamer::error if an option prevents that the command `by` runs it again and again.
  virtual void check_repeated(std::string_view /*by*/) const {}

  /// Returns the files that the command reads, as they were given.
  virtual std::vector<std::string> files_read() const { return {}; }

  /// Returns why a setting has no effect on this command; empty if it may have one. `setting`: its name in
  /// `sweep` ("steal_tasks").
  virtual std::string ignores(std::string_view /*setting*/) const { return {}; }

  bool json() const { return json_; }
  bool quiet() const { return quiet_; }

 protected:
  /// Declares --json and --quiet, in the last group of the help text.
  void declare_reporting(declaration& d, const std::string& json_help, const std::string& quiet_help);

  virtual std::string quiet_names() const { return "-q,--quiet"; }

  bool json_ = false;
  bool quiet_ = false;

 private:
  const command_text text_;
};

}  // namespace gossamer::cli
