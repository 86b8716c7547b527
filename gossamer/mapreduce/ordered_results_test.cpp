// Results in order, sorted by all cores: against std::sort of the same pairs, for texts with common prefixes,
// long keys, numbers, equal values and orders without codes; on more cores than pairs, in several processes,
// with both engines, stored by the job or read at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/map_reduce_results.hpp"
#include "support/sanitizers.hpp"
#include "support/serial_word_counts.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using word_results = key_values<std::string_view, std::uint64_t>;
using word_list = std::vector<std::pair<std::string, std::uint64_t>>;

/// Draws words whose first 8 and first 16 bytes are often equal, with zeros among them, around the 15 bytes
/// that fit a slot.
std::string tied_words(std::uint64_t seed, std::uint64_t words) {
  xoshiro256 draw(seed);
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    text += std::string("equalbeginnings!", draw() % 17) + std::string(draw() % 3, '\0');
    text += std::to_string(draw() % 5000) + std::string(draw() % 10, 'z') + " ";
  }
  return text;
}

word_results count_tied(const std::string& path, map_reduce_options o = {}) {
  return map_reduce<std::string_view, std::uint64_t>(
      text_input({path}),
      [](std::string_view text, auto& out) {
        io::for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
      },
      std::plus<>{}, std::move(o));
}

/// An order without codes: by length up to a limit, then by bytes.
struct few_bytes_first {
  explicit few_bytes_first(std::size_t limit) : most(limit) {}
  bool before(std::string_view a, std::string_view b) const {
    const std::size_t n = std::min(most, a.size()), m = std::min(most, b.size());
    return n != m ? n < m : a < b;
  }
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    return before(a.key.text(), b.key.text());
  }
  std::size_t most;
};

/// Reads the pairs of a result in an order in both ways, and compares them.
template <class Order>
void expect_order(const word_results& found, Order order, const word_list& expected, const char* what) {
  EXPECT_TRUE(found.collect(order) == expected) << what;
  std::size_t at = 0, wrong = 0;
  found.for_each_sorted(order, [&](std::string_view word, std::uint64_t n) {
    wrong += at >= expected.size() || word != expected[at].first || n != expected[at].second ? 1 : 0;
    ++at;
  });
  EXPECT_EQ(at, expected.size()) << what;
  EXPECT_EQ(wrong, 0U) << what;
}

