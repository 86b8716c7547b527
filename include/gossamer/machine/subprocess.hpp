#pragma once
// Another program, run to its end: its arguments, what it printed, and how it ended. It gets a process group
// of its own, so that launchers which start further processes can be ended as a whole: first asked
// (SIGTERM), two seconds later made to (SIGKILL). It is asked to end, too, when this thread does.

#include <string>
#include <vector>

namespace gossamer::machine {

struct program_result {
  int exit_code = -1;     // of a program that ended by itself; 127: it could not be started
  int signal_number = 0;  // that ended it, or 0
  bool timed_out = false;
  std::string output;     // standard output, whole
  std::string errors;     // standard error, the last 4 KiB
  bool ok() const { return exit_code == 0; }
};

/// Runs arguments[0] (looked for in PATH where it has no slash), with nothing to read, for at most
/// `seconds`. Blocks the thread: not for fibers. Throws gossamer::error where the system refuses a process.
program_result run_program(const std::vector<std::string>& arguments, double seconds);

/// The folder of the running program's file; empty where that is not known.
std::string program_folder();

}  // namespace gossamer::machine
