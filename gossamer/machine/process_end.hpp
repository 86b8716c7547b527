#pragma once
// How this process ends: with its exit code known to what runs at its end, and in time, whatever hangs.

namespace gossamer::machine {

/// Ends this process with that code after so many seconds, whatever hangs: by SIGALRM. A later call replaces an earlier one. What
/// the program has printed and the C library still holds is lost: flush it before. `still_s`: for so many seconds more the thread that is
/// interrupted does nothing, before the process ends. Any thread.
void end_process_after(unsigned seconds, int code, unsigned still_s = 0) noexcept;

/// Takes back end_process_after(). The same thread.
void end_process_no_more() noexcept;

/// Has the launcher end all processes of the job with that code, before MPI has started: hydra waits for the others where one has only
/// ended. Other launchers go by the code with which this process ends.
void end_job_by_launcher(int code) noexcept;

/// Calls f(code) when the process ends by exit(code), or by returning it from main(): in the order of std::atexit().
/// Returns false where there is no memory for it.
bool at_exit(void (*f)(int code)) noexcept;

}  // namespace gossamer::machine
