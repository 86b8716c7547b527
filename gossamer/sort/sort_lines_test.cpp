// The sort of lines against std::stable_sort: keys, orders, files, in several processes of a simulated cluster.
#include "gossamer/sort/sort_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/compressed.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

using lines = std::vector<std::string>;

std::uint64_t any_seed() {
  std::random_device any;
  return std::uint64_t{any()} << 32 | any();
}

std::string joined(const lines& all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Draws lines "<id>,<text>,<number>" whose texts and numbers repeat, with long common prefixes among them.
lines random_lines(std::uint64_t seed, std::size_t n, std::size_t prefix = 24) {
  xoshiro256 draw(seed);
  lines all;
  for (std::size_t i = 0; i < n; ++i) {
    std::string text(draw() % 4 == 0 ? draw() % 40 : prefix, 'p');
    for (std::uint64_t k = draw() % 4; k > 0; --k) text += "ab\0\xff"[draw() % 4];
    const auto number = static_cast<std::int64_t>(draw() % 200) - 100;
    all.push_back(std::to_string(i) + "," + text + "," + std::to_string(number));
  }
  return all;
}

std::string field(const std::string& line, unsigned number) {
  std::size_t at = 0;
  for (; number > 1; --number) at = line.find(',', at) + 1;
  return line.substr(at, line.find(',', at) - at);
}

/// Sorts lines by keys with the standard library's stable sort. With `unique`, keeps one line for equal keys.
template <class Key>
lines sorted_by(const lines& all, std::vector<Key> keys, const line_order& order) {
  std::vector<std::size_t> places(all.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
    return order.reverse ? keys[b] < keys[a] : keys[a] < keys[b];
  });
  lines in_order;
  const Key* last = nullptr;
  for (const std::size_t i : places) {
    if (order.unique && last != nullptr && *last == keys[i]) continue;
    in_order.push_back(all[i]);
    last = &keys[i];
  }
  return in_order;
}

lines sorted(const lines& all, const line_order& order) {
  if (order.field == 0) return sorted_by(all, all, order);
  lines texts;
  for (const std::string& line : all) texts.push_back(field(line, order.field));
  if (!order.numeric) return sorted_by(all, std::move(texts), order);
  std::vector<std::int64_t> numbers;
  for (const std::string& text : texts) numbers.push_back(std::stoll(text));
  return sorted_by(all, std::move(numbers), order);
}

std::vector<line_order> all_orders() {
  std::vector<line_order> orders;
  for (const bool reverse : {false, true})
    for (const bool unique : {false, true}) {
      orders.push_back({.reverse = reverse, .unique = unique});
      orders.push_back({.field = 2, .separator = ',', .reverse = reverse, .unique = unique});
      orders.push_back({.field = 3, .separator = ',', .numeric = true, .reverse = reverse, .unique = unique});
    }
  return orders;
}

/// Sorts two files in all orders and compares. By the main fiber.
void check_orders(std::uint64_t seed, std::size_t n, std::uint64_t memory_bytes = 0,
                  std::size_t prefix = 24) {
  const test::temporary_folder folder;
  const lines one = random_lines(seed, n, prefix), two = random_lines(seed + 1, n / 3, prefix);
  folder.plant("one", joined(one));
  folder.plant("two.gz", test::gzipped(joined(two)));
  lines both = one;
  both.insert(both.end(), two.begin(), two.end());
  for (const line_order& order : all_orders()) {
    sort_lines_statistics what;
    sort_lines({folder / "one", folder / "two.gz"}, order, folder / "out",
               {.progress = {}, .statistics = &what, .memory_bytes = memory_bytes, .scratch = folder.path()});
    EXPECT_EQ(what.runs > 1, memory_bytes != 0);
    const lines expected = sorted(both, order);
    EXPECT_TRUE(contents(folder / "out") == joined(expected))
        << "seed " << seed << ", " << n << " lines, field " << order.field << ", numeric " << order.numeric
        << ", reverse " << order.reverse << ", unique " << order.unique;
    EXPECT_EQ(what.lines_read, both.size());
    EXPECT_EQ(what.lines_written, expected.size());
  }
}

class SortLines : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(On, SortLines, ::testing::ValuesIn(test::core_counts({1, 2, 3, 8})),
                         test::topology_name);

