// All structures together keep the order of each fiber: litmus tests over several of them, and histories of two sets that
// are searched as a whole.

#include <array>
#include <vector>

#include "combining/histories.hpp"
#include "combining/litmus.hpp"
#include "support/linearizability/program_order.hpp"
#include "support/linearizability/random_histories.hpp"

namespace gossamer {
namespace {

using namespace test;

class ProgramOrder : public ::testing::TestWithParam<combine> {
 protected:
  static constexpr bool k_slow = k_address_sanitizer || k_thread_sanitizer;
  static constexpr std::uint64_t k_simulated = k_slow ? 30 : 100, k_threads = k_slow ? 5 : 20;
  static constexpr unsigned k_rounds = 6;
};
INSTANTIATE_TEST_SUITE_P(Combining, ProgramOrder,
                         ::testing::Values(combine::off, combine::home, combine::local, combine::both,
                                           combine::automatic),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(ProgramOrder, OfSeveralStructuresSimulated) {
  if (k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  const seed_range seeds(k_simulated);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
    ASSERT_EQ(litmus_contradiction(simulated(history_of(seed), seed), GetParam(), seed, k_rounds), "")
        << "seed " << seed;
}
TEST_P(ProgramOrder, OfSeveralStructuresOnThreads) {
  for (std::uint64_t seed = 1; seed <= k_threads; ++seed) {
    job_options o;
    o.cores = 1 + static_cast<unsigned>(seed % 4);
    ASSERT_EQ(litmus_contradiction(o, GetParam(), seed, k_rounds), "") << "seed " << seed;
  }
}

/// Two sets in one history: the keys of the second are those from 100 on.
TEST_P(ProgramOrder, OfTwoSetsSimulated) {
  if (k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  const seed_range seeds(k_simulated);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const history_case c = history_of(seed);
    const auto recorder =
        std::make_unique<lin::recorder>(std::size_t{c.processes} * c.cores * c.fibers, c.operations);
    run(simulated(c, seed), [&, where = GetParam()] {
      const scoped_hash_set<std::uint64_t> first(where), second(where);
      on_all_cores([at = std::array{first.handle(), second.handle()}, to = recorder.get(), c, seed] {
        in_fibers(c.fibers, [=](unsigned f) {
          const std::uint64_t me = std::uint64_t{here()} * c.fibers + f;
          auto& log = to->of(static_cast<std::uint32_t>(me));
          for (unsigned k = 0; k < c.operations; ++k) {
            const std::uint64_t draw = hash64(seed, me * c.operations + k), key = draw / 16 % 2;
            const auto& set = at[draw / 8 % 2];
            const std::uint64_t name = key + draw / 8 % 2 * 100;
            if (draw % 8 < 3)
              (void)log.call(lin::insert(name), [&] { return set.insert(key); });
            else if (draw % 8 == 3)
              (void)log.call(lin::erase(name), [&] { return set.erase(key); });
            else
              (void)log.call(lin::contains(name), [&] { return set.contains(key); });
          }
        });
      });
    });
    const auto v = lin::check_program_order(lin::structure::set, recorder->history(), 100'000);
    ASSERT_NE(v.outcome, lin::outcome::rejected) << "seed " << seed << "\n" << v;
  }
}

// ---- the search itself

lin::operation by(std::uint32_t fiber, std::uint64_t at, lin::operation o, std::uint64_t answer) {
  o.fiber = fiber, o.invoked = at, o.answered = at + 1;
  o.known = true, o.answer = answer;
  return o;
}

TEST(ProgramOrderSearch, AcceptsAnOrderAgainstTime) {
  const lin::history late{by(0, 1, lin::insert(7), 1), by(1, 3, lin::contains(7), 0)};
  EXPECT_EQ(lin::check(lin::structure::set, late).outcome, lin::outcome::rejected);
  EXPECT_TRUE(lin::check_program_order(lin::structure::set, late));
}
TEST(ProgramOrderSearch, RejectsWhatAFiberItselfHasSeen) {
  EXPECT_FALSE(lin::check_program_order(lin::structure::set,
                                        {by(0, 1, lin::insert(7), 1), by(0, 3, lin::contains(7), 0)}));
  EXPECT_FALSE(lin::check_program_order(
      lin::structure::set,
      {by(0, 1, lin::insert(7), 1), by(1, 3, lin::contains(7), 1), by(1, 5, lin::contains(7), 0)}));
}
TEST(ProgramOrderSearch, RejectsOutcomesOfLitmusTestsThoughEachKeyIsRight) {
  const lin::history buffered{by(0, 1, lin::insert(1), 1), by(1, 3, lin::insert(2), 1),
                              by(0, 5, lin::contains(2), 0), by(1, 7, lin::contains(1), 0)};
  const auto v = lin::check_program_order(lin::structure::set, buffered);
  EXPECT_EQ(v.outcome, lin::outcome::rejected);
  EXPECT_NE(v.report.find("not sequentially consistent: set, 4 operations:"), std::string::npos) << v.report;
  EXPECT_FALSE(lin::check_program_order(
      lin::structure::set,
      {by(0, 1, lin::insert(1), 1), by(1, 3, lin::insert(2), 1), by(2, 5, lin::contains(1), 1),
       by(2, 7, lin::contains(2), 0), by(3, 9, lin::contains(2), 1), by(3, 11, lin::contains(1), 0)}));
  EXPECT_FALSE(lin::check_program_order(lin::structure::set,
                                        {by(0, 1, lin::insert(1), 1), by(0, 3, lin::insert(2), 1),
                                         by(1, 5, lin::contains(2), 1), by(1, 7, lin::contains(1), 0)}));
}

/// Tries all orders of the fibers' next operations, with nothing spared.
bool some_interleaving_fits(const lin::plain_structure& state, const std::vector<lin::history>& left) {
  bool over = true;
  for (std::size_t f = 0; f < left.size(); ++f) {
    if (left[f].empty()) continue;
    over = false;
    lin::plain_structure next = state;
    if (next.answer(left[f].front()) != left[f].front().answer) continue;
    auto rest = left;
    rest[f].erase(rest[f].begin());
    if (some_interleaving_fits(next, rest)) return true;
  }
  return over;
}

TEST(ProgramOrderSearch, AgreesWithAnOracleThatTriesAllInterleavings) {
  unsigned rejected = 0, accepted = 0;
  for (const lin::structure s : {lin::structure::set, lin::structure::map})
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
      lin::generator some({s, 3, 8, 2}, seed);
      lin::history h = some.linearizable();
      ASSERT_TRUE(lin::check_program_order(s, h)) << "seed " << seed;
      some.mutate(h);
      if (std::ranges::any_of(h, [](const auto& o) { return o.invoked >= o.answered || !o.known; })) continue;
      std::ranges::sort(h, {}, &lin::operation::invoked);
      std::vector<lin::history> of_fiber(3);
      for (const lin::operation& o : h) of_fiber[o.fiber].push_back(o);
      const bool right = some_interleaving_fits({s, 0, {}, {}}, of_fiber);
      ASSERT_EQ(bool(lin::check_program_order(s, h)), right) << "seed " << seed;
      ++(right ? accepted : rejected);
    }
  EXPECT_GT(rejected, 100U);
  EXPECT_GT(accepted, 100U);
}

}  // namespace
}  // namespace gossamer
