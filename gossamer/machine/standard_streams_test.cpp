#include "gossamer/machine/standard_streams.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

/// Returns whether a stream is taken, and cannot be used.
bool is_occupied(int stream) {
  char byte = 'x';
  const ssize_t done = stream == STDIN_FILENO ? ::read(stream, &byte, 1) : ::write(stream, &byte, 1);
  return ::fcntl(stream, F_GETFD) >= 0 && done < 0 && errno == EBADF;
}

TEST(StandardStreams, ClosedOnesAreOccupiedAndStayUnusable) {
  for (unsigned closed = 0; closed < 8; ++closed) {
    test::child_process child([&](auto) {
      for (int stream = 0; stream < 3; ++stream)
        if ((closed >> stream & 1U) != 0) ::close(stream);
      occupy_standard_streams();
      for (int stream = 0; stream < 3; ++stream)
        if ((closed >> stream & 1U) != 0 && !is_occupied(stream)) ::_exit(1 + stream);
      ::_exit(::dup(0) >= 3 ? 0 : 9);
    });
    child.finish();
    EXPECT_TRUE(child.exited_with(0)) << closed;
  }
}

}  // namespace
}  // namespace gossamer::machine
