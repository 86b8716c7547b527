#pragma once
// A launcher for the processes of one node without MPI. It starts them, gives them shared memory (node_job.h,
// plugins/node), forwards signals, and ends all of them when one fails.

#include <string>
#include <vector>

namespace gossamer::machine {

/// Runs `processes` (1 to most_on_node()) processes of the program words[0] to their end. Returns 0 if all
/// succeeded. Otherwise returns the first failure's exit code, or 128 and the number of the signal that ended
/// it. Only process 0 reads standard input. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 go to all
/// processes, unless this process ignores them; the second of the first four kills all. After a failure the
/// others have a second to end, and another after SIGTERM. Blocks the thread: not for fibers. Throws
/// gossamer::error if the system refuses memory or a process.
int launch_on_node(const std::vector<std::string>& words, unsigned processes);

/// Returns the most processes that it can start.
unsigned most_on_node() noexcept;

}  // namespace gossamer::machine
