#include "gossamer/memory/array.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "gossamer/gossamer.hpp"
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
          ASSERT_LT(at.offset, l.slice_size(at.owner));
          ASSERT_TRUE(places.insert(l.slice_begin(at.owner) + at.offset).second);
          ASSERT_TRUE(!l.contiguous() || l.slice_begin(at.owner) + at.offset == i);
        }
        ASSERT_LE(l.storage_size(), n + d.block_elements * (n == 0 ? 0 : 1));
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

TEST(GlobalHeap, GivesLargeAndSmallPieces) {
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
