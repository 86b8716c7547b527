// The processes of a simulated job are one process, so they see the same files. Differences between nodes are
// tested on nodes (tests/nodes/bad_use_test.py).
#include "gossamer/files/same_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

std::string refusal(const std::vector<std::string>& paths) {
  std::string said;
  job_options o;
  o.simulate = simulation::options::parse("processes=3 cores=1 seed=1");
  run(o, [&] {
    try {
      files::require_same_files(paths);
    } catch (const error& why) {
      said = why.what();
    }
  });
  return said;
}

TEST(SameFiles, PassWhereTheyAreTheSame) {
  const test::temporary_folder folder;
  const std::string empty = folder / "empty", small = folder / "small", large = folder / "large";
  std::ofstream(empty).flush();
  std::ofstream(small) << "1 2\n";
  std::ofstream(large) << std::string(100'000, 'x');
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({small, empty, large, "-", small}), "");
}

TEST(SameFiles, AreNamedByProcess0WhereItCannotReadThem) {
  const test::temporary_folder folder;
  EXPECT_EQ(refusal({folder / "none"}), "cannot read " + (folder / "none") + ": No such file or directory");
}

}  // namespace
}  // namespace gossamer
