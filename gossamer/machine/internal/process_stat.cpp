#include "gossamer/machine/internal/process_stat.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace gossamer::machine {
namespace {

/// Returns the wait status by the descriptor, once the parent has collected it (Linux 6.15); else -1.
int collected_status(int descriptor) noexcept {
  struct info {  // struct pidfd_info of linux/pidfd.h, as it began
    std::uint64_t mask, cgroup;
    std::uint32_t numbers[11];
    std::int32_t exit_code;
  };
  static_assert(sizeof(info) == 64);
  constexpr std::uint64_t k_exit = 8;  // PIDFD_INFO_EXIT
  info asked = {};
  asked.mask = k_exit;
  if (::ioctl(descriptor, _IOWR(0xff, 11, info), &asked) == 0 && (asked.mask & k_exit) != 0)
    return asked.exit_code;
  return -1;
}

}  // namespace

process_stat stat_of(int pid) noexcept {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[2048];
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (n <= 0) return {};
  text[n] = '\0';
  const char* at = std::strrchr(text, ')');  // the name before it may hold anything
  if (at == nullptr || at[1] == '\0') return {};
  process_stat found;
  found.state = at[2];
  constexpr int k_state = 3, k_parent = 4, k_start_time = 22, k_exit_code = 52;
  int field = k_state;
  for (const char* c = at + 2; *c != '\0'; ++c) {
    if (*c != ' ') continue;
    ++field;
    std::uint64_t value = 0;
    for (const char* digit = c + 1; *digit >= '0' && *digit <= '9'; ++digit)
      value = 10 * value + static_cast<std::uint64_t>(*digit - '0');
    if (field == k_parent) found.parent = static_cast<int>(value);
    if (field == k_start_time) found.start_time = value;
    if (field == k_exit_code) found.exit_code = static_cast<int>(value);
  }
  return found;
}

std::uint64_t start_time_of(int pid) noexcept { return stat_of(pid).start_time; }

// Reads /proc while the parent has not collected the status, which may happen meanwhile. The kernel tells the status
// by the descriptor only after that; in between the process is in state X.
int wait_status_of(int pid, std::uint64_t start_time, int descriptor) noexcept {
  const process_stat left = stat_of(pid);
  if ((left.state == 'Z' || left.state == 'X') && left.start_time == start_time) return left.exit_code;
  return collected_status(descriptor);
}

int environment_number(int pid, const char* name) noexcept {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/environ", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  enum { in_name, in_value, elsewhere } place = in_name;
  std::size_t matched = 0;
  int value = -1;
  char text[1024];
  ssize_t n = 0;
  bool found = false;
  while (!found && (n = ::read(file, text, sizeof text)) > 0) {
    for (const char* c = text; c != text + n && !found; ++c) {
      if (*c == '\0') {
        found = place == in_value && value >= 0;
        place = in_name;
        matched = 0;
      } else if (place == in_name && name[matched] == *c) {
        ++matched;
      } else if (place == in_name && name[matched] == '\0' && *c == '=') {
        place = in_value;
        value = -1;
      } else if (place == in_value && *c >= '0' && *c <= '9' && value < 100'000'000) {
        value = 10 * std::max(value, 0) + (*c - '0');
      } else {
        place = elsewhere;
      }
    }
  }
  ::close(file);
  return found ? value : -1;
}

void visit_processes(void (*visit)(void* context, int pid), void* context) noexcept {
  struct entry {  // struct linux_dirent64
    std::uint64_t number;
    std::int64_t next;
    std::uint16_t bytes;
    std::uint8_t type;
    char name[1];
  };
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(entry) char buffer[4096];
  long n = 0;
  while ((n = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < n;) {
      const auto* e = reinterpret_cast<const entry*>(buffer + at);
      at += e->bytes;
      int pid = 0;
      for (const char* c = e->name; *c >= '0' && *c <= '9'; ++c) pid = 10 * pid + (*c - '0');
      if (pid > 0) visit(context, pid);
    }
  }
  ::close(folder);
}

}  // namespace gossamer::machine
