#include "gossamer/memory/array.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

std::vector<distribution> distributions(std::uint64_t n, unsigned cores) {
  std::vector<std::uint64_t> bounds{0};
  for (unsigned c = 1; c < cores; ++c) bounds.push_back(n * c * c / (std::uint64_t{cores} * cores));
  bounds.push_back(n);
  return {block,    block_cyclic(1), block_cyclic(8),      block_cyclic(7),
          hashed(), hashed(3),       by_boundaries(bounds)};
}

TEST(Layout, GivesEveryElementOnePlaceOfItsOwner) {
  for (unsigned n_cores : {1U, 2U, 3U, 8U, 13U})
    for (std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{64}, std::uint64_t{1000}})
      for (const auto& d : distributions(n, n_cores)) {
        const memory::layout l(d, n, n_cores);
        std::set<std::uint64_t> places;
        for (std::uint64_t i = 0; i < n; ++i) {
          const auto at = l.find(i);
          ASSERT_EQ(at.owner, l.owner(i));
          ASSERT_LT(at.owner, n_cores);
          ASSERT_LT(at.offset, l.owned_size(at.owner));
          ASSERT_TRUE(places.insert(l.owned_begin(at.owner) + at.offset).second);
          ASSERT_TRUE(!l.contiguous() || l.owned_begin(at.owner) + at.offset == i);
          ASSERT_EQ(l.index(at.owner, at.offset), i);
        }
        std::uint64_t all = 0;  // elements of all cores: no padding
        for (unsigned c = 0; c < n_cores; ++c) {
          ASSERT_EQ(l.owned_begin(c), all);
          all += l.owned_size(c);
        }
        ASSERT_EQ(all, n);
        ASSERT_EQ(l.storage_size(), n);
      }
}

TEST(Layout, RunsOfASliceFollowOneAnotherInIndexOrder) {
  for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{1000}})
    for (const auto& d : distributions(n, 3)) {
      const memory::layout l(d, n, 3);
      for (unsigned c = 0; c < 3; ++c)
        for (std::uint64_t at = 0; at < l.owned_size(c);) {
          const std::uint64_t end = l.run_end(at, l.owned_size(c));
          ASSERT_GT(end, at);
          for (const std::uint64_t first = at; at < end; ++at)
            ASSERT_EQ(l.index(c, at), l.index(c, first) + (at - first));
        }
    }
}

TEST(Layout, HashedSpreadsNeighbouringBlocks) {
  const memory::layout l(hashed(1), 10'000, 4);
  std::map<unsigned, int> owners;
  int changes = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    ++owners[l.owner(i)];
    if (i > 0 && l.owner(i) != l.owner(i - 1)) ++changes;
  }
  for (auto [owner, count] : owners) EXPECT_NEAR(count, 2500, 1);
  EXPECT_GT(changes, 4000);
}

class GlobalArray : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(GlobalArray);

TEST_P(GlobalArray, StartsZeroedAndTakesOperationsAtItsOwners) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint64_t n = 5000;
    for (const auto& d : distributions(n, cores())) {
      scoped_array<std::uint64_t> a(n, d);
      const auto h = a.handle();
      forall(0, 3 * n, [h](std::uint64_t i) {
        h.async(hash64(i) % h.size(), [i](std::uint64_t& cell) { cell += i + 1; });
      });
      std::vector<std::uint64_t> expected(n);
      for (std::uint64_t i = 0; i < 3 * n; ++i) expected[hash64(i) % n] += i + 1;
      const auto view = h.freeze();
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(view[i], expected[i]);
      h.thaw();
      EXPECT_EQ(h.read(n - 1), expected[n - 1]);
      h.write(n - 1, 5);
      EXPECT_EQ(h.call(n - 1, [](std::uint64_t& cell) { return ++cell; }), 6U);
    }
  });
}

TEST_P(GlobalArray, LoopOverElementsRunsAtTheOwner) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_array<std::uint32_t> a(10'000);
    const auto h = a.handle();
    forall(h, [h](std::uint64_t i, std::uint32_t& element) {
      element = h.owner(i) == here() ? static_cast<std::uint32_t>(i) : 0;
    });
    const auto view = h.freeze();
    for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(view[i], i);
  });
}

