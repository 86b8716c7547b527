// The sort of binary numbers against std::sort, in memory and with scratch files, in several processes of a
// simulated cluster.
#include "gossamer/sort/sort_binary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

std::vector<std::uint32_t> some_numbers(std::uint64_t seed, std::size_t n) {
  xoshiro256 draw(seed);
  std::vector<std::uint32_t> all(n, 7);
  for (std::size_t i = n / 3; i < n; ++i)  // equal ones, random ones, and some in order
    all[i] = i < n / 2 ? static_cast<std::uint32_t>(draw()) : static_cast<std::uint32_t>(i);
  return all;
}

std::string bytes_of(const std::vector<std::uint32_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]};
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Sorts two files of numbers, one of them empty if n is small, and compares with std::sort.
void check_sorted(std::size_t n, std::uint64_t memory_bytes, bool spills) {
  constexpr std::uint64_t k_seed = 5;
  const test::temporary_folder folder;
  std::vector<std::uint32_t> all = some_numbers(k_seed, n);
  const std::vector<std::uint32_t> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n / 5));
  folder.plant("a", bytes_of(first));
  folder.plant("b", bytes_of({all.begin() + static_cast<std::ptrdiff_t>(n / 5), all.end()}));
  sort_lines_statistics what;
  sort_lines_options how;
  how.memory_bytes = memory_bytes;
  how.statistics = &what;
  sort_binary({folder / "a", folder / "b"}, binary_type::u32, false, folder / "out", how);
  std::ranges::sort(all);
  EXPECT_TRUE(whole_file(folder / "out") == bytes_of(all)) << n << " numbers, seed " << k_seed;
  EXPECT_EQ(what.runs > 1, spills);
}

class SortBinarySimulated : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, SortBinarySimulated,
                         ::testing::Values("processes=1 cores=3", "processes=2 cores=2",
                                           "processes=5 cores=1",
                                           "processes=3 cores=2 network=qdr faults=all seed=3"));

TEST_P(SortBinarySimulated, AgreesWithStdSortInMemoryAndBeyond) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "it leaves no addresses for windows";
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [] {
    for (const std::size_t n : {0, 3, 50'000}) check_sorted(n, 0, false);
    check_sorted(3, sort_lines_options::k_least_memory, false);
    check_sorted(1'000'000, sort_lines_options::k_least_memory, true);
  });
}

}  // namespace
}  // namespace gossamer
