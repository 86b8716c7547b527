#include "gossamer/machine/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gossamer::machine {

void occupy_standard_streams() noexcept {
  const int kept = errno;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // It gets the lowest free number, which is that one unless another thread has taken it.
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened > STDERR_FILENO) ::close(opened);
  }
  errno = kept;
}

}  // namespace gossamer::machine
