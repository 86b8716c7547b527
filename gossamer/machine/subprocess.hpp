#pragma once
// Another program, run to its end: its arguments, what it printed, and how it ended. It gets a process group
// of its own, so that launchers which start further processes can be ended as a whole: first asked
// (SIGTERM), two seconds later made to (SIGKILL). It is asked to end, too, when this thread does.

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::machine {

struct program_result {
  int exit_code = -1;     // of a program that ended by itself; 127: it could not be started
  int signal_number = 0;  // that ended it, or 0
  bool timed_out = false;
  std::string output;     // standard output, whole
  std::string errors;     // standard error, the last 4 KiB
  std::uint64_t peak_memory_bytes = 0;  // resident, of it or of the largest process that it waited for
  bool ok() const { return exit_code == 0; }
};

/// Runs arguments[0] (looked for in PATH where it has no slash), with nothing to read, for at most
/// `seconds`. Blocks the thread: not for fibers. Throws gossamer::error where the system refuses a process.
program_result run_program(const std::vector<std::string>& arguments, double seconds);

/// Turns this process into that program. Throws gossamer::error where it cannot be started.
[[noreturn]] void become_program(const std::vector<std::string>& arguments);

/// Finds the executable file of that name. A name with a slash is the file itself; else the first folder of
/// PATH that has one counts. Empty where there is none.
std::string find_program(const std::string& name);

/// Returns the running program's own file; program_folder() returns its folder. Empty where they are not
/// known.
std::string program_file();
std::string program_folder();

/// Sets a variable for the programs that this process becomes or starts. Not while other threads read any.
void set_environment(const std::string& name, const std::string& value);

/// Returns the names of all variables that begin with `prefix`.
std::vector<std::string> environment_names(const std::string& prefix);

/// Returns whether this process may do everything (user 0).
bool is_root() noexcept;

}  // namespace gossamer::machine
