// MapReduce whose containers exceed the memory limit, compared with serial counts: texts and numbers as keys,
// one core and several, processes of a simulated cluster, buckets that do not fit either, full disks.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/mapreduce/internal/results/bucket_joiner.hpp"
#include "gossamer/mapreduce/internal/spilling/stored_pairs.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/serial_word_counts.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using test::counts;
using test::serial_counts;

/// Draws words of many lengths; few of them are frequent.
std::string text_of_many_words(std::uint64_t seed, std::uint64_t words) {
  xoshiro256 draw(seed);
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    const std::uint64_t n = draw() % (1 + draw() % 60'000);
    text += "w" + std::to_string(n);
    if (n % 7 == 0) text += std::string(n % 90, 'x');
    text += " \n"[draw() % 2];
  }
  return text;
}

using found_counts = key_values<std::string_view, std::uint64_t>;

found_counts count_by_map_reduce(const std::string& path, const map_reduce_options& o) {
  return map_reduce<std::string_view, std::uint64_t>(
      text_input({path}),
      [](std::string_view text, auto& out) {
        io::for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
      },
      std::plus<>{}, o);
}

/// Compares all answers of a result with a map.
void expect_all_answers(const counts& expected, const found_counts& found) {
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_TRUE(std::ranges::equal(found.collect(), expected, [](const auto& a, const auto& b) {
    return a.first == b.first && a.second == b.second;
  }));
  std::vector<std::pair<std::string, std::uint64_t>> best(expected.begin(), expected.end());
  std::ranges::stable_sort(best, [](const auto& a, const auto& b) { return a.second > b.second; });
  EXPECT_EQ(found.collect(by_value{}), best);
  best.resize(std::min<std::size_t>(best.size(), 300));
  EXPECT_EQ(found.top(300), best);
  const scoped_per_core<std::uint64_t> sum;
  found.for_each([sum = sum.handle()](std::string_view, std::uint64_t n) { sum.here() += n; });
  std::uint64_t all = 0;
  for (const auto& [word, n] : expected) all += n;
  EXPECT_EQ(sum.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; }), all);
}

TEST(Spill, CountsAreThoseOfASerialCount) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const test::temporary_folder folder;
    const std::string text = text_of_many_words(seed, 60'000);
    folder.plant("text", text);
    const test::temporary_folder scratch;
    const unsigned cores = 1 + static_cast<unsigned>(seed) % 5;
    run({.cores = cores}, [&] {
      map_reduce_statistics what;
      map_reduce_options o;
      o.memory_bytes = cores * (256 << 10);
      o.scratch = scratch.path();
      o.statistics = &what;
      const found_counts found = count_by_map_reduce(folder / "text", o);
      EXPECT_GT(what.spills, cores);
      EXPECT_GT(what.spilled_pairs, 0U);
      EXPECT_LE(what.container_bytes, o.memory_bytes);
      EXPECT_EQ(what.emitted, 60'000U);
      EXPECT_EQ(scratch.names(), std::vector<std::string>{});
      expect_all_answers(serial_counts(text), found);
    });
  }
}

TEST(Spill, DoesNotTouchTheDiskWhereMemoryIsEnough) {
  const test::temporary_folder folder;
  const std::string text = text_of_many_words(9, 3000);
  folder.plant("text", text);
  for (const unsigned cores : {1U, 3U})
    run({.cores = cores}, [&] {
      map_reduce_statistics what;
      map_reduce_options o;
      o.memory_bytes = 100 << 20;
      o.scratch = folder.path();
      o.statistics = &what;
      const found_counts found = count_by_map_reduce(folder / "text", o);
      EXPECT_EQ(what.spills, 0U);
      EXPECT_FALSE(found.is_stored());
      expect_all_answers(serial_counts(text), found);
    });
}