TEST_P(GlobalArray, LoopsVisitEachElementOnceWithItsIndexInEveryDistribution) {
  run(job_options{.cores = GetParam()}, [] {
    for (std::uint64_t n : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{5000}})
      for (const auto& d : distributions(n, cores())) {
        scoped_array<std::uint64_t> a(n, d);
        scoped_per_core<std::uint64_t> calls;
        const auto h = a.handle();
        forall(h, [c = calls.handle()](std::uint64_t& element) {
          ++element;
          ++c.here();
        });
        EXPECT_EQ(calls.fold(std::uint64_t{0}, std::plus<>{}), n);
        forall(h, [](std::uint64_t i, std::uint64_t& element) { element += i; });
        for (std::uint64_t i = 0; i < n; i += 1 + n / 100) ASSERT_EQ(h.read(i), i + 1);
        on_all_cores([h] {
          for (std::uint64_t k = 0; k < h.local().size(); ++k) ASSERT_EQ(h.local()[k], h.local_index(k) + 1);
        });
      }
  });
}

TEST_P(GlobalArray, AsyncMayAskForTheIndex) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_array<std::uint64_t> a(1000);
    const auto h = a.handle();
    forall(0, 1000, [h](std::uint64_t i) {
      h.async(999 - i, [](std::uint64_t& e, std::uint64_t self) { e = self; });
    });
    for (std::uint64_t i = 0; i < 1000; i += 37) EXPECT_EQ(h.read(i), i);
  });
}

TEST_P(GlobalArray, MoreMemoryThanThereIsIsRefusedInOneLine) {
  EXPECT_THROW(
      run(job_options{.cores = GetParam()}, [] { make_array<std::uint64_t>(std::uint64_t{1} << 48); }),
      error);
  EXPECT_THROW(
      run(job_options{.cores = GetParam()}, [] { make_array<std::uint64_t>(std::uint64_t{1} << 62); }),
      error);
}

TEST_P(GlobalArray, ANegativeSizeIsRefusedAsWhatItIs) {
  run(job_options{.cores = GetParam()}, [] {
    const int n = -1;
    for (const distribution& d : {block, block_cyclic(4), hashed()}) try {
        make_array<double>(static_cast<std::uint64_t>(n), d);
        ADD_FAILURE() << "made";
      } catch (const error& e) {
        EXPECT_STREQ(
            e.what(),
            "make_array: an array of 18446744073709551615 elements of 8 bytes does not fit any memory "
            "(as a signed number it is -1)");
      }
  });
}

TEST(GlobalArray, ItsOwnerMayOutliveTheJob) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  std::optional<scoped_array<std::uint64_t>> kept;
  run(job_options{.cores = 2}, [&] { kept.emplace(1000); });
  kept.reset();
  // With several processes the state lies in the job's memory, which takes with it what names the bounds.
  if (test::k_address_sanitizer) return;
  for (const char* where : {"processes=1 cores=2", "processes=2", "processes=3 node=3"}) {
    job_options o;
    o.simulate = simulation::options::parse(where);
    run(o, [&] { kept.emplace(1000); });
    kept.reset();
  }
}

TEST(GlobalArray, ItsOwnerMayEndInsideALaterJob) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the state of several processes ends with what names its bounds";
  for (const char* where : {"processes=1 cores=2", "processes=2", "processes=3 node=3"}) {
    job_options o;
    o.simulate = simulation::options::parse(where);
    std::optional<scoped_array<std::uint64_t>> old;
    scoped_array<std::uint64_t> assigned;
    run(o, [&] {
      old.emplace(1000);
      assigned = scoped_array<std::uint64_t>(1000);
    });
    run(o, [&] {
      const scoped_array<std::uint64_t> a(1000);  // where the array of the first job was
      a.write(5, 77);
      old.reset();
      assigned = scoped_array<std::uint64_t>(1000);
      assigned.write(5, 1);
      old.emplace(1000);
      old->write(5, 2);
      EXPECT_EQ(a.read(5), 77U) << where;
    });
  }
}

/// Ends in one line: the job runs in the child.
template <class F>
void expect_refused(F f, const char* line) {
  EXPECT_DEATH(run(job_options{.cores = 2}, f), line);
}

