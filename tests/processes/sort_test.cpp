// Sorts of a job of several processes: every process runs this program (under mpirun, with GOSSAMER_CORES), the tests' main
// fibers run in process 0. Where started alone it is a job of one process.

#include "gossamer/sort/sort.hpp"

#include <gtest/gtest.h>

#include "support/sort_cases.hpp"

namespace gossamer {
namespace {

TEST(SortOfProcesses, AgreesWithTheSerialSort) {
  run(job_options::from_environment(), [] { test::check_over_processes(); });
}

}  // namespace
}  // namespace gossamer
