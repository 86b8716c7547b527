#pragma once
// The transport between processes started by a launcher: a plugin (transport_plugin.h) found beside the
// library and loaded with dlopen, so that the library links no MPI. Without a launcher, no plugin is loaded.
//
//   not connected --connected_transport()--> alone (no launcher: null for ever)
//                                   \--> open --the process ends in order--> closed
//
// When no process runs a job any more, only MPI_Finalize is left. It gets some seconds; then the process ends
// without it (ADR 0074).
//
// A process opens the transport once and keeps it for all jobs; MPI cannot be started twice.

#include <optional>
#include <string>
#include <vector>

#include "gossamer/fabric/transport.hpp"

namespace gossamer::fabric {

class node_group;
class peer_watch;

/// Returns the transport of this process; null where it is alone (no launcher, one process, or
/// GOSSAMER_TRANSPORT=none). The first call of a process that a launcher started with others loads the
/// plugin, and is collective and blocking. Later calls return the same object. The transport is closed when
/// the process ends by exit() or by returning from main(). Throws gossamer::error where there is no plugin,
/// it does not load, or its MPI knows another number of processes than the launcher started. The same where
/// the launcher is another MPI's, or is not known and the MPI knows of no other process. Not thread-safe:
/// between jobs. Needs an ordinary thread's stack (MPI_Init).
transport* connected_transport();

/// Leaves the other processes now, as exit() does: this process runs no job any more. Waits until the others
/// have ended their jobs. With `code`, the process then ends with that code, without exit(), as an
/// interpreter that dies of a signal; the end of MPI is bounded as in exit(). Without `code` it is not.
/// Between jobs.
void leave_others(std::optional<int> code = {});

/// Makes the launcher end the job if this process has found an error before it was connected, and process 0
/// has not found the same. Prints the error with the name of this process. At the end of a program, after
/// process 0 has reported. Does nothing once the processes are connected.
void fail_before_connecting(const std::string& what) noexcept;

/// Returns the watch of the other processes after connected_transport() has connected, else null.
peer_watch* peers();

/// Names a process of the job: "process 1 (pid 1234 on host)"; "process 1" before connected_transport() has
/// connected, and in a simulation.
std::string process_name(unsigned process);

/// Returns the processes that share memory with this one after connected_transport() has connected, else
/// null.
const node_group* neighbours();

/// An available plugin, and whether it loads.
struct found_plugin {
  std::string name;  // "openmpi"
  std::string path;
  std::string description;  // of its MPI; empty where it does not load
  std::string problem;  // why it does not load
  std::string
      mpi;  // "openmpi" or "mpich", MPIs with known launchers; empty if it is another one, or did not load
};

/// Finds the plugins beside the library and the program. Loads each where `load`, which starts no MPI. Loads
/// none once this process is connected: a second MPI would find the symbols of the first.
std::vector<found_plugin> find_plugins(bool load);

/// Returns the path of the plugin that connected_transport() loads or has loaded; empty where it needs none.
/// Throws gossamer::error where no plugin fits, as connected_transport() does.
std::string chosen_plugin();

}  // namespace gossamer::fabric
