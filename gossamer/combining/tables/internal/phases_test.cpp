// Write-only and read-only phases of a set or map: against serial oracles, on cores and simulated clusters
// with faults; and misuse.

#include "gossamer/combining/tables/internal/phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "combining/histories.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

using test::in_fibers;

class Phases : public test::combining_test {};
GOSSAMER_COMBINING_CASES(Phases);

TEST_P(Phases, WhatIsStagedIsThereWhenThePhaseEnds) {
  run(job(), [] {
    constexpr std::uint64_t k_keys = 3000 / test::k_fewer;
    scoped_hash_set<std::uint64_t> s(where());
    s.insert(5);
    for (std::uint64_t phase = 0; phase < 3; ++phase) {
      const std::uint64_t first = phase * k_keys / 2;
      on_all_cores([s = s.handle(), first] {
        in_fibers(5, [=](unsigned f) {  // each key by every core, several times
          for (std::uint64_t k = f; k < 2 * k_keys; k += 5) s.stage((first + k % k_keys) * 977);
        });
      });
      EXPECT_EQ(s.size(), phase == 0 ? 1 : 1 + k_keys + (phase - 1) * k_keys / 2);
      s.insert_staged();
      std::set<std::uint64_t> expected{5};
      for (std::uint64_t k = 0; k < first + k_keys; ++k) expected.insert(k * 977);
      EXPECT_EQ(s.size(), expected.size());
      for (std::uint64_t k = 0; k < first + k_keys; k += 97) {
        EXPECT_TRUE(s.contains(k * 977));
        EXPECT_FALSE(s.contains(k * 977 + 1));
      }
    }
    s.insert_staged();  // nothing
    EXPECT_TRUE(s.erase(0));
  });
}

// The handler that inserts runs on the stack of any fiber that sends: it must not need much of it.
TEST(PhasesOf, LongValuesSpareTheStacksOfOtherFibers) {
  using long_value = std::array<unsigned char, 7000>;  // more than a page, the guard between two stacks
  run({.cores = 2}, [] {
    constexpr std::uint64_t k_keys = 400;
    constexpr std::uint32_t k_fibers = 10, k_updates = 20'000;
    const scoped_hash_map<std::uint64_t, long_value> m;
    const scoped_array<std::uint64_t> table(1 << 12);
    const scoped_per_core<std::uint64_t> ended, overwritten;
    on_all_cores([m = m.handle()] {
      const auto value = std::make_unique<long_value>();
      for (std::uint64_t k = here(); k < k_keys; k += cores()) {
        value->fill(static_cast<unsigned char>(k));
        m.stage(k, *value);
      }
    });
    finish([&] {
      on_all_cores([m = m.handle(), table = table.handle(), ended = ended.handle(),
                    overwritten = overwritten.handle()] {
        for (std::uint32_t f = 0; f < k_fibers; ++f) {
          spawn([=] {
            volatile unsigned char mine[60'000];
            for (auto& byte : mine) byte = 0x5a;
            while (ended.here() < k_fibers) yield();
            for (const auto& byte : mine) overwritten.here() += byte != 0x5a;
          });
          spawn([=] {
            for (std::uint64_t i = 0; i < k_updates; ++i) {
              table.async(hash64(i) % table.size(), [](std::uint64_t& n) { ++n; });
              if (i % 1000 == 0) yield();
            }
            ++ended.here();
          });
        }
        if (here() == 0) spawn([m] { m.insert_staged(); });
      });
    });
    EXPECT_EQ(m.size(), k_keys);
    EXPECT_EQ(overwritten.fold(std::uint64_t{0}, std::plus<>()), 0U);
    for (std::uint64_t k = 0; k < k_keys; k += 7) {
      const auto found = m.lookup(k);
      ASSERT_TRUE(found);
      EXPECT_EQ((*found)[k % found->size()], static_cast<unsigned char>(k));
    }
  });
}

TEST_P(Phases, ValuesAreFirstOnesOrReduced) {
  run(job(), [] {
    constexpr std::uint64_t k_keys = 200;
    scoped_hash_map<std::uint64_t, std::uint64_t> first(where()), sums(where()), greatest(where());
    (void)first.insert(0, 12345);
    (void)sums.insert(0, 12345);
    struct larger {
      std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return std::max(a, b); }
    };
    on_all_cores([first = first.handle(), sums = sums.handle(), greatest = greatest.handle()] {
      for (std::uint64_t k = 0; k < 3 * k_keys; ++k) {
        const std::uint64_t value = here() * 1000 + k / k_keys;
        first.stage(k % k_keys, value);
        sums.stage_to_reduce(k % k_keys, value);
        greatest.stage_to_reduce(k % k_keys, value, larger());
      }
    });
    first.insert_staged();
    sums.insert_staged();
    greatest.insert_staged();
    std::uint64_t sum = 0;
    for (std::uint64_t c = 0; c < cores(); ++c) sum += 3 * 1000 * c + 0 + 1 + 2;
    EXPECT_EQ(first.lookup(0), 12345U);
    EXPECT_EQ(sums.lookup(0), 12345 + sum);
    for (std::uint64_t k = 1; k < k_keys; ++k) {
      const auto one = first.lookup(k);
      ASSERT_TRUE(one);
      EXPECT_TRUE(*one % 1000 == 0 && *one / 1000 < cores()) << *one;  // the first value of some core
      EXPECT_EQ(sums.lookup(k), sum);
      EXPECT_EQ(greatest.lookup(k), (cores() - 1) * 1000 + 2);
    }
  });
}

