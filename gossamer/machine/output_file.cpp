#include "gossamer/machine/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {

struct output_file::state {
  std::string path;       // as the user wrote it, for errors
  std::string target;  // the name that commit() gives the file; empty where the path is written directly
  std::string temporary;  // the name until then; empty where there is none
  int remembered = -1;  // its entry in the table of temporary files
  file_descriptor descriptor;
  std::unique_ptr<std::byte[]> buffer;
  std::size_t buffered = 0;
  std::uint64_t position = 0;  // of the buffer's first byte
  std::uint64_t reserved = 0;  // by resize()
  std::span<std::byte> mapping;

  ~state();
  void create(const struct stat* replaced);
  void create_named(mode_t mode);
  void give_name();
  void move_to_target();
  void take_permissions_of(const struct stat& replaced);
  void append(std::span<const std::byte> bytes);
  void flush();
  void unmap() noexcept;
};

namespace {

constexpr std::size_t k_buffer_bytes = std::size_t{1} << 20;
constexpr mode_t k_new_file_mode = 0666;  // less the umask

[[noreturn]] void refuse(const std::string& path, int failure) { throw_errno("cannot write", path, failure); }

// Returns the descriptor that "/dev/stdout" and its like name: this process has it already. Nothing for other
// names.
std::optional<int> descriptor_named(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = -1;
    const auto [end, failure] = std::from_chars(digits.begin(), digits.end(), number);
    if (failure == std::errc() && end == digits.end() && number >= 0) return number;
  }
  return {};
}

std::string resolved(const std::string& shown, const std::string& existing) {
  char absolute[PATH_MAX];
  if (::realpath(existing.c_str(), absolute) == nullptr) refuse(shown, errno);
  return absolute;
}

// Returns the absolute name that a new file will have; its folder must exist.
std::string resolved_new(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (path.empty()) refuse("\"\"", ENOENT);
  if (name.empty() || name == "." || name == "..") refuse(path, EISDIR);
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::string absolute = resolved(path, folder);
  return absolute == "/" ? absolute + name : absolute + "/" + name;
}

/// Follows symbolic links of a name to what they name, which need not exist. Returns other names as they are.
std::string followed(const std::string& path) {
  constexpr unsigned k_most = 40;  // as the system follows
  std::filesystem::path name = path;
  std::error_code no_link;
  for (unsigned links = 0;; ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(name, no_link);
    if (no_link) return name;
    if (links == k_most) refuse(path, ELOOP);
    name = name.parent_path() / target;
  }
}

