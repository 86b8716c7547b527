#include "gossamer/machine/internal/watched_launcher.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gossamer/machine/internal/process_stat.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint32_t k_event = 5;
constexpr int k_descriptors = 1024;

pid_t start_waiting() {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  return child;
}

class WatchedLauncher : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(events_.open());
    pid_ = start_waiting();
  }
  void TearDown() override {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void hold(const char* name) {
    launcher_.hold(pid_, start_time_of(pid_), name, k_descriptors, events_, k_event, 1);
  }

  event_set events_;
  watched_launcher launcher_;
  pid_t pid_ = 0;
};

TEST_F(WatchedLauncher, IsLostWhenItEnds) {
  hold("mpirun");
  EXPECT_EQ(launcher_.lost_since(), watched_launcher::k_never);
  EXPECT_TRUE(launcher_.stays());
  ::kill(pid_, SIGKILL);
  std::uint32_t what = 0;
  events_.wait(-1, [&](std::uint32_t ready) { what = ready; });
  EXPECT_EQ(what, k_event);
  EXPECT_FALSE(launcher_.stays());
  launcher_.ended(events_, 7);
  EXPECT_EQ(launcher_.lost_since(), 7U);
  events_.wait(0, [](std::uint32_t) { ADD_FAILURE() << "told twice"; });
}

TEST_F(WatchedLauncher, IsLostWhereItWasGoneBefore) {
  launcher_.hold(pid_, start_time_of(pid_) + 1, "mpirun", k_descriptors, events_, k_event,
                 3);  // another process
  EXPECT_EQ(launcher_.lost_since(), 3U);
  hold("mpirun");  // held anew
  EXPECT_EQ(launcher_.lost_since(), watched_launcher::k_never);
}

TEST_F(WatchedLauncher, IsNoneWhereTheParentIsTheFirstProcess) {
  launcher_.hold(1, 1, "systemd", k_descriptors, events_, k_event, 3);
  EXPECT_EQ(launcher_.lost_since(), watched_launcher::k_never);
  EXPECT_FALSE(launcher_.stays());
}

TEST_F(WatchedLauncher, StaysOnlyWhereItIsAnMpis) {
  hold("slurmstepd");
  EXPECT_FALSE(launcher_.stays());
  for (const char* name : {"mpirun", "mpiexec.hydra", "orted", "prterun", "hydra_pmi_proxy"})
    EXPECT_TRUE(is_launcher_of_mpi(name)) << name;
  for (const char* name : {"gossamer", "slurmstepd", "sh", ""})
    EXPECT_FALSE(is_launcher_of_mpi(name)) << name;
}

TEST_F(WatchedLauncher, LendsItsStandardErrorWhileItIsThere) {
  int other[2] = {-1, -1};
  ASSERT_EQ(::pipe(other), 0);
  const int own = ::dup(STDERR_FILENO);
  ::dup2(other[1], STDERR_FILENO);
  const pid_t child = start_waiting();
  ::dup2(own, STDERR_FILENO);
  watched_launcher of_child;
  of_child.hold(child, start_time_of(child), "mpiexec", k_descriptors, events_, k_event, 1);
  const int lent = of_child.open_standard_error();
  ASSERT_GE(lent, 0);
  EXPECT_EQ(::write(lent, "x", 1), 1);
  char read = 0;
  EXPECT_EQ(::read(other[0], &read, 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(of_child.open_standard_error(), -1);
  for (const int descriptor : {other[0], other[1], own, lent}) ::close(descriptor);
}

TEST_F(WatchedLauncher, EndsWithWhatItHasStarted) {
  int ready[2] = {-1, -1};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    ::close(ready[0]);
    start_waiting();  // holds the pipe open
    [[maybe_unused]] const auto ignored = ::write(ready[1], "!", 1);
    for (;;) ::pause();
  }
  ::close(ready[1]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  watched_launcher other;
  other.hold(launcher, start_time_of(launcher), "mpirun", k_descriptors, events_, k_event, 1);
  other.end();
  EXPECT_EQ(::read(ready[0], &byte, 1), 0);  // all have gone
  int status = 0;
  ::waitpid(launcher, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  ::close(ready[0]);
}

}  // namespace
}  // namespace gossamer::machine
