// Stack and queue: no value is lost or duplicated; orders; sizes of values; destruction.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/priority_queue.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

using test::in_fibers;

class Sequence : public test::combining_test {};
GOSSAMER_COMBINING_CASES(Sequence);

void add(stack<std::uint64_t> s, std::uint64_t v) { s.push(v); }
void add(queue<std::uint64_t> q, std::uint64_t v) { q.enqueue(v); }
void add(priority_queue<std::uint64_t> q, std::uint64_t v) { q.push(v); }
std::optional<std::uint64_t> take(priority_queue<std::uint64_t> q) { return q.pop(); }
std::optional<std::uint64_t> take(stack<std::uint64_t> s) { return s.pop(); }
std::optional<std::uint64_t> take(queue<std::uint64_t> q) { return q.dequeue(); }

/// Random insertions and removals by many fibers, then removal of the rest. Every value is removed once.
template <class Scoped>
void every_value_comes_out_once(combine where) {
  constexpr unsigned k_fibers = 40, k_each = 100;
  Scoped owned(where);
  scoped_per_core<std::vector<std::uint64_t>> taken;
  on_all_cores([all = owned.handle(), taken = taken.handle()] {
    in_fibers(k_fibers, [=](unsigned f) {
      const std::uint64_t first = (std::uint64_t{here()} * k_fibers + f) * k_each;
      for (unsigned k = 0; k < k_each; ++k) {
        add(all, first + k);
        if (hash64(first + k) % 3 != 0)
          if (const auto v = take(all)) taken.here().push_back(*v);
      }
    });
  });
  std::vector<std::uint64_t> out;
  for (core_id c = 0; c < cores(); ++c) out.insert(out.end(), taken.at(c).begin(), taken.at(c).end());
  EXPECT_EQ(owned.size(), std::uint64_t{cores()} * k_fibers * k_each - out.size());
  while (const auto v = take(owned.handle())) out.push_back(*v);
  std::sort(out.begin(), out.end());
  ASSERT_EQ(out.size(), std::size_t{cores()} * k_fibers * k_each);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i);
  EXPECT_EQ(owned.size(), 0U);
}

TEST_P(Sequence, EveryPushedValueIsPoppedOnce) {
  run(job(), [] { every_value_comes_out_once<scoped_stack<std::uint64_t>>(where()); });
}
TEST_P(Sequence, EveryEnqueuedValueIsDequeuedOnce) {
  run(job(), [] { every_value_comes_out_once<scoped_queue<std::uint64_t>>(where()); });
}

TEST_P(Sequence, EveryPrioritisedValueComesOutOnce) {
  run(job(), [] { every_value_comes_out_once<scoped_priority_queue<std::uint64_t>>(where()); });
}

struct visit {
  float distance;
  std::uint32_t vertex;
};
struct farther {
  bool operator()(const visit& a, const visit& b) const { return a.distance > b.distance; }
};

TEST_P(Sequence, TheSmallestLeavesFirst) {
  run(job(), [] {
    scoped_priority_queue<visit, farther> q(where());
    EXPECT_FALSE(q.pop().has_value());
    on_all_cores([q = q.handle()] {
      in_fibers(20, [=](unsigned f) { q.push({static_cast<float>(hash64(here(), f) % 1000), f}); });
      std::vector<visit> more(2000);
      for (unsigned k = 0; k < more.size(); ++k) more[k] = {static_cast<float>(k), k};
      q.push_all(more);
    });
    EXPECT_EQ(q.size(), 2020U * cores());
    scoped_per_core<std::uint64_t> seen;
    q.for_each([seen = seen.handle()](const visit&) { ++seen.here(); });
    EXPECT_EQ(seen.fold(std::uint64_t{0}, std::plus<>()), 2020U * cores());
    std::vector<visit> out(2020 * cores());
    for (std::size_t k = 0; k < 100; ++k) out[k] = q.pop().value();
    EXPECT_EQ(q.pop_some(std::span(out).subspan(100)), out.size() - 100);
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end(), farther()));
    EXPECT_EQ(q.pop_some(out), 0U);
  });
}

