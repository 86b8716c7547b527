// Which barrier is chosen where. That all of them are barriers is tested beside collective.hpp.
#include "gossamer/parallel/barrier.hpp"

#include <gtest/gtest.h>

namespace gossamer::parallel {
namespace {

using enum barrier_algorithm;

TEST(BestBarrier, OfCoresWithAProcessorEachTakesTheFewestSteps) {
  EXPECT_EQ(best_barrier({.cores = 2}).inside, dissemination);
  EXPECT_EQ(best_barrier({.cores = 64}).inside, dissemination);
  EXPECT_EQ(best_barrier({.cores = 1, .processes = 2}).between, dissemination);
}

}  // namespace
}  // namespace gossamer::parallel