void expect_orders(const word_results& found, const std::string& text) {
  const auto counts = test::serial_counts(text);
  word_list expected(counts.begin(), counts.end());
  expect_order(found, by_key{}, expected, "by key");
  const few_bytes_first few(9);
  std::ranges::sort(expected, [&](const auto& a, const auto& b) { return few.before(a.first, b.first); });
  expect_order(found, few, expected, "without codes");
  std::ranges::sort(expected, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  expect_order(found, by_value{}, expected, "by value");
  expected.resize(std::min<std::size_t>(expected.size(), 9));
  EXPECT_EQ(found.top(9), expected);
}

TEST(OrderedResults, AreThoseOfASerialSort) {
  const test::temporary_folder folder;
  const std::uint64_t seed = test::any_map_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const std::string text = tied_words(seed, 30'000);
  folder.plant("words", text);
  for (const unsigned cores : {1U, 2U, 3U, 8U})
    run({.cores = cores}, [&] {
      const word_results found = count_tied(folder / "words");
      EXPECT_GT(found.size(), 2 * sorting::k_sort_alone);
      expect_orders(found, text);
    });
}

TEST(OrderedResults, StayInOrderWhereTheJobSortsThem) {
  const test::temporary_folder folder;
  const std::uint64_t seed = test::any_map_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const std::string text = tied_words(seed, 20'000);
  folder.plant("words", text);
  for (const unsigned cores : {1U, 3U, 8U})
    for (const engine by : test::k_engines)
      for (const pivots chosen : {pivots::all_cores, pivots::one_core})
        run({.cores = cores}, [&] {
          map_reduce_options o;
          o.engine = by;
          o.sorted = true;
          o.choose_pivots = chosen;
          word_results found = count_tied(folder / "words", o);
          EXPECT_TRUE(found.is_in_order());
          expect_orders(found, text);
          found.keep_order();
          const word_results moved = std::move(found);
          expect_orders(moved, text);
        });
}

TEST(OrderedResults, FewPairsAndNone) {
  const test::temporary_folder folder;
  folder.plant("few", "b a c a");
  folder.plant("none", "");
  for (const engine by : test::k_engines)
    run({.cores = 8}, [&] {
      map_reduce_options o;
      o.engine = by;
      for (const bool sorted : {false, true}) {
        o.sorted = sorted;
        expect_orders(count_tied(folder / "few", o), "b a c a");
        expect_orders(count_tied(folder / "none", o), "");
      }
    });
}

TEST(OrderedResults, OfRunsOfUnevenLengths) {
  // One core has nearly all keys: its run is divided among the ranges of all.
  struct one_partition {
    std::uint64_t operator()(std::uint64_t key) const {
      return key % 100 == 0 ? hash64(key) : hash64(key) >> 20;
    }
  };
  for (const pivots chosen : {pivots::all_cores, pivots::one_core})
    run({.cores = 5}, [&] {
      constexpr std::uint64_t k_n = 50'000;
      map_reduce_options o;
      o.sorted = true;
      o.choose_pivots = chosen;
      const auto found = map_reduce<std::uint64_t, std::uint64_t>(
          count_input(k_n), [](std::uint64_t i, auto& out) { out.emit(i * 7, i); }, std::plus<>{}, o,
          one_partition{});
      std::uint64_t at = 0, wrong = 0;
      for (const auto& [key, value] : found.collect()) {
        wrong += key != 7 * at || value != at ? 1 : 0;
        ++at;
      }
      EXPECT_EQ(at, k_n);
      EXPECT_EQ(wrong, 0U);
    });
}

TEST(OrderedResults, OfNumbersArraysAndGroups) {
  run({.cores = 3}, [] {
    constexpr std::int64_t k_keys = 40'000;
    const auto expect_keys = [k_keys](const auto& found, std::int64_t first) {
      EXPECT_TRUE(found.is_in_order());
      std::int64_t next = first;
      std::uint64_t wrong = 0;
      for (const auto& [key, value] : found.collect())
        wrong += static_cast<std::int64_t>(key) != next++ ? 1 : 0;
      EXPECT_EQ(wrong, 0U);
      EXPECT_EQ(next - first, k_keys);
    };
    map_reduce_options o;
    o.sorted = true;
    for (const engine by : test::k_engines) {
      o.engine = by;
      expect_keys(map_reduce<std::int64_t, std::uint64_t>(
                      count_input(2 * k_keys),
                      [](std::uint64_t i, auto& out) {
                        out.emit(static_cast<std::int64_t>(i % k_keys) - k_keys / 2, i);
                      },
                      std::plus<>{}, o),
                  -k_keys / 2);
      expect_keys(map_reduce<std::uint32_t, std::uint64_t>(
                      count_input(k_keys), dense_keys{k_keys},
                      [](std::uint64_t i, auto& out) { out.emit(static_cast<std::uint32_t>(i), 1); },
                      std::plus<>{}, o),
                  0);
      expect_keys(map_group_reduce<std::uint64_t, std::uint64_t>(
                      count_input(2 * k_keys), [](std::uint64_t i, auto& out) { out.emit(i % k_keys, i); },
                      [](std::uint64_t, std::span<const std::uint64_t> values) { return values.size(); }, o),
                  0);
    }
  });
}

TEST(OrderedResults, KeysWithoutAnOrderAreRefused) {
  struct point {
    std::int32_t x, y;
    bool operator==(const point&) const = default;
  };
  run({.cores = 2}, [] {
    map_reduce_options o;
    o.sorted = true;
    for (const engine by : test::k_engines) {
      o.engine = by;
      try {
        (void)map_reduce<point, std::uint64_t>(
            count_input(10),
            [](std::uint64_t i, auto& out) { out.emit(point{static_cast<std::int32_t>(i), 1}, 1); },
            std::plus<>{}, o);
        ADD_FAILURE() << "no error";
      } catch (const error& e) {
        EXPECT_STREQ(
            e.what(),
            "map_reduce: expected keys that have < where results shall be sorted, found keys without");
      }
    }
  });
}

TEST(OrderedResults, OfScratchFilesAreMergedAsTheyAreRead) {
  const test::temporary_folder folder;
  const std::string text = tied_words(4, 40'000);
  folder.plant("words", text);
  run({.cores = 2}, [&] {
    map_reduce_options o;
    o.memory_bytes = 600 << 10;
    o.scratch = folder.path();
    o.sorted = true;
    const word_results found = count_tied(folder / "words", o);
    EXPECT_TRUE(found.is_stored());
    EXPECT_FALSE(found.is_in_order());
    expect_orders(found, text);
  });
}

class OrderedResultsOfProcesses : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, OrderedResultsOfProcesses,
                         ::testing::Values("processes=1 cores=4 seed=1", "processes=2 cores=2 seed=2",
                                           "processes=3 cores=1 seed=3",
                                           "processes=3 cores=2 network=qdr faults=all seed=4"));

TEST_P(OrderedResultsOfProcesses, AreThoseOfOne) {
  if (test::k_thread_sanitizer) GTEST_SKIP();
  const test::temporary_folder folder;
  const std::string text = tied_words(7, 60'000);
  folder.plant("words", text);
  folder.plant("few", "b a c a");
  folder.plant("none", "");
  job_options cluster;
  cluster.simulate = simulation::options::parse(GetParam());
  run(cluster, [&] {
    expect_orders(count_tied(folder / "words"), text);
    for (const engine by : test::k_engines) {
      map_reduce_options o;
      o.engine = by;
      o.sorted = true;
      o.choose_pivots = by == engine::hybrid ? pivots::one_core : pivots::all_cores;
      expect_orders(count_tied(folder / "few", o), "b a c a");
      expect_orders(count_tied(folder / "none", o), "");
      expect_orders(count_tied(folder / "words", o), text);
    }
  });
}

}  // namespace
}  // namespace gossamer
