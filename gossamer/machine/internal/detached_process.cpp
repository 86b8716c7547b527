#include "gossamer/machine/internal/detached_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace gossamer::machine {
namespace {

constexpr int k_most_unlimited = 1 << 20;

/// Closes the descriptors from `first` to `last`.
void close_all(unsigned first, unsigned last) noexcept {
  if (first > last || ::syscall(SYS_close_range, first, last, 0u) == 0) return;
  for (unsigned n = first; n <= std::min(last, 65535u); ++n) ::close(static_cast<int>(n));
}

/// Closes all descriptors but the standard ones and those of `kept`.
void close_others(std::span<int* const> kept) noexcept {
  for (unsigned next = STDERR_FILENO + 1;;) {
    unsigned lowest = std::numeric_limits<unsigned>::max();
    for (const int* descriptor : kept)
      if (*descriptor >= static_cast<int>(next))
        lowest = std::min(lowest, static_cast<unsigned>(*descriptor));
    if (lowest == std::numeric_limits<unsigned>::max()) return close_all(next, lowest);
    if (lowest > next) close_all(next, lowest - 1);
    next = lowest + 1;
  }
}

void ignore_signals() noexcept {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (const int n :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP, SIGALRM, SIGCHLD, SIGIO})
    ::sigaction(n, &ignore, nullptr);
}

int raise_descriptor_limit() noexcept {
  rlimit most = {};
  if (::getrlimit(RLIMIT_NOFILE, &most) != 0) return 1024;
  most.rlim_cur = most.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &most);
  return static_cast<int>(std::min<rlim_t>(most.rlim_cur, k_most_unlimited));
}

}  // namespace

int detach_process(const char* name, std::span<int* const> kept) noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, name);
  ignore_signals();
  const int most = raise_descriptor_limit();
  for (int* descriptor : kept)
    if (*descriptor >= 0 && *descriptor <= STDERR_FILENO)
      *descriptor = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close_others(kept);  // before more are opened: a low limit leaves room for these
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
  }
  [[maybe_unused]] const int ignored = ::chdir("/");
  return most;
}

}  // namespace gossamer::machine
