#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/simulation/internal/model.hpp"
#include "gossamer/simulation/network.hpp"
#include "simulation/clocks.hpp"

namespace gossamer::simulation {
namespace {

options with(const char* network, const char* faults, std::uint64_t seed) {
  options o;
  o.processes = 2;
  o.network = network;
  o.faults = faults;
  o.seed = seed;
  return o;
}

std::vector<std::uint64_t> costs_of_steps(const char* faults, std::uint64_t seed, unsigned steps) {
  const auto m = make_model(with("qdr", faults, seed));
  std::vector<std::uint64_t> all;
  counters now;
  now.tasks = 10;
  for (unsigned i = 0; i < steps; ++i) all.push_back(m->cost(0, i % 16, {}, now, 0));
  return all;
}

TEST(Models, AreThoseOfTheNetwork) {
  const auto m = make_model(with("qdr", "none", 1));
  const network n = find_network("qdr");
  EXPECT_EQ(m->lookahead_ns(), n.send_ns + n.latency_ns);
  EXPECT_EQ(m->wake_ns(), n.wake_ns);
  EXPECT_EQ(m->look_ns(), n.look_ns);
  EXPECT_EQ(m->yield_ns(), n.yield_ns);
  EXPECT_EQ(m->start_ns(), n.start_ns);
  EXPECT_THROW(make_model(with("token-ring", "none", 1)), error);
  EXPECT_THROW(make_model(with("qdr", "rain", 1)), error);
}

TEST(Models, NothingComesSoonerThanTheLookahead) {
  for (const std::string& name : network_presets()) {
    const auto m = make_model(with(name.c_str(), "all", 3));
    clocks time(2, choices(3, fault_set::all()));
    const auto end = m->connect(0, time);
    std::vector<std::byte> data(100);
    for (unsigned i = 0; i < 1000; ++i) {
      const unsigned slot = i % fabric::transport::k_send_slots;
      if (i >= fabric::transport::k_send_slots)
        while (!end->sent(slot)) {}
      end->send(slot, 1, data);
      EXPECT_GE(time.arrivals().back().at, time.of(0) + m->lookahead_ns()) << name;
    }
  }
}

TEST(Models, StepsCostTheSameWithoutFaults) {
  const auto all = costs_of_steps("none", 1, 1000);
  EXPECT_EQ(all, std::vector<std::uint64_t>(1000, 300));
}

TEST(Models, CostsDifferBySeedFromHalfToFourTimes) {
  const auto all = costs_of_steps("cost", 1, 1000);
  EXPECT_EQ(all, costs_of_steps("cost", 1, 1000));
  EXPECT_NE(all, costs_of_steps("cost", 2, 1000));
  EXPECT_EQ(*std::min_element(all.begin(), all.end()), 150U);
  EXPECT_EQ(*std::max_element(all.begin(), all.end()), 1200U);
}

TEST(Models, PausesAreRareAndTakeUpToFiveMilliseconds) {
  constexpr unsigned k_steps = 1'000'000;
  const auto all = costs_of_steps("pause", 1, k_steps);
  const auto pauses = std::count_if(all.begin(), all.end(), [](std::uint64_t ns) { return ns != 300; });
  EXPECT_GT(pauses, 5);
  EXPECT_LT(pauses, 40);
  for (const std::uint64_t ns : all)
    if (ns != 300) {
      EXPECT_GE(ns, 50'000U);
      EXPECT_LE(ns, 5'000'300U);
    }
}

TEST(Models, SomeCoresAreSlowAllTheTime) {
  const auto all = costs_of_steps("slow", 1, 1600);
  for (std::size_t i = 16; i < all.size(); ++i) EXPECT_EQ(all[i], all[i % 16]);
  const auto slow = std::count(all.begin(), all.begin() + 16, 900U);
  EXPECT_GT(slow, 0);
  EXPECT_EQ(std::count(all.begin(), all.begin() + 16, 300U), 16 - slow);
}

}  // namespace
}  // namespace gossamer::simulation
