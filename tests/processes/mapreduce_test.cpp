// MapReduce of a job of several processes: every process runs this program (under mpirun, with GOSSAMER_CORES), the tests' main
// fibers run in process 0. Where started alone it is a job of one process.

#include <gtest/gtest.h>

#include "gossamer/parallel/job.hpp"
#include "support/map_reduce_cases.hpp"

namespace gossamer {
namespace {

TEST(MapReduceOfProcesses, ContainersAgreeWithTheSerialMapByEachEngine) {
  run(job_options::from_environment(), [] { test::check_containers(test::any_map_seed()); });
}

}  // namespace
}  // namespace gossamer
