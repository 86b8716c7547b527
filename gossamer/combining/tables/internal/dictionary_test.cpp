// Hash sets and maps: against std::map, by many fibers, while they grow, over sizes of values.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"

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

// The bytes of a large request begin anywhere in their message.
struct alignas(64) aligned_value {
  std::array<std::uint64_t, 72> words = {};
};
struct sum_if_aligned {
  aligned_value operator()(const aligned_value& a, const aligned_value& b) const {
    const auto is_aligned = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % 64 == 0; };
    aligned_value sum;
    sum.words[0] = is_aligned(&a) && is_aligned(&b) ? a.words[0] + b.words[0] : 1'000'000;
    return sum;
  }
};

TEST_P(Dictionary, LargeValuesAreAligned) {
  run(job(), [] {
    const scoped_hash_map<std::uint64_t, aligned_value> m(where());
    aligned_value one;
    one.words[0] = 1;
    for (unsigned round = 0; round < 3; ++round)
      for (std::uint64_t key = 0; key < 40; ++key) m.insert_or_reduce(key, one, sum_if_aligned());
    for (std::uint64_t key = 0; key < 40; ++key) EXPECT_EQ(m.lookup(key)->words[0], 3U);
  });
}

/// Of all fibers that insert a key, one receives true. Nothing is lost while the tables grow.
TEST_P(Dictionary, EveryKeyIsInsertedOnce) {
  run(job(), [] {
    constexpr std::uint64_t k_keys = 5000 / test::k_fewer;
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

std::string word(std::uint64_t k) {
  // Keys of all lengths, some of them longer than a message.
  return fmt::format("{}-{}", k, std::string(k % 37 == 0 ? 3000 + k : k % 23, 'x'));
}

TEST_P(Dictionary, StringsAreKeys) {
  run(job(), [] {
    scoped_hash_map<std::string, std::uint64_t> m(where());
    constexpr unsigned k_fibers = 12, k_words = 200;
    on_all_cores([m = m.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (std::uint64_t k = f; k < k_words; k += k_fibers) {
          (void)m.insert(word(k), k);
          EXPECT_EQ(m.lookup(word(k)).value_or(0) % 1000, k);
          EXPECT_EQ(m.lookup(word(k) + "?"), std::nullopt);
          (void)m.insert_or_reduce(word(k), 1000);
          EXPECT_TRUE(m.update(word(k), [](std::uint64_t& v) { v += 1'000'000; }));
        }
      });
    });
    EXPECT_EQ(m.size(), k_words);
    for (std::uint64_t k = 0; k < k_words; ++k) EXPECT_EQ(m.lookup(word(k)), k + cores() * 1'001'000U);
    scoped_per_core<std::uint64_t> seen;
    m.for_each([seen = seen.handle()](std::string_view key, std::uint64_t& value) {
      EXPECT_EQ(key, word(value % 1000));
      ++seen.here();
    });
    EXPECT_EQ(seen.fold(std::uint64_t{0}, std::plus<>()), k_words);
    for (std::uint64_t k = 0; k < k_words; k += 2) EXPECT_TRUE(m.erase(word(k)));
    EXPECT_EQ(m.size(), k_words / 2);
  });
}

TEST_P(Dictionary, ValuesAreReducedAndUpdated) {
  run(job(), [] {
    constexpr std::uint64_t k_keys = 20;
    constexpr unsigned k_fibers = 10, k_each = 30;
    scoped_hash_map<std::uint64_t, std::uint64_t> sums(where()), greatest(where()), counts(where());
    scoped_per_core<std::uint64_t> made;
    on_all_cores([=, sums = sums.handle(), greatest = greatest.handle(), counts = counts.handle(),
                  made = made.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (unsigned k = 0; k < k_each; ++k) {
          const std::uint64_t draw = (here() * k_fibers + f) * k_each + k, key = draw % k_keys;
          if (sums.insert_or_reduce(key, draw)) ++made.here();
          struct larger {
            std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return std::max(a, b); }
          };
          (void)greatest.insert_or_reduce(key, draw, larger());
          if (counts.insert_or_update(key, 1, [key](std::uint64_t& n) { n += key < 20 ? 1 : 100; }))
            ++made.here();
        }
      });
    });
    EXPECT_EQ(made.fold(std::uint64_t{0}, std::plus<>()), 2 * k_keys);
    const std::uint64_t all = std::uint64_t{cores()} * k_fibers * k_each;
    for (std::uint64_t key = 0; key < k_keys; ++key) {
      std::uint64_t sum = 0, last = 0, n = 0;
      for (std::uint64_t draw = key; draw < all; draw += k_keys) sum += draw, last = draw, ++n;
      EXPECT_EQ(sums.lookup(key), sum);
      EXPECT_EQ(greatest.lookup(key), last);
      EXPECT_EQ(counts.lookup(key), n);
    }
    EXPECT_FALSE(counts.update(k_keys, [](std::uint64_t& n) { n = 0; }));
  });
}

TEST_P(Dictionary, WhatAnUpdateThrowsComesToItsCaller) {
  run(job(), [] {
    scoped_hash_map<std::uint64_t, int> m(where());
    for (std::uint64_t k = 0; k < 20; ++k) {
      m.insert(k, 1);
      EXPECT_THROW(m.update(k, [](int&) { throw std::runtime_error("no"); }), std::runtime_error);
      EXPECT_EQ(m.lookup(k), 1);
    }
  });
}

