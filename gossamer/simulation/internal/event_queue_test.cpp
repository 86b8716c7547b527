#include "gossamer/simulation/internal/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace gossamer::simulation {
namespace {

TEST(Timetable, GivesTheEarliestAndOfEqualTimesTheLowestNumber) {
  event_queue t;
  for (int i = 0; i < 5; ++i) t.add();
  EXPECT_EQ(t.earliest(), event_queue::k_never);
  EXPECT_EQ(t.first(), 0U);
  t.set(3, 10);
  t.set(1, 10);
  t.set(4, 11);
  EXPECT_EQ(t.first(), 1U);
  t.set(1, event_queue::k_never);
  EXPECT_EQ(t.first(), 3U);
  t.set(4, 9);
  EXPECT_EQ(t.first(), 4U);
  EXPECT_EQ(t.of(3), 10U);
}

TEST(Timetable, FindsWhatASearchFinds) {
  const auto seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  event_queue t;
  std::vector<std::uint64_t> times;
  for (int i = 0; i < 20'000; ++i) {
    if (times.empty() || random() % 100 == 0) {
      t.add();
      times.push_back(event_queue::k_never);
    }
    const auto number = static_cast<unsigned>(random() % times.size());
    times[number] = random() % 8 == 0 ? event_queue::k_never : random() % 1000;
    t.set(number, times[number]);
    const auto least = std::ranges::min_element(times);
    ASSERT_EQ(t.earliest(), *least);
    ASSERT_EQ(t.first(), least - times.begin());
  }
}

}  // namespace
}  // namespace gossamer::simulation
