#include "gossamer/machine/internal/socket_name.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

std::uint64_t own_namespace() { return 0x7e57'0000U + static_cast<unsigned>(::getpid()); }

TEST(SocketName, IsTakenOnceForEachParent) {
  const std::uint64_t space = own_namespace();
  test::child_process holder([space](auto ready) {
    if (!take_name("lost", space, 5, 6)) ::_exit(97);
    ready();
    for (;;) ::pause();
  });
  ASSERT_TRUE(holder.wait_until_ready());
  EXPECT_FALSE(take_name("lost", space, 5, 6));
  EXPECT_TRUE(take_name("first", space, 5, 6));
  EXPECT_TRUE(take_name("lost", space, 5, 7));  // a later parent of that number
  EXPECT_TRUE(take_name("lost", space, 4, 6));
  holder.send(SIGKILL);
  holder.finish();
  EXPECT_TRUE(take_name("lost", space, 5, 6));
}

TEST(SocketName, KnowsTheUserOfAConnection) {
  int both[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
  EXPECT_TRUE(connects_own_user(both[0]));
  EXPECT_FALSE(connects_own_user(-1));
  ::close(both[0]);
  ::close(both[1]);
}

}  // namespace
}  // namespace gossamer::machine
