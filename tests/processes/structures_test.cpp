// Global structures over whatever processes a launcher started. Expectations are in process 0; what another
// one finds wrong it throws.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

template <class F>
void in_every_mode(F f) {
  run(job_options::from_environment(), [f] {
    for (const combine where :
         {combine::off, combine::home, combine::local, combine::both, combine::automatic})
      f(where);
  });
}

void ensure(bool holds, const char* what) {
  if (!holds) throw error(fmt::format("core {}: {}", here(), what));
}

template <class F>
void in_fibers(unsigned n, F f) {
  std::vector<joinable<void>> all;
  for (unsigned i = 0; i < n; ++i) all.push_back(start([f, i] { f(i); }));
  for (auto& one : all) one.join();
}

constexpr unsigned k_fibers = 10;

TEST(ProcessStructures, ObjectsOfAllSizesAreFolded) {
  run(job_options::from_environment(), [] {
    scoped_per_core<std::array<std::uint64_t, 20'000>> large;  // larger than a fiber's stack
    scoped_per_core<std::array<std::uint64_t, 65>> barely;
    on_all_cores([large = large.handle(), barely = barely.handle()] {
      large.here().back() = here() + 1;
      barely.here().back() = here() + 1;
    });
    const auto digits = [](std::uint64_t sum, const auto& object) { return 3 * sum + object.back(); };
    std::uint64_t expected = 0;
    for (core_id c = 0; c < cores(); ++c) expected = 3 * expected + c + 1;
    EXPECT_EQ(large.fold(std::uint64_t{0}, digits), expected);
    EXPECT_EQ(barely.fold(std::uint64_t{0}, digits), expected);
    scoped_per_core<std::vector<int>> lists;
    const auto count = [&] {
      return lists.fold(std::size_t{0}, [](std::size_t n, std::vector<int>& one) { return n + one.size(); });
    };
    if (processes() == 1)
      EXPECT_EQ(count(), 0U);
    else
      EXPECT_THROW(count(), error);
  });
}

TEST(ProcessStructures, StacksAndQueuesLoseNothing) {
  in_every_mode([](combine where) {
    constexpr std::uint64_t k_each = 20;
    scoped_stack<std::uint64_t> s(where);
    scoped_queue<std::uint64_t> q(where);
    scoped_per_core<std::uint64_t> taken, sums;
    on_all_cores([s = s.handle(), q = q.handle(), taken = taken.handle(), sums = sums.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (std::uint64_t k = 0; k < k_each; ++k) {
          const std::uint64_t value = (here() * k_fibers + f) * k_each + k;
          s.push(value);
          q.enqueue(value);
          if (k % 2 == 0) continue;
          for (const auto& v : {s.pop(), q.dequeue()})
            if (v) ++taken.here(), sums.here() += *v;
        }
      });
    });
    const std::uint64_t all = cores() * k_fibers * k_each;
    std::uint64_t count = taken.fold(std::uint64_t{0}, std::plus<>());
    EXPECT_EQ(s.size() + q.size() + count, 2 * all);
    std::uint64_t sum = sums.fold(std::uint64_t{0}, std::plus<>());
    while (const auto v = s.pop()) sum += *v;
    while (const auto v = q.dequeue()) sum += *v;
    EXPECT_EQ(sum, all * (all - 1));
  });
}

TEST(ProcessStructures, ArraysGoIntoStacksAndQueuesAtOnce) {
  in_every_mode([](combine where) {
    using value = std::array<std::uint64_t, 100>;
    constexpr std::uint64_t k_each = 1000;  // more ranges than a message holds
    scoped_stack<value> s(where);
    scoped_queue<value> q(where);
    on_all_cores([s = s.handle(), q = q.handle()] {
      std::vector<value> mine(k_each);
      for (std::uint64_t k = 0; k < k_each; ++k) mine[k].fill(here() * k_each + k);
      s.push_all(mine);
      q.enqueue_all(mine);
    });
    const std::uint64_t all = cores() * k_each;
    scoped_per_core<std::uint64_t> seen;
    q.for_each([seen = seen.handle()](const value& v) { seen.here() += v[99]; });
    EXPECT_EQ(seen.fold(std::uint64_t{0}, std::plus<>()), all * (all - 1) / 2);
    std::vector<value> out(all + 1);
    ASSERT_EQ(s.pop_some(out), all);
    for (std::uint64_t k = 0; k < all; ++k) ASSERT_EQ(out[k][7], out[k / k_each * k_each][0] - k % k_each);
    ASSERT_EQ(q.dequeue_some(out), all);
    for (std::uint64_t k = 0; k < all; ++k) ASSERT_EQ(out[k][7], out[k / k_each * k_each][0] + k % k_each);
  });
}

/// By the last core, while the first one is the home core; the first core has nothing, the last one the most.
TEST(ProcessStructures, WhatAllStageIsDealtOutEvenly) {
  in_every_mode([](combine where) {
    using value = std::array<std::uint64_t, 100>;
    const std::uint64_t all = 500 * cores() * (cores() - 1);
    scoped_queue<value> q(where);
    on_all_cores([q = q.handle()] {
      std::vector<value> mine(here() * 1000);
      for (std::uint64_t k = 0; k < mine.size(); ++k) mine[k].fill(500 * here() * (here() - 1) + k);
      q.stage(mine);
    });
    EXPECT_EQ(q.size(), 0U);
    scoped_per_core<std::uint64_t> counts, sums;
    on_core(cores() - 1, [=, q = q.handle(), counts = counts.handle(), sums = sums.handle()] {
      q.enqueue_staged();
      const std::uint64_t n = q.deal(all + 1, [counts, sums](std::span<const value> mine) {
        counts.here() += mine.size();
        for (const value& v : mine) {
          ensure(v[0] == v[99], "a value was torn");
          sums.here() += v[50];
        }
      });
      ensure(n == all, "values are missing");
    });
    EXPECT_EQ(q.size(), 0U);
    EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>()), all == 0 ? 0 : all * (all - 1) / 2);
    const auto most = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
    EXPECT_EQ(counts.fold(std::uint64_t{0}, most), (all + cores() - 1) / cores());
  });
}

