// The hybrid engine against serial counts: words of files, plain and compressed; numbers; in several
// processes of a simulated cluster; user errors.
#include "gossamer/mapreduce/map_reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "gossamer/base/random.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/count_input.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/compressed.hpp"
#include "support/serial_word_counts.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using test::counts;
using test::serial_counts;

/// Draws words from a skewed distribution, some of them too long for a slot.
std::string random_text(std::uint64_t seed, std::uint64_t words) {
  xoshiro256 draw(seed);
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    const std::uint64_t n = draw() % (1 + draw() % (1 + draw() % 5000));
    text += "w" + std::to_string(n);
    if (n % 17 == 0) text += std::string(n % 60, 'x');
    text += " \n\t"[draw() % 3];
  }
  return text;
}

key_values<std::string_view, std::uint64_t> count_by_map_reduce(std::vector<std::string> paths,
                                                                map_reduce_options o = {}) {
  return map_reduce<std::string_view, std::uint64_t>(
      text_input(std::move(paths)),
      [](std::string_view text, auto& out) {
        io::for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
      },
      std::plus<>{}, std::move(o));
}

void expect_counts(const counts& expected, const key_values<std::string_view, std::uint64_t>& found) {
  EXPECT_EQ(found.size(), expected.size());
  const auto all = found.collect();
  EXPECT_TRUE(std::ranges::equal(all, expected, [](const auto& a, const auto& b) {
    return a.first == b.first && a.second == b.second;
  }));
  std::vector<std::pair<std::string, std::uint64_t>> best(expected.begin(), expected.end());
  std::ranges::stable_sort(best, [](const auto& a, const auto& b) { return a.second > b.second; });
  best.resize(std::min<std::size_t>(best.size(), 7));
  EXPECT_EQ(found.top(7), best);
}

