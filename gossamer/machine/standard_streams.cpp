#include "gossamer/machine/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gossamer::machine {

void occupy_standard_streams() noexcept {
  const int kept = errno;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int opened =
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest free number
    if (opened > STDERR_FILENO) ::close(opened);  // another thread has taken it
  }
  errno = kept;
}

}  // namespace gossamer::machine