TEST_P(Sequence, OneFiberSeesAStackAndAQueue) {
  run(job(), [] {
    scoped_stack<std::uint64_t> s(where());
    scoped_queue<std::uint64_t> q(where());
    EXPECT_EQ(s.pop(), std::nullopt);
    EXPECT_EQ(q.dequeue(), std::nullopt);
    for (std::uint64_t v = 0; v < 100; ++v) s.push(v), q.enqueue(v);
    for (std::uint64_t v = 0; v < 100; ++v) {
      EXPECT_EQ(s.pop(), 99 - v);
      EXPECT_EQ(q.dequeue(), v);
    }
    EXPECT_EQ(s.pop(), std::nullopt);
    EXPECT_EQ(q.dequeue(), std::nullopt);
  });
}

/// The values of one fiber are dequeued in its order.
TEST_P(Sequence, AQueueKeepsTheOrderOfEachFiber) {
  run(job(), [] {
    constexpr unsigned k_fibers = 20, k_each = 50;
    scoped_queue<std::uint64_t> q(where());
    on_all_cores([q = q.handle()] {
      in_fibers(k_fibers, [=](unsigned f) {
        for (unsigned k = 0; k < k_each; ++k) q.enqueue((std::uint64_t{here()} * k_fibers + f) * k_each + k);
      });
    });
    std::vector<std::uint64_t> next(std::size_t{cores()} * k_fibers, 0);
    while (const auto v = q.dequeue()) EXPECT_EQ(*v % k_each, next[*v / k_each]++);
    for (const std::uint64_t n : next) EXPECT_EQ(n, k_each);
  });
}

void put_staged(queue<std::uint64_t> q) { q.enqueue_staged(); }
void put_staged(stack<std::uint64_t> s) { s.push_staged(); }

constexpr std::uint64_t k_staged = 20'000 / test::k_fewer;

/// Each core stages c * k_staged values (core 0: none), in two steps; no core finds them before they are
/// inserted.
template <class Scoped>
std::uint64_t stage_on_all_cores(const Scoped& owned) {
  on_all_cores([all = owned.handle()] {
    std::vector<std::uint64_t> mine(here() * k_staged);
    std::iota(mine.begin(), mine.end(), std::uint64_t{here()} << 32);
    all.stage(std::span(mine).first(mine.size() / 3));
    all.stage(std::span(mine).subspan(mine.size() / 3));
  });
  return std::uint64_t{cores()} * (cores() - 1) / 2 * k_staged;
}

template <class Scoped>
void what_is_staged_goes_in_once(combine where) {
  Scoped owned(where);
  for (unsigned round = 0; round < 2; ++round) {
    const std::uint64_t n = stage_on_all_cores(owned);
    EXPECT_EQ(owned.size(), 0U);
    EXPECT_EQ(take(owned.handle()), std::nullopt);
    put_staged(owned.handle());
    ASSERT_EQ(owned.size(), n);
    std::vector<std::uint64_t> next(cores(), 0), out;
    while (const auto v = take(owned.handle())) out.push_back(*v);
    if (std::is_same_v<Scoped, scoped_stack<std::uint64_t>>) std::reverse(out.begin(), out.end());
    for (const std::uint64_t v : out) EXPECT_EQ(v & 0xffffffff, next[v >> 32]++);
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(next[c], c * k_staged);
    put_staged(owned.handle());  // nothing is staged
    EXPECT_EQ(owned.size(), 0U);
  }
}
TEST_P(Sequence, WhatIsStagedGoesIntoAStackOnce) {
  run(job(), [] { what_is_staged_goes_in_once<scoped_stack<std::uint64_t>>(where()); });
}
TEST_P(Sequence, WhatIsStagedGoesIntoAQueueOnce) {
  run(job(), [] { what_is_staged_goes_in_once<scoped_queue<std::uint64_t>>(where()); });
}

