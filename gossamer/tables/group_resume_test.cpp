// Resumed work of group_by(), for every order in which a start learns the types of columns.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "gossamer/parallel/job.hpp"
#include "gossamer/tables/group_by.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

/// Returns a table of two columns of integers, except in two chunks: a row makes the first column real in one
/// of them, the second in the other.
std::string table(bool first_before_second) {
  constexpr std::size_t k_chunks = 12, k_rows = 4000;
  std::string text = "k,a,b\n";
  for (std::size_t chunk = 0; chunk < k_chunks; ++chunk)
    for (std::size_t row = 0; row < k_rows; ++row) {
      const bool one = row == k_rows / 2 && (chunk == 6 || chunk == 9);
      const bool first = (chunk == 6) == first_before_second;
      text += !one ? "k,100,100\n" : first ? "k,0.5,100\n" : "k,100,0.5\n";
    }
  return text;
}

TEST(GroupResume, TypesMayBeMetInAnotherOrder) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("t.csv", table(true));
  const auto changed = std::filesystem::last_write_time(path);
  const std::string work = (std::filesystem::path(path).parent_path() / "work").string();
  group_query query{.paths = {path},
                    .by = {"k"},
                    .results = {{aggregate::sum, "a"}, {aggregate::sum, "b"}},
                    .resume = work};
  struct stopped : std::runtime_error {
    using runtime_error::runtime_error;
  };
  unsigned passes = 0;
  std::uint64_t before = 0;
  query.progress = [&](std::uint64_t done, std::uint64_t) {
    passes += done <= before ? 1 : 0;
    before = done;
    if (passes == 1 && done > 2) throw stopped("in the second pass");
  };
  EXPECT_THROW(run({.cores = 1}, [&] { group_by(query); }), stopped);
  // Stands for another order of the cores: the same file with those rows exchanged.
  folder.plant("t.csv", table(false));
  std::filesystem::last_write_time(path, changed);
  query.progress = {};
  run({.cores = 1}, [&] {
    grouped_rows groups = group_by(query);
    groups.for_each({}, [](std::span<const group_value> row) {
      EXPECT_EQ(row[1].real, 47999 * 100 + 0.5);
      EXPECT_EQ(row[2].real, 47999 * 100 + 0.5);
    });
    groups.forget_work();
  });
  EXPECT_TRUE(std::filesystem::is_empty(work))
      << "left over: " << std::filesystem::directory_iterator(work)->path();
}

}  // namespace
}  // namespace gossamer