TEST_P(Dictionary, ManyAtOnce) {
  run(job(), [] {
    constexpr std::uint64_t k_each =
        10'000;  // every second key also belongs to another core; more than a call's window
    scoped_hash_map<std::uint64_t, std::uint64_t> m(where());
    scoped_hash_map<std::string, std::uint64_t> words(where());
    scoped_hash_set<std::uint64_t> s(where());
    on_all_cores([=, m = m.handle(), s = s.handle(), words = words.handle()] {
      std::vector<std::uint64_t> keys, values;
      std::vector<std::string> names;
      for (std::uint64_t k = 0; k < k_each; ++k) {
        keys.push_back(k % 2 == 0 ? k : here() * k_each + k);
        values.push_back(3 * keys.back());
        names.push_back(word(k % 100));
      }
      m.insert_all(keys, values);
      s.insert_all(keys);
      words.insert_or_reduce_all(names, std::vector<std::uint64_t>(k_each, 1));
      std::vector<std::optional<std::uint64_t>> found(k_each);
      m.lookup_all(keys, found);
      for (std::uint64_t k = 0; k < k_each; ++k) EXPECT_EQ(found[k], values[k]);
      const auto there = std::make_unique<bool[]>(k_each);
      s.contains_all(keys, std::span(there.get(), k_each));
      EXPECT_TRUE(std::all_of(there.get(), there.get() + k_each, [](bool b) { return b; }));
      barrier();
      m.insert_or_assign_all(std::span(keys).first(10), std::vector<std::uint64_t>(10, 7));
      barrier();
      s.erase_all(keys);
    });
    EXPECT_EQ(m.size(), k_each / 2 + cores() * (k_each / 2));
    EXPECT_EQ(s.size(), 0U);
    EXPECT_EQ(words.size(), 100U);
    for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(words.lookup(word(k)), k_each / 100 * cores());
    EXPECT_EQ(m.lookup(0), 7U);
    EXPECT_EQ(m.lookup(k_each - 2), 3 * (k_each - 2));
  });
}

TEST_P(Dictionary, ManyAtOnceSayWhichWereThere) {
  run(job(), [] {
    constexpr std::uint64_t k_each = 3000,
                            k_distinct = 1000;  // all cores have the same keys, three times each
    scoped_hash_set<std::uint64_t> s(where());
    scoped_hash_map<std::uint64_t, std::uint64_t> m(where());
    const scoped_per_core<std::array<std::uint64_t, 3>> counts;
    on_all_cores([s = s.handle(), m = m.handle(), counts = counts.handle()] {
      std::vector<std::uint64_t> keys;
      for (std::uint64_t k = 0; k < k_each; ++k) keys.push_back(7 * (k % k_distinct));
      const auto yes = std::make_unique<bool[]>(k_each);
      const std::span<bool> into(yes.get(), k_each);
      const auto count = [&] { return static_cast<std::uint64_t>(std::ranges::count(into, true)); };
      auto& mine = counts.here();
      s.insert_all(keys, into);
      mine[0] = count();
      barrier();
      s.erase_all(std::span(keys).first(k_each - 1), into.first(k_each - 1));
      into.back() = false;
      mine[1] = count();
      m.insert_all(keys, keys);
      barrier();
      m.erase_all(keys, into);
      mine[2] = count();
    });
    std::array<std::uint64_t, 3> all{};
    for (const auto& each : collect(counts.handle(), [](auto& of_core) { return of_core; }))
      for (std::size_t k = 0; k < all.size(); ++k) all[k] += each[k];
    EXPECT_EQ(all, (std::array<std::uint64_t, 3>{k_distinct, k_distinct, k_distinct}));  // each key once
    EXPECT_EQ(s.size() + m.size(), 0U);
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

TEST_P(Dictionary, ValuesThatFitNoMessage) {
  run(job(), [] {
    using value = std::array<std::uint8_t, 3000>;
    scoped_hash_map<std::uint64_t, value> m(where());
    on_all_cores([m = m.handle()] {
      in_fibers(20, [=](unsigned f) {
        const auto v = std::make_unique<value>();
        const std::uint64_t key = here() * 20 + f;
        v->fill(static_cast<std::uint8_t>(key));
        EXPECT_TRUE(m.insert(key, *v));
        const auto found = std::make_unique<std::optional<value>>(m.lookup(key));
        EXPECT_TRUE(found->has_value() && **found == *v);
        EXPECT_TRUE(m.update(key, [](value& there) { there[1] = 77; }));
      });
    });
    const auto one = std::make_unique<std::optional<value>>(m.lookup(3));
    EXPECT_TRUE(one->has_value() && (**one)[0] == 3 && (**one)[1] == 77);
    std::vector<std::uint64_t> keys = {1000, 1001};
    m.insert_all(keys, std::vector<value>(2));
    EXPECT_EQ(m.size(), 20 * cores() + 2);
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

TEST(DictionaryCombining, AHotKeyIsReducedBeforeItTravels) {
  run({.cores = 2}, [] {
    scoped_hash_map<std::uint64_t, std::uint64_t> m(combine::local);
    on_all_cores([m = m.handle()] {
      in_fibers(500, [=](unsigned) {
        for (std::uint64_t key = 0; key < 4; ++key) (void)m.insert_or_reduce(key, 1);
      });
      m.insert_or_reduce_all(std::vector<std::uint64_t>(5000, 2), std::vector<std::uint64_t>(5000, 1));
    });
    EXPECT_EQ(m.lookup(1), 1000U);
    EXPECT_EQ(m.lookup(2), 11000U);
    std::uint64_t messages = 0;
    for (const counters& c : statistics()) messages += c.combine_messages;
    EXPECT_LE(messages, 20U);
  });
}

}  // namespace
}  // namespace gossamer
