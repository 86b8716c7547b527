#include "gossamer/machine/internal/detached_process.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string>

#include "support/child_process.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::machine {
namespace {

TEST(DetachedProcess, KeepsStandardErrorAndWhatItIsGiven) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer) GTEST_SKIP() << "a sanitizer has descriptors";
  int given[2] = {-1, -1}, other[2] = {-1, -1};
  ASSERT_EQ(::pipe(given), 0);
  ASSERT_EQ(::pipe(other), 0);
  test::child_process child([&](auto) {
    int kept = given[1], none = -1;
    int low = ::dup2(given[1], STDIN_FILENO);  // as one where a launcher has closed standard input
    int* const all[] = {&kept, &none, &low};
    const int most = detach_process("detached", all);
    char name[16] = "";
    ::prctl(PR_GET_NAME, name);
    if (most < 3 || std::string(name) != "detached" || ::getsid(0) != ::getpid() || none != -1 ||
        low <= STDERR_FILENO)
      ::_exit(97);
    ::kill(::getpid(), SIGTERM);  // ignored
    char byte = 0;
    if (::read(STDIN_FILENO, &byte, 1) != 0) ::_exit(96);  // nothing
    [[maybe_unused]] auto ignored = ::write(kept, "k", 1);
    ignored = ::write(low, "l", 1);
    ignored = ::write(STDERR_FILENO, "said", 4);
    if (::write(other[1], "x", 1) == 1) ::_exit(95);
    ::_exit(0);
  });
  ::close(given[1]);
  ::close(other[1]);
  child.finish();
  EXPECT_TRUE(child.exited_with(0));
  EXPECT_EQ(child.errors(), "said");
  char text[8] = "";
  EXPECT_EQ(::read(given[0], text, sizeof text), 2);
  EXPECT_EQ(std::string(text), "kl");
  EXPECT_EQ(::read(other[0], text, sizeof text), 0);
  ::close(given[0]);
  ::close(other[0]);
}

}  // namespace
}  // namespace gossamer::machine