/// Texts of all lengths, some of them longer than a packed message.
std::string staged_text(std::uint64_t k) {
  return std::to_string(k) + std::string(k % 41 == 0 ? 3000 + k : k % 29, 'y');
}

TEST_P(Phases, TextsAreStagedAndRead) {
  run(job(), [] {
    constexpr std::uint64_t k_texts = 400;
    scoped_hash_map<std::string, std::uint64_t> m(where());
    on_all_cores([m = m.handle()] {
      for (std::uint64_t k = 0; k < k_texts; ++k) m.stage_to_reduce(staged_text(k), 1);
    });
    m.insert_staged();
    EXPECT_EQ(m.size(), k_texts);
    const auto frozen = m.freeze();
    on_all_cores([frozen] {
      for (std::uint64_t k = 0; k < k_texts; ++k) {
        EXPECT_EQ(frozen.lookup(staged_text(k)), cores());
        EXPECT_EQ(frozen.lookup(staged_text(k) + "?"), std::nullopt);
      }
    });
    m.thaw();
  });
}

TEST_P(Phases, HandlersStage) {
  run(job(), [] {
    scoped_hash_set<std::uint64_t> s(where());
    on_all_cores([s = s.handle()] {
      for (std::uint64_t k = 0; k < 300; ++k)
        async_on(static_cast<core_id>((here() + k) % cores()), [s, k] { s.stage(k); });
    });
    s.insert_staged();
    EXPECT_EQ(s.size(), 300U);
  });
}

TEST_P(Phases, WhatIsFrozenIsReadInPlaceAndChangesAfterwards) {
  run(job(), [] {
    scoped_hash_set<std::uint64_t> s(where());
    for (std::uint64_t k = 0; k < 500; ++k) (void)s.insert(2 * k);
    for (std::uint64_t phase = 0; phase < 2; ++phase) {
      const auto frozen = s.freeze();
      EXPECT_EQ(frozen.size(), 500 + phase);
      on_all_cores([frozen, s = s.handle(), phase] {
        const std::uint64_t before = fiber::scheduler::current()->count().switches;
        for (std::uint64_t k = 0; k < 1000; ++k)
          EXPECT_EQ(frozen.contains(k), k % 2 == 0 || (k == 7 && phase == 1));
        EXPECT_EQ(fiber::scheduler::current()->count().switches, before);
        EXPECT_TRUE(s.contains(2));  // as an ordinary set
      });
      s.thaw();
      EXPECT_EQ(s.insert(7), phase == 0);
    }
  });
}

