// The linearizability checker itself: histories by hand of each structure, the failures that broken combining
// structures would show, and random ones compared with an oracle that tries all orders.

#include "support/linearizability/checker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/linearizability/random_histories.hpp"

namespace gossamer::test::linearizability {
namespace {

constexpr structure k_structures[] = {structure::counter,        structure::stack, structure::queue,
                                      structure::priority_queue, structure::set,   structure::map};

// ---- histories by hand -----------------------------------------------------------------------------------

operation at(std::uint64_t invoked, std::uint64_t answered, operation o, std::uint32_t fiber = 0) {
  o.invoked = invoked, o.answered = answered, o.fiber = fiber;
  return o;
}
operation says(operation o, std::optional<std::uint64_t> answer) {
  o.known = true, o.answer = answer;
  return o;
}
constexpr auto k_nothing = std::optional<std::uint64_t>();

void expect_accepted(structure s, const history& h) {
  const verdict v = check(s, h);
  EXPECT_TRUE(v) << v;
}
void expect_rejected(structure s, const history& h) {
  EXPECT_EQ(check(s, h).outcome, outcome::rejected) << "a wrong " << to_string(s) << " is accepted";
}

TEST(LinearizabilityChecker, AcceptsNothing) {
  for (const structure s : k_structures) expect_accepted(s, {});
}

TEST(LinearizabilityChecker, CountersMayTakeConcurrentAdditionsInAnyOrder) {
  expect_accepted(structure::counter, {at(1, 6, says(fetch_add(2), 3)), at(2, 5, says(fetch_add(3), 0), 1),
                                       at(3, 4, says(read(), 3), 2), at(7, 8, says(read(), 5))});
  expect_accepted(structure::counter,
                  {at(1, k_never, fetch_add(2)), at(2, 3, says(read(), 0), 1), at(4, 5, says(read(), 2), 1)});
}
TEST(LinearizabilityChecker, CountersMayNotAnswerTwiceTheSame) {
  expect_rejected(structure::counter, {at(1, 3, says(fetch_add(1), 0)), at(2, 4, says(fetch_add(1), 0), 1)});
}
TEST(LinearizabilityChecker, CountersMayNotForgetWhatWasAnswered) {
  expect_rejected(structure::counter, {at(1, 2, says(fetch_add(1), 0)), at(3, 4, says(read(), 0), 1)});
}
TEST(LinearizabilityChecker, CountersMayNotCountWhatNobodyAsked) {
  expect_rejected(structure::counter, {at(1, 2, says(read(), 1)), at(3, 4, says(fetch_add(1), 0))});
}

TEST(LinearizabilityChecker, StacksMayMatchAPopWithAConcurrentPush) {
  // 1 lies below; 2 is pushed and popped on the way, though 3 is pushed meanwhile.
  expect_accepted(structure::stack, {at(1, 2, push(1)), at(3, 8, push(2), 1), at(4, 5, push(3), 2),
                                     at(6, 7, says(pop(), 2), 3), at(9, 10, says(pop(), 3)),
                                     at(11, 12, says(pop(), 1)), at(13, 14, says(pop(), k_nothing))});
}
TEST(LinearizabilityChecker, StacksMayNotGiveTheSameTwice) {
  expect_rejected(structure::stack,
                  {at(1, 2, push(1)), at(3, 5, says(pop(), 1)), at(4, 6, says(pop(), 1), 1)});
}
TEST(LinearizabilityChecker, StacksMayNotGiveWhatWasNeverPushedOrOnlyLater) {
  expect_rejected(structure::stack, {at(1, 2, push(1)), at(3, 4, says(pop(), 2))});
  expect_rejected(structure::stack, {at(1, 2, says(pop(), 2)), at(3, 4, push(2))});
}
TEST(LinearizabilityChecker, StacksMayNotMatchAPopWithAPushAnsweredBefore) {
  // The push of 1 was answered early (combined), then 2 was pushed by another fiber and answered: a pop
  // that starts now and gets 1 from its core's combiner jumps over 2.
  expect_rejected(structure::stack, {at(1, 2, push(1), 0), at(3, 4, push(2), 1), at(5, 6, says(pop(), 1), 2),
                                     at(7, 8, says(pop(), 2), 1)});
  // Even while 2 is still inside at the end.
  expect_rejected(structure::stack,
                  {at(1, 2, push(1), 0), at(3, 4, push(2), 1), at(5, 6, says(pop(), 1), 2)});
}
TEST(LinearizabilityChecker, StacksMayNotCallThemselvesEmptyWhileSomethingIsInside) {
  expect_rejected(structure::stack, {at(1, 2, push(1)), at(3, 4, says(pop(), k_nothing), 1)});
  // 1 and 2 hand over to each other: at no point of the pop's interval are both outside.
  expect_rejected(structure::stack,
                  {at(1, 2, push(1), 0), at(3, 8, says(pop(), k_nothing), 1), at(4, 5, push(2), 0),
                   at(6, 9, says(pop(), 1), 2), at(10, 11, says(pop(), 2), 2)});
  expect_accepted(structure::stack,
                  {at(1, 2, push(1), 0), at(3, 8, says(pop(), k_nothing), 1), at(4, 6, push(2), 0),
                   at(5, 9, says(pop(), 1), 2), at(10, 11, says(pop(), 2), 2)});
}
TEST(LinearizabilityChecker, StacksAreJudgedWhereValuesRepeat) {
  expect_accepted(structure::stack, {at(1, 2, push(1)), at(3, 4, push(1)), at(5, 6, says(pop(), 1)),
                                     at(7, 8, says(pop(), 1)), at(9, 10, says(pop(), k_nothing))});
  expect_rejected(structure::stack, {at(1, 2, push(1)), at(3, 4, push(2)), at(5, 6, push(1)),
                                     at(7, 8, says(pop(), 1)), at(9, 10, says(pop(), 1))});
}

TEST(LinearizabilityChecker, QueuesMayOrderConcurrentEnqueuesEitherWay) {
  expect_accepted(structure::queue,
                  {at(1, 4, enqueue(1)), at(2, 3, enqueue(2), 1), at(5, 6, says(dequeue(), 1)),
                   at(7, 8, says(dequeue(), 2)), at(9, 10, says(dequeue(), k_nothing))});
}
TEST(LinearizabilityChecker, QueuesKeepTheOrderOfOneFiber) {
  expect_rejected(structure::queue, {at(1, 2, enqueue(1)), at(3, 4, enqueue(2)),
                                     at(5, 6, says(dequeue(), 2), 1), at(7, 8, says(dequeue(), 1), 2)});
  expect_rejected(structure::queue,
                  {at(1, 2, enqueue(1)), at(3, 4, enqueue(2)), at(5, 6, says(dequeue(), 2), 1)});
}
TEST(LinearizabilityChecker, QueuesMayNotGiveTheSameTwice) {
  expect_rejected(structure::queue,
                  {at(1, 2, enqueue(1)), at(3, 4, says(dequeue(), 1)), at(5, 6, says(dequeue(), 1))});
}
TEST(LinearizabilityChecker, QueuesMayNotCallThemselvesEmptyForStaleReasons) {
  expect_rejected(structure::queue, {at(1, 2, enqueue(1)), at(3, 4, says(dequeue(), k_nothing), 1),
                                     at(5, 6, says(dequeue(), 1), 1)});
}

TEST(LinearizabilityChecker, PriorityQueuesGiveTheSmallest) {
  expect_accepted(structure::priority_queue,
                  {at(1, 2, push(5)), at(3, 8, push(3), 1), at(4, 5, says(pop(), 5), 2),
                   at(9, 10, says(pop(), 3)), at(11, 12, says(pop(), k_nothing))});
  expect_rejected(structure::priority_queue, {at(1, 2, push(5)), at(3, 4, push(3), 1),
                                              at(5, 6, says(pop(), 5), 2), at(7, 8, says(pop(), 3))});
}

TEST(LinearizabilityChecker, PriorityQueuesAreJudgedWhereValuesRepeat) {
  expect_accepted(structure::priority_queue,
                  {at(1, 4, says(pop(), 2), 2), at(2, 9, push(2), 0), at(3, 6, push(1), 1),
                   at(5, 8, says(pop(), 1), 2), at(7, 13, push(1), 1)});
  expect_rejected(structure::priority_queue,
                  {at(1, 2, push(1)), at(3, 4, push(1)), at(5, 6, push(0)), at(7, 8, says(pop(), 1))});
}

TEST(LinearizabilityChecker, SetsInsertOnce) {
  expect_accepted(structure::set, {at(1, 4, says(insert(7), 1)), at(2, 3, says(insert(7), 0), 1),
                                   at(5, 6, says(contains(7), 1)), at(7, 8, says(contains(8), 0))});
  expect_rejected(structure::set, {at(1, 4, says(insert(7), 1)), at(2, 3, says(insert(7), 1), 1)});
}
TEST(LinearizabilityChecker, SetsMayNotAnswerFromPendingInserts) {
  // The insert of fiber 0 is combined, not yet committed. A lookup on its core sees it; a later one elsewhere
  // does not: the global structure doesn't have it.
  expect_rejected(structure::set, {at(1, 8, says(insert(7), 1), 0), at(2, 3, says(contains(7), 1), 1),
                                   at(4, 5, says(contains(7), 0), 2)});
  // Nor when the job ended before it was answered.
  expect_rejected(structure::set, {at(1, k_never, insert(7), 0), at(2, 3, says(contains(7), 1), 1),
                                   at(4, 5, says(contains(7), 0), 2)});
}
TEST(LinearizabilityChecker, SetsMayNotLoseAnErase) {
  expect_rejected(structure::set, {at(1, 2, says(insert(7), 1)), at(3, 4, says(erase(7), 1)),
                                   at(5, 6, says(contains(7), 1), 1)});
  expect_rejected(structure::set, {at(1, 2, says(insert(7), 1)), at(3, 4, says(erase(7), 1)),
                                   at(5, 6, says(erase(7), 1), 1)});
}
TEST(LinearizabilityChecker, SetsMayNotLoseAnInsert) {
  expect_rejected(structure::set, {at(1, 2, says(insert(7), 1)), at(3, 4, says(contains(7), 0), 1)});
  expect_rejected(structure::set, {at(1, 2, says(insert(7), 1)), at(3, 4, says(insert(7), 1), 1)});
}
TEST(LinearizabilityChecker, SizesCountWhatIsCommitted) {
  const history both{at(1, 6, says(insert(7), 1)), at(2, 5, says(insert(8), 1), 1),
                     at(3, 4, says(size(), 1), 2), at(7, 8, says(size(), 2), 2)};
  expect_accepted(structure::set, both);
  history wrong = both;
  wrong[3].answer = 1;
  expect_rejected(structure::set, wrong);
  expect_rejected(structure::stack, {at(1, 2, push(1)), at(3, 4, says(size(), 0))});
  expect_accepted(structure::queue,
                  {at(1, 4, enqueue(1)), at(2, 3, says(size(), 0), 1), at(5, 6, says(size(), 1))});
}

TEST(LinearizabilityChecker, MapsGiveTheValueThatWasStored) {
  expect_accepted(structure::map,
                  {at(1, 2, says(insert(7, 1), 1)), at(3, 4, says(insert(7, 2), 0)),
                   at(5, 6, says(lookup(7), 1)), at(7, 8, says(insert_or_assign(7, 3), 0)),
                   at(9, 10, says(lookup(7), 3)), at(11, 12, says(update(7, 4), 1)),
                   at(13, 14, says(lookup(7), updated(3, 4))), at(15, 16, says(erase(7), 1)),
                   at(17, 18, says(lookup(7), k_nothing)), at(19, 20, says(update(7, 1), 0))});
  expect_rejected(structure::map, {at(1, 2, says(insert(7, 1), 1)), at(3, 4, says(insert(7, 2), 0)),
                                   at(5, 6, says(lookup(7), 2))});
}
TEST(LinearizabilityChecker, MapsShowOneOrderOfAssignmentsToAll) {
  expect_rejected(
      structure::map,
      {at(1, 11, says(insert_or_assign(7, 1), 1)), at(2, 12, says(insert_or_assign(7, 2), 0), 1),
       at(3, 4, says(lookup(7), 1), 2), at(5, 6, says(lookup(7), 2), 2), at(7, 8, says(lookup(7), 1), 3)});
}
TEST(LinearizabilityChecker, MapsMayNotLoseUpdates) {
  expect_rejected(structure::map,
                  {at(1, 2, says(insert(7, 1), 1)), at(3, 6, says(update(7, 1), 1)),
                   at(4, 5, says(update(7, 2), 1), 1), at(7, 8, says(lookup(7), updated(1, 2)))});
}

TEST(LinearizabilityChecker, WhatNobodyAnsweredMayHaveHappenedOrNot) {
  const operation never_answered = at(3, k_never, pop(), 1);
  for (const auto after : {std::optional<std::uint64_t>(1), std::optional<std::uint64_t>(2)})
    expect_accepted(structure::stack,
                    {at(1, 2, push(1)), at(4, 5, push(2)), never_answered, at(6, 7, says(pop(), after))});
  expect_rejected(structure::stack,
                  {at(1, 2, push(1)), at(4, 5, push(2)), never_answered, at(6, 7, says(pop(), k_nothing))});
}

TEST(LinearizabilityChecker, MistakesOfTestsAreRefused) {
  EXPECT_THROW(check(structure::stack, {at(1, 2, enqueue(1))}), std::invalid_argument);
  EXPECT_THROW(check(structure::stack, {at(2, 1, push(1))}), std::invalid_argument);
  EXPECT_THROW(check(structure::stack, {at(1, 2, push(1)), at(2, 3, push(2))}), std::invalid_argument);
}

TEST(LinearizabilityChecker, SaysUndecidedInsteadOfSearchingForEver) {
  history h;  // 20 concurrent pushes of two values, popped in an order that repeats a third
  for (std::uint64_t i = 0; i < 20; ++i)
    h.push_back(at(1 + i, 101 + i, push(i % 4), static_cast<std::uint32_t>(i)));
  for (std::uint64_t i = 0; i < 20; ++i) h.push_back(at(200 + 2 * i, 201 + 2 * i, says(pop(), i % 3)));
  const verdict v = check(structure::stack, h, 1000);
  EXPECT_EQ(v.outcome, outcome::undecided);
  EXPECT_EQ(v.report, "undecided: stack, 40 operations, more than 1000 states");
}

TEST(LinearizabilityChecker, ReportsOnlyWhatTheContradictionNeeds) {
  const verdict v = check(structure::stack, {at(1, 2, push(9)), at(3, 4, says(pop(), 9), 3),
                                             at(5, 9, push(1)), at(6, 10, push(3), 4), at(11, 12, push(2), 1),
                                             at(13, 21, push(5), 5), at(14, 18, says(pop(), 1), 2),
                                             at(15, 20, says(pop(), 2), 1), at(16, 17, says(pop(), 3), 3)});
  EXPECT_TRUE(v);
  const verdict w = check(structure::stack, {at(1, 2, push(9)), at(3, 4, says(pop(), 9), 3),
                                             at(5, 6, push(1)), at(7, 10, push(3), 4), at(11, 12, push(2), 1),
                                             at(13, 21, push(5), 5), at(14, 16, says(pop(), 1), 2),
                                             at(17, 20, says(pop(), 2), 1), at(22, 23, says(pop(), 3), 3)});
  EXPECT_EQ(w.report,
            "not linearizable: stack, 9 operations; wrong from stamp 16 on, by these 3 of the 7 until then:\n"
            "5..6            fiber 0     push(1)\n"
            "11..12          fiber 1     push(2)\n"
            "14..16          fiber 2     pop() -> 1\n");
}

// ---- random histories
// --------------------------------------------------------------------------------------

std::uint64_t fresh_seed() {
  const char* given = std::getenv("GOSSAMER_TEST_SEED");
  return given != nullptr ? std::stoull(given) : std::random_device{}();
}
std::string listed(const history& h) {
  std::string text;
  for (const operation& o : h) text += detail::line(o, h);
  return text;
}

/// Small histories of one kind: the checker says what the oracle says.
void agrees_with_the_oracle(workload w, std::uint64_t seed, unsigned rounds, unsigned* rejected) {
  for (unsigned i = 0; i < rounds; ++i) {
    generator some(w, hash64(seed, i));
    history h = some.linearizable();
    expect_accepted(w.what, h);
    some.mutate(h);
    std::ranges::sort(h, {}, &operation::invoked);
    if (std::ranges::any_of(h, [](const operation& o) { return o.invoked >= o.answered; })) continue;
    const verdict v = check(w.what, h);
    const bool right = some_order_fits({w.what, 0, {}, {}}, h);
    ASSERT_EQ(v.outcome, right ? outcome::linearizable : outcome::rejected)
        << to_string(w.what) << ", GOSSAMER_TEST_SEED=" << seed << ", round " << i << "\n"
        << listed(h) << v;
    *rejected += !right;
  }
}

TEST(LinearizabilityChecker, AgreesWithAnOracleThatTriesAllOrders) {
  const std::uint64_t seed = fresh_seed();
  std::printf("GOSSAMER_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  unsigned rejected = 0;
  for (const structure s : k_structures)
    for (const bool distinct : {true, false})
      for (const bool sizes : {false, true})
        for (const unsigned unanswered : {0U, 2U})
          for (const unsigned fibers : {2U, 3U, 6U}) {
            if (sizes && s == structure::counter) continue;
            const workload w{s, fibers, 7, 2, distinct, sizes, std::min(unanswered, fibers - 1)};
            agrees_with_the_oracle(w, hash64(seed, fibers), 60, &rejected);
            if (testing::Test::HasFatalFailure()) return;
          }
  EXPECT_GT(rejected, 1000U) << "mutations must also make wrong histories";
}

TEST(LinearizabilityChecker, WhatAReportShowsIsAContradictionByItself) {
  const std::uint64_t seed = fresh_seed();
  std::printf("GOSSAMER_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  for (const structure s : k_structures)
    for (unsigned i = 0; i < 300; ++i) {
      generator some({s, 3, 8, 2}, hash64(seed, i));
      history h = some.linearizable();
      some.mutate(h);
      if (std::ranges::any_of(h, [](const operation& o) { return o.invoked >= o.answered; })) continue;
      std::ranges::sort(h, {}, &operation::invoked);
      if (check(s, h).outcome != outcome::rejected) continue;
      detail::decision decide(s, 100'000);
      const history shortest = detail::shortest_rejected(decide, h);
      const history core = detail::without_needless(decide, s, shortest);
      EXPECT_FALSE(some_order_fits({s, 0, {}, {}}, core)) << to_string(s) << "\n"
                                                          << listed(core) << listed(h);
      EXPECT_LE(core.size(), shortest.size());
    }
}

TEST(LinearizabilityChecker, AcceptsLongHistoriesOfManyFibers) {
  const std::uint64_t seed = fresh_seed();
  std::printf("GOSSAMER_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  for (const structure s : k_structures)
    for (const unsigned fibers : {2U, 8U, 32U})
      for (unsigned i = 0; i < 30; ++i) {
        const verdict v = check(s, generator({s, fibers, 200, 8}, hash64(seed, i)).linearizable());
        ASSERT_TRUE(v) << v << "\n" << to_string(s) << ", GOSSAMER_TEST_SEED=" << seed << ", round " << i;
      }
}

TEST(LinearizabilityChecker, NeverRejectsLongHistoriesWithSizesAndUnansweredOperations) {
  const std::uint64_t seed = fresh_seed();
  std::printf("GOSSAMER_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  unsigned undecided = 0, all = 0;
  for (const structure s : k_structures)
    for (const bool sizes : {false, true})
      for (unsigned i = 0; i < 30; ++i, ++all) {
        if (sizes && s == structure::counter) continue;
        const workload w{s, 8, 200, 8, true, sizes, sizes ? 0U : 3U};
        const verdict v = check(s, generator(w, hash64(seed, i)).linearizable(), 20'000);
        undecided += v.outcome == outcome::undecided;
        ASSERT_NE(v.outcome, outcome::rejected) << v << "\nGOSSAMER_TEST_SEED=" << seed << ", round " << i;
      }
  EXPECT_LT(undecided, all / 10);
}

TEST(LinearizabilityChecker, RecordsWhatThreadsDo) {
  constexpr unsigned k_fibers = 4, k_each = 50;
  recorder log(k_fibers);
  std::atomic<std::uint64_t> counter{0};
  std::vector<std::thread> threads;
  for (unsigned f = 0; f < k_fibers; ++f)
    threads.emplace_back([&, f] {
      for (unsigned i = 0; i < k_each; ++i)
        log.of(f).call(fetch_add(f + 1), [&] { return counter.fetch_add(f + 1); });
    });
  for (std::thread& t : threads) t.join();
  history h = log.history();
  ASSERT_EQ(h.size(), k_fibers * k_each);
  expect_accepted(structure::counter, h);
  std::swap(h.front().answer, h.back().answer);
  expect_rejected(structure::counter, h);
}

TEST(LinearizabilityChecker, RecordsAnswersFailuresAndWhatWasWithdrawn) {
  recorder log(2);
  log.of(0).call(push(4), [] {});
  EXPECT_EQ(log.of(1).call(pop(), [] { return std::optional<int>(4); }), 4);
  EXPECT_EQ(log.of(1).call(pop(), [] { return std::optional<int>(); }), std::nullopt);
  const auto fail = []() -> bool { throw std::runtime_error("no memory"); };
  EXPECT_THROW(log.of(0).call(push(5), fail), std::runtime_error);
  EXPECT_THROW(log.of(1).call(push(6), fail), std::runtime_error);
  log.of(1).withdraw_last();
  EXPECT_EQ(listed(log.history()),
            "1..2            fiber 0     push(4)\n"
            "3..4            fiber 1     pop() -> 4\n"
            "5..6            fiber 1     pop() -> nothing\n"
            "7..             fiber 0     push(5)   (never answered)\n");
}

std::uint64_t backwards() {
  static std::uint64_t time = 100;
  return time -= 10;
}
TEST(LinearizabilityChecker, RecordsByVirtualTimeWhereThereIsSome) {
  recorder log(2, 4, backwards);
  const std::size_t late = log.of(0).invoke(push(1)), early = log.of(1).invoke(push(2));
  EXPECT_EQ(late + early, 0U);
  EXPECT_EQ(listed(log.history()),
            "1..             fiber 1     push(2)   (never answered)\n"
            "2..             fiber 0     push(1)   (never answered)\n");
}

}  // namespace
}  // namespace gossamer::test::linearizability
