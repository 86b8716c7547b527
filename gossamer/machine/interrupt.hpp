#pragma once
// Handles Ctrl-C, unless a runtime does (take_interrupts()): removes temporary files of output_file, prints
// one line, and lets the process die of the signal, as the shell expects (status 130 for SIGINT, 143 for
// SIGTERM). All of it happens inside the signal handler (async-signal-safe). So it needs no fiber or core,
// and takes milliseconds whatever they are doing.
//
// The table of names is a fixed array. A thread takes an entry (free -> busy), fills it, publishes it (busy
// -> ready), and releases it (ready -> free). The handler reads ready entries only.

#include <signal.h>

#include <atomic>
#include <string>

namespace gossamer::machine {

/// Handles SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and (silently) SIGPIPE, unless they are ignored (nohup).
/// Ignores SIGXFSZ, so that an exceeded `ulimit -f` is a write error. Program-wide: for programs
/// (gossamer::run's main), not for libraries.
void install_interrupt_handlers();

/// Sets whether this process prints the line: in a job of several processes all get the signal. Prints it if
/// `speaks` is true, and not after `said` is true (the end of the job has been reported). `said` must exist
/// until the process ends.
void set_job_interrupts(bool speaks, const std::atomic<bool>* said) noexcept;

/// Makes SIGINT call interrupts() first, which must be async-signal-safe; if it returns true, nothing else
/// happens. Has no effect, and returns false, if the program handles SIGINT itself, or ignores it. Until
/// give_interrupts_back().
bool take_interrupts(bool (*interrupts)() noexcept) noexcept;
void give_interrupts_back() noexcept;

/// Registers a file to remove if a signal ends the process. Throws if the table (64) is full. Returns the
/// entry for forget_temporary.
int remember_temporary(const std::string& path);
/// Does the same, but returns -1 where there are too many or the name is too long.
int try_to_remember_temporary(const std::string& path);
void forget_temporary(int entry) noexcept;

/// While an object exists, this thread may create files and register them: no signal interrupts it, and a
/// signal that ends the process waits for it (up to a second). After such a signal, the constructor does not
/// return: a file created then would not be removed.
class naming_guard {
 public:
  naming_guard() noexcept;
  ~naming_guard();
  naming_guard(const naming_guard&) = delete;
  naming_guard& operator=(const naming_guard&) = delete;

 private:
  sigset_t before_;
};

/// Removes all registered files of this process. Async-signal-safe.
void remove_temporaries() noexcept;

/// Makes the table now. Processes that are forked later share it, and can remove the files if this process
/// was killed. File names must be absolute.
void share_temporaries();
void remove_temporaries_of(int pid) noexcept;

}  // namespace gossamer::machine
