#include "gossamer/base/activity.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gossamer {
namespace {

TEST(Activity, ANumberStandsForTheTimeSinceTheNoteBefore) {
  activity a(100);
  a.note(1000, 7, 5);  // begins
  a.note(1050, 4, 3);
  a.note(1150, 2, 1);
  EXPECT_EQ(a.size(), 2U);
  EXPECT_EQ(a.at(0).active_ns, 4 * 50U + 2 * 50U);
  EXPECT_EQ(a.at(0).waiting_ns, 3 * 50U + 1 * 50U);
  EXPECT_EQ(a.at(1).active_ns, 2 * 50U);
  EXPECT_EQ(a.noted_ns(), 150U);
  EXPECT_EQ(a.most_active(), 7U);
  EXPECT_EQ(a.waiting_ns(), 3 * 50U + 1 * 100U);
}

TEST(Activity, SumsStayTheSameWhenIntervalsBecomeLonger) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  activity a(1);
  std::uint64_t now = 1 + random(), active_ns = 0, waiting_ns = 0;
  a.note(now, 0, 0);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t passed = random() % 1000, active = random() % 50, waiting = random() % (active + 1);
    a.note(now += passed, active, waiting);
    active_ns += passed * active;
    waiting_ns += passed * waiting;
    ASSERT_LE(a.size(), activity::k_intervals);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < activity::k_intervals; ++i) sum += a.at(i).active_ns;
  EXPECT_EQ(sum, active_ns);
  EXPECT_EQ(a.waiting_ns(), waiting_ns);
}

TEST(Activity, CoresWithOtherIntervalsAreAdded) {
  activity brief(10), lasting(10);
  brief.note(5, 0, 0);
  brief.note(25, 3, 0);
  lasting.note(9, 0, 0);
  lasting.note(9 + 10 * activity::k_intervals, 1, 1);  // one too many: intervals of 20
  activity both = brief;
  both += lasting;
  EXPECT_EQ(both.interval_ns(), 20U);
  EXPECT_EQ(both.at(0).active_ns, 3 * 20U + 20U);
  EXPECT_EQ(both.at(1).active_ns, 20U);
  EXPECT_EQ(both.noted_ns(), 10 * activity::k_intervals);
}

}  // namespace
}  // namespace gossamer
