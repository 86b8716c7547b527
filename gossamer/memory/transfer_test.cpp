#include "gossamer/memory/transfer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/failing_new.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"
#include "support/transfer_cases.hpp"

namespace gossamer {
namespace {

class Transfer : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Transfer);

void random_cases(unsigned seeds, unsigned rounds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    test::random_transfers<std::uint64_t>(seed, rounds, 5000);
    test::random_transfers<test::triple>(seed + 1000, rounds, 1000);
    test::random_transfers<std::uint8_t>(seed + 2000, rounds, 20'000);
  }
}

job_options simulated(const char* what) {
  job_options o;
  o.simulate = simulation::options::parse(what);
  return o;
}

TEST_P(Transfer, MovesWhatASerialCopyMoves) {
  run(job_options{.cores = GetParam()}, [] { random_cases(4, 30); });
}

TEST(TransferBetweenProcesses, MovesWhatASerialCopyMoves) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* what : {"processes=2 cores=1 network=qdr", "processes=3 cores=2 network=hdr"})
    run(simulated(what), [] { random_cases(2, 30); });
}

TEST(TransferBetweenProcesses, LargeChunksArriveWhole) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run(simulated("processes=3 cores=1 network=qdr"), [] {
    constexpr std::uint64_t n = 3 * 100'000;
    const scoped_array<std::uint64_t> a(n), b(n);
    const std::vector<std::uint64_t> data = test::numbered<std::uint64_t>(7, n);
    put(a, 0, data);
    put(section(b, 0, n - 100'000), section(a, 100'000, n - 100'000));  // from core 1 to 0 and from 2 to 1
    std::vector<std::uint64_t> got(n - 100'000);
    get(b, 0, got);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), data.begin() + 100'000));
  });
}

/// Of three parts the last one finds no memory on its way through this process: what comes before it is there when the call throws.
void transfer_without_memory() {
  constexpr std::uint64_t n = 100'000;  // of each core
  const scoped_array<std::uint64_t> a(3 * n), b(3 * n);
  const std::vector<std::uint64_t> data = test::numbered<std::uint64_t>(7, 3 * n);
  put(a, 0, data);
  const auto copy = [&] {
    put(section(b, 0, 2 * n), section(a, n, 2 * n));
  };  // from core 1 to 0 and from 2 to 1
  EXPECT_THROW(test::with_failing_new(0, n * sizeof(data[0]), copy), std::bad_alloc);
  EXPECT_TRUE(std::ranges::equal(b.local(), std::span(data).subspan(n, n)));
  copy();
  std::vector<std::uint64_t> got(2 * n);
  get(b, 0, got);
  EXPECT_TRUE(std::equal(got.begin(), got.end(), data.begin() + n));
}

TEST(TransferBetweenProcesses, ThatFindsNoMemoryWaitsForWhatItHasBegun) {
  if (!test::k_new_may_fail) GTEST_SKIP() << "the sanitizers have an operator new of their own";
  run(simulated("processes=3 cores=1 network=qdr"), &transfer_without_memory);
  job_options o = simulated("processes=3 cores=1 network=qdr");
  o.bulk_bytes = 64;
  run(o, &transfer_without_memory);
}

/// The same where blocks of a few elements are moved in bulk.
job_options in_bulk(const char* what, std::size_t least = 64) {
  job_options o = simulated(what);
  o.bulk_bytes = least;
  return o;
}

TEST(TransferBetweenProcesses, BulkMovesWhatASerialCopyMoves) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* what : {"processes=2 cores=1 network=qdr", "processes=3 cores=2 network=hdr"})
    for (const std::size_t least : {8, 64, 1024}) run(in_bulk(what, least), [] { random_cases(2, 20); });
}

