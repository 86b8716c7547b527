// Lookups that are answered from insertions of their core which are not global yet (lookups::from_pending): what the
// histories of such sets and maps still promise, and what they do not.

#include <string>

#include "combining/litmus.hpp"
#include "combining/operations.hpp"
#include "support/linearizability/program_order.hpp"

namespace gossamer {
namespace {

using namespace test;

class PendingLookups : public ::testing::TestWithParam<combine> {
 protected:
  static constexpr std::uint64_t k_histories = k_address_sanitizer ? 50 : 150;
  static constexpr std::uint64_t k_most_states = 20'000;

  void SetUp() override {
    if (k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  }
  /// Expects that each key by itself keeps the order of every fiber, and that some history is not linearizable.
  template <class Scoped, class Ask>
  static void expect_order_of_each_key(lin::structure kind, Ask ask) {
    std::uint64_t not_linearizable = 0;
    const seed_range seeds(k_histories);
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
      const history_case c = history_of(seed);
      const lin::history h = recorded<Scoped>(simulated(c, seed), c, GetParam(), seed, ask);
      const auto v = lin::check_program_order(kind, h, k_most_states, lin::keys::apart);
      ASSERT_NE(v.outcome, lin::outcome::rejected) << "seed " << seed << "\n" << v;
      not_linearizable += lin::check(kind, h).outcome == lin::outcome::rejected;
    }
    EXPECT_GT(not_linearizable, 0U) << "then this option could be the default";
  }
};
INSTANTIATE_TEST_SUITE_P(Combining, PendingLookups,
                         ::testing::Values(combine::local, combine::both, combine::automatic),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(PendingLookups, KeepTheOrderOfEachKeyOfASetAndAreNotLinearizable) {
  expect_order_of_each_key<pending_set>(lin::structure::set, use_set{});
}
TEST_P(PendingLookups, KeepTheOrderOfEachKeyOfAMapAndAreNotLinearizable) {
  expect_order_of_each_key<pending_map>(lin::structure::map, use_pending_map{});
}
TEST_P(PendingLookups, ContradictProgramOrderOverSeveralKeys) {
  std::string found;
  for (std::uint64_t seed = 1; seed <= 3000 && found.empty(); ++seed)
    found =
        litmus_contradiction(simulated(history_of(seed), seed), GetParam(), seed, 6, lookups::from_pending);
  EXPECT_NE(found, "") << "then this option is sequentially consistent, and the documents are wrong";
}

/// A lookup needs no message while a fiber of its core inserts the key; without the option it travels with the insertion.
TEST(PendingLookupsOfACore, NeedNoMessage) {
  for (const lookups from : {lookups::at_owner, lookups::from_pending})
    run({.cores = 2}, [from] {
      const scoped_hash_set<std::uint64_t> set(combine::local, from);
      const scoped_hash_map<std::uint64_t, std::uint64_t> map(combine::local, from);
      const auto messages = [] {
        std::uint64_t n = 0;
        for (const counters& c : statistics()) n += c.combine_messages;
        return n;
      };
      const std::uint64_t before = messages();
      std::uint64_t key = 0;  // of the other core
      while (combining::owner_of(combining::table_hash<std::uint64_t>()(key)) == here()) ++key;
      in_fibers(3, [&](unsigned f) {
        if (f == 0)
          EXPECT_TRUE(set.insert(key));
        else
          EXPECT_TRUE(set.contains(key));
      });
      in_fibers(3, [&](unsigned f) {
        if (f == 0)
          EXPECT_TRUE(map.insert_or_assign(key, 7));
        else
          EXPECT_EQ(map.lookup(key), 7);
      });
      EXPECT_EQ(messages() - before, from == lookups::from_pending ? 2U : 4U);
      EXPECT_TRUE(set.contains(key));
      EXPECT_FALSE(set.contains(key + 1'000'000));
      EXPECT_EQ(map.lookup(key), 7);
      // What an insertion into a map will leave there is not known before it has been there.
      in_fibers(3, [&](unsigned f) {
        if (f == 0)
          EXPECT_FALSE(map.insert(key, 8));
        else
          EXPECT_EQ(map.lookup(key), 7);
      });
    });
}

TEST(PendingLookupsOfACore, FindTextsAndNothingThatWasErased) {
  run({.cores = 2}, [] {
    const scoped_hash_map<std::string, std::uint64_t> map(combine::local, lookups::from_pending);
    on_all_cores([map = map.handle()] {
      in_fibers(8, [map](unsigned f) {
        for (std::uint64_t k = 0; k < 50; ++k) {
          const std::string mine = std::to_string(k) + "-" + std::to_string(here() * 8 + f);
          (void)map.insert_or_assign(mine, k);
          EXPECT_EQ(map.lookup(mine), k);
          EXPECT_TRUE(map.erase(mine));
          EXPECT_EQ(map.lookup(mine), std::nullopt);
        }
      });
    });
  });
}

}  // namespace
}  // namespace gossamer
