#pragma once
// Detects the launcher of this process from the environment: mpirun of Open MPI, mpiexec of MPICH (hydra),
// srun, or `gossamer run` without an MPI. Only reads, and calls no MPI. A shell in a Slurm allocation, a
// batch script without srun and a laptop have no launcher. Some launchers do not publish the number of
// processes: then only an MPI knows it.

#include <optional>
#include <string>

#include "gossamer/base/options.hpp"

namespace gossamer::machine {

struct launch {
  std::string launcher;  // "mpirun (Open MPI)"; empty: none
  std::string mpi;  // the matching plugin: "openmpi", "mpich", "node"; empty if any matches
  unsigned processes = 1;
  unsigned rank = 0;
  std::optional<unsigned> local_processes;  // on this node
  std::optional<unsigned> local_rank;
  std::string rank_variable;  // name of the rank variable
  std::string
      signs;  // "PMIX_RANK=1, PRTE_LAUNCHED=1": a launcher that does not publish the number of processes; empty if that is known
  bool wants_end_of_mpi = false;  // treats a process that ends without MPI_Finalize as failed

  /// Returns whether there are several processes, or may be.
  bool several() const noexcept { return processes > 1 || !signs.empty(); }
  /// Describes the launch: "srun started 4 processes".
  std::string text() const;
};

/// Returns the launch of this process, from its environment at the first call. Call before an MPI starts:
/// Open MPI 4 without its own launcher sets the variables of one itself.
const launch& find_launch();
/// Detects the launch of a process with that environment.
launch find_launch(const options& environment);

/// Returns whether this process prints what all processes detect alike. One process of each job does; known
/// before any MPI is started. With GOSSAMER_TRANSPORT=none every process is a job.
bool speaks_for_job();
/// Waits a second if another process prints the common errors, so that it has printed: a launcher ends all
/// processes when the first fails. Call before a failed process returns.
void let_speaker_report() noexcept;

}  // namespace gossamer::machine
