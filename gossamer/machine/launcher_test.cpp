#include "gossamer/machine/launcher.hpp"

#include <gtest/gtest.h>

#include <map>

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
            "a launcher that is not known started this process, and PMIX_RANK=1, PRTE_LAUNCHED=1 say not of "
            "how many");
}

TEST(Launcher, ThatIsNotKnownIsNotTakenForNone) {
  EXPECT_EQ(launched({{"ALPS_APP_PE", "3"}}).rank, 3U);
  EXPECT_EQ(launched({{"PMI_SIZE", "x"}, {"PMI_RANK", "1"}}).signs, "PMI_RANK=1, PMI_SIZE=x");
  EXPECT_EQ(launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "2"}}).signs, "PMI_RANK=2, PMI_SIZE=2");
  EXPECT_FALSE(launched({{"PMI_SIZE", "2"}}).several());  // of a shell's settings, perhaps
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
