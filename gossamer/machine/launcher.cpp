#include "gossamer/machine/launcher.hpp"

#include <atomic>
#include <cstdint>
#include <limits>

#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/node_job.h"

namespace gossamer::machine {
namespace {

/// The variables of one launcher. Both size and rank must be there.
struct signature {
  const char* launcher;
  const char* mpi;
  const char* size;
  const char* rank;
  const char* local_size;
  const char* local_rank;
};

// Slurm last: mpirun and mpiexec inside an allocation leave its variables in place. SLURM_STEP_NUM_TASKS is
// srun's; SLURM_NTASKS and SLURM_PROCID are set in batch scripts, too.
constexpr signature k_signatures[] = {
    {"gossamer run", "node", NODE_JOB_SIZE, NODE_JOB_RANK, NODE_JOB_SIZE, NODE_JOB_RANK},
    {"mpirun (Open MPI)", "openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"mpiexec (hydra)", "mpich", "PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
    {"srun", "", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "", "SLURM_LOCALID"},
    {"flux run", "", "FLUX_JOB_SIZE", "FLUX_TASK_RANK", "", "FLUX_TASK_LOCAL_ID"},
};

/// Reads a number. Returns nothing for an invalid one: this program does not report what a launcher writes.
std::optional<unsigned> number(const options& environment, const char* name) {
  try {
    if (*name == '\0') return {};
    const auto value = environment.number(name, 0, std::numeric_limits<int>::max());
    return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

launch find_launch(const options& environment) {
  for (const signature& s : k_signatures) {
    const auto size = number(environment, s.size);
    const auto rank = number(environment, s.rank);
    if (!size || !rank || *size == 0 || *rank >= *size) continue;
    launch found{
        s.launcher, s.mpi, *size, *rank, number(environment, s.local_size), number(environment, s.local_rank),
        s.rank};
    if (environment.text("SLURM_STEP_NUM_TASKS") && found.mpi == "mpich" &&
        !environment.text("MPI_LOCALNRANKS"))
      found.launcher = "srun";  // with --mpi=pmi2, which sets PMI_SIZE
    if (found.mpi.empty() && environment.text("PMIX_RANK")) found.mpi = "openmpi";
    return found;
  }
  return {};
}

bool speaks_for_job() {
  const options environment;
  return environment.text("GOSSAMER_TRANSPORT") == "none" || find_launch(environment).rank == 0;
}

void let_speaker_report() noexcept {
  constexpr std::uint64_t k_patience_ns = 1'000'000'000;
  if (speaks_for_job()) return;
  std::atomic<std::uint32_t> never{0};
  futex_wait_for(never, 0, k_patience_ns);
}

}  // namespace gossamer::machine