/// Several processes: alternating phases of writing and reading, compared with a serial set.
TEST(PhasesOfClusters, AreRightWhateverComesLate) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const test::history_case c = test::history_of(seed);
    run(test::simulated(c, seed), [seed] {
      scoped_hash_map<std::uint64_t, std::uint64_t> m(static_cast<combine>(seed % 4));
      std::map<std::uint64_t, std::uint64_t> expected;
      for (std::uint64_t phase = 0; phase < 3; ++phase) {
        on_all_cores([m = m.handle(), seed, phase] {
          in_fibers(3, [=](unsigned f) {
            for (std::uint64_t k = 0; k < 20; ++k)
              m.stage_to_reduce(hash64(seed * 3 + phase, (here() * 3 + f) * 20 + k) % 200, 1);
          });
        });
        for (std::uint64_t k = 0; k < std::uint64_t{cores()} * 3 * 20; ++k)
          ++expected[hash64(seed * 3 + phase, k) % 200];
        m.insert_staged();
        EXPECT_EQ(m.size(), expected.size()) << "seed " << seed;
        const auto frozen = m.freeze();
        scoped_per_core<std::uint64_t> sums;
        on_all_cores([frozen, sums = sums.handle()] {
          in_fibers(2, [=](unsigned) {
            for (std::uint64_t k = 0; k < 200; ++k) sums.here() += frozen.lookup(k).value_or(0) * (k + 1);
          });
        });
        std::uint64_t sum = 0;
        for (const auto& [key, value] : expected) sum += value * (key + 1);
        EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>()), 2 * cores() * sum) << "seed " << seed;
        m.thaw();
      }
    });
  }
}

TEST(PhasesOfClusters, AnswersOfOtherProcessesAreKept) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run(test::simulated({2, 1, 0, 0}, 1), [] {
    scoped_hash_set<std::uint64_t> s(combine::off);
    for (std::uint64_t k = 0; k < 100; ++k) (void)s.insert(2 * k);
    const auto frozen = s.freeze();
    const auto messages = [] {
      std::uint64_t n = 0;
      for (const counters& c : statistics()) n += c.combine_messages;
      return n;
    };
    std::uint64_t before = messages(), first = 0;
    for (unsigned round = 0; round < 3; ++round) {
      for (std::uint64_t k = 0; k < 200; ++k) EXPECT_EQ(frozen.contains(k), k % 2 == 0);
      if (round == 0) first = messages() - before;
    }
    EXPECT_GT(first, 50U);
    EXPECT_LT(first, 150U);
    EXPECT_EQ(messages() - before, first);
    s.thaw();
    EXPECT_FALSE(s.contains(1));
    for (std::uint64_t k = 0; k < 100; ++k) EXPECT_TRUE(s.insert(2 * k + 1));
    const auto again = s.freeze();
    for (std::uint64_t k = 0; k < 200; ++k) EXPECT_TRUE(again.contains(k));
    s.thaw();
  });
}

/// Compares messages and bytes of a phase with those of requests that are answered.
TEST(PhasesOfClusters, CostLessThanAnsweredRequests) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  struct cost {
    std::uint64_t messages, bytes;
  };
  const auto cost_of = [](auto insert) {
    cost found{};
    run(test::simulated({4, 1, 0, 0}, 1), [&found, insert] {
      scoped_hash_set<std::uint64_t> s(combine::local);
      on_all_cores([s = s.handle(), insert] { insert(s); });
      s.insert_staged();
      if (s.size() != 4000) fatal("keys are missing");
      for (const counters& c : statistics())
        found.messages += c.combine_messages, found.bytes += c.combine_bytes;
    });
    return found;
  };
  const cost asked = cost_of([](const hash_set<std::uint64_t>& s) {
    in_fibers(10, [s](unsigned f) {
      for (std::uint64_t k = f; k < 4000; k += 10) (void)s.insert(k);
    });
  });
  const cost staged = cost_of([](const hash_set<std::uint64_t>& s) {
    for (std::uint64_t k = 0; k < 4000; ++k) s.stage(k);
  });
  EXPECT_LT(staged.messages * 50, asked.messages);
  EXPECT_LT(staged.bytes * 2, asked.bytes);
}

