#include "gossamer/simulation/internal/costs.hpp"

#include <gtest/gtest.h>

#include "gossamer/machine/clock.hpp"

namespace gossamer::simulation {
namespace {

options computing(options::computing how, std::uint64_t percent = 100) {
  options o;
  o.compute = how;
  o.scale_percent = percent;
  return o;
}

constexpr auto k_fixed = options::computing::fixed, k_measured = options::computing::measured;

TEST(Costs, FixedOnesFollowTheCountersAlone) {
  const costs c(computing(k_fixed), find_network("qdr"));
  counters before, now;
  before.switches = now.switches = 1'000'000;  // what was before counts no more
  now.switches += 10;
  now.messages = 100;
  now.runs = 3;
  now.tasks = 2;
  now.packets = 4;
  now.bytes = 1'000'000;  // the receiver pays
  now.received_bytes = 1600;
  now.handled = 7;
  now.work_ns = 12'345;
  EXPECT_EQ(c.of(before, now, 0), 10U * 5 + 100 * 4 + 3 * 5 + 2 * 30 + 4 * 60 + 1600 / 20 + 7 * 5 + 12'345);
  EXPECT_EQ(c.of(before, now, 123'456'789), c.of(before, now, 0));
}

TEST(Costs, FractionsOfNanosecondsCountUpwards) {
  const costs c(computing(k_fixed), find_network("qdr"));
  counters now;
  now.messages = 1;
  now.received_bytes = 24;  // 4,000 ps and 1,200 ps
  EXPECT_EQ(c.of({}, now, 0), 6U);
}

TEST(Costs, MeasuredOnesFollowTheProcessor) {
  counters now;
  now.switches = 1000;  // counts for nothing
  const std::uint64_t ticks = machine::ticks_per_us() * 50;
  EXPECT_EQ(costs(computing(k_measured), find_network("qdr")).of({}, now, ticks), 50'000U);
  EXPECT_EQ(costs(computing(k_measured, 250), find_network("qdr")).of({}, now, ticks), 125'000U);
}

}  // namespace
}  // namespace gossamer::simulation
