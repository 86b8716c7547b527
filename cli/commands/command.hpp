#pragma once
// A command of the program: its name and help, its options, its checks, and what it does. Each is one file in
// this folder, with a function that makes it, listed in registry.cpp.
//
//   declare()   the parser calls it once; the command keeps the values in members of its own
//   check()     what no single option can check, before anything starts
//   run()       does it all and returns the exit code: 0, 1 where a result was found wrong
//
// Most commands derive from job_command (runs inside gossamer::run) or graph_command (reads a graph first).

#include <string>
#include <string_view>

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

  /// Returns what exactly is computed, as a paragraph of Markdown; empty where the summary says it.
  virtual std::string_view definition() const { return {}; }
  /// Returns the columns of --output where a command is a question about a graph: "vertex core", or "none".
  virtual std::string columns() const { return {}; }

  /// Declares the arguments and options.
  virtual void declare(declaration& d) = 0;
  /// Checks what no single option can. Throws gossamer::error.
  virtual void check() {}
  /// Adds the options that decide the answer to the JSON object.
  virtual void describe(json_object&) const {}
  virtual int run() = 0;

  /// Returns whether processes of one job may run it together.
  virtual bool is_for_several() const { return true; }
  /// Returns whether `gossamer simulate` takes it.
  virtual bool is_for_simulation() const { return is_for_several(); }
  /// Returns whether `gossamer scale` can time it. check_timed() throws gossamer::error where an option
  /// stands against that.
  virtual bool is_timed() const { return false; }
  virtual void check_timed() const {}

  /// Returns why a setting changes nothing for this command, as `sweep` names it ("steal_tasks"); empty where it may change something.
  virtual std::string ignores(std::string_view /*setting*/) const { return {}; }

  bool json() const { return json_; }
  bool quiet() const { return quiet_; }

 protected:
  /// Declares --json and --quiet, in the group that closes every help text.
  void declare_reporting(declaration& d, const std::string& json_help, const std::string& quiet_help);

  virtual std::string quiet_names() const { return "-q,--quiet"; }

  bool json_ = false;
  bool quiet_ = false;

 private:
  const command_text text_;
};

}  // namespace gossamer::cli
