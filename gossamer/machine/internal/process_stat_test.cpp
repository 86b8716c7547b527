#include "gossamer/machine/internal/process_stat.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

TEST(ProcessStat, TellsTheStateAndTheParent) {
  test::child_process child([](auto ready) {
    ready();
    for (;;) ::pause();
  });
  ASSERT_TRUE(child.wait_until_ready());
  EXPECT_EQ(stat_of(child.pid()).parent, ::getpid());
  EXPECT_GE(start_time_of(child.pid()), start_time_of(::getpid()));
  child.send(SIGSTOP);
  int status = 0;
  ::waitpid(child.pid(), &status, WUNTRACED);
  EXPECT_EQ(stat_of(child.pid()).state, 'T');
  child.send(SIGKILL);
}

TEST(ProcessStat, TellsHowAProcessHasEndedThatIsNotCollected) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(5);
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  siginfo_t info = {};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const std::uint64_t started = start_time_of(child);
  const int status = wait_status_of(child, started, descriptor);
  EXPECT_TRUE(status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 5) << status;
  EXPECT_NE(wait_status_of(child, started + 1, descriptor), status);  // another process of that number
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(start_time_of(child), 0U);
  ::close(descriptor);
}

/// A process whose environment is this, until the guard goes.
class sleeper {
 public:
  explicit sleeper(const char* variable)
      : child_([variable](auto) {
          const char* const words[] = {"sleep", "1000", nullptr};
          const char* const environment[] = {"A_B=9", variable, "B=7", nullptr};
          ::execve("/bin/sleep", const_cast<char**>(words), const_cast<char**>(environment));
          ::_exit(97);
        }) {
    while (environment_number(child_.pid(), "B") != 7 && stat_of(child_.pid()).state != 'Z') {}
  }
  ~sleeper() { child_.send(SIGKILL); }
  int pid() const { return child_.pid(); }

 private:
  test::child_process child_;
};

TEST(ProcessStat, FindsANumberInTheEnvironmentOfAnotherProcess) {
  EXPECT_EQ(environment_number(sleeper("RANK=12").pid(), "RANK"), 12);
  EXPECT_EQ(environment_number(sleeper("RANK=0").pid(), "RANK"), 0);
  EXPECT_EQ(environment_number(sleeper("RANK=").pid(), "RANK"), -1);
  EXPECT_EQ(environment_number(sleeper("RANK=1x").pid(), "RANK"), -1);
  EXPECT_EQ(environment_number(sleeper("RANKS=1").pid(), "RANK"), -1);
  EXPECT_EQ(environment_number(sleeper("FRANK=1").pid(), "RANK"), -1);
  EXPECT_EQ(environment_number(0, "RANK"), -1);
}

TEST(ProcessStat, VisitsAllProcesses) {
  unsigned seen = 0;
  for_each_process([&](int pid) { seen += pid == ::getpid() || pid == ::getppid() ? 1 : 0; });
  EXPECT_EQ(seen, 2U);
}

}  // namespace
}  // namespace gossamer::machine
