#pragma once
// A launcher for the processes of one node, where there is no MPI: it starts them, hands them memory of their own (node_job.h,
// plugins/node), passes signals on, and ends all of them when one ends in failure.

#include <string>
#include <vector>

namespace gossamer::machine {

/// Runs `processes` (1 to most_on_node()) processes of the program words[0] to their end. Returns 0 where all succeeded, else the
/// first failure's exit code, or 128 and the number of the signal that ended it. Process 0 alone reads standard input. SIGINT,
/// SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 go to all processes, unless this process ignores them; the second of the first four
/// kills all. After a failure the others have a second to end, and another after SIGTERM.
/// Blocks the thread: not for fibers. Throws gossamer::error where the system refuses memory or a process.
int launch_on_node(const std::vector<std::string>& words, unsigned processes);

/// Returns how many processes it can start.
unsigned most_on_node() noexcept;

}  // namespace gossamer::machine
