#pragma once
// The launcher of this process, by what launchers leave in the environment: mpirun of Open MPI, mpiexec of MPICH
// (hydra), srun, or `gossamer run` without an MPI. Reads only; asks no MPI. A shell in a Slurm allocation, a batch script without srun and a
// laptop have no launcher. A process may have the signs of a launcher that says not how many it has started: only an MPI knows then.

#include <optional>
#include <string>

#include "gossamer/base/options.hpp"

namespace gossamer::machine {

struct launch {
  std::string launcher;  // "mpirun (Open MPI)"; empty: none
  std::string mpi;  // the plugin that fits it: "openmpi", "mpich", "node"; empty where it fits any
  unsigned processes = 1;
  unsigned rank = 0;
  std::optional<unsigned> local_processes;  // on this node
  std::optional<unsigned> local_rank;
  std::string rank_variable;  // that the launcher gives each process
  std::string
      signs;  // "PMIX_RANK=1, PRTE_LAUNCHED=1": a launcher, but not how many processes; empty where that is known
  bool wants_end_of_mpi = false;  // counts a process that ends without MPI's own end as failed

  /// Returns whether there are several processes, or may be.
  bool several() const noexcept { return processes > 1 || !signs.empty(); }
  /// Says what the launcher did: "srun started 4 processes".
  std::string text() const;
};

/// Returns the launch of this process, by its environment at the first call. That comes before an MPI starts: Open MPI 4 that finds no
/// launcher of its own sets the variables of one anew.
const launch& find_launch();
/// Finds the launch of a process with that environment.
launch find_launch(const options& environment);

/// Returns whether this process speaks for the job: prints what all processes find out alike. One per job,
/// known before any MPI is started. With GOSSAMER_TRANSPORT=none every process is a job.
bool speaks_for_job();
/// Waits a second where another process speaks for the job, so that it has printed its error: a launcher ends all processes when
/// the first fails. Before a process that has failed returns.
void let_speaker_report() noexcept;

}  // namespace gossamer::machine
