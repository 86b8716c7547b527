// Jobs with more requests than fibers: every fiber of every core waits for a request, including keys and
// values that fit no record. No operation may then need a free fiber.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::test {
namespace {

struct page {
  std::uint64_t number = 0;
  std::uint64_t rest[250] = {};  // 2,008 bytes
  bool whole() const {
    for (const std::uint64_t r : rest)
      if (r != number) return false;
    return true;
  }
};

page make_page(std::uint64_t number) {
  page p;
  p.number = number;
  for (auto& r : p.rest) r = number;
  return p;
}

bool operator<(const page& a, const page& b) { return a.number < b.number; }

/// Returns a key of 1 + `long_by` or more bytes.
std::string key_of(std::uint64_t number, std::size_t long_by) {
  return std::string(long_by, 'k') + std::to_string(number);
}

constexpr std::uint64_t k_each = 60;  // tasks of a core

/// Runs f(number) in tasks on all cores, many more than there are fibers, for the numbers 0 to k_each *
/// cores() - 1.
template <class F>
void in_tasks(F f) {
  on_all_cores([f] {
    for (std::uint64_t i = 0; i < k_each; ++i) spawn([f, number = here() * k_each + i] { f(number); });
  });
}

void use_all(combine where) {
  const std::uint64_t all = k_each * cores();
  {
    const scoped_hash_map<std::string, std::uint64_t> owned(where);
    const auto map = owned.handle();
    for (const std::size_t long_by : {10, 3000}) {
      in_tasks([map, long_by](std::uint64_t n) { EXPECT_TRUE(map.insert(key_of(n, long_by), n)); });
      in_tasks([map, long_by](std::uint64_t n) {
        EXPECT_EQ(map.lookup(key_of(n, long_by)), std::optional(n));
        EXPECT_FALSE(map.insert(key_of(n / 2, long_by), 0));  // several requests for the same key
      });
      EXPECT_EQ(map.size(), all);
      in_tasks([map, long_by](std::uint64_t n) { EXPECT_TRUE(map.erase(key_of(n, long_by))); });
      EXPECT_EQ(map.size(), 0U);
    }
  }
  {
    const scoped_hash_map<std::uint64_t, page> owned(where);
    const auto map = owned.handle();
    in_tasks([map](std::uint64_t n) { EXPECT_TRUE(map.insert_or_assign(n, make_page(n))); });
    in_tasks([map](std::uint64_t n) {
      const std::optional<page> found = map.lookup(n);
      EXPECT_TRUE(found && found->number == n && found->whole());
      EXPECT_FALSE(map.lookup(n + (1 << 20)));
      EXPECT_TRUE(map.update(n, [](page& p) { ++p.number; }));
      EXPECT_THROW(map.update(n, [](page&) { throw error("on purpose"); }), std::exception);
    });
    in_tasks([map](std::uint64_t n) { EXPECT_EQ(map.lookup(n)->number, n + 1); });
  }
  {
    const scoped_stack<page> pages(where);
    const scoped_queue<page> lines(where);
    const scoped_priority_queue<page> heap(where);
    const auto s = pages.handle();
    const auto q = lines.handle();
    const auto h = heap.handle();
    const scoped_per_core<std::uint64_t> sums;
    in_tasks([s, q, h](std::uint64_t n) {
      s.push(make_page(n));
      q.enqueue(make_page(n));
      h.push(make_page(n));
    });
    in_tasks([s, q, h, sums = sums.handle()](std::uint64_t) {
      for (const std::optional<page>& one : {s.pop(), q.dequeue(), h.pop()}) {
        ASSERT_TRUE(one && one->whole());
        sums.here() += one->number;
      }
    });
    EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>()), 3 * (all * (all - 1) / 2));
    EXPECT_FALSE(s.pop() || q.dequeue() || h.pop());
  }
}

class FewFibers : public combining_test {};

TEST_P(FewFibers, ManyTasksWaitForRequestsOfAnySize) {
  job_options o = job();
  o.fibers = 8;
  o.small_fibers = 4;
  run(o, [] { use_all(where()); });
}

GOSSAMER_COMBINING_CASES(FewFibers);

struct topology {
  const char* where;
  unsigned cores;
};

class FewFibersOfProcesses : public ::testing::TestWithParam<std::tuple<topology, combine>> {};

TEST_P(FewFibersOfProcesses, ManyTasksWaitForRequestsOfAnySize) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  const auto [where, how] = GetParam();
  job_options o;
  o.simulate = simulation::options::parse(where.where);
  o.cores = where.cores;
  o.fibers = 8;
  o.small_fibers = 4;
  run(o, [how = how] { use_all(how); });
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<topology, combine>>& info) {
  static constexpr const char* k_names[] = {"off", "home", "local", "both"};
  const auto [where, how] = info.param;
  const std::string text = where.where;
  return text.substr(10, text.find(' ') - 10) + "processes_" + k_names[static_cast<unsigned>(how)];
}

INSTANTIATE_TEST_SUITE_P(On, FewFibersOfProcesses,
                         ::testing::Combine(::testing::Values(topology{"processes=2 seed=3", 1},
                                                              topology{"processes=3 seed=4 faults=all", 2},
                                                              topology{"processes=20 seed=5", 1}),
                                            ::testing::Values(combine::off, combine::home, combine::local,
                                                              combine::both)),
                         name_of);

}  // namespace
}  // namespace gossamer::test
