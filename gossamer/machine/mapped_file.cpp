#include "gossamer/machine/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/system_error.hpp"

namespace gossamer::machine {
namespace {

struct opened_file {
  file_descriptor descriptor;
  bool regular;
  std::uint64_t bytes;  // 0 where not regular
  std::uint64_t begin = 0;  // where reading begins: of an open file that was passed on, at its position
};

// Returns the descriptor that a path names (/dev/stdin, /dev/fd/63), or -1. Opened anew it would begin at the
// start of the file, need the right to open it, and fail for a socket.
int passed_descriptor(std::string_view path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    if (!path.starts_with(folder)) continue;
    const auto [end, problem] =
        std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
    if (problem == std::errc() && end == path.data() + path.size()) return number;
  }
  return -1;
}

opened_file open_for_reading(const std::string& path) {
  const int passed = passed_descriptor(path);
  file_descriptor descriptor(passed >= 0 ? ::fcntl(passed, F_DUPFD_CLOEXEC, 0)
                                         : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.is_open()) throw_errno("cannot read", path, errno);
  struct stat status = {};
  if (::fstat(descriptor.get(), &status) != 0) throw_errno("cannot read", path, errno);
  if (S_ISDIR(status.st_mode)) throw_errno("cannot read", path, EISDIR);
  const bool regular = S_ISREG(status.st_mode);
  const off_t position = regular ? ::lseek(descriptor.get(), 0, SEEK_CUR) : 0;
  return {std::move(descriptor), regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0,
          position < 0 ? 0 : static_cast<std::uint64_t>(position)};
}

// Returns whether the path names a regular file or a directory. Called before opening, where the answer for a
// pipe is nothing. Opening a pipe waits for its writer, and closing it again would cut that writer off.
bool is_regular_or_directory(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) throw_errno("cannot read", path, errno);
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

// Reads at most `bytes` from a place of a regular file, or what comes next of another one; fewer only at the
// end. Does not move the position, which other processes may share.
std::size_t read_fully(const opened_file& file, const std::string& path, std::byte* to, std::size_t bytes,
                       std::uint64_t from = 0) {
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t n = file.regular ? ::pread(file.descriptor.get(), to + got, bytes - got,
                                             static_cast<off_t>(file.begin + from + got))
                                   : ::read(file.descriptor.get(), to + got, bytes - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_errno("cannot read", path, errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

struct contents {
  memory_region memory;
  std::size_t bytes = 0;
};

// Reads to the end, into ever larger regions: a pipe's size is known at its end only.
contents read_to_end(const opened_file& file, const std::string& path) {
  contents all{memory_region(std::size_t{1} << 20, path), 0};
  for (;;) {
    all.bytes +=
        read_fully(file, path, all.memory.data() + all.bytes, all.memory.size() - all.bytes, all.bytes);
    if (all.bytes < all.memory.size()) return all;
    require_memory(all.memory.size(), fmt::format("reading {}", path));
    memory_region larger(all.memory.size() * 2, path);
    std::memcpy(larger.data(), all.memory.data(), all.bytes);
    all.memory = std::move(larger);
  }
}

void advise(void* data, std::size_t bytes, access pattern) noexcept {
  switch (pattern) {
    case access::sequential:
      ::madvise(data, bytes, MADV_SEQUENTIAL);
      return;
    case access::random:
      ::madvise(data, bytes, MADV_RANDOM);
      return;
    case access::will_need:
      ::madvise(data, bytes, MADV_WILLNEED);
      return;
    case access::populate:
      return;  // done by MAP_POPULATE
  }
}

}  // namespace

mapped_file::mapped_file(std::string path, access pattern) : path_(std::move(path)) {
  const opened_file file = open_for_reading(path_);
  if (!file.regular || file.bytes == 0 ||
      file.begin != 0) {  // files of /proc are regular and say they are empty
    contents all = read_to_end(file, path_);
    copy_ = std::move(all.memory);
    data_ = copy_.data();
    size_ = all.bytes;
    return;
  }
  const int populate = pattern == access::populate ? MAP_POPULATE : 0;
  void* const mapped =
      ::mmap(nullptr, file.bytes, PROT_READ, MAP_PRIVATE | populate, file.descriptor.get(), 0);
  if (mapped == MAP_FAILED) throw_errno("cannot map", path_, errno);
  data_ = static_cast<const std::byte*>(mapped);
  size_ = file.bytes;
  advise(mapped, size_, pattern);
  watch_ = watch_mapping(data_, size_, path_.c_str());
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : path_(std::move(other.path_)),
      copy_(std::move(other.copy_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      watch_(std::exchange(other.watch_, -1)) {}

mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(copy_, other.copy_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(watch_, other.watch_);
  return *this;
}

mapped_file::~mapped_file() {
  unwatch_mapping(watch_);
  if (data_ != nullptr && copy_.data() == nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void mapped_file::populate(std::size_t offset, std::size_t length) const noexcept {
  GOSSAMER_ASSERT(offset <= size_ && length <= size_ - offset);
  if (length == 0) return;
  const std::size_t first = round_down(offset, page_bytes());
  constexpr int k_populate_read = 22;  // MADV_POPULATE_READ, Linux 5.14; older headers lack it
  ::madvise(const_cast<std::byte*>(data_) + first, offset + length - first, k_populate_read);
}

void mapped_file::discard(std::size_t offset, std::size_t length) const noexcept {
  GOSSAMER_ASSERT(offset <= size_ && length <= size_ - offset);
  if (copy_.data() != nullptr) return;  // nothing to read it again from
  const std::size_t first = round_up(offset, page_bytes());
  const std::size_t last = round_down(offset + length, page_bytes());
  if (first < last) ::madvise(const_cast<std::byte*>(data_) + first, last - first, MADV_DONTNEED);
}

std::string read_file_prefix(const std::string& path, std::size_t bytes) {
  if (!is_regular_or_directory(path)) return {};
  std::string prefix(bytes, '\0');
  prefix.resize(read_fully(open_for_reading(path), path, reinterpret_cast<std::byte*>(prefix.data()), bytes));
  return prefix;
}

std::uint64_t file_bytes(const std::string& path) {
  if (!is_regular_or_directory(path)) return 0;
  const opened_file file = open_for_reading(path);
  return file.bytes - std::min(file.begin, file.bytes);
}

}  // namespace gossamer::machine