TEST(MapReduce, CountsTheWordsOfFiles) {
  const test::temporary_folder folder;
  const std::string one = random_text(1, 60'000), two = random_text(2, 300),
                    three = "last word without an end";
  folder.plant("one", one);
  folder.plant("two.gz", test::gzipped(two));
  folder.plant("three.zst", test::zstandard(three));
  folder.plant("empty", "");
  for (const unsigned cores : {1U, 2U, 5U})
    run({.cores = cores}, [&] {
      expect_counts(
          serial_counts(one + "\n" + two + "\n" + three),
          count_by_map_reduce({folder / "one", folder / "empty", folder / "two.gz", folder / "three.zst"}));
      expect_counts({}, count_by_map_reduce({folder / "empty"}));
      expect_counts({}, count_by_map_reduce({}));
    });
}

TEST(MapReduce, WordsAcrossChunksAreWhole) {
  const test::temporary_folder folder;
  xoshiro256 draw(5);
  std::string text;
  while (text.size() < 400'000)
    text += std::string(1 + draw() % 4000, static_cast<char>('a' + draw() % 26)) + "\n";
  folder.plant("long", text);
  folder.plant("long.gz", test::gzipped(text));
  run({.cores = 3}, [&] {
    expect_counts(serial_counts(text), count_by_map_reduce({folder / "long"}));
    expect_counts(serial_counts(text), count_by_map_reduce({folder / "long.gz"}));
  });
}

TEST(MapReduce, InSeveralSimulatedProcesses) {
  const test::temporary_folder folder;
  const std::string text = random_text(3, 20'000);
  folder.plant("text", text);
  for (const char* cluster :
       {"processes=2 cores=1 network=qdr seed=1", "processes=3 cores=2 network=qdr seed=2 faults=all"}) {
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    run(o, [&] { expect_counts(serial_counts(text), count_by_map_reduce({folder / "text"})); });
  }
}

TEST(MapReduce, NumbersAreKeysAndAnyCombinerWorks) {
  run({.cores = 3}, [] {
    constexpr std::uint64_t k_n = 100'000;
    const auto least = map_reduce<std::uint64_t, std::uint64_t>(
        count_input(k_n), [](std::uint64_t i, auto& out) { out.emit(i % 1013, hash64(i)); },
        [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
    std::map<std::uint64_t, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < k_n; ++i) {
      const auto at = expected.try_emplace(i % 1013, hash64(i)).first;
      at->second = std::min(at->second, hash64(i));
    }
    const auto found = least.collect();
    EXPECT_TRUE(std::ranges::equal(found, expected, [](const auto& a, const auto& b) {
      return a.first == b.first && a.second == b.second;
    }));
  });
}

TEST(MapReduce, MapAndCombineCaptureNumbers) {
  run({.cores = 2}, [] {
    const std::uint64_t modulus = 97, factor = 5;
    const auto emit = [factor](std::uint64_t i, auto& out) { out.emit(i % 10, i * factor % 97); };
    const auto add = [modulus](std::uint64_t a, std::uint64_t b) { return (a + b) % modulus; };
    std::map<std::uint64_t, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 1000; ++i) expected[i % 10] = (expected[i % 10] + i * factor) % modulus;
    const auto check = [&](const auto& found) {
      for (const auto& [key, value] : found.collect()) EXPECT_EQ(value, expected.at(key)) << key;
      EXPECT_EQ(found.size(), expected.size());
    };
    for (const auto how : {engine::hybrid, engine::messages}) {
      map_reduce_options o;
      o.engine = how;
      check(map_reduce<std::uint64_t, std::uint64_t>(count_input(1000), emit, add, o));
    }
    check(map_reduce<std::uint64_t, std::uint64_t>(count_input(1000), dense_keys{10}, emit, add));
  });
}

TEST(MapReduce, NumbersComeOnceWhateverTheGrain) {
  run({.cores = 3}, [] {
    constexpr std::uint64_t k_n = 1000, k_most = ~std::uint64_t{0};
    for (const std::uint64_t grain :
         {std::uint64_t{0}, std::uint64_t{1}, k_n - 1, k_n, k_most / 2, k_most - 1, k_most}) {
      const auto counts = map_reduce<std::uint64_t, std::uint64_t>(
          count_input(k_n, grain), [](std::uint64_t i, auto& out) { out.emit(i, 1); }, std::plus<>());
      const auto found = counts.collect();
      EXPECT_EQ(found.size(), k_n) << "grain " << grain;
      EXPECT_TRUE(std::ranges::all_of(found, [](const auto& pair) { return pair.second == 1; }))
          << "grain " << grain;
    }
  });
}

TEST(MapReduce, WhatTheMapFunctionThrowsArrives) {
  run({.cores = 4}, [] {
    EXPECT_THROW((map_reduce<std::uint64_t, std::uint64_t>(count_input(1'000'000),
                                                           [](std::uint64_t i, auto& out) {
                                                             if (i == 777'777)
                                                               throw std::runtime_error("record 777777");
                                                             out.emit(i, 1);
                                                           })),
                 std::runtime_error);
  });
}

TEST(MapReduce, AMissingFileIsNamed) {
  run({.cores = 2}, [] {
    try {
      (void)count_by_map_reduce({"/nowhere/at all"});
      FAIL() << "no error";
    } catch (const error& e) {
      EXPECT_STREQ(e.what(), "cannot read /nowhere/at all: No such file or directory");
    }
  });
}

TEST(MapReduce, SaysWhatItDid) {
  run({.cores = 2}, [] {
    map_reduce_statistics what;
    map_reduce_options o;
    std::uint64_t seen = 0;
    o.progress = [&](std::uint64_t done, std::uint64_t) { seen = std::max(seen, done); };
    o.statistics = &what;
    (void)map_reduce<std::uint64_t, std::uint64_t>(
        count_input(500'000), [](std::uint64_t i, auto& out) { out.emit(i % 10, 1); }, std::plus<>{}, o);
    EXPECT_EQ(what.emitted, 500'000U);
    EXPECT_GE(what.combined, 10U);
    EXPECT_LE(what.combined, 20U);
    EXPECT_GT(what.container_bytes, 0U);
  });
}

}  // namespace
}  // namespace gossamer