// ---- misuse

template <class F>
void in_frozen_set(F f) {
  run({.cores = 2}, [f] {
    scoped_hash_set<std::uint64_t> s(combine::local);
    s.insert(1);
    (void)s.freeze();
    f(s);
  });
}

TEST(PhasesMisused, AFrozenSetIsNotChanged) {
  const char* const line = "a hash set is changed while it is frozen: thaw\\(\\) it first";
  EXPECT_DEATH(in_frozen_set([](auto& s) { (void)s.insert(2); }), line);
  EXPECT_DEATH(in_frozen_set([](auto& s) { (void)s.erase(1); }), line);
  EXPECT_DEATH(in_frozen_set([](auto& s) { s.stage(2); }), line);
  EXPECT_DEATH(in_frozen_set([](auto& s) { s.insert_staged(); }), line);
  EXPECT_DEATH(in_frozen_set([](auto& s) { s.insert_all(std::array<std::uint64_t, 1>{2}); }), line);
  EXPECT_DEATH(in_frozen_set([](auto& s) { on_core(1, [s = s.handle()] { (void)s.insert(2); }); }), line);
}
TEST(PhasesMisused, AFrozenMapIsNotChanged) {
  const auto in_frozen_map = [](auto f) {
    run({.cores = 1}, [f] {
      scoped_hash_map<std::uint64_t, std::uint64_t> m(combine::local);
      (void)m.freeze();
      f(m);
    });
  };
  const char* const line = "a hash map is changed while it is frozen";
  EXPECT_DEATH(in_frozen_map([](auto& m) { (void)m.insert_or_assign(2, 3); }), line);
  EXPECT_DEATH(in_frozen_map([](auto& m) { (void)m.update(2, [](std::uint64_t& v) { ++v; }); }), line);
  EXPECT_DEATH(in_frozen_map([](auto& m) { m.stage_to_reduce(2, 3); }), line);
  EXPECT_DEATH(in_frozen_map([](auto& m) {
                 const std::array<std::uint64_t, 1> one{2};
                 m.insert_or_reduce_all(one, one);
               }),
               line);
}
TEST(PhasesMisused, PhasesDoNotNestOrMix) {
  EXPECT_DEATH(in_frozen_set([](auto& s) { (void)s.freeze(); }), "a hash set is frozen twice");
  EXPECT_DEATH(in_frozen_set([](auto& s) {
                 s.thaw();
                 s.thaw();
               }),
               "a hash set is thawed that is not frozen");
  EXPECT_DEATH(in_frozen_set([](auto& s) {
                 s.thaw();
                 const auto left = s.freeze();
                 s.thaw();
                 (void)left.contains(1);
               }),
               "a hash set is read as frozen after thaw");
  EXPECT_DEATH(run({.cores = 1},
                   [] {
                     scoped_hash_map<int, int> m(combine::local);
                     m.stage(1, 2);
                     m.stage_to_reduce(1, 2);
                   }),
               "a hash map is staged by two operations in one phase: insert_staged\\(\\) between them");
}
TEST(PhasesMisused, WhatIsStagedAtTheEndIsGone) {
  run({.cores = 2}, [] {
    for (unsigned k = 0; k < 3; ++k) {
      const scoped_hash_set<std::string> s(combine::local);
      on_all_cores([s = s.handle()] { s.stage("left"); });
      EXPECT_EQ(s.size(), 0U);
    }
  });
}

}  // namespace
}  // namespace gossamer