TEST(GlobalArrayDeathTest, NamesTheCallTheIndexAndTheSize) {
  for (const distribution& d : {block, block_cyclic(8), hashed(3)}) {
    const auto on = [d](auto f) { return [d, f] { f(scoped_array<int>(100, d).handle()); }; };
    const std::string tail = ": index 100 is outside of the array, which has 100 elements";
    expect_refused(on([](array<int> a) { a.write(100, 7); }), ("gossamer: array::write" + tail).c_str());
    expect_refused(on([](array<int> a) { a.read(100); }), ("array::read" + tail).c_str());
    expect_refused(on([](array<int> a) { a.call(100, [](int&) {}); }), ("array::call" + tail).c_str());
    expect_refused(on([](array<int> a) { finish([a] { a.async(100, [](int&) {}); }); }),
                   ("array::async" + tail).c_str());
    expect_refused(on([](array<int> a) { a.owner(100); }), ("array::owner" + tail).c_str());
    expect_refused(on([](array<int> a) {
                     std::uint64_t at = 100;
                     int into = 0;
                     gather<int>(a, {&at, 1}, {&into, 1});
                   }),
                   ("gather" + tail).c_str());
  }
}

TEST(GlobalArrayDeathTest, IsNotUsedBeforeItIsMadeNorAfterItsRelease) {
  const auto released = [](auto f) {
    return [f] {
      auto a = make_array<int>(100);
      const auto copy = a;
      release(a);
      const scoped_array<int> another(100);
      f(copy);
    };
  };
  expect_refused(released([](array<int> a) { a.read(3); }), "array::read: the array was released before");
  expect_refused(released([](array<int> a) { forall(a, [](int&) {}); }),
                 "forall: the array was released before");
  expect_refused(released([](array<int> a) { a.freeze(); }), "array::freeze: the array was released before");
  expect_refused(released([](array<int> a) { release(a); }), "release: the array was released before");
  expect_refused([] { array<int>().read(3); }, "array::read: the handle names no array");
  expect_refused([] { forall(array<int>(), [](int&) {}); }, "forall: the handle names no array");
}

TEST(GlobalArrayDeathTest, HasNoFirstLocalIndexWhereSlicesAreDealt) {
  expect_refused([] { scoped_array<int>(100, hashed()).local_begin(); }, "array::local_begin");
}

class GlobalPointer : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(GlobalPointer);

TEST_P(GlobalPointer, ReachesObjectsOfEveryCore) {
  run(job_options{.cores = GetParam()}, [] {
    for (core_id c = 0; c < cores(); ++c) {
      const auto p = call_on(c, [] { return make_global<std::uint64_t>(40); });
      EXPECT_EQ(p.owner(), c);
      EXPECT_EQ(fetch_add(p, 2), 40U);
      EXPECT_EQ(compare_exchange(p, 42, 50), 42U);
      EXPECT_EQ(compare_exchange(p, 42, 60), 50U);
      write(p, 7);
      finish([p] {
        for (int i = 0; i < 100; ++i) async(p, [](std::uint64_t& x) { ++x; });
      });
      EXPECT_EQ(read(p), 107U);
      destroy_global(p);
    }
  });
}

TEST_P(GlobalPointer, FetchAddIsAtomicUnderContention) {
  run(job_options{.cores = GetParam()}, [] {
    const auto p = call_on(cores() - 1, [] { return make_global<std::uint64_t>(0); });
    scoped_per_core<std::uint64_t> sums;
    const auto h = sums.handle();
    forall(0, 2000, [p, h](std::uint64_t) {
      const auto ticket = fetch_add(p, 1);
      h.here() += ticket;
    });
    EXPECT_EQ(read(p), 2000U);
    EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>{}), 2000U * 1999 / 2);
    destroy_global(p);
  });
}

TEST(GlobalHeap, GivesLargeAndSmallChunks) {
  run(job_options{.cores = 1}, [] {
    struct big {
      std::byte bytes[1 << 20];
    };
    std::vector<global_ptr<big>> large;
    for (int i = 0; i < 4; ++i) large.push_back(make_global<big>());
    for (auto p : large) p.address()->bytes[12345] = std::byte{1};
    for (auto p : large) destroy_global(p);
    std::vector<global_ptr<std::string>> small;
    for (int i = 0; i < 1000; ++i) small.push_back(make_global<std::string>(40, 'x'));
    for (auto p : small) EXPECT_EQ(p.address()->size(), 40U);
    for (auto p : small) destroy_global(p);
  });
}

}  // namespace
}  // namespace gossamer
