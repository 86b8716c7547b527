#include "gossamer/machine/launcher.hpp"

#include <fmt/format.h>

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
    {"mpirun (MVAPICH2)", "mpich", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE",
     "MV2_COMM_WORLD_LOCAL_RANK"},
};

/// A variable of a process that some launcher has started.
struct sign {
  enum kind : std::uint8_t {
    k_rank,
    k_started,
    k_more
  };  // its rank; that it was started; what is told beside these
  const char* variable;
  const char* mpi;
  kind what;
};

constexpr sign k_signs[] = {
    {"PMIX_RANK", "openmpi", sign::k_rank},
    {"PRTE_LAUNCHED", "openmpi", sign::k_started},
    {"OMPI_COMM_WORLD_RANK", "openmpi", sign::k_rank},
    {"OMPI_COMM_WORLD_SIZE", "openmpi", sign::k_more},
    {"PMI_RANK", "mpich", sign::k_rank},
    {"PMI_SIZE", "mpich", sign::k_more},
    {"MV2_COMM_WORLD_RANK", "mpich", sign::k_rank},
    {"PALS_RANKID", "mpich", sign::k_rank},
    {"ALPS_APP_PE", "mpich", sign::k_rank},
    {"JSM_NAMESPACE_RANK", "openmpi", sign::k_rank},
    {"FLUX_TASK_RANK", "", sign::k_rank},
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

/// Finds the signs of a launcher that is not known, or says not how many processes it has started.
launch find_signs(const options& environment) {
  launch found;
  bool is_started = false;
  for (const sign& s : k_signs) {
    const auto value = environment.text(s.variable);
    if (!value) continue;
    found.signs += fmt::format("{}{}={}", found.signs.empty() ? "" : ", ", s.variable, *value);
    if (found.mpi.empty()) found.mpi = s.mpi;
    is_started |= s.what != sign::k_more;
    const auto rank = s.what == sign::k_rank ? number(environment, s.variable) : std::nullopt;
    if (!rank || !found.rank_variable.empty()) continue;
    found.rank = *rank;
    found.rank_variable = s.variable;
  }
  if (!is_started) return {};
  found.launcher = environment.text("PRTE_LAUNCHED") ? "prterun (PRRTE)" : "a launcher that is not known";
  found.wants_end_of_mpi = found.mpi == "openmpi";
  return found;
}

}  // namespace

const launch& find_launch() {
  static const launch own = find_launch(options());
  return own;
}

launch find_launch(const options& environment) {
  for (const signature& s : k_signatures) {
    const auto size = number(environment, s.size);
    const auto rank = number(environment, s.rank);
    if (!size || !rank || *size == 0 || *rank >= *size) continue;
    launch found{
        s.launcher, s.mpi, *size, *rank, number(environment, s.local_size), number(environment, s.local_rank),
        s.rank,     {},    false};
    if (environment.text("SLURM_STEP_NUM_TASKS") && found.mpi == "mpich" &&
        !environment.text("MPI_LOCALNRANKS"))
      found.launcher = "srun";  // with --mpi=pmi2, which sets PMI_SIZE
    if (found.mpi.empty() && environment.text("PMIX_RANK")) found.mpi = "openmpi";
    found.wants_end_of_mpi = found.mpi == "openmpi";
    return found;
  }
  return find_signs(environment);
}

std::string launch::text() const {
  if (signs.empty()) return fmt::format("{} started {} processes", launcher, processes);
  return fmt::format("{} started this process, and {} say not of how many", launcher, signs);
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