TEST(TransferBetweenProcesses, LargeChunksArriveWholeInBulkAndInPackets) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const std::size_t least : {0, 1 << 10, 64 << 10})
    run(in_bulk("processes=3 cores=2 network=qdr", least), [] {
      constexpr std::uint64_t n = 6 * 50'000;
      const scoped_array<std::uint64_t> a(n);
      const scoped_per_core<std::vector<std::uint64_t>> kept;
      const std::vector<std::uint64_t> data = test::numbered<std::uint64_t>(9, n);
      put(a, 0, data);
      on_all_cores([a = a.handle(), kept = kept.handle()] {  // memory of a core, too, all at once
        kept.here().resize(n);
        get(a, 0, kept.here());
      });
      for (core_id c = 0; c < cores(); ++c)
        EXPECT_TRUE(on_core(c, [kept = kept.handle()] {
          return kept.here() == test::numbered<std::uint64_t>(9, n);
        })) << c;
      const frozen<std::uint64_t> view = a.freeze();
      EXPECT_TRUE(on_core(cores() - 1, [view] {
        const auto all = test::numbered<std::uint64_t>(9, n);
        for (std::uint64_t i = 0; i < n; ++i)
          if (view[i] != all[i]) return false;
        return true;
      }));
      a.thaw();
    });
}

TEST(TransferBetweenProcesses, MoreBulkMovesThanTagsTakeTurns) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run(in_bulk("processes=2 cores=1 network=qdr"), [] {
    constexpr std::uint64_t k_block = 100, k_blocks = 100;
    const scoped_array<std::uint64_t> a(2 * k_block * k_blocks);
    const std::vector<std::uint64_t> data = test::numbered<std::uint64_t>(11, k_block * k_blocks);
    std::vector<std::uint64_t> got(data.size());
    finish([&] {  // several fibers, each with many moves
      for (unsigned part = 0; part < 4; ++part)
        spawn([&, part] {
          for (std::uint64_t b = part; b < k_blocks; b += 4) {
            const std::uint64_t at = b * k_block;
            async_put(a, data.size() + at, std::span(data).subspan(at, k_block));
            async_get(a, data.size() + at, std::span(got).subspan(at, k_block));
          }
        });
    });
    EXPECT_EQ(got, data);
  });
}

TEST_P(Transfer, NotificationsSayThatDataIsThere) {
  run(job_options{.cores = GetParam()}, [] { EXPECT_EQ(test::ring_of_notifications(200), 0U); });
}

TEST(TransferBetweenProcesses, NotificationsSayThatDataIsThere) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* what : {"processes=4 cores=1 network=qdr", "processes=2 cores=3 network=hdr"})
    for (const job_options& o : {simulated(what), in_bulk(what, 8)})
      run(o, [] { EXPECT_EQ(test::ring_of_notifications(60), 0U); });
}

TEST_P(Transfer, WaitTakesAsManyAsItAsksFor) {
  run(job_options{.cores = GetParam()}, [] {
    const scoped_per_core<notification> come;
    on_all_cores([come = come.handle()] {
      for (core_id c = 0; c < cores(); ++c)
        for (int i = 0; i < 3; ++i) notify(come.pointer(c));
      wait(come.here(), cores());
      wait(come.here(), 2 * cores() - 1);
      EXPECT_FALSE(come.here().try_wait(2));
      wait(come.here());
      EXPECT_EQ(come.here().pending(), 0U);
    });
  });
}

TEST_P(Transfer, WordsOfArraysAreChangedAtomically) {
  run(job_options{.cores = GetParam()}, [] {
    const scoped_array<std::uint64_t> owner(cores() + 3);
    const auto a = owner.handle();
    const scoped_per_core<std::uint64_t> won;
    on_all_cores([a, won = won.handle()] {
      for (int i = 0; i < 100; ++i) (void)fetch_add(a, cores() + 2, 1);
      for (std::uint64_t i = 0; i < cores(); ++i) won.here() += compare_exchange(a, i, 0, here() + 1) == 0;
    });
    EXPECT_EQ(a.read(cores() + 2), 100 * cores());
    EXPECT_EQ(fetch_add(a, cores() + 2, 5), 100 * cores());
    EXPECT_EQ(won.fold(std::uint64_t{0}, std::plus<>{}), cores());
  });
}

TEST(Transfer, TakesNothingToo) {
  run(job_options{.cores = 2}, [] {
    const scoped_array<int> a(10), none(0);
    std::vector<int> empty;
    put(a, 10, empty);
    get(a, 0, empty);
    put(none, 0, empty);
    put(section(a, 3, {5, 0, 1}), empty);
    EXPECT_EQ(a.read(3), 0);
  });
}

