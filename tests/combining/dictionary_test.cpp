// Hash sets and maps: against std::map, by many fibers, while they grow, over sizes of values.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <new>

#include "combining_cases.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

using test::in_fibers;

class Dictionary : public test::combining_test {};
GOSSAMER_COMBINING_CASES(Dictionary);

TEST_P(Dictionary, OneFiberSeesAMap) {
  run(job(), [] {
    scoped_hash_map<std::uint64_t, std::uint64_t> m(where());
    std::map<std::uint64_t, std::uint64_t> expected;
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const std::uint64_t draw = hash64(7, k), key = draw / 16 % 50;
      const auto there = expected.find(key);
      const bool is = there != expected.end();
      switch (draw % 4) {
        case 0:
          EXPECT_EQ(m.insert(key, k), expected.emplace(key, k).second);
          break;
        case 1:
          EXPECT_EQ(m.insert_or_assign(key, k), !is);
          expected[key] = k;
          break;
        case 2:
          EXPECT_EQ(m.erase(key), expected.erase(key) == 1);
          break;
        default:
          EXPECT_EQ(m.lookup(key), is ? std::optional(there->second) : std::nullopt);
      }
    }
    EXPECT_EQ(m.size(), expected.size());
  });
}

/// Of all who insert a key one is told that it has; nothing is lost while the tables grow.
TEST_P(Dictionary, EveryKeyIsInsertedOnce) {
  run(job(), [] {
    constexpr std::uint64_t k_keys = 5000;
    constexpr unsigned k_fibers = 16;
    scoped_hash_set<std::uint64_t> s(where());
    scoped_per_core<std::uint64_t> mine;
    on_all_cores([s = s.handle(), mine = mine.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (std::uint64_t k = f; k < k_keys; k += k_fibers)
          if (s.insert(k * 977)) ++mine.here();
      });
    });
    EXPECT_EQ(mine.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; }), k_keys);
    EXPECT_EQ(s.size(), k_keys);
    on_all_cores([s = s.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (std::uint64_t k = f; k < k_keys; k += k_fibers) {
          EXPECT_TRUE(s.contains(k * 977));
          EXPECT_FALSE(s.contains(k * 977 + 1));
        }
      });
    });
    scoped_per_core<std::uint64_t> seen;
    s.for_each([seen = seen.handle()](const std::uint64_t& key, auto&) { seen.here() += key / 977 + 1; });
    EXPECT_EQ(seen.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; }),
              k_keys * (k_keys + 1) / 2);
  });
}

struct wide_key {
  std::uint64_t a, b, c;
  bool operator==(const wide_key&) const = default;
};

TEST_P(Dictionary, KeysAndValuesOfAnySize) {
  run(job(), [] {
    using value = std::array<std::uint8_t, 200>;
    scoped_hash_map<wide_key, value> m(where());
    on_all_cores([m = m.handle()] {
      in_fibers(50, [=](unsigned f) {
        value v;
        v.fill(static_cast<std::uint8_t>(f));
        m.insert_or_assign({f, 2 * f, 3 * f}, v);
        const auto found = m.lookup({f, 2 * f, 3 * f});
        EXPECT_TRUE(found.has_value() && *found == v);
        EXPECT_EQ(m.lookup({f, 2 * f, 3 * f + 1}), std::nullopt);
      });
    });
    EXPECT_EQ(m.size(), 50U);
  });
}

TEST(DictionaryCombining, AKeyThatAllWantTravelsOnce) {
  run({.cores = 2}, [] {
    scoped_hash_map<std::uint64_t, std::uint64_t> m(combine::local);
    for (std::uint64_t k = 0; k < 100; ++k) m.insert(k, k);
    const auto before = statistics();
    on_all_cores([m = m.handle()] {
      for (std::uint64_t k = 0; k < 100; ++k) in_fibers(100, [=](unsigned) { EXPECT_EQ(m.lookup(k), k); });
    });
    const auto after = statistics();
    std::uint64_t messages = 0;
    for (core_id c = 0; c < 2; ++c) messages += after[c].combine_messages - before[c].combine_messages;
    EXPECT_LE(messages, 200U);
  });
}

TEST(DictionaryUse, AfterItsEndIsSaid) {
  EXPECT_DEATH(run({.cores = 1},
                   [] {
                     std::optional<scoped_hash_set<std::uint64_t>> made(combine::local);
                     const auto left = made->handle();
                     left.insert(1);
                     made.reset();
                     left.insert(1);
                   }),
               "used after its end");
}

}  // namespace
}  // namespace gossamer
