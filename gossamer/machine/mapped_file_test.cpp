#include "gossamer/machine/mapped_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/child_process.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

using test::temporary_folder;

std::string complaint_about(const std::string& path) {
  try {
    const mapped_file file(path);
  } catch (const error& failure) {
    return failure.what();
  }
  return "no complaint";
}

class EveryAccess : public testing::TestWithParam<access> {};

TEST_P(EveryAccess, ReadsTheWholeFile) {
  const temporary_folder folder;
  std::string content;
  for (int i = 0; i < 50'000; ++i) content += std::to_string(i) + "\n";
  const mapped_file file(folder.plant("data", content), GetParam());
  EXPECT_EQ(file.text(), content);
  EXPECT_EQ(file.bytes().size(), content.size());
  EXPECT_EQ(file.path(), folder / "data");
  file.populate(5000, content.size() - 5000);
  file.discard(0, content.size());
  EXPECT_EQ(file.text(), content);
}

INSTANTIATE_TEST_SUITE_P(MappedFile, EveryAccess,
                         testing::Values(access::sequential, access::random, access::will_need,
                                         access::populate));

TEST(MappedFile, MayBeEmpty) {
  const temporary_folder folder;
  const mapped_file file(folder.plant("empty", ""));
  EXPECT_TRUE(file.bytes().empty());
  EXPECT_TRUE(mapped_file().text().empty());
}

TEST(MappedFile, Moves) {
  const temporary_folder folder;
  mapped_file first(folder.plant("data", "abc"));
  mapped_file second(std::move(first));
  EXPECT_TRUE(first.bytes().empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  first = std::move(second);
  EXPECT_EQ(first.text(), "abc");
}

TEST(MappedFile, ComplainsOnOneLine) {
  const temporary_folder folder;
  EXPECT_EQ(complaint_about(folder / "x.tsv"),
            "cannot read " + (folder / "x.tsv") + ": No such file or directory");
  EXPECT_EQ(complaint_about(folder.path()), "cannot read " + folder.path() + ": Is a directory");
  const std::string file = folder.plant("plain", "1");
  EXPECT_EQ(complaint_about(file + "/below"), "cannot read " + file + "/below: Not a directory");
}

TEST(MappedFile, ComplainsAboutAFileThatMayNotBeRead) {
  const temporary_folder folder;
  const std::string path = folder.plant("secret", "1");
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(path.c_str(), 0);
  test::child_process child([&](auto) {
    if (!test::drop_root()) ::_exit(98);
    ::_exit(complaint_about(path) == "cannot read " + path + ": Permission denied" ? 7 : 8);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7));
}

TEST(MappedFile, ReadsAPipeToItsEnd) {
  const temporary_folder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string content(3'000'000, 'x');  // more than the first region holds
  thread writer("writer", [&] { std::ofstream(path, std::ios::binary) << content; });
  const mapped_file file(path);
  EXPECT_EQ(file.text(), content);
  file.discard(0, content.size());
  EXPECT_EQ(file.text(), content);
}

TEST(MappedFile, ReadsFilesOfProcWhichSayTheyAreEmpty) {
  const mapped_file file("/proc/self/status");
  EXPECT_NE(file.text().find("VmRSS"), std::string_view::npos);
}

TEST(MappedFile, ReadsFromADevice) { EXPECT_TRUE(mapped_file("/dev/null").bytes().empty()); }

TEST(MappedFile, AnOpenFileIsReadFromItsPosition) {
  const temporary_folder folder;
  const int descriptor = ::open(folder.plant("data", "header\nb\na\n").c_str(), O_RDONLY);
  ASSERT_EQ(::lseek(descriptor, 7, SEEK_SET), 7);
  const std::string path = "/dev/fd/" + std::to_string(descriptor);
  for (int again = 0; again < 2; ++again) {  // the position stays
    EXPECT_EQ(mapped_file(path).text(), "b\na\n");
    EXPECT_EQ(read_file_prefix(path, 2), "b\n");
    EXPECT_EQ(file_bytes(path), 4U);
  }
  ::close(descriptor);
}

TEST(MappedFile, ReadsASocket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ASSERT_EQ(::write(ends[0], "text", 4), 4);
  ::close(ends[0]);
  EXPECT_EQ(mapped_file("/proc/self/fd/" + std::to_string(ends[1])).text(), "text");
  ::close(ends[1]);
}

TEST(FilePrefix, IsAtMostWhatIsThere) {
  const temporary_folder folder;
  const std::string path = folder.plant("data", "hello");
  EXPECT_EQ(read_file_prefix(path, 3), "hel");
  EXPECT_EQ(read_file_prefix(path, 300), "hello");
  EXPECT_EQ(file_bytes(path), 5U);
  EXPECT_THROW((void)read_file_prefix(folder / "missing", 3), error);
  EXPECT_THROW((void)read_file_prefix(folder.path(), 3), error);
  EXPECT_THROW((void)file_bytes(folder / "missing"), error);
}

TEST(FilePrefix, LeavesAPipeAlone) {
  const temporary_folder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(read_file_prefix(path, 10), "");  // would wait for a writer if it opened the pipe
  EXPECT_EQ(file_bytes(path), 0U);
}

TEST(MappedFile, ThatShrinksEndsTheProgramWithItsName) {
  const temporary_folder folder;
  const std::string path = folder.plant("shrinking", std::string(3 * page_bytes(), 'x'));
  test::child_process child([&](auto) {
    install_fault_handlers();
    const mapped_file file(path, access::random);
    if (::truncate(path.c_str(), 0) != 0) ::_exit(98);
    const char last = *static_cast<const volatile char*>(file.text().data() + 2 * page_bytes());
    ::_exit(last);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(2)) << child.errors();
  EXPECT_EQ(child.errors(), "error: " + path + ": the file became shorter while it was read\n");
}

}  // namespace
}  // namespace gossamer::machine