struct dealt {
  std::uint64_t values = 0, own = 0, sum = 0, calls = 0;
};
void note(dealt& d, std::span<const std::uint64_t> mine) {
  ++d.calls;
  d.values += mine.size();
  for (const std::uint64_t v : mine) {
    d.own += v >> 32 == here() ? 1 : 0;
    d.sum += v;
  }
}

/// Shares are even, and the remaining values are the last ones inserted. Of its own values a core gets as
/// many as its share allows.
TEST_P(Sequence, SharesAreEvenAndNear) {
  run(job(), [] {
    scoped_queue<std::uint64_t> q(where());
    const std::uint64_t n = stage_on_all_cores(q), first = n - n / 4;
    q.enqueue_staged();
    const scoped_per_core<dealt> notes;
    const auto f = [notes = notes.handle()](std::span<const std::uint64_t> mine) {
      note(notes.here(), mine);
    };
    EXPECT_EQ(q.deal(first, f), first);
    EXPECT_EQ(q.size(), n - first);
    std::uint64_t all = 0, left = first;  // of the values inserted first
    for (core_id c = 0; c < cores(); ++c) {
      const dealt& d = notes.at(c);
      const std::uint64_t share = (first + cores() - 1) / cores();
      EXPECT_LE(d.values, share);
      EXPECT_LE(d.calls, 1U);
      const std::uint64_t put_in = std::min<std::uint64_t>(left, c * k_staged);
      EXPECT_EQ(d.own, std::min(put_in, share)) << "core " << c;
      left -= put_in;
      all += d.values;
    }
    EXPECT_EQ(all, first);
    EXPECT_EQ(q.deal(n, f), n - first);
    EXPECT_EQ(q.deal(n, f), 0U);
    std::uint64_t sum = 0, expected = 0;
    for (core_id c = 0; c < cores(); ++c) {
      sum += notes.at(c).sum;
      for (std::uint64_t k = 0; k < c * k_staged; ++k) expected += (std::uint64_t{c} << 32) + k;
    }
    EXPECT_EQ(sum, expected);
  });
}

TEST_P(Sequence, FewValuesStayWhereTheyAre) {
  run(job(), [] {
    scoped_stack<std::uint64_t> s(where());
    on_core(cores() - 1,
            [s = s.handle()] { s.stage(std::vector<std::uint64_t>(16, std::uint64_t{here()} << 32)); });
    s.push_staged();
    const scoped_per_core<dealt> notes;
    EXPECT_EQ(
        s.deal(
            100, [notes = notes.handle()](std::span<const std::uint64_t> mine) { note(notes.here(), mine); },
            16),
        16U);
    EXPECT_EQ(notes.at(cores() - 1).own, 16U);
  });
}

TEST_P(Sequence, TruthValuesAreDealt) {
  run(job(), [] {
    scoped_queue<bool> q(where());
    for (unsigned i = 0; i < 9; ++i) q.enqueue(i % 3 == 0);
    const scoped_per_core<std::uint64_t> set;
    EXPECT_EQ(q.deal(9,
                     [set = set.handle()](std::span<const bool> mine) {
                       for (const bool one : mine) set.here() += one;
                     }),
              9U);
    EXPECT_EQ(set.fold(std::uint64_t{0}, std::plus<>()), 3U);
  });
}

TEST_P(Sequence, WhatADealtShareThrowsArrives) {
  run(job(), [] {
    scoped_queue<std::uint64_t> q(where());
    q.enqueue_all(std::vector<std::uint64_t>(100, 7));
    EXPECT_THROW(q.deal(100, [](std::span<const std::uint64_t>) { throw error("enough"); }), error);
    EXPECT_EQ(q.size(), 0U);
    q.enqueue(1);
    EXPECT_EQ(q.dequeue(), 1U);
  });
}