TEST_P(SortLines, AgreesWithTheStableSortInEveryOrder) {
  run(job_options{.cores = GetParam()}, [] {
    for (const std::size_t n : {0U, 1U, 2U, 100U, 40'000 / test::k_fewer}) check_orders(any_seed(), n);
  });
}

TEST_P(SortLines, LinesThatDoNotFitTheMemory) {
  run(job_options{.cores = GetParam()}, [] {
    check_orders(any_seed(), 30'000 / (test::k_address_sanitizer ? 2 : 1),
                 sort_lines_options::k_least_memory);
    check_orders(any_seed(), 8'000, sort_lines_options::k_least_memory,
                 126);  // keys that are stored only in part
  });
}

TEST_P(SortLines, ManyBuckets) {
  run(job_options{.cores = GetParam()}, [] {
    const auto seed = any_seed();
    const test::temporary_folder folder;
    xoshiro256 draw(seed);
    lines all;
    for (int i = 0; i < 300'000; ++i) all.push_back(std::to_string(draw() % 100'000));
    folder.plant("in", joined(all));
    sort_lines_statistics what;
    sort_lines({folder / "in"}, {}, folder / "out", {.progress = {}, .statistics = &what});
    EXPECT_GE(what.buckets, 4U);
    EXPECT_TRUE(contents(folder / "out") == joined(sorted(all, {}))) << "seed " << seed;
  });
}

TEST(SortLinesRefusal, NamesTheLine) {
  run(job_options{.cores = 2}, [] {
    const test::temporary_folder folder;
    folder.plant("in", "1,a\n2,b\n3\n");
    for (const auto& [order, expected] :
         {std::pair(line_order{.field = 2, .separator = ','}, ":3: expected at least 2 fields, found 1"),
          std::pair(line_order{.field = 1, .separator = 'a', .numeric = true},
                    ":1: expected a number in field 1, found \"1,\" (--skip-bad leaves such lines out)")}) {
      try {
        sort_lines({folder / "in"}, order, folder / "out");
        ADD_FAILURE() << "it was sorted";
      } catch (const error& e) {
        EXPECT_EQ(std::string(e.what()), (folder / "in") + expected);
      }
      EXPECT_EQ(contents(folder / "out"), "");
    }
  });
}

TEST(SortLinesRefusal, SeparatorsAreNoQuotesAndNoLineEnds) {
  run(job_options{.cores = 1}, [] {
    const test::temporary_folder folder;
    folder.plant("in", "1,a\n");
    for (const char separator : {'"', '\n', '\r'})
      EXPECT_THROW(sort_lines({folder / "in"}, {.field = 1, .separator = separator}, folder / "out"), error);
  });
}

/// Every chunk but the first begins with a malformed line, so cores find later ones before the first.
TEST(SortLinesRefusal, NamesTheFirstOfMany) {
  run(job_options{.cores = 4}, [] {
    const test::temporary_folder folder;
    lines all;
    for (int i = 0; i < 200'000; ++i) all.push_back(i > 6000 ? "bad" : std::to_string(i));
    folder.plant("in", joined(all));
    for (const std::uint64_t memory : {std::uint64_t{0}, sort_lines_options::k_least_memory})
      for (int round = 0; round < 5; ++round) try {
          sort_lines({folder / "in"}, {.numeric = true}, folder / "out",
                     {.progress = {}, .memory_bytes = memory});
          ADD_FAILURE() << "it was sorted";
        } catch (const error& e) {
          EXPECT_EQ(
              std::string(e.what()),
              (folder / "in") + ":6002: expected a number, found \"bad\" (--skip-bad leaves such lines out)");
        }
  });
}

class SortLinesSimulated : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, SortLinesSimulated,
                         ::testing::Values("processes=2 cores=2", "processes=5 cores=1",
                                           "processes=3 cores=2 network=qdr faults=all seed=3"));

TEST_P(SortLinesSimulated, AgreesWithTheStableSort) {
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [] {
    for (const std::size_t n : {0, 3, 5000}) check_orders(11, n);
  });
}

/// Each process sorts its block into runs, and the runs are exchanged.
TEST_P(SortLinesSimulated, LinesThatDoNotFitTheMemory) {
  if (test::k_thread_sanitizer) GTEST_SKIP();
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [] {
    check_orders(12, 30'000 / (test::k_address_sanitizer ? 2 : 1), sort_lines_options::k_least_memory);
    check_orders(13, 8'000, sort_lines_options::k_least_memory, 126);
  });
}

}  // namespace
}  // namespace gossamer
