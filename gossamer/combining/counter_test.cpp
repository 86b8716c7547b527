#include "gossamer/combining/counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/gossamer.hpp"
#include "support/failing_new.hpp"

namespace gossamer {
namespace {

class Counter : public test::combining_test {};

/// All fibers draw numbers: together they are 0, 1, 2, ..., each fiber's own ascending.
TEST_P(Counter, GivesEachNumberOnce) {
  constexpr unsigned k_fibers = 50, k_draws = 20;
  run(job(), [] {
    scoped_counter numbers(where());
    scoped_per_core<std::vector<std::int64_t>> drawn;
    on_all_cores([numbers = numbers.handle(), drawn = drawn.handle()] {
      test::in_fibers(k_fibers, [=](unsigned) {
        std::int64_t last = -1;
        for (unsigned d = 0; d < k_draws; ++d) {
          const std::int64_t mine = numbers.fetch_add(1);
          EXPECT_GT(mine, last);
          last = mine;
          drawn.here().push_back(mine);
        }
      });
    });
    std::vector<std::int64_t> all;
    for (core_id c = 0; c < cores(); ++c) all.insert(all.end(), drawn.at(c).begin(), drawn.at(c).end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), std::size_t{cores()} * k_fibers * k_draws);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::int64_t>(i));
    EXPECT_EQ(numbers.read(), static_cast<std::int64_t>(all.size()));
  });
}

TEST_P(Counter, AddsWhatEachAdds) {
  run(job(), [] {
    scoped_counter sum(where());
    forall(0, 1000, [sum = sum.handle()](std::uint64_t i) { sum.fetch_add(static_cast<std::int64_t>(i)); });
    EXPECT_EQ(sum.read(), 999 * 1000 / 2);
  });
}

GOSSAMER_COMBINING_CASES(Counter);

TEST(CounterStatistics, ManyRequestsGoInOneCommit) {
  job_options o;
  o.cores = 2;
  run(o, [] {
    scoped_counter numbers(combine::local);
    on_all_cores([numbers = numbers.handle()] {
      test::in_fibers(100, [=](unsigned) {
        for (unsigned d = 0; d < 10; ++d) numbers.fetch_add(1);
      });
    });
    std::uint64_t requests = 0, commits = 0;
    for (const counters& c : statistics()) {
      requests += c.combine_requests;
      commits += c.combine_commits;
    }
    EXPECT_EQ(requests, 2000U);
    EXPECT_LT(commits, 100U);
  });
}

// A request that fails to allocate has not begun: the structure can be destroyed.
TEST(CounterWithoutMemory, CanEnd) {
  if (!test::k_new_may_fail) GTEST_SKIP() << "the sanitizers have an operator new of their own";
  for (const combine how : {combine::off, combine::local})
    run({.cores = 1}, [how] {
      bool failed = true;
      for (std::uint64_t n = 0; failed; ++n) {
        ASSERT_LT(n, 20U) << "a request allocates no end";
        const scoped_counter numbers(how);
        try {
          failed = test::with_failing_new(n, 0, [&] { numbers.fetch_add(1); });
        } catch (const std::bad_alloc&) {
          failed = true;
        }
      }
    });
}

}  // namespace
}  // namespace gossamer
