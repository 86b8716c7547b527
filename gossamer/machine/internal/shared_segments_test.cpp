#include "gossamer/machine/internal/shared_segments.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <string>

#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

using test::child_process;

/// A segment of 4 KiB in /dev/shm, which this process maps where `mapped` (its children do not), and
/// has not open.
void make_segment(const std::string& name, bool mapped) {
  const int made = ::open(("/dev/shm/" + name).c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (made < 0 || ::ftruncate(made, 4096) != 0) ::_exit(98);
  if (mapped) {
    void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (memory == MAP_FAILED || ::madvise(memory, 4096, MADV_DONTFORK) != 0) ::_exit(98);
  }
  ::close(made);
}

bool is_there(const std::string& name) { return ::access(("/dev/shm/" + name).c_str(), F_OK) == 0; }

/// Runs the body where /dev/shm is its own, and empty; code 77 where that may not be.
template <class Body>
void with_own_folder(Body body) {
  child_process child([&](auto) {
    ::signal(SIGIO, SIG_IGN);
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", "/dev/shm", "tmpfs", 0, nullptr) != 0)
      ::_exit(77);
    ::_exit(body() ? 7 : 8);
  });
  child.finish();
  if (child.exited_with(77)) GTEST_SKIP() << "namespaces may not be made here";
  EXPECT_TRUE(child.exited_with(7)) << child.errors();
}

TEST(SharedSegments, OfTheDeadAreRemoved) {
  with_own_folder([] {
    const std::time_t since = ::time(nullptr);
    for (const char* name : {"vader_segment.a", "sm_segment.a", "open_mpi.0001", "mpich_shar_tmpa",
                             "ucx_shm_posix_a", "other.a"})
      make_segment(name, false);
    make_segment("vader_segment.mapped", true);
    remove_dead_segments(since);
    return !is_there("vader_segment.a") && !is_there("sm_segment.a") && !is_there("open_mpi.0001") &&
           !is_there("mpich_shar_tmpa") && !is_there("ucx_shm_posix_a") && is_there("other.a") &&
           is_there("vader_segment.mapped");
  });
}

TEST(SharedSegments, OfAnEarlierTimeStay) {
  with_own_folder([] {
    make_segment("vader_segment.a", false);
    remove_dead_segments(::time(nullptr) + 1000);
    return is_there("vader_segment.a");
  });
}

TEST(SharedSegments, OfProcessesThatCannotBeSeenStay) {
  with_own_folder([] {
    const std::time_t since = ::time(nullptr);
    make_segment("vader_segment.mapped", true);
    make_segment("vader_segment.a", false);
    if (::unshare(CLONE_NEWPID) != 0) ::_exit(77);
    const pid_t elsewhere = ::fork();
    if (elsewhere == 0) {
      if (::mount("none", "/proc", "proc", 0, nullptr) != 0) ::_exit(77);
      remove_dead_segments(since);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(elsewhere, &status, 0);
    if (status != 0) ::_exit(77);
    return is_there("vader_segment.mapped") && !is_there("vader_segment.a");
  });
}

}  // namespace
}  // namespace gossamer::machine
