// Misuse: structures after their destruction, outside of their job, destroyed during requests, without
// memory.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <fstream>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/priority_queue.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

void use(const counter& c) { c.fetch_add(1); }
void use(const stack<int>& s) { s.push(1); }
void use(const queue<int>& q) { q.enqueue(1); }
void use(const hash_set<int>& s) { s.insert(1); }
void use(const hash_map<int, int>& m) { m.insert(1, 1); }

template <class Scoped>
void use_after_its_end() {
  run({.cores = 2}, [] {
    std::optional<Scoped> made(combine::local);
    const auto left = made->handle();
    use(left);
    made.reset();
    const Scoped next(combine::local);  // at the address of the first
    use(left);
  });
}

TEST(Misuse, AfterItsEndAStructureIsNamed) {
  EXPECT_DEATH(use_after_its_end<scoped_counter>(), "a counter is used after its end");
  EXPECT_DEATH(use_after_its_end<scoped_stack<int>>(), "a stack is used after its end");
  EXPECT_DEATH(use_after_its_end<scoped_queue<int>>(), "a queue is used after its end");
  EXPECT_DEATH(use_after_its_end<scoped_hash_set<int>>(), "a hash set is used after its end");
  EXPECT_DEATH((use_after_its_end<scoped_hash_map<int, int>>()), "a hash map is used after its end");
}

template <class Scoped, class Ask>
void use_after_end(Ask ask) {
  run({.cores = 2}, [ask] {
    std::optional<Scoped> made(combine::local);
    const auto left = made->handle();
    made.reset();
    ask(left);
  });
}

TEST(Misuse, AfterItsEndNothingIsAnswered) {
  EXPECT_DEATH(use_after_end<scoped_stack<int>>([](auto& s) { (void)s.size(); }), "stack is used after");
  EXPECT_DEATH(use_after_end<scoped_queue<int>>([](auto& q) { q.enqueue_all(std::vector{1}); }),
               "queue is used after");
  EXPECT_DEATH(use_after_end<scoped_hash_set<int>>([](auto& s) { (void)s.size(); }), "set is used after");
  EXPECT_DEATH(use_after_end<scoped_hash_set<int>>([](auto& s) { s.for_each([](int, auto&) {}); }),
               "set is used after");
  EXPECT_DEATH((use_after_end<scoped_hash_map<int, int>>(
                   [](auto& m) { m.insert_all(std::vector{1}, std::vector{1}); })),
               "map is used after");
}

TEST(Misuse, OutsideOfItsJobAStructureIsNamed) {
  std::optional<counter> left;
  run({.cores = 1}, [&left] { left = scoped_counter(combine::local).handle(); });
  EXPECT_DEATH(left->fetch_add(1), "a counter is used outside of its job");
}

// The table of structures is that of the job: an id of an earlier job must not find another structure there.
TEST(Misuse, InALaterJobAStructureIsNamed) {
  std::optional<counter> left;
  run({.cores = 1}, [&left] { left = scoped_counter(combine::local).handle(); });
  EXPECT_DEATH(run({.cores = 1},
                   [&left] {
                     const scoped_hash_map<int, int> other(combine::local);
                     left->fetch_add(1);
                   }),
               "a counter is used after its end");
  EXPECT_DEATH(run({.cores = 1}, [&left] { left->fetch_add(1); }), "a counter is used after its end");
}

template <class Scoped>
void outlive_the_job() {
  std::optional<Scoped> kept;
  for (const combine where : {combine::local, combine::home}) {
    run({.cores = 2}, [&] { kept.emplace(where); });
    kept.reset();
    run({.cores = 2}, [&] { kept.emplace(where); });
    run({.cores = 2}, [&] { kept.reset(); });
  }
}

TEST(Misuse, AStructureMayOutliveItsJob) {
  if (test::k_address_sanitizer) GTEST_SKIP() << "what its cores had of it has no owner any more";
  outlive_the_job<scoped_counter>();
  outlive_the_job<scoped_stack<int>>();
  outlive_the_job<scoped_queue<int>>();
  outlive_the_job<scoped_priority_queue<int>>();
  outlive_the_job<scoped_hash_set<int>>();
  outlive_the_job<scoped_hash_map<int, int>>();
}

template <class Scoped>
void destroy_during_requests() {
  run({.cores = 2}, [] {
    std::optional<Scoped> made(combine::local);
    scoped_per_core<bool> begun;
    finish([&, left = made->handle(), begun = begun.handle()] {
      spawn_on(1, [=] {
        test::in_fibers(4, [=](unsigned) {
          for (;;) {
            use(left);
            begun.here() = true;
          }
        });
      });
      while (!call_on(1, [=] { return begun.here(); })) yield();
      made.reset();
    });
  });
}

TEST(Misuse, EndedWhileRequestsWaitAStructureIsNamed) {
  EXPECT_DEATH(destroy_during_requests<scoped_counter>(),
               "a counter is destroyed while requests wait for it");
  EXPECT_DEATH(destroy_during_requests<scoped_queue<int>>(),
               "a queue is destroyed while requests wait for it");
}