TEST(Spill, InSeveralSimulatedProcesses) {
  const test::temporary_folder folder;
  const std::string text = text_of_many_words(3, 20'000);
  folder.plant("text", text);
  for (const char* cluster :
       {"processes=2 cores=1 network=qdr seed=1", "processes=3 cores=2 network=qdr seed=2 faults=all"}) {
    SCOPED_TRACE(cluster);
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    run(o, [&] {
      map_reduce_statistics what;
      map_reduce_options bounded;
      bounded.memory_bytes = cores_per_process() * (128 << 10);
      bounded.scratch = folder.path();
      bounded.statistics = &what;
      const found_counts found = count_by_map_reduce(folder / "text", bounded);
      EXPECT_GT(what.spills, 0U);
      expect_all_answers(serial_counts(text), found);
    });
  }
}

/// Numbers as keys, and values for which the order of combining does not matter.
TEST(Spill, NumbersAreKeysAndAnyCombinerWorks) {
  for (const unsigned cores : {1U, 2U, 4U})
    run({.cores = cores}, [cores] {
      constexpr std::uint64_t k_n = 200'000, k_keys = 30'011;
      map_reduce_statistics what;
      map_reduce_options o;
      o.memory_bytes = cores * (192 << 10);
      o.statistics = &what;
      const auto found = map_reduce<std::uint64_t, std::uint64_t>(
          count_input(k_n), [](std::uint64_t i, auto& out) { out.emit(i % k_keys, hash64(i)); },
          [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }, o);
      std::map<std::uint64_t, std::uint64_t> expected;
      for (std::uint64_t i = 0; i < k_n; ++i) {
        const auto at = expected.try_emplace(i % k_keys, hash64(i)).first;
        at->second = std::min(at->second, hash64(i));
      }
      EXPECT_GT(what.spills, 0U);
      EXPECT_TRUE(std::ranges::equal(found.collect(), expected, [](const auto& a, const auto& b) {
        return a.first == b.first && a.second == b.second;
      }));
    });
}

TEST(Spill, ValuesMayBeLongerThanAStackHolds) {
  using long_value = std::array<std::uint64_t, 500>;
  run({.cores = 2}, [] {
    constexpr std::uint64_t k_keys = 4000;
    map_reduce_statistics what;
    map_reduce_options o;
    o.memory_bytes = 8 << 20;
    o.statistics = &what;
    const auto found = map_reduce<std::uint64_t, long_value>(
        count_input(2 * k_keys), [](std::uint64_t i, auto& out) { out.emit(i % k_keys, long_value{i, 1}); },
        [](const long_value& a, const long_value& b) {
          long_value sum = a;
          for (std::size_t w = 0; w < sum.size(); ++w) sum[w] += b[w];
          return sum;
        },
        o);
    EXPECT_GT(what.spills, 0U);
    EXPECT_EQ(found.size(), k_keys);
    std::uint64_t sum = 0, rows = 0;
    for (const auto& [key, v] : found.collect()) {
      sum += v[0];
      rows += v[1];
    }
    EXPECT_EQ(sum, k_keys * (2 * k_keys - 1));
    EXPECT_EQ(rows, 2 * k_keys);
  });
}

/// A bucket with too many keys is divided until its buckets fit; keys with equal hashes are joined
/// nonetheless.
TEST(Spill, BucketsThatDoNotFitAreDivided) {
  struct one_bucket {
    std::uint64_t operator()(std::uint64_t key) const {
      constexpr std::uint64_t k_below =
          (std::uint64_t{1} << (mapreduce::k_partition_shift - mapreduce::k_bucket_bits)) - 1;
      return key % 5 == 0 ? 1 : hash64(key) & k_below;
    }
  };
  using joiner = mapreduce::bucket_joiner<std::uint64_t, std::uint64_t, std::plus<>, one_bucket>;
  using container = joiner::container;
  const test::temporary_folder folder;
  const mapreduce::memory_bound bound{64 << 10, folder.path(), {}, 0};
  mapreduce::spill_store store(folder.path(), mapreduce::k_buckets);
  mapreduce::bucket_dealer<std::uint64_t, container::slot> dealer(bound.block_bytes());
  io::block_codec codec;
  std::plus<> combine;
  std::map<std::uint64_t, std::uint64_t> expected;
  xoshiro256 draw(1);
  for (unsigned spill = 0; spill < 20; ++spill) {
    container pairs;
    for (unsigned i = 0; i < 2000; ++i) {
      const std::uint64_t key = draw() % 20'000;
      pairs.add(container::traits::store(key), one_bucket()(key), i, combine);
      expected[key] += i;
    }
    dealer.deal(pairs, 0, store, 0, codec);
    EXPECT_TRUE(pairs.empty());
  }
  joiner joins(bound, combine, one_bucket());
  std::map<std::uint64_t, std::uint64_t> found;
  for (std::size_t s = 0; s < mapreduce::k_buckets; ++s) {
    EXPECT_EQ(store.list(s).empty(), s != 0);
    const mapreduce::block_source source{&store.file(), &store.list(s)};
    joins.join(std::span(&source, 1), [&](const container::slot& pair) {
      EXPECT_TRUE(found.emplace(pair.key.key, pair.value).second) << "twice: " << pair.key.key;
    });
  }
  EXPECT_GT(joins.dealt_again(), 0U);
  EXPECT_EQ(found, expected);
}

/// More sorted runs than are merged at once.
TEST(Spill, ResultsAreSortedInSeveralPasses) {
  using container = mapreduce::hash_container<std::string_view, std::uint64_t, mapreduce::default_hash>;
  using slot = container::slot;
  const test::temporary_folder folder;
  const mapreduce::memory_bound bound{64 << 10, folder.path(), {}, 0};
  mapreduce::stored_pairs<std::string_view, slot> pairs(bound);
  std::vector<std::pair<std::string, std::uint64_t>> expected;
  xoshiro256 draw(4);
  for (unsigned i = 0; i < 60'000; ++i) {
    const std::string key = std::to_string(draw() % 1'000'000) + std::string(draw() % 30, 'k');
    expected.emplace_back(key, i);
    pairs.add({mapreduce::text_key::of(key), i});
  }
  pairs.finish();
  std::ranges::sort(expected);
  const auto before = [](const slot& a, const slot& b) {
    return a.key.text() != b.key.text() ? a.key.text() < b.key.text() : a.value < b.value;
  };
  pairs.sort(before);
  mapreduce::block_merger<std::string_view, slot, decltype(before)> merger(before);
  pairs.add_runs_to(merger, pairs.codec());
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (merger.start(); !merger.ended(); merger.next())
    found.emplace_back(merger.pair().key.text(), merger.pair().value);
  EXPECT_EQ(found, expected);
}

/// Counts numbers in tasks of 512; fails at one of them if it occurs.
key_values<std::uint64_t, std::uint64_t> count_numbers(std::uint64_t fails_at, const map_reduce_options& o) {
  return map_reduce<std::uint64_t, std::uint64_t>(
      count_input(100'000, 512),
      [fails_at](std::uint64_t i, auto& out) {
        if (i == fails_at) throw std::runtime_error("a mistake");
        out.emit(hash64(i) % 7001, i);
      },
      std::plus<>{}, o);
}

/// A failed job is started again, also after damage to its files, and once more when it is done.
TEST(Spill, AJobThatFailedGoesOn) {
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 100'000; ++i) expected[hash64(i) % 7001] += i;
  const auto check = [&](const auto& found) {
    EXPECT_TRUE(std::ranges::equal(found.collect(), expected, [](const auto& a, const auto& b) {
      return a.first == b.first && a.second == b.second;
    }));
  };
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    xoshiro256 draw(seed);
    job_options job{.cores = 1 + static_cast<unsigned>(seed % 3)};
    if (seed % 2 == 0)
      job = {.simulate = simulation::options::parse("processes=2 cores=2 network=qdr seed=1")};
    const test::temporary_folder folder;
    map_reduce_statistics what;
    map_reduce_options o;
    o.resume = folder.path();
    o.statistics = &what;
    if (seed % 3 == 0) o.memory_bytes = 2 << 20;
    // The last task of all blocks but the first: other tasks have finished before.
    const std::uint64_t fails_at = 99'999 - draw() % 512;
    run(job, [&] { EXPECT_THROW((void)count_numbers(fails_at, o), std::runtime_error); });
    EXPECT_TRUE(std::filesystem::exists(folder / "job"));
    const bool damages = seed > 3;
    std::string pairs = test::content_of(folder / "core-0.pairs");
    EXPECT_FALSE(pairs.empty());
    if (damages) pairs[draw() % std::min<std::size_t>(pairs.size(), 500)] ^= 8;
    folder.plant("core-0.pairs", pairs);
    std::uint64_t before = 0;
    run(job, [&] {
      check(count_numbers(~std::uint64_t{0}, o));
      before = what.tasks_before;
      EXPECT_EQ(what.emitted, 100'000U);
      if (!damages) {
        EXPECT_GT(before, 0U);
      }
      check(count_numbers(~std::uint64_t{0}, o));  // all of it is stored
      EXPECT_EQ(what.emitted, 100'000U);
      EXPECT_EQ(what.tasks_before, processes() == 1 ? 196U : what.tasks_before);
      EXPECT_GT(what.tasks_before, before);
      forget_work(o.resume);
    });
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
  }
}

std::string complaint(const std::function<void()>& body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Spill, AFullDiskEndsTheJobWithOneLine) {
  const test::temporary_folder folder, scratch;
  folder.plant("text", text_of_many_words(5, 40'000));
  run({.cores = 2}, [&] {
    map_reduce_options o;
    o.memory_bytes = 512 << 10;
    o.scratch = scratch.path();
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 8192;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string said = complaint([&] { (void)count_by_map_reduce(folder / "text", o); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)std::signal(SIGXFSZ, old_action);
    EXPECT_EQ(said, "cannot write a scratch file in " + scratch.path() + ": File too large");
  });
}

TEST(Spill, WhatCannotSpillSaysSo) {
  const auto emit = [](std::uint64_t i, auto& out) { out.emit(i % 10, 1); };
  run({.cores = 2}, [&] {
    map_reduce_options o;
    o.memory_bytes = 1000;
    EXPECT_EQ(complaint([&] {
                (void)map_reduce<std::uint64_t, std::uint64_t>(count_input(10), emit, std::plus<>{}, o);
              }),
              "expected memory (--memory, memory_bytes) of at least 152.0 KiB for 2 cores, found 1000 B");
    o.memory_bytes = 10 << 20;
    o.scratch = "/nowhere/at all";
    EXPECT_EQ(complaint([&] {
                (void)map_reduce<std::uint64_t, std::uint64_t>(count_input(10), emit, std::plus<>{}, o);
              }),
              "cannot make a scratch file in /nowhere/at all: No such file or directory");
    EXPECT_EQ(complaint([&] {
                (void)map_reduce<std::uint64_t, std::uint64_t>(count_input(10), dense_keys{10}, emit,
                                                               std::plus<>{}, o);
              }),
              "map_reduce: arrays of keys cannot go to scratch files: leave out the bound of memory");
    o.engine = engine::messages;
    EXPECT_EQ(complaint([&] {
                (void)map_reduce<std::uint64_t, std::uint64_t>(count_input(10), emit, std::plus<>{}, o);
              }),
              "map_reduce: the engine by messages cannot go to scratch files: leave out the bound of memory");
  });
}

}  // namespace
}  // namespace gossamer