template <std::size_t Bytes>
void values_of_any_size(combine where) {
  using value = std::array<std::uint8_t, Bytes>;
  scoped_stack<value> s(where);
  scoped_queue<value> q(where);
  constexpr unsigned k_values = 200 / test::k_fewer;
  on_all_cores([s = s.handle(), q = q.handle()] {
    in_fibers(k_values, [=](unsigned f) {
      value v;
      v.fill(static_cast<std::uint8_t>(f));
      s.push(v);
      q.enqueue(v);
    });
  });
  std::vector<unsigned> seen(k_values, 0);
  const auto look = [&](const value& v) {
    EXPECT_TRUE(std::all_of(v.begin(), v.end(), [&](std::uint8_t b) { return b == v[0]; }));
    ++seen[v[0]];
  };
  while (const auto v = s.pop()) look(*v);
  while (const auto v = q.dequeue()) look(*v);
  for (const unsigned n : seen) EXPECT_EQ(n, 2 * cores());
}

TEST_P(Sequence, ValuesOfAnySize) {
  run(job(), [] {
    values_of_any_size<1>(where());
    values_of_any_size<24>(where());
    values_of_any_size<1024>(where());
    values_of_any_size<9000>(where());
  });
}

template <std::size_t Bytes>
struct padded {
  std::uint64_t number;
  std::array<std::uint8_t, Bytes> rest;
};

/// Each of many arrays is inserted at one moment, and all values are removed once, in order.
template <std::size_t Bytes>
void arrays_at_once(combine where) {
  using value = padded<Bytes>;
  static constexpr std::uint64_t k_arrays = 6;
  static constexpr std::uint64_t k_each =
      test::k_thread_sanitizer ? 230 : 700;  // more than 1,000 on one core
  scoped_queue<value> q(where);
  scoped_stack<value> s(where);
  on_all_cores([q = q.handle(), s = s.handle()] {
    in_fibers(k_arrays, [=](unsigned f) {
      std::vector<value> mine(k_each);
      for (std::uint64_t k = 0; k < k_each; ++k) mine[k].number = (here() * k_arrays + f) * k_each + k;
      q.enqueue_all(mine);
      s.push_all(mine);
      q.enqueue_all({});
    });
  });
  const std::uint64_t all = cores() * k_arrays * k_each;
  EXPECT_EQ(q.size(), all);
  scoped_per_core<std::uint64_t> seen;
  q.for_each([seen = seen.handle()](const value& v) { seen.here() += v.number; });
  EXPECT_EQ(seen.fold(std::uint64_t{0}, std::plus<>()), all * (all - 1) / 2);
  std::vector<value> out(all + 5);
  ASSERT_EQ(q.dequeue_some(std::span(out).first(1000)), 1000U);
  ASSERT_EQ(q.dequeue_some(std::span(out).subspan(1000)), all - 1000);
  for (std::uint64_t k = 0; k < all; ++k)
    EXPECT_EQ(out[k].number, out[k / k_each * k_each].number + k % k_each);
  EXPECT_EQ(q.dequeue_some(out), 0U);
  ASSERT_EQ(s.pop_some(std::span(out).first(1)), 1U);
  ASSERT_EQ(s.pop_some(std::span(out).subspan(1)), all - 1);
  for (std::uint64_t k = 0; k < all; ++k)
    EXPECT_EQ(out[k].number, out[k / k_each * k_each].number - k % k_each);
}

TEST_P(Sequence, ArraysAtOnce) {
  run(job(), [] {
    arrays_at_once<0>(where());
    arrays_at_once<2000>(where());
  });
}

TEST_P(Sequence, EndsWithValuesInIt) {
  run(job(), [] {
    for (unsigned k = 0; k < 3; ++k) {
      scoped_stack<std::uint64_t> s(where());
      on_all_cores([s = s.handle()] { in_fibers(30, [=](unsigned f) { s.push(f); }); });
      EXPECT_EQ(s.size(), 30U * cores());
    }
  });
}