/// Limits the address space to the present size and `more` bytes.
void limit_memory(std::size_t more) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit limit{pages * 4096 + more, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

/// Fills the structure until memory is exhausted; then it must have exactly the inserted elements.
void fill(combine where) {
  run({.cores = 2}, [where] {
    constexpr std::uint64_t k_fibers = 4, k_most = 200'000'000;
    scoped_hash_map<std::uint64_t, std::uint64_t> m(where);
    scoped_per_core<std::vector<std::uint64_t>> counts;  // of each fiber
    on_all_cores([counts = counts.handle()] { counts.here().resize(k_fibers); });
    limit_memory(64 << 20);
    on_all_cores([m = m.handle(), counts = counts.handle()] {
      test::in_fibers(k_fibers, [=](unsigned f) {
        const std::uint64_t first = (std::uint64_t{here()} * k_fibers + f) * k_most;
        auto& n = counts.here()[f];
        try {
          for (n = 0; n < k_most; ++n) m.insert(first + n, n);
        } catch (const std::bad_alloc&) {}
      });
    });
    std::uint64_t all = 0;
    for (core_id c = 0; c < cores(); ++c)
      for (std::uint64_t f = 0; f < k_fibers; ++f) {
        const std::uint64_t first = (c * k_fibers + f) * k_most, n = counts.at(c)[f];
        all += n;
        for (std::uint64_t k = 0; k < n; k += 1 + n / 1000)
          if (m.lookup(first + k) != k) fatal("a key is lost");
        if (m.lookup(first + n)) fatal("a key is there that was refused");
      }
    if (m.size() != all || all == 0) fatal("the size is wrong");
    std::exit(7);
  });
}

TEST(Misuse, WithoutMemoryAMapIsAsItWas) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "address space cannot be limited";
  EXPECT_EXIT(fill(combine::local), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(fill(combine::off), testing::ExitedWithCode(7), "");
}

/// Does the same with a queue: its values are dequeued, those of each fiber in order.
void fill_queue(combine where) {
  run({.cores = 2}, [where] {
    constexpr std::uint64_t k_fibers = 4, k_most = 1'000'000'000;
    scoped_queue<std::uint64_t> q(where);
    scoped_per_core<std::vector<std::uint64_t>> counts;
    on_all_cores([counts = counts.handle()] { counts.here().resize(k_fibers); });
    limit_memory(48 << 20);
    on_all_cores([q = q.handle(), counts = counts.handle()] {
      test::in_fibers(k_fibers, [=](unsigned f) {
        auto& n = counts.here()[f];
        try {
          for (n = 0; n < k_most; ++n) q.enqueue((std::uint64_t{here()} * k_fibers + f) * k_most + n);
        } catch (const std::bad_alloc&) {}
      });
    });
    std::vector<std::uint64_t> next(2 * k_fibers);
    while (const auto v = q.dequeue())
      if (next[*v / k_most]++ != *v % k_most) fatal("a value is lost or doubled");
    for (core_id c = 0; c < cores(); ++c)
      for (std::uint64_t f = 0; f < k_fibers; ++f)
        if (next[c * k_fibers + f] != counts.at(c)[f] || counts.at(c)[f] == 0) fatal("values are missing");
    std::exit(7);
  });
}

TEST(Misuse, WithoutMemoryAQueueIsAsItWas) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "address space cannot be limited";
  EXPECT_EXIT(fill_queue(combine::local), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(fill_queue(combine::off), testing::ExitedWithCode(7), "");
}

/// Stages values until memory is exhausted; then they are inserted completely, or not at all.
template <class Sequence, class Put>
void fill_aside(Put put) {
  run({.cores = 2}, [put] {
    const Sequence s;
    scoped_per_core<std::uint64_t> counts;
    limit_memory(32 << 20);
    on_all_cores([s = s.handle(), counts = counts.handle()] {
      std::vector<std::uint64_t> some(100);
      auto& n = counts.here();
      try {
        for (;; n += some.size()) {
          std::iota(some.begin(), some.end(), n);
          s.stage(some);
        }
      } catch (const std::bad_alloc&) {}
    });
    std::uint64_t all = counts.at(0) + counts.at(1);
    if (counts.at(0) == 0 || counts.at(1) == 0) fatal("nothing could be put aside");
    if (s.size() != 0) fatal("what is put aside can be found");
    try {
      put(s);
    } catch (const std::bad_alloc&) {
      all = 0;
    }
    if (s.size() != all) fatal("some of it was put in");
    std::uint64_t found = 0;
    for (std::array<std::uint64_t, 100> some; const std::size_t n = s.take(some);) found += n;
    if (found != all) fatal("what was put in is not there");
    std::exit(7);
  });
}

struct a_queue : scoped_queue<std::uint64_t> {
  std::size_t take(std::span<std::uint64_t> into) const { return dequeue_some(into); }
};
struct a_stack : scoped_stack<std::uint64_t> {
  std::size_t take(std::span<std::uint64_t> into) const { return pop_some(into); }
};

TEST(Misuse, WithoutMemoryWhatIsPutAsideComesInWholeOrNot) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "address space cannot be limited";
  EXPECT_EXIT(fill_aside<a_queue>([](const a_queue& q) { q.enqueue_staged(); }), testing::ExitedWithCode(7),
              "");
  EXPECT_EXIT(fill_aside<a_stack>([](const a_stack& q) { q.push_staged(); }), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace gossamer
