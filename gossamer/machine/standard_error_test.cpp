// Lines on standard error arrive in one piece each, also long ones.
#include "gossamer/machine/standard_error.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace gossamer::machine {
namespace {

/// Returns what one system call each has written to standard error: a packet socket keeps them apart.
template <class F>
std::vector<std::string> chunks_of(F f) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return {"no socket pair"};
  const int before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  f();
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(ends[1]);
  std::vector<std::string> pieces;
  char piece[8192];
  while (true) {
    const ssize_t n = ::recv(ends[0], piece, sizeof piece, 0);
    if (n <= 0) break;
    pieces.emplace_back(piece, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  return pieces;
}

TEST(StandardError, ALineIsOnePiece) {
  const std::string text(1000, 'x');
  EXPECT_EQ(chunks_of([&] {
              print_error(text);
              print_warning("short");
              write_error("as it is\n");
            }),
            (std::vector<std::string>{"error: " + text + "\n", "warning: short\n", "as it is\n"}));
}

TEST(StandardError, AClosedReaderIsNoError) {
  errno = 7;  // stays
  const int before = ::dup(STDERR_FILENO);
  ::close(STDERR_FILENO);
  print_error("it has no reader");
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  EXPECT_EQ(errno, 7);
}

}  // namespace
}  // namespace gossamer::machine
