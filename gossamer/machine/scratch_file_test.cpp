#include "gossamer/machine/scratch_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_at(const scratch_file& file, std::uint64_t at, std::size_t bytes) {
  std::string text(bytes, '\0');
  file.read(at, std::as_writable_bytes(std::span(text)));
  return text;
}

template <class Body>
std::string complaint_of(Body body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(ScratchFile, HasNoNameAndHoldsWhatWasAppended) {
  const test::temporary_folder folder;
  scratch_file file = scratch_file::in(folder.path());
  EXPECT_EQ(file.append(bytes_of("one")), 0U);
  EXPECT_EQ(file.append(bytes_of("twotwo")), 3U);
  EXPECT_EQ(file.bytes(), 9U);
  EXPECT_EQ(text_at(file, 3, 6), "twotwo");
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
  const scratch_file moved = std::move(file);
  EXPECT_EQ(text_at(moved, 0, 3), "one");
}

TEST(ScratchFile, ANamedOneStaysAndIsContinued) {
  const test::temporary_folder folder;
  scratch_file::named(folder / "runs").append(bytes_of("begun, torn"));
  {
    scratch_file again = scratch_file::named(folder / "runs");
    EXPECT_EQ(again.bytes(), 11U);
    again.shorten(5);
    EXPECT_EQ(again.append(bytes_of(" anew")), 5U);
    again.sync();
  }
  EXPECT_EQ(test::content_of(folder / "runs"), "begun anew");
  EXPECT_TRUE(remove_file(folder / "runs"));
  EXPECT_FALSE(remove_file(folder / "runs"));
}

TEST(ScratchFile, ANamedOneIsOpenOnce) {
  const test::temporary_folder folder;
  const scratch_file file = scratch_file::named(folder / "runs");
  EXPECT_EQ(complaint_of([&] { (void)scratch_file::named(folder / "runs"); }),
            "cannot write " + (folder / "runs") + ": another process uses it");
}

TEST(ScratchFile, ANamedOneHasItsNameAlsoWhereOthersRemoveIt) {
  const test::temporary_folder folder;
  std::atomic<unsigned> nameless = 0;
  const auto take_often = [&] {
    for (int i = 0; i < 20'000; ++i) try {
        scratch_file file = scratch_file::named(folder / "runs");
        file.append(bytes_of("mine"));
        if (!std::filesystem::exists(folder / "runs") || test::content_of(folder / "runs") != "mine")
          ++nameless;
        remove_file(folder / "runs");
      } catch (const error&) {}
  };
  {
    const std::jthread other(take_often), another(take_often);
    take_often();
  }
  EXPECT_EQ(nameless, 0U);
}

TEST(ScratchFile, NamesTheFolderThatIsMissing) {
  EXPECT_EQ(complaint_of([] { (void)scratch_file::in("/nowhere/at all"); }),
            "cannot make a scratch file in /nowhere/at all: No such file or directory");
}

TEST(ScratchFile, ReadingBehindItsEndIsRefused) {
  const test::temporary_folder folder;
  scratch_file file = scratch_file::in(folder.path());
  file.append(bytes_of("short"));
  EXPECT_EQ(
      complaint_of([&] { (void)text_at(file, 2, 9); }),
      "cannot read a scratch file in " + folder.path() + ": expected 6 more bytes at byte 5, found its end");
}

TEST(ScratchFile, AFullDiskIsOneLine) {
  const test::temporary_folder folder;
  scratch_file file = scratch_file::in(folder.path());
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = complaint_of([&] { file.append(bytes_of(std::string(10'000, 'x'))); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  (void)std::signal(SIGXFSZ, old_action);
  EXPECT_EQ(said, "cannot write a scratch file in " + folder.path() + ": File too large");
}

}  // namespace
}  // namespace gossamer::machine
