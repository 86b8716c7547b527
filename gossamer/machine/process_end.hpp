#pragma once
// Ends this process with a known exit code, and in time, even if something hangs.

namespace gossamer::machine {

/// Ends this process with that code after so many seconds, even if something hangs: by SIGALRM. A later call
/// replaces an earlier one. Output in buffers of the C library is lost: flush it before. For `still_s`
/// seconds more the interrupted thread sleeps before the process ends. Any thread.
void end_process_after(unsigned seconds, int code, unsigned still_s = 0) noexcept;

/// Cancels end_process_after(). The same thread.
void end_process_no_more() noexcept;

/// Makes the launcher end all processes of the job with that code, before MPI has started: hydra waits for
/// the others if one has only ended. Other launchers use the exit code of this process.
void end_job_by_launcher(int code) noexcept;

/// Registers f, which is called as f(code) when the process ends by exit(code), or by returning code from
/// main(): in the order of std::atexit(). Returns false if there is no memory for it.
bool at_exit(void (*f)(int code)) noexcept;

}  // namespace gossamer::machine
