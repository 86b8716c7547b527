#pragma once
// Runs another program to its end, and collects its output and exit status. The program gets its own process
// group, so that launchers that start further processes can be ended as a whole: by SIGTERM, two seconds
// later by SIGKILL. It gets SIGTERM, too, when this thread ends.

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::machine {

struct program_result {
  int exit_code = -1;     // of a program that ended by itself; 127: it could not be started
  int signal_number = 0;  // the signal that ended it, or 0
  bool timed_out = false;
  std::string output;     // standard output, whole
  std::string errors;     // standard error, the last 4 KiB
  std::uint64_t peak_memory_bytes = 0;  // resident; maximum over it and the processes that it waited for
  bool ok() const { return exit_code == 0; }
};

/// Runs arguments[0] (searched in PATH if it has no slash), without input, for at most `seconds`. Blocks the
/// thread: not for fibers. Throws gossamer::error if the system refuses a process.
program_result run_program(const std::vector<std::string>& arguments, double seconds);

/// Replaces this process by that program (exec). Throws gossamer::error if it cannot be started.
[[noreturn]] void become_program(const std::vector<std::string>& arguments);

/// Finds the executable file of that name. A name with a slash is a path; otherwise the first match in PATH
/// is returned. Empty if there is none.
std::string find_program(const std::string& name);

/// Returns the path of the running program; program_folder() returns its folder. Empty if unknown.
std::string program_file();
std::string program_folder();

/// Sets a variable of the environment, for programs that this process becomes or starts. Not while other
/// threads read any.
void set_environment(const std::string& name, const std::string& value);

/// Returns the names of all variables that begin with `prefix`.
std::vector<std::string> environment_names(const std::string& prefix);

/// Returns whether this process runs as root (user 0).
bool is_root() noexcept;

}  // namespace gossamer::machine
