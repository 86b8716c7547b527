#include "gossamer/machine/internal/shared_segments.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gossamer::machine {
namespace {

constexpr const char* k_folder = "/dev/shm";
constexpr const char* k_prefixes[] = {"vader_segment.", "sm_segment.", "open_mpi.", "mpich_shar_tmp",
                                      "ucx_shm_posix_"};

/// The file's identity in the format of /proc/<pid>/maps and /proc/<pid>/fd.
struct identity {
  dev_t device;
  ino_t number;
  bool operator==(const identity&) const = default;
};

bool holds_open(const char* process, identity file) noexcept {
  if (std::atoi(process) == ::getpid()) return false;  // this process reads it
  char path[300];
  std::snprintf(path, sizeof path, "/proc/%s/fd", process);
  DIR* const folder = ::opendir(path);
  if (folder == nullptr) return false;
  bool found = false;
  while (const dirent* entry = ::readdir(folder)) {
    struct stat status = {};
    // NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): an open folder has a descriptor
    if (::fstatat(::dirfd(folder), entry->d_name, &status, 0) == 0)
      found |= identity{status.st_dev, status.st_ino} == file;
  }
  ::closedir(folder);
  return found;
}

/// Returns whether the process has mapped the file: lines of maps name it. A name is enough, since the file
/// has not been removed yet.
bool maps(const char* process, const char* name) noexcept {
  char path[300], line[600], wanted[300];
  std::snprintf(path, sizeof path, "/proc/%s/maps", process);
  std::snprintf(wanted, sizeof wanted, "%s/%s", k_folder, name);
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return false;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file) != nullptr)
    found = std::strstr(line, wanted) != nullptr;
  std::fclose(file);
  return found;
}

/// Returns whether no process has the file open or mapped for writing, not even an invisible one (in another
/// namespace of processes): only then the kernel grants a read lease. The lease lasts until `file` is closed.
/// Without leases nothing is known: returns false.
bool is_written_by_none(int file) noexcept { return ::fcntl(file, F_SETLEASE, F_RDLCK) == 0; }

/// Returns whether a visible process has the file open or mapped in any way.
bool in_use(const char* name, identity file) noexcept {
  DIR* const processes = ::opendir("/proc");
  if (processes == nullptr) return true;
  bool used = false;
  while (const dirent* entry = ::readdir(processes)) {
    if (used || std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
    used = holds_open(entry->d_name, file) || maps(entry->d_name, name);
  }
  ::closedir(processes);
  return used;
}

}  // namespace

void remove_dead_segments(std::int64_t since_s) noexcept {
  DIR* const folder = ::opendir(k_folder);
  if (folder == nullptr) return;
  while (const dirent* entry = ::readdir(folder)) {
    bool named = false;
    for (const char* prefix : k_prefixes)
      named |= std::strncmp(entry->d_name, prefix, std::strlen(prefix)) == 0;
    struct stat status = {};
    if (!named || ::fstatat(::dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_ctim.tv_sec < since_s) continue;
    const int file = ::openat(::dirfd(folder), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (is_written_by_none(file) && !in_use(entry->d_name, {status.st_dev, status.st_ino}))
      ::unlinkat(::dirfd(folder), entry->d_name, 0);
    ::close(file);
  }
  ::closedir(folder);
}

}  // namespace gossamer::machine
