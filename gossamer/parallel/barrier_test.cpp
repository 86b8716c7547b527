// The choice of barriers. The algorithms are tested with collective.hpp.
#include "gossamer/parallel/barrier.hpp"

#include <gtest/gtest.h>

namespace gossamer::parallel {
namespace {

using enum barrier_algorithm;

constexpr unsigned k_members[] = {1, 2, 3, 4, 5, 8, 15, 16, 17, 48, 1000};

TEST(BestBarrier, OfCoresWithAProcessorEachTakesTheFewestSteps) {
  for (const unsigned cores : k_members)
    EXPECT_EQ(best_barrier({.cores = cores}).inside, dissemination) << cores << " cores";
}

TEST(BestBarrier, OfCrowdedCoresSendsTheFewestSignals) {
  for (const barrier_shape& s : {barrier_shape{3, 1, 2}, {8, 1, 4}, {2, 2, 2}, {1, 4, 2}, {4, 30, 3}})
    EXPECT_EQ(best_barrier(s).inside, centralised) << s.processes << " x " << s.cores;
}

TEST(BestBarrier, BetweenProcessesLetsOneReceiveAllWhereTheyAreNeitherFewNorMany) {
  for (const unsigned processes : k_members)
    for (const unsigned crowd : {1, 2}) {
      const auto how = best_barrier({1, processes, crowd}).between;
      EXPECT_EQ(how, processes > 4 && processes < 16 ? centralised : dissemination)
          << processes << " processes";
    }
}

TEST(BestBarrier, IsNeverAutomatic) {
  for (const unsigned processes : k_members)
    for (const unsigned cores : k_members)
      for (const unsigned crowd : {1, 2, 7}) {
        const barrier_choice how = best_barrier({cores, processes, crowd});
        EXPECT_NE(how.inside, automatic);
        EXPECT_NE(how.between, automatic);
      }
}

}  // namespace
}  // namespace gossamer::parallel
