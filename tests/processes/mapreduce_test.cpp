// MapReduce of a job of several processes: every process runs this program (under mpirun, with GOSSAMER_CORES), the tests' main
// fibers run in process 0. Where started alone it is a job of one process.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/map_reduce_cases.hpp"

namespace gossamer {
namespace {

TEST(MapReduceOfProcesses, ContainersAgreeWithTheSerialMapByEachEngine) {
  run(job_options::from_environment(), [] { test::check_containers(test::any_map_seed()); });
}

/// Counts words, half of which begin alike, and compares all of them in two orders: more than one core sorts alone.
void check_orders(engine by, bool sorted, std::uint64_t seed) {
  SCOPED_TRACE(test::job_of(60'000, by, seed) << (sorted ? ", sorted" : ""));
  const auto word_of = [seed](std::uint64_t i) {
    const std::uint64_t n = hash64(i ^ seed) % 40'000;
    return (n % 2 == 0 ? "equal beginning" : "w") + std::to_string(n);
  };
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 60'000; ++i) ++expected[word_of(i)];
  map_reduce_options o;
  o.engine = by;
  o.sorted = sorted;
  const auto found = map_reduce<std::string_view, std::uint64_t>(
      count_input(60'000),
      [word_of](std::uint64_t i, auto& out) { out.emit(std::string_view(word_of(i)), 1); }, std::plus<>{}, o);
  EXPECT_EQ(found.is_in_order(), sorted);
  EXPECT_GT(found.size(), 3 * sorting::k_sort_alone);
  test::expect_result(found, expected);
  EXPECT_TRUE(found.collect(by_value()) == test::first_by_value(expected, expected.size()));
}

TEST(MapReduceOfProcesses, OrdersAgreeWithASerialSortByEachEngine) {
  run(job_options::from_environment(), [] {
    const std::uint64_t seed = test::any_map_seed();
    for (const engine by : test::k_engines)
      for (const bool sorted : {false, true}) check_orders(by, sorted, seed);
  });
}

}  // namespace
}  // namespace gossamer
