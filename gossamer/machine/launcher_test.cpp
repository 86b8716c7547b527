#include "gossamer/machine/launcher.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

launch launched(std::map<std::string, std::string> environment) {
  return find_launch(options([environment](std::string_view name) -> std::optional<std::string> {
    const auto at = environment.find(std::string(name));
    return at == environment.end() ? std::nullopt : std::optional(at->second);
  }));
}

TEST(Launcher, IsNobodyOnALaptop) {
  const launch found = launched({});
  EXPECT_EQ(found.launcher, "");
  EXPECT_FALSE(found.several());
  EXPECT_EQ(found.rank, 0U);
}

TEST(Launcher, IsNobodyInABatchScriptWithoutSrun) {
  EXPECT_FALSE(launched({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).several());
}

TEST(Launcher, OfOpenMpiIsKnown) {
  const launch found = launched({{"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                 {"PMIX_RANK", "3"}});
  EXPECT_EQ(found.launcher, "mpirun (Open MPI)");
  EXPECT_EQ(found.mpi, "openmpi");
  EXPECT_EQ(found.processes, 4U);
  EXPECT_EQ(found.rank, 3U);
  EXPECT_EQ(found.local_processes, 2U);
  EXPECT_EQ(found.local_rank, 1U);
}

TEST(Launcher, OfMpichIsKnown) {
  const launch found =
      launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}, {"MPI_LOCALNRANKS", "2"}, {"MPI_LOCALRANKID", "1"}});
  EXPECT_EQ(found.launcher, "mpiexec (hydra)");
  EXPECT_EQ(found.mpi, "mpich");
  EXPECT_TRUE(found.several());
}

TEST(Launcher, InsideAnAllocationIsTheOneThatStartedTheProcess) {
  const launch found = launched({{"SLURM_STEP_NUM_TASKS", "1"},
                                 {"SLURM_PROCID", "0"},
                                 {"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_RANK", "2"}});
  EXPECT_EQ(found.processes, 4U);
  EXPECT_EQ(found.rank, 2U);
}

TEST(Launcher, SrunSuggestsThePluginOfItsInterface) {
  const std::map<std::string, std::string> task{{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}};
  EXPECT_EQ(launched(task).mpi, "");
  auto pmix = task;
  pmix["PMIX_RANK"] = "2";
  EXPECT_EQ(launched(pmix).mpi, "openmpi");
  auto pmi2 = task;
  pmi2["PMI_SIZE"] = "4";
  pmi2["PMI_RANK"] = "2";
  EXPECT_EQ(launched(pmi2).mpi, "mpich");
  EXPECT_EQ(launched(pmi2).launcher, "srun");
}

TEST(Launcher, OfPmixAloneSaysNotHowManyProcessesThereAre) {
  const launch found = launched({{"PMIX_RANK", "1"}, {"PRTE_LAUNCHED", "1"}});
  EXPECT_TRUE(found.several());
  EXPECT_EQ(found.rank, 1U);
  EXPECT_EQ(found.mpi, "openmpi");
  EXPECT_EQ(found.signs, "PMIX_RANK=1, PRTE_LAUNCHED=1");
  EXPECT_EQ(found.text(),
            "prterun (PRRTE) started this process, and PMIX_RANK=1, PRTE_LAUNCHED=1 say not of how many");
}

TEST(Launcher, ThatIsNotKnownIsNotTakenForNone) {
  EXPECT_EQ(launched({{"ALPS_APP_PE", "3"}}).rank, 3U);
  EXPECT_EQ(launched({{"PMI_SIZE", "x"}, {"PMI_RANK", "1"}}).signs, "PMI_RANK=1, PMI_SIZE=x");
  EXPECT_EQ(launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "2"}}).signs, "PMI_RANK=2, PMI_SIZE=2");
  EXPECT_FALSE(launched({{"PMI_SIZE", "2"}}).several());  // of a shell's settings, perhaps
}

/// What a launcher left in the environment of one of its processes, recorded, and what has to be found by it.
struct recording {
  const char* of;
  std::map<std::string, std::string> environment;
  const char* launcher;
  const char* mpi;
  unsigned processes;
  unsigned rank;
};

