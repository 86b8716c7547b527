#include <gtest/gtest.h>

#include "gossamer/parallel/internal/task.hpp"

namespace gossamer::parallel {
namespace {

/// Returns how many of `offered` tasks a thief takes at once.
std::size_t stolen(std::size_t offered, std::size_t most) {
  stealable_tasks victim, thief;
  for (std::size_t i = 0; i < offered; ++i) victim.offer(task::make(nullptr, [] {}));
  const std::size_t n = victim.steal_into(thief, most);
  EXPECT_EQ(victim.offered(), offered - n);
  task t;
  std::size_t there = 0;
  while (thief.any_private() && thief.pop(t)) ++there;
  EXPECT_EQ(there, n);
  return n;
}

TEST(StealableTasks, AThiefTakesHalfOrASetNumber) {
  EXPECT_EQ(stolen(0, 0), 0U);
  EXPECT_EQ(stolen(1, 0), 1U);
  EXPECT_EQ(stolen(9, 0), 5U);
  EXPECT_EQ(stolen(9, 1), 1U);
  EXPECT_EQ(stolen(9, 4), 4U);
  EXPECT_EQ(stolen(9, 100), 9U);
  EXPECT_EQ(stolen(0, 4), 0U);
}

}  // namespace
}  // namespace gossamer::parallel
