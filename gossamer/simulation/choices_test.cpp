#include "gossamer/simulation/choices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/simulation/faults.hpp"

namespace gossamer::simulation {
namespace {

std::vector<unsigned> draw(choices c, unsigned n, unsigned count) {
  std::vector<unsigned> drawn;
  for (unsigned i = 0; i < count; ++i) drawn.push_back(c.choose(n, "order"));
  return drawn;
}

TEST(Choices, AreTheSameForTheSameSeed) {
  EXPECT_EQ(draw({7, fault_set::all()}, 1000, 100), draw({7, fault_set::all()}, 1000, 100));
  EXPECT_NE(draw({7, fault_set::all()}, 1000, 100), draw({8, fault_set::all()}, 1000, 100));
}

TEST(Choices, AreThoseOfAnyCompiler) {
  EXPECT_EQ(draw({1, fault_set::all()}, 1000, 4), (std::vector<unsigned>{368, 914, 737, 526}));
}

TEST(Choices, StayBelowNAndReachEverything) {
  choices c(3, fault_set::all());
  std::array<unsigned, 7> times{};
  for (unsigned i = 0; i < 7000; ++i) ++times.at(c.choose(7, "delay"));
  for (const unsigned t : times) {
    EXPECT_GT(t, 850U);
    EXPECT_LT(t, 1150U);
  }
  EXPECT_LT(c.choose(~0U, "delay"), ~0U);
}

TEST(Choices, AreZeroWhileTheirKindIsOff) {
  choices c(5, fault_set::parse("delay,spin"));
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(c.choose(1000, "order"), 0U);
  EXPECT_EQ(c.made(), 0U);
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; ++i) sum += c.choose(1000, "delay") + c.choose(1000, "spin");
  EXPECT_GT(sum, 0U);
  EXPECT_EQ(c.made(), 200U);
}

TEST(Choices, ThatAreNoneUseNoNumber) {
  choices c(5, fault_set::all());
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(c.choose(1, "order"), 0U);
  EXPECT_EQ(c.made(), 0U);
}

TEST(Choices, OfAPrefixAreThoseOfTheWholeThenZero) {
  const auto whole = draw({9, fault_set::all()}, 1000, 100);
  const auto prefix = draw({9, fault_set::all(), 40}, 1000, 100);
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(prefix[i], i < 40 ? whole[i] : 0U) << i;
}

TEST(Faults, ArePrintedAsTheyAreRead) {
  for (const char* text : {"none", "all", "delay", "order,delay,pools"})
    EXPECT_EQ(fault_set::parse(text).print(), text);
  EXPECT_EQ(fault_set::parse("delay,order").print(), "order,delay");
  EXPECT_TRUE(fault_set::parse("none").empty());
  for (const fault_kind& k : k_fault_kinds) EXPECT_EQ(fault_named(k.name), k.kind);
}

TEST(Faults, NameTheOneThatIsNotKnown) {
  try {
    fault_set::parse("delay,rain");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()),
              "faults: expected none, all or some of "
              "order,ready,steal,delay,spin,cost,slow,pause,lock,pools,compute, "
              "found \"rain\"");
  }
  EXPECT_THROW(fault_set::parse("delay,"), error);
}

TEST(FewestChoices, AreFoundByHalving) {
  for (const std::uint64_t least : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                    std::uint64_t{777}, std::uint64_t{1} << 40}) {
    unsigned runs = 0;
    EXPECT_EQ(fewest_choices([&](std::uint64_t until) {
                ++runs;
                return until >= least;
              }),
              least);
    EXPECT_LE(runs, 90U);
  }
  EXPECT_EQ(fewest_choices([](std::uint64_t) { return false; }), std::nullopt);
}

}  // namespace
}  // namespace gossamer::simulation