const std::vector<recording>& recordings() {
  static const std::vector<recording> all{
      {"Slurm 22.05.8, srun --mpi=none",
       {{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "3"}, {"SLURM_LOCALID", "0"}, {"SLURM_NTASKS", "4"}},
       "srun",
       "",
       4,
       3},
      {"Slurm 22.05.8, srun --mpi=pmi2",
       {{"PMI_FD", "11"},
        {"PMI_JOBID", "2.0"},
        {"PMI_RANK", "3"},
        {"PMI_SIZE", "4"},
        {"SLURM_MPI_TYPE", "pmi2"},
        {"SLURM_STEP_NUM_TASKS", "4"},
        {"SLURM_PROCID", "3"}},
       "srun",
       "mpich",
       4,
       3},
      {"Slurm 22.05.8, srun --mpi=pmix, second half of a heterogeneous job",
       {{"PMIX_RANK", "2"},
        {"PMIX_NAMESPACE", "slurm.pmix.3.0"},
        {"SLURM_MPI_TYPE", "pmix"},
        {"SLURM_STEP_NUM_TASKS", "4"},
        {"SLURM_PROCID", "2"},
        {"SLURM_LOCALID", "0"}},
       "srun",
       "openmpi",
       4,
       2},
      {"Slurm 22.05.8, a batch script",
       {{"SLURM_JOB_ID", "5"},
        {"SLURM_LOCALID", "0"},
        {"SLURM_NPROCS", "4"},
        {"SLURM_NTASKS", "4"},
        {"SLURM_PROCID", "0"}},
       "",
       "",
       1,
       0},
      {"Open MPI 4.1.4 within Slurm 22.05.8: its daemon is a step",
       {{"OMPI_COMM_WORLD_RANK", "3"},
        {"OMPI_COMM_WORLD_SIZE", "4"},
        {"PMIX_RANK", "3"},
        {"SLURM_STEP_NUM_TASKS", "1"},
        {"SLURM_PROCID", "0"}},
       "mpirun (Open MPI)",
       "openmpi",
       4,
       3},
      {"MPICH 4.0.2 within Slurm 22.05.8: its proxies are a step",
       {{"PMI_RANK", "2"},
        {"PMI_SIZE", "4"},
        {"MPI_LOCALNRANKS", "3"},
        {"MPI_LOCALRANKID", "2"},
        {"SLURM_STEP_NUM_TASKS", "2"},
        {"SLURM_PROCID", "0"}},
       "mpiexec (hydra)",
       "mpich",
       4,
       2},
      {"Open MPI 5.0.11, mpirun",
       {{"OMPI_COMM_WORLD_RANK", "1"},
        {"OMPI_COMM_WORLD_SIZE", "2"},
        {"PMIX_RANK", "1"},
        {"PMIX_NAMESPACE", "prterun-vm-24893@1"},
        {"PRTE_LAUNCHED", "1"}},
       "mpirun (Open MPI)",
       "openmpi",
       2,
       1},
      {"Open MPI 5.0.11, prterun",
       {{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "prterun-vm-24938@1"}, {"PRTE_LAUNCHED", "1"}},
       "prterun (PRRTE)",
       "openmpi",
       1,
       1},
      {"MPICH 5.0.2, mpiexec.gforker",
       {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"PMI_FD", "12"}, {"MPI_UNIVERSE_SIZE", "-1"}},
       "mpiexec (hydra)",
       "mpich",
       2,
       1},
      {"Intel MPI 2021.18, mpiexec",
       {{"PMI_RANK", "1"},
        {"PMI_SIZE", "2"},
        {"MPI_LOCALNRANKS", "2"},
        {"MPI_LOCALRANKID", "1"},
        {"I_MPI_INFO_NP", "1"}},
       "mpiexec (hydra)",
       "mpich",
       2,
       1},
  };
  return all;
}

TEST(Launcher, IsFoundByWhatItWasSeenToLeave) {
  for (const recording& r : recordings()) {
    const launch found = launched(r.environment);
    EXPECT_EQ(found.launcher, r.launcher) << r.of;
    EXPECT_EQ(found.mpi, r.mpi) << r.of;
    EXPECT_EQ(found.processes, r.processes) << r.of;
    EXPECT_EQ(found.rank, r.rank) << r.of;
  }
}

TEST(Launcher, OfThisProcessIsFoundOnce) {
  test::child_process child([](auto) {  // what is found stays: other tests look for other launchers
    const unsigned before = find_launch().rank;
    ::setenv("PMIX_RANK", "3", 1);  // as by an MPI that starts
    ::_exit(find_launch().rank == before ? 0 : 1);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(0));
}

TEST(Launcher, TextSaysHowManyItStarted) {
  EXPECT_EQ(launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}).text(), "mpiexec (hydra) started 2 processes");
}

TEST(Launcher, OfOpenMpiAndPmixWantTheEndOfMpi) {
  EXPECT_TRUE(launched({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "0"}}).wants_end_of_mpi);
  EXPECT_FALSE(launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}).wants_end_of_mpi);
  EXPECT_FALSE(launched({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}}).wants_end_of_mpi);
}

}  // namespace
}  // namespace gossamer::machine