TEST(StackCombining, PushesMeetPopsOnTheirCore) {
  run({.cores = 2}, [] {
    scoped_stack<std::uint64_t> s(combine::local);
    on_all_cores([s = s.handle()] {
      in_fibers(100, [=](unsigned f) {
        if (f % 2 == 0)
          s.push(f);
        else
          EXPECT_TRUE(s.pop().has_value());
      });
    });
    std::uint64_t matched = 0, commits = 0;
    for (const counters& c : statistics()) matched += c.combine_matched, commits += c.combine_commits;
    EXPECT_EQ(matched, 100U);
    EXPECT_EQ(commits, 0U);
  });
}

TEST(StackCombining, ABatchIsOneMessage) {
  run({.cores = 2}, [] {
    scoped_stack<std::uint64_t> s(combine::local);
    on_all_cores([s = s.handle()] { in_fibers(1000, [=](unsigned f) { s.push(f); }); });
    std::uint64_t messages = 0;
    for (const counters& c : statistics()) messages += c.combine_messages;
    EXPECT_LE(messages, 4U);
  });
}

// --- failures while values are removed ----------------------------------------------------------------

/// A sequence whose store cannot copy values, or whose home core accepts none.
struct failing_sequence {
  struct failing_home {
    combining::sequence_state<combining::taking::first>* state;
    bool has_memory;

    template <std::size_t N>
    combining::some_ranges<N> call(const combining::sequence_message<N>& m, bool) const {
      if (m.put.count != 0 && !has_memory) throw std::bad_alloc();
      return state->apply(m);
    }
    template <class F>
    void async_with(std::span<const combining::value_range> ranges, F f) const {
      if (!has_memory) throw std::bad_alloc();
      f(*state, ranges);
    }
  };
  struct failing_store {
    std::uint64_t* forgotten;

    void take(std::span<const combining::value_range>, std::byte*) const { throw std::bad_alloc(); }
    void forget(std::span<const combining::value_range> all) const {
      *forgotten += combining::values_in(all);
    }
  };
  struct failing_stores {
    failing_store of;
    failing_store here() const { return of; }
  };

  failing_home home;
  failing_stores stores;
};

TEST(SequenceExchange, KeepsWhatTheHomeCoreHasThoughValuesCannotBeTaken) {
  run({.cores = 1}, [] {
    for (const std::size_t given : {1, 3, 20}) {  // more than fit one message
      combining::sequence_state<combining::taking::first> state;
      std::uint64_t forgotten = 0;
      const failing_sequence s{{&state, true}, {{&forgotten}}};
      const std::vector<combining::value_range> ranges(given, {{}, 0, 10});
      std::optional<int> place;
      const std::vector<std::optional<int>*> places(2, &place);
      const auto failed = combining::exchange_values<int>(s, ranges, std::span(places));
      EXPECT_TRUE(failed != nullptr);
      EXPECT_EQ(forgotten, 0U) << given << " ranges: values that the home core hands out are free here";
      EXPECT_EQ(state.size(), 10 * given - places.size());
      EXPECT_FALSE(place.has_value());
    }
  });
}

TEST(SequenceExchange, ForgetsWhatTheHomeCoreDoesNotTake) {
  run({.cores = 1}, [] {
    for (const std::size_t given : {1, 3, 20}) {
      combining::sequence_state<combining::taking::first> state;
      std::uint64_t forgotten = 0;
      const failing_sequence s{{&state, false}, {{&forgotten}}};
      const std::vector<combining::value_range> ranges(given, {{}, 0, 10});
      EXPECT_THROW((void)combining::exchange_values<int>(s, ranges, {}), std::bad_alloc);
      EXPECT_EQ(forgotten, 10 * given);
      EXPECT_EQ(state.size(), 0U);
    }
  });
}

}  // namespace
}  // namespace gossamer
