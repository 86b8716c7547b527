#include "gossamer/machine/scratch_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/interrupt.hpp"

namespace gossamer::machine {
namespace {

constexpr mode_t k_owner_only = 0600;
constexpr std::size_t k_most_at_once = std::size_t{1} << 30;  // the kernel takes at most 2 GiB

/// Makes a file with a name and removes the name: where the file system has no files without one.
int make_and_unlink(const std::string& folder) {
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    const std::string tried = fmt::format("{}/.gossamer-scratch-{}-{}", folder, ::getpid(), attempt);
    const naming_guard guard;
    const int entry = try_to_remember_temporary(tried);  // without an entry, signals wait for the guard's end
    const int made = ::open(tried.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, k_owner_only);
    const int failure = errno;
    if (made >= 0) ::unlink(tried.c_str());
    if (entry >= 0) forget_temporary(entry);
    if (made >= 0) return made;
    if (failure != EEXIST) {
      errno = failure;
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}

/// Opens a file, or makes an empty one, and locks it.
file_descriptor open_locked(const std::string& path) {
  file_descriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, k_owner_only));
  if (!opened.is_open()) throw_errno("cannot write", path, errno);
  if (::flock(opened.get(), LOCK_EX | LOCK_NB) == 0) return opened;
  if (errno != EWOULDBLOCK) throw_errno("cannot lock", path, errno);
  throw error(fmt::format("cannot write {}: another process uses it", path));
}

/// Returns whether a path leads to this file.
bool is_named(const struct stat& file, const std::string& path) {
  struct stat there = {};
  return ::stat(path.c_str(), &there) == 0 && there.st_ino == file.st_ino && there.st_dev == file.st_dev;
}

}  // namespace

scratch_file scratch_file::in(const std::string& folder) {
  int made = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, k_owner_only);
  if (made < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) made = make_and_unlink(folder);
  if (made < 0) throw_errno("cannot make a scratch file in", folder, errno);
  return {made, 0, fmt::format("a scratch file in {}", folder)};
}

scratch_file scratch_file::named(const std::string& path) {
  for (;;) {
    file_descriptor opened = open_locked(path);
    struct stat status = {};
    if (::fstat(opened.get(), &status) != 0) throw_errno("cannot read", path, errno);
    if (!S_ISREG(status.st_mode)) throw error(fmt::format("cannot write {}: expected a regular file", path));
    // Another process may have removed or replaced it between the two calls: its lock excludes none then.
    if (is_named(status, path)) return {opened.release(), static_cast<std::uint64_t>(status.st_size), path};
  }
}

scratch_file::scratch_file(scratch_file&& other) noexcept { *this = std::move(other); }
scratch_file& scratch_file::operator=(scratch_file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  std::swap(shown_, other.shown_);
  return *this;
}
scratch_file::~scratch_file() { close(); }

void scratch_file::close() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  bytes_ = 0;
}

std::uint64_t scratch_file::append(std::span<const std::byte> bytes) {
  GOSSAMER_ASSERT(is_open());
  const std::uint64_t at = bytes_;
  std::uint64_t to = at;
  while (!bytes.empty()) {
    const std::size_t part = bytes.size() < k_most_at_once ? bytes.size() : k_most_at_once;
    const ssize_t n = ::pwrite(descriptor_, bytes.data(), part, static_cast<off_t>(to));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_errno("cannot write", shown_, errno);
    to += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  bytes_ = to;
  return at;
}

void scratch_file::read(std::uint64_t at, std::span<std::byte> into) const {
  GOSSAMER_ASSERT(is_open());
  while (!into.empty()) {
    const std::size_t part = into.size() < k_most_at_once ? into.size() : k_most_at_once;
    const ssize_t n = ::pread(descriptor_, into.data(), part, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_errno("cannot read", shown_, errno);
    if (n == 0)
      throw error(fmt::format("cannot read {}: expected {} more bytes at byte {}, found its end", shown_,
                              into.size(), at));
    at += static_cast<std::uint64_t>(n);
    into = into.subspan(static_cast<std::size_t>(n));
  }
}

void scratch_file::shorten(std::uint64_t bytes) {
  GOSSAMER_ASSERT(is_open() && bytes <= bytes_);
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) throw_errno("cannot write", shown_, errno);
  bytes_ = bytes;
}

void scratch_file::sync() {
  GOSSAMER_ASSERT(is_open());
  if (::fdatasync(descriptor_) != 0) throw_errno("cannot write", shown_, errno);
}

std::string usual_scratch_folder() {
  const char* const given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return;
  const int failure = errno;
  struct stat status = {};
  if (failure == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
  throw_errno("cannot make the folder", path, failure == EEXIST ? ENOTDIR : failure);
}

void sync_folder(const std::string& path) {
  const file_descriptor opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) throw_errno("cannot read", path, errno);
  // Some file systems cannot: names are then as durable as they make them.
  if (::fsync(opened.get()) != 0 && errno != EINVAL) throw_errno("cannot write", path, errno);
}

void rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_errno("cannot write", to, errno);
}

bool remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  throw_errno("cannot remove", path, errno);
}

}  // namespace gossamer::machine
