#include "gossamer/machine/internal/watched_launcher.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "gossamer/machine/internal/process_stat.hpp"
#include "gossamer/machine/internal/process_table.hpp"

namespace gossamer::machine {

bool is_launcher_of_mpi(const char* name) noexcept {
  constexpr const char* k_beginnings[] = {"mpirun", "mpiexec", "orte", "prte", "hydra"};
  return std::any_of(std::begin(k_beginnings), std::end(k_beginnings), [name](const char* beginning) {
    return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
  });
}

watched_launcher::~watched_launcher() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void watched_launcher::hold(int pid, std::uint64_t start_time, const char* name, int most_descriptors,
                            const event_set& events, std::uint32_t event, std::uint64_t now_ns) noexcept {
  if (descriptor_ >= 0) {
    events.remove(descriptor_);
    ::close(std::exchange(descriptor_, -1));
  }
  pid_ = pid;
  start_time_ = start_time;
  name_ = name;
  lost_since_ = k_never;
  if (pid <= 1) return;
  descriptor_ = kept_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), most_descriptors);
  if (descriptor_ < 0 && errno != ESRCH) return;
  if (descriptor_ < 0 || start_time_of(pid) != start_time)
    lost_since_ = now_ns;
  else
    events.add(descriptor_, event);
}

void watched_launcher::ended(const event_set& events, std::uint64_t now_ns) noexcept {
  events.remove(descriptor_);
  lost_since_ = now_ns;
}

bool watched_launcher::stays() const noexcept {
  if (descriptor_ < 0 || lost_since_ != k_never) return false;
  pollfd ended{descriptor_, POLLIN, 0};
  return ::poll(&ended, 1, 0) == 0 && start_time_of(pid_) == start_time_ && is_launcher_of_mpi(name_);
}

int watched_launcher::open_standard_error() const noexcept {
  if (!stays()) return -1;
  const auto same = static_cast<int>(::syscall(SYS_pidfd_getfd, descriptor_, STDERR_FILENO, 0));
  if (same >= 0)
    return same;  // else it may not be traced: a file is then opened anew, with a position of its own
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", pid_, STDERR_FILENO);
  return ::open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

void watched_launcher::end() const noexcept {
  if (!stays()) return;
  for_each_process([this](int pid) {
    if (stat_of(pid).parent == pid_) ::kill(pid, SIGKILL);
  });
  ::syscall(SYS_pidfd_send_signal, descriptor_, SIGKILL, nullptr, 0);
}

}  // namespace gossamer::machine
