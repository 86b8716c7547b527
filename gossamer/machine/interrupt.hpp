#pragma once
// What Ctrl-C does, unless a runtime takes it (take_interrupts()): temporary files of output_file are removed, one line is printed, and the
// process dies of the signal, as the shell expects (status 130 for SIGINT, 143 for SIGTERM).
// All of it happens inside the signal handler (async-signal-safe), so it needs no help from
// fibers or cores and takes milliseconds whatever they are doing.
//
// The table of names: a fixed array; an entry is taken (free -> busy), filled, published
// (busy -> ready), and released (ready -> free) by its maker; the handler reads ready entries only.

#include <signal.h>

#include <atomic>
#include <string>

namespace gossamer::machine {

/// Handles SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and (silently) SIGPIPE, unless they are ignored (nohup);
/// ignores SIGXFSZ so that an exceeded `ulimit -f` is an error of write. Program-wide: for programs
/// (gossamer::run's main), not for libraries.
void install_interrupt_handlers();

/// Sets whether this process prints the line: in a job of several processes a signal comes to all. The line
/// is printed where `speaks`, and not once `said` is true (why the job ends has been told). `said` lives
/// until the process ends.
void set_job_interrupts(bool speaks, const std::atomic<bool>* said) noexcept;

/// Asks interrupts(), async-signal-safe, first when SIGINT comes: where it returns true, that was all. Has no effect where the
/// program handles SIGINT itself, or ignores it; returns whether it has. Until give_interrupts_back().
bool take_interrupts(bool (*interrupts)() noexcept) noexcept;
void give_interrupts_back() noexcept;

/// Remembers a file to remove if the process is ended by a signal. Throws where the table (64) is full.
/// Returns the entry for forget_temporary.
int remember_temporary(const std::string& path);
void forget_temporary(int entry) noexcept;

/// While one lives, this thread may give files names that are remembered: no signal interrupts it, and one that ends the process waits for it (up to
/// a second). Once such a signal has come, the constructor does not return: what is named then would stay.
class naming_guard {
 public:
  naming_guard() noexcept;
  ~naming_guard();
  naming_guard(const naming_guard&) = delete;
  naming_guard& operator=(const naming_guard&) = delete;

 private:
  sigset_t before_;
};

/// Removes all remembered files of this process. Async-signal-safe.
void remove_temporaries() noexcept;

/// Makes the table now, so that processes forked later see what this one will remember, and can remove it
/// when this one was killed: with absolute names.
void share_temporaries();
void remove_temporaries_of(int pid) noexcept;

}  // namespace gossamer::machine
