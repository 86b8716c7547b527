// The placement of pairs and tasks: partitions chosen by a user's hash, and map tasks taken from other cores,
// round-robin and at random.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/map_reduce_results.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t k_placed_keys = 1000;

/// A hash whose partitions are ranges of keys; with `off`, the partitions are invalid.
struct range_hash {
  std::uint64_t off = 0;
  std::uint64_t operator()(std::uint64_t key) const { return hash64(key); }
  std::uint64_t partition(std::uint64_t key, std::uint64_t partitions) const {
    return key * partitions / k_placed_keys + off;
  }
};
/// A hash for texts, by the first letter.
struct letter_hash {
  std::uint64_t operator()(std::string_view key) const { return hash_bytes(key.data(), key.size()); }
  std::uint64_t partition(std::string_view key, std::uint64_t partitions) const {
    return (static_cast<std::uint64_t>(key[0]) - 'a') * partitions / 26;
  }
};

template <class Job>
void on_placements(Job job) {
  for (const unsigned cores : {1U, 3U, 8U}) run(job_options{.cores = cores}, job);
  for (const char* cluster :
       {"processes=2 cores=2 seed=1", "processes=3 cores=1 network=qdr faults=all seed=2"}) {
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    run(o, job);
  }
}

TEST(PartitionHash, NamesTheCoreOfAKey) {
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 5 * k_placed_keys; ++i) expected[i % k_placed_keys] += i;
  on_placements([&] {
    for (const engine by : test::k_engines) {
      map_reduce_options o;
      o.engine = by;
      const auto found = map_reduce<std::uint64_t, std::uint64_t>(
          count_input(5 * k_placed_keys, 64),
          [](std::uint64_t i, auto& out) { out.emit(i % k_placed_keys, i); }, std::plus<>{}, o, range_hash());
      test::expect_result(found, expected);
      const scoped_per_core<std::uint64_t> strangers;
      found.for_each([strangers = strangers.handle()](std::uint64_t key, std::uint64_t) {
        if (range_hash().partition(key, cores()) != here()) ++strangers.here();
      });
      EXPECT_EQ(strangers.fold(std::uint64_t{0}, std::plus<>()), 0U);
    }
  });
}

TEST(PartitionHash, OfTextsAndGroups) {
  on_placements([] {
    for (const engine by : test::k_engines) {
      map_reduce_options o;
      o.engine = by;
      const auto found = map_group_reduce<std::string_view, std::uint64_t>(
          count_input(3000, 64),
          [](std::uint64_t i, auto& out) {
            const std::string word(1 + i % 20, static_cast<char>('a' + i % 26));
            out.emit(std::string_view(word), i);
          },
          [](std::string_view, std::span<const std::uint64_t> values) { return values.size(); }, o,
          letter_hash());
      std::map<std::string, std::uint64_t> expected;
      for (std::uint64_t i = 0; i < 3000; ++i)
        ++expected[std::string(1 + i % 20, static_cast<char>('a' + i % 26))];
      test::expect_result(found, expected);
      const scoped_per_core<std::uint64_t> strangers;
      found.for_each([strangers = strangers.handle()](std::string_view key, std::uint64_t) {
        if (letter_hash().partition(key, cores()) != here()) ++strangers.here();
      });
      EXPECT_EQ(strangers.fold(std::uint64_t{0}, std::plus<>()), 0U);
    }
  });
}

TEST(PartitionHash, PairsLostWithACaughtExceptionAreTold) {
  run({.cores = 2}, [] {
    map_reduce_options o;
    o.engine = engine::hybrid;
    const auto emit = [](std::uint64_t i, auto& out) {
      try {
        out.emit(i, 1);
      } catch (const error&) {}
    };
    try {
      (void)map_reduce<std::uint64_t, std::uint64_t>(count_input(100'000), emit, std::plus<>{}, o,
                                                     range_hash{7});
      ADD_FAILURE() << "no error";
    } catch (const error& e) {
      // The last pairs of a core are combined after its map functions: that error is not caught.
      const std::string what = e.what();
      EXPECT_TRUE(what.find("so pairs are lost") != what.npos ||
                  what.find("expected a partition") != what.npos)
          << what;
    }
  });
}

TEST(PartitionHash, APartitionThatIsNoneIsNamed) {
  for (const engine by : test::k_engines)
    run({.cores = 3}, [by] {
      map_reduce_options o;
      o.engine = by;
      try {
        (void)map_reduce<std::uint64_t, std::uint64_t>(
            count_input(1), [](std::uint64_t i, auto& out) { out.emit(i, 1); }, std::plus<>{}, o,
            range_hash{7});
        ADD_FAILURE() << "no error";
      } catch (const error& e) {
        EXPECT_STREQ(e.what(),
                     "map_reduce: expected a partition from 0 to 2, found 7 by the hash of the keys");
      }
    });
}

TEST(Victims, EachTaskRunsOnceInEitherOrder) {
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 3000; ++i) ++expected[i % 7];
  on_placements([&] {
    for (const victims from : {victims::in_turn, victims::at_random}) {
      map_reduce_options o;
      o.steal_from = from;
      test::expect_result(
          map_reduce<std::uint64_t, std::uint64_t>(
              count_input(3000, 1), [](std::uint64_t i, auto& out) { out.emit(i % 7, 1); }, std::plus<>{}, o),
          expected);
    }
  });
}

TEST(Victims, TasksOfASlowCoreAreTakenInEitherOrder) {
  // Simulated, so every run is the same: the first core has all tasks.
  for (const victims from : {victims::in_turn, victims::at_random}) {
    job_options o;
    o.simulate = simulation::options::parse("processes=1 cores=6 seed=1");
    run(o, [from] {
      const scoped_per_core<std::uint64_t> heavy;
      map_reduce_options options;
      options.steal_from = from;
      (void)map_reduce<std::uint64_t, std::uint64_t>(
          count_input(600, 1),
          [heavy = heavy.handle()](std::uint64_t i, auto& out) {
            if (i < 100) {
              charge_work(1'000'000);
              ++heavy.here();
            }
            out.emit(i, 1);
          },
          std::plus<>{}, options);
      const auto by_core = collect(heavy.handle(), [](std::uint64_t& n) { return n; });
      for (const std::uint64_t n : by_core) {
        EXPECT_GT(n, 5U);
        EXPECT_LT(n, 40U);
      }
    });
  }
}

}  // namespace
}  // namespace gossamer