TEST(ProcessStructures, ThePriorityQueueIsInOrder) {
  in_every_mode([](combine where) {
    constexpr std::uint64_t k_each = 3000;
    scoped_priority_queue<std::uint64_t> q(where);
    on_all_cores([q = q.handle()] {
      in_fibers(k_fibers, [=](unsigned f) { q.push(hash64(here(), f)); });
      std::vector<std::uint64_t> more(k_each);
      for (std::uint64_t k = 0; k < k_each; ++k) more[k] = hash64(here(), 100 + k);
      q.push_all(more);
    });
    std::vector<std::uint64_t> out(cores() * (k_fibers + k_each) + 1), expected;
    for (core_id c = 0; c < cores(); ++c) {
      for (unsigned f = 0; f < k_fibers; ++f) expected.push_back(hash64(c, f));
      for (std::uint64_t k = 0; k < k_each; ++k) expected.push_back(hash64(c, 100 + k));
    }
    std::sort(expected.begin(), expected.end());
    out[0] = q.pop().value_or(0);
    out.resize(1 + q.pop_some(std::span(out).subspan(1)));
    EXPECT_EQ(out, expected);
  });
}

/// Of all lengths, some longer than a message.
std::string word(std::uint64_t k) {
  return fmt::format("{}-{}", k, std::string(k % 17 == 0 ? 5000 + k : k % 23, 'x'));
}

TEST(ProcessStructures, MapsKnowWords) {
  in_every_mode([](combine where) {
    constexpr std::uint64_t k_words = 100;
    scoped_hash_map<std::string, std::uint64_t> m(where);
    on_all_cores([m = m.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (std::uint64_t k = f; k < k_words; k += k_fibers) {
          (void)m.insert_or_reduce(word(k), 1);
          ensure(m.update(word(k), [](std::uint64_t& n) { n += 1000; }), "a word is not there");
          ensure(!m.lookup(word(k) + "?"), "a word is there that nobody said");
        }
      });
      const std::vector<std::string> more = {word(1), word(17), word(1), "more"};
      m.insert_or_reduce_all(more, std::vector<std::uint64_t>{1, 1, 1, 1});
    });
    const std::uint64_t each = cores() * 1001;
    EXPECT_EQ(m.size(), k_words + 1);
    EXPECT_EQ(m.lookup(word(0)), each);
    EXPECT_EQ(m.lookup(word(1)), each + 2 * cores());
    EXPECT_EQ(m.lookup(word(17)), each + cores());
    EXPECT_EQ(m.lookup("more"), cores());
    std::vector<std::string> names;
    for (std::uint64_t k = 0; k < k_words; ++k) names.push_back(word(k));
    std::vector<std::optional<std::uint64_t>> found(k_words);
    m.lookup_all(names, found);
    for (std::uint64_t k = 0; k < k_words; ++k) EXPECT_GE(found[k].value_or(0), each) << k;
    m.erase_all(names);
    EXPECT_EQ(m.size(), 1U);
  });
}

TEST(ProcessStructures, MapsHoldValuesThatFitNoMessage) {
  in_every_mode([](combine where) {
    using value = std::array<std::uint8_t, 3000>;
    scoped_hash_map<std::uint64_t, value> m(where);
    on_all_cores([m = m.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        const std::uint64_t key = here() * k_fibers + f;
        const auto v = std::make_unique<value>();
        v->fill(static_cast<std::uint8_t>(key));
        ensure(m.insert(key, *v), "a key was there");
        const auto found = std::make_unique<std::optional<value>>(m.lookup(key));
        ensure(found->has_value() && **found == *v, "another value came back");
      });
    });
    EXPECT_EQ(m.size(), cores() * k_fibers);
  });
}

TEST(ProcessStructures, MapsTakeManyKeysAtOnce) {
  in_every_mode([](combine where) {
    constexpr std::uint64_t k_each = 9'000;  // more than a call has under way at once
    scoped_hash_map<std::uint64_t, std::uint64_t> m(where);
    scoped_hash_set<std::uint64_t> s(where);
    on_all_cores([m = m.handle(), s = s.handle()] {
      std::vector<std::uint64_t> keys, values;
      for (std::uint64_t k = 0; k < k_each; ++k) {
        keys.push_back(k % 2 == 0 ? k : here() * k_each + k);
        values.push_back(3 * keys.back());
      }
      m.insert_all(keys, values);
      s.insert_all(keys);
      std::vector<std::optional<std::uint64_t>> found(k_each);
      m.lookup_all(keys, found);
      for (std::uint64_t k = 0; k < k_each; ++k) ensure(found[k] == values[k], "another value came back");
    });
    EXPECT_EQ(m.size(), k_each / 2 * (1 + cores()));
    EXPECT_EQ(s.size(), m.size());
  });
}

TEST(ProcessStructures, WhatAnUpdateThrowsComesToItsCaller) {
  in_every_mode([](combine where) {
    scoped_hash_map<std::uint64_t, int> m(where);
    for (std::uint64_t key = 0; key < 20; ++key) {
      m.insert(key, 1);
      try {
        m.update(key, [](int&) { throw error("not this one"); });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_STREQ(e.what(), "not this one");
      }
    }
  });
}

}  // namespace
}  // namespace gossamer