TEST(Transfer, AStalledWaiterIsInTheReport) {
  static notification come;  // the fibers of a stalled job never end, so what they own would leak
  try {
    run(job_options{.cores = 2}, [] { on_core(1, [] { wait(come); }); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("a notification"), std::string::npos) << e.what();
  }
}

/// Ends in one line: the job runs in the child.
template <class F>
void expect_transfer_refused(F f, const char* line) {
  EXPECT_DEATH(run(job_options{.cores = 2}, f), line);
}

TEST(TransferDeathTest, NamesTheCallTheIndexAndTheArray) {
  static const std::vector<int> twenty(20);
  const auto on = [](auto f) { return [f] { f(scoped_array<int>(100).handle()); }; };
  const char* const outside = ": index 109 is outside of the array, which has 100 elements";
  expect_transfer_refused(on([](array<int> a) { put(a, 90, twenty); }),
                          (std::string("gossamer: put") + outside).c_str());
  expect_transfer_refused(on([](array<int> a) { async_put(a, 90, twenty); }),
                          (std::string("async_put") + outside).c_str());
  expect_transfer_refused(on([](array<int> a) {
                            std::vector<int> into(20);
                            get(a, 90, into);
                          }),
                          (std::string("get") + outside).c_str());
  expect_transfer_refused(on([](array<int> a) { put(section(a, 10, {20, 1, 5}), twenty); }),
                          "put: index 105 is outside of the array, which has 100 elements");
  expect_transfer_refused(on([](array<int> a) { put(section(a, ~std::uint64_t{0}, 20), twenty); }),
                          "put: index 18446744073709551615");
  expect_transfer_refused(on([](array<int> a) { put(section(a, 0, {~std::uint64_t{0}, 2, 2}), twenty); }),
                          "put: index");
  expect_transfer_refused(on([](array<int> a) { put(section(a, 0, 10), twenty); }),
                          "put: 20 elements to a place of 10 elements");
  expect_transfer_refused(on([](array<int> a) { put(section(a, 0, {5, 4, 3}), twenty); }),
                          "put: 5 blocks of 4 elements, 3 apart: they overlap");
  expect_transfer_refused(on([](array<int> a) { fetch_add(a, 100, 1); }),
                          "fetch_add: index 100 is outside of the array");
}

TEST(TransferDeathTest, RefusesPlacesThatOverlap) {
  const auto on = [](auto f) { return [f] { f(scoped_array<int>(100).handle()); }; };
  expect_transfer_refused(
      on([](array<int> a) { put(section(a, 10, 20), section(a, 29, 20)); }),
      "put: 20 elements from index 29 on overlap 20 elements from index 10 on, in an array of 100 elements");
  expect_transfer_refused(on([](array<int> a) { put(section(a, 3, {9, 2, 10}), section(a, 4, {9, 2, 10})); }),
                          "put: .* overlap");
  expect_transfer_refused(on([](array<int> a) { put(a, 0, a.local().subspan(0, 5)); }),
                          "put: 20 bytes overlap");
  run(job_options{.cores = 2}, [] {  // neighbouring columns do not
    const scoped_array<int> a(100);
    std::vector<int> column(10, 7);
    put(section(a, 3, {10, 1, 10}), column);
    put(section(a, 4, {10, 1, 10}), section(a, 3, {10, 1, 10}));
    EXPECT_EQ(a.read(94), 7);
    EXPECT_EQ(a.read(95), 0);
  });
}

TEST(TransferDeathTest, RefusesWhatIsNoPlace) {
  static const std::vector<int> five(5);
  expect_transfer_refused([] { put(array<int>(), 0, five); }, "put: the handle names no array");
  expect_transfer_refused([] { put(section(global_ptr<int>(), 5), five); }, "put: a null global pointer");
  expect_transfer_refused([] { put(section(global_ptr<int>(2, nullptr), 5), five); },
                          "put: core 2 is none of the job");
  expect_transfer_refused([] { fence(2); }, "fence: core 2 is none of the job");
  expect_transfer_refused([] { notify({}); }, "notify: a null global pointer");
  expect_transfer_refused(
      [] {
        auto a = make_array<int>(100);
        const auto copy = a;
        release(a);
        put(copy, 0, five);
      },
      "put: the array was released before");
  expect_transfer_refused(
      [] {
        const scoped_array<int> a(100);
        const scoped_per_core<notification> come;
        put_notify(section(a, 48, 5), five, come.pointer(0));
      },
      "put_notify: core 1 owns elements of the place, and core 0 the notification");
}

}  // namespace
}  // namespace gossamer