/// Returns whether something is mounted at the file itself, as containers do: no other file can take its name.
bool is_mount_point(const std::string& path) {
  struct statx status = {};
  return ::statx(AT_FDCWD, path.c_str(), 0, 0, &status) == 0 &&
         (status.stx_attributes & status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Returns a name of an open file, with or without one of its own.
std::string name_of(const file_descriptor& open) { return fmt::format("/proc/self/fd/{}", open.get()); }

std::string temporary_name(const std::string& target) {
  constexpr std::size_t k_most = 200;  // bytes of the name that are repeated: file systems allow 255
  std::uint64_t random = 0;
  if (auto* s = simulated())
    random = s->random();
  else if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
    random = now_ns();
  const auto slash = target.rfind('/');
  return fmt::format("{}/.{}.tmp-{}-{:016x}", target.substr(0, slash), target.substr(slash + 1, k_most),
                     ::getpid(), random);
}

void write_fully(const std::string& path, int descriptor, std::span<const std::byte> bytes,
                 std::optional<std::uint64_t> offset) {
  constexpr std::size_t k_most = std::size_t{1} << 30;  // the kernel takes at most 2 GiB at once
  if (!bytes.empty() && simulated() != nullptr) (void)*static_cast<const volatile std::byte*>(bytes.data());
  while (!bytes.empty()) {
    const std::size_t part = bytes.size() < k_most ? bytes.size() : k_most;
    const ssize_t n = offset ? ::pwrite(descriptor, bytes.data(), part, static_cast<off_t>(*offset))
                             : ::write(descriptor, bytes.data(), part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, errno);
    if (offset) *offset += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace

output_file::state::~state() {
  unmap();
  if (temporary.empty()) return;
  ::unlink(temporary.c_str());
  forget_temporary(remembered);
}

// Makes a file without a name, of which nothing is left however the process ends. One that will replace another
// file is its owner's alone until it has that one's permissions: at no moment may a user read or write it that
// could not the other.
void output_file::state::create(const struct stat* replaced) {
  const mode_t mode = replaced != nullptr ? replaced->st_mode & S_IRWXU : k_new_file_mode;
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  descriptor = file_descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  // Without /proc it could be given no name. Other failures than a file system without such files come again.
  if (!descriptor.is_open() || ::access(name_of(descriptor).c_str(), F_OK) != 0) create_named(mode);
  if (replaced != nullptr) take_permissions_of(*replaced);
}

// Remembers the name before the file exists, so that no interrupt finds a file without an entry.
void output_file::state::create_named(mode_t mode) {
  const naming_guard guard;
  std::string name = temporary_name(target);
  remembered = remember_temporary(name);
  descriptor = file_descriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!descriptor.is_open()) {
    const int failure = errno;
    forget_temporary(remembered);
    refuse(path, failure);
  }
  temporary = std::move(name);
}

// Takes permissions, owner and group of the replaced file, where this process may give files away. A group
// that cannot be kept has no permissions that all users do not have: they were another group's.
void output_file::state::take_permissions_of(const struct stat& replaced) {
  struct stat made = {};
  mode_t mode = replaced.st_mode & 07777;
  if (::fstat(descriptor.get(), &made) != 0) refuse(path, errno);
  if (made.st_uid != replaced.st_uid &&
      ::fchown(descriptor.get(), replaced.st_uid, static_cast<gid_t>(-1)) != 0)
    mode &= ~mode_t{S_ISUID};
  if (made.st_gid != replaced.st_gid &&
      ::fchown(descriptor.get(), static_cast<uid_t>(-1), replaced.st_gid) != 0)
    mode &= ~(mode_t{S_ISGID} | S_IRWXG) | (mode & S_IRWXO) << 3;
  if (::fchmod(descriptor.get(), mode) != 0) refuse(path, errno);
}

void output_file::state::append(std::span<const std::byte> bytes) {
  const bool direct = target.empty();
  write_fully(path, descriptor.get(), bytes, direct ? std::nullopt : std::optional(position));
  position += bytes.size();
}

void output_file::state::flush() {
  const std::size_t bytes = std::exchange(buffered, 0);  // dropped if writing fails: not tried again
  append({buffer.get(), bytes});
}

void output_file::state::unmap() noexcept {
  if (!mapping.empty()) ::munmap(mapping.data(), mapping.size());
  mapping = {};
}

output_file::output_file(std::string path) : state_(std::make_unique<state>()) {
  state& s = *state_;
  s.path = std::move(path);
  s.buffer = std::make_unique_for_overwrite<std::byte[]>(k_buffer_bytes);

  if (const auto number = descriptor_named(s.path)) {
    std::fflush(*number == STDOUT_FILENO ? stdout : nullptr);  // what the program printed comes first
    s.descriptor = file_descriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 3));
    if (!s.descriptor.is_open()) refuse(s.path, errno);
    return;
  }
  struct stat status = {};
  const bool exists = ::stat(s.path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(s.path, errno);
  if (exists && S_ISDIR(status.st_mode)) refuse(s.path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    s.descriptor = file_descriptor(::open(s.path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!s.descriptor.is_open()) refuse(s.path, errno);
    return;
  }
  if (exists && ::access(s.path.c_str(), W_OK) != 0) refuse(s.path, errno);
  if (exists && is_mount_point(s.path))
    throw error(fmt::format(
        "cannot write {}: it is a mount point, which a finished file cannot replace; mount its folder",
        s.path));
  s.target = exists ? resolved(s.path, s.path) : resolved_new(followed(s.path));
  s.create(exists ? &status : nullptr);
}

output_file::output_file(output_file&&) noexcept = default;
output_file& output_file::operator=(output_file&&) noexcept = default;
output_file::~output_file() = default;

const std::string& output_file::path() const noexcept { return state_->path; }

bool output_file::is_regular() const noexcept { return !state_->target.empty(); }

void output_file::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void output_file::write(std::span<const std::byte> bytes) {
  state& s = *state_;
  GOSSAMER_ASSERT(s.descriptor.is_open(), "write after commit");
  if (bytes.size() >= k_buffer_bytes - s.buffered) {
    s.flush();
    if (bytes.size() >= k_buffer_bytes) return s.append(bytes);
  }
  if (!bytes.empty()) std::memcpy(s.buffer.get() + s.buffered, bytes.data(), bytes.size());
  s.buffered += bytes.size();
}

void output_file::resize(std::uint64_t bytes) {
  state& s = *state_;
  GOSSAMER_ASSERT(is_regular() && s.mapping.empty());
  if (::ftruncate(s.descriptor.get(), static_cast<off_t>(bytes)) != 0) refuse(s.path, errno);
  int failure = 0;
  do failure = bytes == 0 ? 0 : ::posix_fallocate(s.descriptor.get(), 0, static_cast<off_t>(bytes));
  while (failure == EINTR);
  if (failure != 0) refuse(s.path, failure);
  s.reserved = bytes;
}

void output_file::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  GOSSAMER_ASSERT(is_regular());
  write_fully(state_->path, state_->descriptor.get(), bytes, offset);
}

std::span<std::byte> output_file::map() {
  state& s = *state_;
  GOSSAMER_ASSERT(is_regular());
  if (!s.mapping.empty() || s.reserved == 0) return s.mapping;
  void* const mapped = ::mmap(nullptr, s.reserved, PROT_READ | PROT_WRITE, MAP_SHARED, s.descriptor.get(), 0);
  if (mapped == MAP_FAILED) refuse(s.path, errno);
  return s.mapping = {static_cast<std::byte*>(mapped), s.reserved};
}

void output_file::commit() {
  state& s = *state_;
  GOSSAMER_ASSERT(s.descriptor.is_open(), "commit twice");
  s.flush();
  s.unmap();
  if (s.target.empty() || !s.temporary.empty()) {
    if (::close(s.descriptor.release()) != 0 && errno != EINTR) refuse(s.path, errno);
    if (!s.temporary.empty()) s.move_to_target();
    return;
  }
  // What closing says comes before the name: a file that appears is whole.
  if (const int copy = ::fcntl(s.descriptor.get(), F_DUPFD_CLOEXEC, 3);
      copy < 0 || (::close(copy) != 0 && errno != EINTR))
    refuse(s.path, errno);
  s.give_name();
  s.descriptor = file_descriptor();
}

// Names a file that has no name. A new target is there at once; one that exists is replaced, which takes a name of its own first.
void output_file::state::give_name() {
  const std::string open = name_of(descriptor);
  if (::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, target.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
  if (errno != EEXIST) refuse(path, errno);
  const naming_guard guard;
  std::string name = temporary_name(target);
  remembered = remember_temporary(name);
  if (::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    const int failure = errno;
    forget_temporary(remembered);
    refuse(path, failure);
  }
  temporary = std::move(name);
  move_to_target();
}

void output_file::state::move_to_target() {
  if (::rename(temporary.c_str(), target.c_str()) != 0) refuse(path, errno);
  temporary.clear();
  forget_temporary(remembered);
}

}  // namespace gossamer::machine
