#include "gossamer/sort/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"
#include "support/sort_cases.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

using test::arrangement;
using test::check_sorts;
using test::k_arrangements;

class Sort : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(On, Sort, ::testing::ValuesIn(test::core_counts({1, 2, 3, 5, 8})),
                         test::topology_name);

TEST_P(Sort, AgreesWithTheSerialSortForEveryArrangement) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements)
      for (const std::uint64_t n : {0, 1, 2, 3, 17, 1000, 8191, 8192, 30'011}) {
        const auto seed = test::any_seed();
        check_sorts<std::uint64_t>(n, how, seed);
        check_sorts<std::int32_t>(n, how, seed);
      }
  });
}

TEST_P(Sort, SortsEveryTypeAndOrder) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements) {
      const auto seed = test::any_seed();
      check_sorts<std::uint32_t>(20'000, how, seed, std::greater<>());
      check_sorts<std::int64_t>(20'000, how, seed, std::greater<std::int64_t>());
      check_sorts<std::uint8_t>(20'000, how, seed);
      check_sorts<std::uint16_t>(20'000, how, seed, std::greater<>());
      check_sorts<float>(20'000, how, seed);
      check_sorts<double>(20'000, how, seed, std::greater<>());
      check_sorts<long double>(20'000, how, seed);
      check_sorts<test::record>(20'000, how, seed, test::by_key{});
      check_sorts<std::uint64_t>(20'000, how, seed, test::by_last_digit{});
    }
  });
}

TEST_P(Sort, PivotsOfOneCoreGiveTheSame) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements) {
      const auto seed = test::any_seed();
      check_sorts<std::uint64_t>(25'000, how, seed, std::less<>(), {.choose_pivots = pivots::one_core});
      check_sorts<test::record>(25'000, how, seed, test::by_key{}, {.choose_pivots = pivots::one_core});
    }
  });
}

TEST_P(Sort, SortsBlocksOfUnequalLengths) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements)
      for (int i = 0; i < 3; ++i) {
        const auto seed = test::any_seed();
        check_sorts<std::uint64_t>(20'000, how, seed, std::less<>(), {}, test::uneven(20'000, seed));
        check_sorts<test::record>(20'000, how, seed, test::by_key{}, {}, test::uneven(20'000, seed));
      }
  });
}

TEST_P(Sort, NanComesLastAndEveryBitIsKept) {
  run(job_options{.cores = GetParam()}, [] {
    for (const std::uint64_t n : {50, 20'000}) {
      test::check_nan<float>(n, test::any_seed());
      test::check_nan<double>(n, test::any_seed());
    }
  });
}

/// Sorts memory to other memory and in place, and compares both with a serial sort.
template <class T, class Less = std::less<>>
void check_memory(std::uint64_t n, const arrangement& how, std::uint64_t seed, Less less = {}) {
  std::vector<T> from(n), to(n);
  for (std::uint64_t i = 0; i < n; ++i) from[i] = test::element<T>(how, i, n, seed);
  std::vector<T> expected = from;
  const std::vector<T> before = from;
  std::sort(expected.begin(), expected.end(), less);
  sort_memory(std::span<const T>(from), std::span<T>(to), less);
  EXPECT_EQ(to, expected) << how.name << ", " << n << " elements, seed " << seed;
  EXPECT_EQ(from, before) << how.name << ", " << n << " elements, seed " << seed;
  sort_memory(std::span<const T>(from), std::span<T>(from), less);
  EXPECT_EQ(from, expected) << how.name << ", in place, " << n << " elements, seed " << seed;
}

TEST_P(Sort, MemoryIsSortedToMemoryAndInPlace) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements)
      for (const std::uint64_t n : {0, 1, 17, 8191, 8192, 30'011}) {
        const auto seed = test::any_seed();
        check_memory<std::uint32_t>(n, how, seed);
        check_memory<std::int64_t>(n, how, seed, std::greater<>());
        check_memory<double>(n, how, seed);
      }
  });
}

TEST_P(Sort, PartsOfAnyLengthBecomeRangesOfTheGlobalOrder) {
  run(job_options{.cores = GetParam()}, [] {
    for (const std::uint64_t most : {0, 3, 1000, 20'000}) test::check_blocks(most, test::any_seed());
  });
}

/// Returns the maximum number of elements that one core has to merge, relative to n / cores.
double most_loaded(const arrangement& how, std::uint64_t n, pivots by) {
  const scoped_per_core<std::uint64_t> sizes;
  on_all_cores([how, n, by, sizes = sizes.handle()] {
    const std::uint64_t begin = n * here() / cores(), end = n * (here() + 1) / cores();
    std::vector<std::uint64_t> mine;
    for (std::uint64_t i = begin; i < end; ++i) mine.push_back(test::element<std::uint64_t>(how, i, n, 17));
    sizes.here() =
        sorting::sort_blocks(std::span<const std::uint64_t>(mine), std::less<>(), {.choose_pivots = by})
            .size();
  });
  const auto most =
      sizes.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  return static_cast<double>(most) * cores() / static_cast<double>(n);
}

TEST_P(Sort, CoresMergeAboutEqualShares) {
  run(job_options{.cores = GetParam()}, [] {
    for (const arrangement& how : k_arrangements)
      for (const pivots by : {pivots::all_cores, pivots::one_core})
        EXPECT_LT(most_loaded(how, 100'000, by), 1.1) << how.name << " on " << cores() << " cores";
  });
}

TEST(SortRefusal, ArraysWhoseNeighboursHaveDifferentOwners) {
  run(job_options{.cores = 2}, [] {
    for (const distribution& d : {block_cyclic(4), hashed()}) {
      const scoped_array<int> a(100, d);
      try {
        sort(a.handle());
        ADD_FAILURE() << "it was sorted";
      } catch (const error& e) {
        EXPECT_EQ(std::string(e.what()),
                  "sort: the array is spread by block_cyclic or hashed, where neighbours have different "
                  "owners: make it "
                  "with block or by_boundaries");
      }
    }
  });
}

TEST(SortRefusal, MemoryInAJobOfSeveralProcesses) {
  job_options o;
  o.simulate = simulation::options::parse("processes=2 cores=1");
  run(o, [] {
    std::vector<int> some(5);
    try {
      sort_memory(std::span<const int>(some), std::span<int>(some));
      ADD_FAILURE() << "it was sorted";
    } catch (const error& e) {
      EXPECT_EQ(std::string(e.what()),
                "sort_memory: expected a job of one process, found 2: make a global array and sort() it");
    }
  });
}

class SortSimulated : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, SortSimulated,
                         ::testing::Values("processes=1 cores=3", "processes=2 cores=2",
                                           "processes=5 cores=1",
                                           "processes=3 cores=2 network=qdr faults=all seed=3"));

TEST_P(SortSimulated, AgreesWithTheSerialSort) {
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [] { test::check_over_processes(); });
}

}  // namespace
}  // namespace gossamer
