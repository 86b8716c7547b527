#include "gossamer/machine/output_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/child_process.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

using test::child_process;
using test::content_of;
using test::temporary_folder;
using names = std::vector<std::string>;

template <class Body>
std::string complaint(Body body) {
  try {
    body();
  } catch (const error& failure) {
    return failure.what();
  }
  return "no complaint";
}

bool has_files_without_names(const temporary_folder& folder) {
  const int made = ::open(folder.path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (made >= 0) ::close(made);
  return made >= 0;
}

/// From here on this process has no files without names, as on file systems that have none.
bool refuse_files_without_names() {
  constexpr unsigned k_flags =
      offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);  // of openat, its low half
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, k_flags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const temporary_folder folder;
  output_file out(folder / "result.tsv");
  out.write("hello ");
  out.write("world\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "result.tsv"));
  if (has_files_without_names(folder)) {
    EXPECT_EQ(folder.names(), names{});
  }
  out.commit();
  EXPECT_EQ(folder.names(), names{"result.tsv"});
  EXPECT_EQ(content_of(folder / "result.tsv"), "hello world\n");
}

TEST(OutputFile, AppearsOnlyWhenCommittedWhereEveryFileHasAName) {
  const temporary_folder folder;
  folder.plant("old.tsv", "old");
  child_process child([&](auto) {
    if (!refuse_files_without_names()) ::_exit(77);
    for (const char* const name : {"new.tsv", "old.tsv"}) {
      output_file out(folder / name);
      out.write("hello");
      const names now = folder.names();
      if (std::ranges::count_if(now, [&](const std::string& n) {
            return n.starts_with("." + std::string(name) + ".tmp-");
          }) != 1)
        ::_exit(1);
      out.commit();
    }
    ::_exit(content_of(folder / "old.tsv") == "hello" && folder.names().size() == 2 ? 0 : 2);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_TRUE(child.exited_with(0));
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const temporary_folder folder;
  { output_file(folder / "result.tsv").write("half"); }
  EXPECT_EQ(folder.names(), names{});
}

TEST(OutputFile, KeepsTheOldFileWithoutCommit) {
  const temporary_folder folder;
  folder.plant("result.tsv", "old");
  { output_file(folder / "result.tsv").write("new"); }
  EXPECT_EQ(content_of(folder / "result.tsv"), "old");
  EXPECT_EQ(folder.names(), names{"result.tsv"});
}

TEST(OutputFile, ReplacesAFileAndKeepsItsPermissions) {
  const temporary_folder folder;
  const std::string path = folder.plant("result.tsv", "old and longer");
  ::chmod(path.c_str(), 0640);
  output_file out(path);
  out.write("new");
  out.commit();
  EXPECT_EQ(content_of(path), "new");
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

/// From here on this process's calls of fchmod do nothing, and succeed.
bool ignore_fchmod() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fchmod, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(OutputFile, IsNeverOpenToMoreThanTheFileThatItReplaces) {
  const temporary_folder folder;
  const std::string path = folder.plant("secret.tsv", "old");
  ::chmod(path.c_str(), 0600);
  child_process child([&](auto) {
    ::umask(0);
    if (!refuse_files_without_names() || !ignore_fchmod()) ::_exit(77);
    const output_file out(path);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path() != path)
        ::_exit((static_cast<unsigned>(entry.status().permissions()) & 0077) == 0 ? 7 : 8);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_TRUE(child.exited_with(7));
}

TEST(OutputFile, KeepsOwnerAndGroupWhereItMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const temporary_folder folder;
  const std::string path = folder.plant("result.tsv", "old");
  ASSERT_EQ(::chown(path.c_str(), 65534, 65533), 0);
  ::chmod(path.c_str(), 0640);
  output_file out(path);
  out.commit();
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 65534U);
  EXPECT_EQ(status.st_gid, 65533U);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(OutputFile, DoesNotOpenTheFileToAnotherGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can plant a file of another group";
  const temporary_folder folder;
  const std::string path = folder.plant("result.tsv", "old");
  ASSERT_EQ(::chown(path.c_str(), 65534, 0), 0);
  ::chmod(path.c_str(), 0664);
  ::chmod(folder.path().c_str(), 0777);
  child_process child([&](auto) {
    if (::setgroups(0, nullptr) != 0 || !test::drop_root()) ::_exit(98);
    output_file out(path);
    out.commit();
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(0));
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, 65534U);
  EXPECT_EQ(status.st_mode & 07777, 0644U);
}

TEST(OutputFile, ObeysTheUmask) {
  const temporary_folder folder;
  const mode_t before = ::umask(0027);
  output_file out(folder / "x");
  out.commit();
  ::umask(before);
  struct stat status = {};
  ASSERT_EQ(::stat((folder / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(OutputFile, WritesThroughASymbolicLink) {
  const temporary_folder folder;
  const std::string target = folder.plant("real/data", "old");
  std::filesystem::create_symlink(target, folder / "link");
  output_file out(folder / "link");
  out.write("new");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(content_of(target), "new");
}

TEST(OutputFile, WritesThroughASymbolicLinkToWhatIsNotThereYet) {
  const temporary_folder folder;
  folder.plant("real/old", "old");
  std::filesystem::create_symlink("real/first", folder / "link");
  std::filesystem::create_symlink(folder / "link", folder / "second");
  output_file out(folder / "second");
  out.write("new");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link") && std::filesystem::is_symlink(folder / "second"));
  EXPECT_EQ(content_of(folder / "real/first"), "new");
  std::filesystem::create_symlink("round", folder / "round");
  EXPECT_NE(complaint([&] { output_file(folder / "round"); }).find("round"), std::string::npos);
}

TEST(OutputFile, RefusesAMountPointAtOnce) {
  const temporary_folder folder;
  folder.plant("one", "old");
  folder.plant("two", "");
  child_process child([&](auto) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount((folder / "one").c_str(), (folder / "two").c_str(), nullptr, MS_BIND, nullptr) != 0)
      ::_exit(77);
    const std::string why = complaint([&] { output_file(folder / "two"); });
    ::_exit(why.find("two: it is a mount point") != why.npos && content_of(folder / "one") == "old" ? 0 : 1);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "no mounts here";
  EXPECT_TRUE(child.exited_with(0));
}

TEST(OutputFile, ScratchFilesNeedNoEntryAmongUnfinishedOnes) {
  const temporary_folder folder;
  child_process child([&](auto) {
    if (!refuse_files_without_names()) ::_exit(77);
    std::vector<int> entries;
    for (int e = 0; (e = try_to_remember_temporary(folder / "none")) >= 0;) entries.push_back(e);
    scratch_file one = scratch_file::in(folder.path());
    one.append(std::as_bytes(std::span("text")));
    for (const int e : entries) forget_temporary(e);  // this process shares the table
    ::_exit(folder.names().empty() && !entries.empty() ? 0 : 1);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_TRUE(child.exited_with(0));
}

TEST(OutputFile, WritesMoreThanItsBuffer) {
  const temporary_folder folder;
  std::string expected;
  output_file out(folder / "big");
  for (int i = 0; i < 300'000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    out.write(line);
    expected += line;
  }
  const std::string block(3'000'000, 'b');
  out.write(block);
  out.write("end");
  out.commit();
  EXPECT_EQ(content_of(folder / "big"), expected + block + "end");
}

TEST(OutputFile, TakesRelativeNames) {
  const temporary_folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  output_file out("relative");
  std::filesystem::current_path(before);  // the file still belongs where it was opened
  out.write("x");
  out.commit();
  EXPECT_EQ(content_of(folder / "relative"), "x");
}

TEST(OutputFile, TakesNamesOfAnyLegalLength) {
  const temporary_folder folder;
  const std::string name(255, 'n');
  output_file out(folder / name);
  out.commit();
  EXPECT_EQ(folder.names(), names{name});
}

TEST(OutputFile, Moves) {
  const temporary_folder folder;
  output_file first(folder / "x");
  first.write("ab");
  output_file second(std::move(first));
  second.write("c");
  second.commit();
  EXPECT_EQ(content_of(folder / "x"), "abc");
}

TEST(OutputFile, IsFilledInPlaceBySeveralThreads) {
  const temporary_folder folder;
  output_file out(folder / "x");
  out.resize(20'000);
  const auto bytes = out.map();
  ASSERT_EQ(bytes.size(), 20'000U);
  {
    thread low("low", [=] { std::fill(bytes.begin(), bytes.begin() + 5'000, std::byte{'a'}); });
    thread high("high", [=] { std::fill(bytes.begin() + 5'000, bytes.begin() + 10'000, std::byte{'b'}); });
    thread other("other", [&] {
      const std::string block(10'000, 'c');
      out.write_at(10'000, std::as_bytes(std::span(block)));
    });
  }
  out.commit();
  EXPECT_EQ(content_of(folder / "x"),
            std::string(5'000, 'a') + std::string(5'000, 'b') + std::string(10'000, 'c'));
}

TEST(OutputFile, MayBeResizedToNothing) {
  const temporary_folder folder;
  output_file out(folder / "x");
  out.resize(100);
  out.resize(0);
  EXPECT_TRUE(out.map().empty());
  out.commit();
  EXPECT_EQ(file_bytes(folder / "x"), 0U);
}

TEST(OutputFile, ComplainsOnOneLineAboutItsTarget) {
  const temporary_folder folder;
  const auto open = [](const std::string& path) { return complaint([&] { const output_file out(path); }); };
  EXPECT_EQ(open(folder / "no/where"),
            "cannot write " + (folder / "no/where") + ": No such file or directory");
  EXPECT_EQ(open(folder.path()), "cannot write " + folder.path() + ": Is a directory");
  EXPECT_EQ(open(folder / "new/"), "cannot write " + (folder / "new/") + ": Is a directory");
  EXPECT_EQ(open(""), "cannot write \"\": No such file or directory");
  const std::string plain = folder.plant("plain", "");
  EXPECT_EQ(open(plain + "/below"), "cannot write " + plain + "/below: Not a directory");
  EXPECT_EQ(folder.names(), names{"plain"});
}

TEST(OutputFile, ComplainsAboutATargetThatMayNotBeWritten) {
  const temporary_folder folder;
  const std::string locked = folder.plant("open/locked", "old");
  const std::string in_locked_folder = folder / "new";
  ::chmod(folder.path().c_str(), 0555);
  ::chmod((folder / "open").c_str(), 0777);
  ::chmod(locked.c_str(), 0444);
  child_process child([&](auto) {
    if (!test::drop_root()) ::_exit(98);
    for (const std::string& path : {locked, in_locked_folder})
      if (complaint([&] { const output_file out(path); }) != "cannot write " + path + ": Permission denied")
        ::_exit(8);
    ::_exit(7);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7));
  ::chmod(folder.path().c_str(), 0755);  // so that it can be removed
}

TEST(OutputFile, ComplainsAboutAFullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const std::string expected = "cannot write /dev/full: No space left on device";
  EXPECT_EQ(complaint([] {
              output_file out("/dev/full");
              EXPECT_FALSE(out.is_regular());
              out.write("x");
              out.commit();
            }),
            expected);
  EXPECT_EQ(complaint([] { output_file("/dev/full").write(std::string(5'000'000, 'x')); }), expected);
}

// A limit on file sizes stands for the full disk: both fail inside write(2) and posix_fallocate.
TEST(OutputFile, ThatGrowsTooLargeLeavesNothing) {
  const temporary_folder folder;
  const std::string path = folder / "x";
  child_process child([&](auto) {
    install_interrupt_handlers();  // ignores SIGXFSZ
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string expected = "cannot write " + path + ": File too large";
    const bool by_writing =
        complaint([&] { output_file(path).write(std::string(5'000'000, 'x')); }) == expected;
    const bool by_resizing = complaint([&] { output_file(path).resize(5'000'000); }) == expected;
    ::_exit(by_writing && by_resizing ? 7 : 8);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7));
  EXPECT_EQ(folder.names(), names{});
}

TEST(OutputFile, WritesToStandardOutputDirectly) {
  const temporary_folder folder;
  const std::string path = folder.plant("redirected", "");
  child_process child([&](auto) {
    if (std::freopen(path.c_str(), "w", stdout) == nullptr) ::_exit(98);
    std::fputs("printed first\n", stdout);
    output_file out("/dev/stdout");
    out.write("then written\n");
    out.commit();
    std::fputs("then printed\n", stdout);
    std::fflush(stdout);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(0));
  EXPECT_EQ(content_of(path), "printed first\nthen written\nthen printed\n");
}

TEST(OutputFile, ComplainsAboutADescriptorThatIsNotOpen) {
  EXPECT_EQ(complaint([] { const output_file out("/dev/fd/987"); }),
            "cannot write /dev/fd/987: Bad file descriptor");
}

TEST(OutputFile, ComplainsWhereTooManyAreUnfinishedThatHaveNames) {
  const temporary_folder folder;
  child_process child([&](auto) {
    if (!refuse_files_without_names()) ::_exit(77);
    std::vector<output_file> many;
    const std::string said = complaint([&] {
      for (int i = 0; i < 1000; ++i) many.emplace_back(folder / std::to_string(i));
    });
    if (said.find("more than 64 unfinished output files") == std::string::npos) ::_exit(1);
    many.clear();
    if (!folder.names().empty()) ::_exit(2);
    output_file(folder / "again").commit();
    ::_exit(0);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_TRUE(child.exited_with(0));
}

// Starts a child that has half a file written, sends it a signal, and looks what is left.
void expect_clean_end(int signal_number, const std::string& expected_errors) {
  const temporary_folder folder;
  child_process child([&](auto ready) {
    install_interrupt_handlers();
    if (!refuse_files_without_names()) ::_exit(77);
    output_file out(folder / "result.tsv");
    out.write(std::string(2'000'000, 'x'));
    ready();
    for (;;) ::pause();
  });
  if (!child.wait_until_ready()) {
    child.finish();
    ASSERT_TRUE(child.exited_with(77));
    GTEST_SKIP() << "system calls cannot be filtered here";
  }
  EXPECT_EQ(folder.names().size(), 1U);
  child.send(signal_number);
  child.finish();
  EXPECT_TRUE(child.killed_by(signal_number));
  EXPECT_EQ(child.errors(), expected_errors);
  EXPECT_EQ(folder.names(), names{});
}

TEST(Interrupt, RemovesTemporaryFilesOnSigterm) { expect_clean_end(SIGTERM, "gossamer: interrupted\n"); }
TEST(Interrupt, RemovesTemporaryFilesOnSigint) { expect_clean_end(SIGINT, "gossamer: interrupted\n"); }
TEST(Interrupt, RemovesTemporaryFilesOnSighup) { expect_clean_end(SIGHUP, "gossamer: interrupted\n"); }
TEST(Interrupt, IsSilentAboutABrokenPipe) { expect_clean_end(SIGPIPE, ""); }

TEST(OutputFile, LeavesNothingWhenItsProcessIsKilled) {
  const temporary_folder folder;
  if (!has_files_without_names(folder)) GTEST_SKIP() << "every file has a name here";
  child_process child([&](auto ready) {
    output_file out(folder / "result.tsv");
    out.write(std::string(2'000'000, 'x'));
    ready();
    for (;;) ::pause();
  });
  ASSERT_TRUE(child.wait_until_ready());
  child.send(SIGKILL);
  child.finish();
  EXPECT_EQ(folder.names(), names{});
}

/// Has what is written to standard error wait until `may_go_on` can be read from.
void hold_up_standard_error(int may_go_on) {
  int ends[2];
  if (::pipe(ends) != 0 || ::fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) ::_exit(1);
  char bytes[4096] = {};
  while (::write(ends[1], bytes, sizeof bytes) > 0) {}
  if (::fcntl(ends[1], F_SETFL, 0) != 0 || ::dup2(ends[1], STDERR_FILENO) < 0) ::_exit(1);
  sigset_t signals, before;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, &before);  // the reader's: a handler there would wait for itself
  static thread* reader = new thread("reads", [from = ends[0], may_go_on] {
    char some[4096];
    if (::read(may_go_on, some, 1) < 0) ::_exit(1);
    while (::read(from, some, sizeof some) > 0) {}
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  (void)reader;
}

/// Threads name files, and the process is about to end: its handler has removed what has a name, and waits to say so.
TEST(Interrupt, IsFollowedByNoNewName) {
  constexpr int k_looks = 2000;  // at names that must not come: each takes a while
  const temporary_folder folder;
  int may_go_on[2];
  ASSERT_EQ(::pipe(may_go_on), 0);
  child_process child([&](auto ready) {
    install_interrupt_handlers();
    if (!refuse_files_without_names()) ::_exit(77);
    hold_up_standard_error(may_go_on[0]);
    const auto name_again_and_again = [&] {
      for (;;) {
        const output_file out(folder / "result.tsv");
        ::usleep(100);
      }
    };
    const thread other("names", name_again_and_again);
    ready();
    name_again_and_again();
  });
  if (!child.wait_until_ready()) {
    child.finish();
    ASSERT_TRUE(child.exited_with(77));
    GTEST_SKIP() << "system calls cannot be filtered here";
  }
  child.send(SIGTERM);
  for (int looks = 0; looks < k_looks; ++looks) (void)folder.names();
  ASSERT_EQ(::write(may_go_on[1], "x", 1), 1);
  child.finish();
  EXPECT_TRUE(child.killed_by(SIGTERM));
  EXPECT_EQ(folder.names(), names{});
  for (const int end : may_go_on) ::close(end);
}

TEST(Interrupt, LeavesIgnoredSignalsIgnored) {
  child_process child([&](auto) {
    ::signal(SIGHUP, SIG_IGN);  // as nohup does
    install_interrupt_handlers();
    ::raise(SIGHUP);
    ::_exit(7);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7));
}

TEST(Interrupt, OfAChildLeavesItsParentsFiles) {
  const temporary_folder folder;
  output_file out(folder / "result.tsv");
  child_process child([&](auto ready) {
    install_interrupt_handlers();
    ready();
    for (;;) ::pause();
  });
  ASSERT_TRUE(child.wait_until_ready());
  child.send(SIGTERM);
  child.finish();
  out.write("x");
  out.commit();
  EXPECT_EQ(content_of(folder / "result.tsv"), "x");
}

}  // namespace
}  // namespace gossamer::machine
