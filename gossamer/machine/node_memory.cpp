#include "gossamer/machine/node_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/system_error.hpp"

namespace gossamer::machine {

node_memory node_memory::make(std::uint64_t bytes) {
  node_memory made(::memfd_create("gossamer", MFD_CLOEXEC));
  if (made.descriptor_ < 0) throw_errno("cannot make", "memory for the processes of a node", errno);
  made.extend(bytes);
  return made;
}

std::uint64_t node_memory::size() const {
  struct stat now{};
  if (::fstat(descriptor_, &now) != 0) throw_errno("cannot ask for", "the size of a node's memory", errno);
  return static_cast<std::uint64_t>(now.st_size);
}

void node_memory::extend(std::uint64_t bytes) const {
  // Beyond a limit of files the system sends SIGXFSZ, which ends programs that do not ignore it.
  if (rlimit most = {}; ::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < bytes)
    throw_errno("cannot make", "memory for the processes of a node", EFBIG);
  if (size() < bytes && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    throw_errno("cannot make", "memory for the processes of a node", errno);
}

node_memory node_memory::open(std::uint32_t process_id, int descriptor) {
  const std::string path = fmt::format("/proc/{}/fd/{}", process_id, descriptor);
  const int opened = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened < 0) throw_errno("cannot open", path, errno);
  return node_memory(opened);
}

node_memory::node_memory(node_memory&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

node_memory::~node_memory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

memory_region node_memory::map(std::byte* address, std::uint64_t offset, std::size_t bytes,
                               std::string_view what) const {
  if (const std::uint64_t all = size(); offset > all || bytes > all - offset)
    throw error(fmt::format("{} at {} of a node's memory asked for {}: it has {}", format_bytes(bytes),
                            format_bytes(offset), what, format_bytes(all)));
  return memory_region::of_file(descriptor_, offset, address, bytes, what);
}

void node_memory::discard(std::uint64_t offset, std::size_t bytes) const noexcept {
  GOSSAMER_ASSERT(offset % page_bytes() == 0 && bytes % page_bytes() == 0);
  if (bytes == 0) return;
  int result = 0;
  do
    result = ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                         static_cast<off_t>(bytes));
  while (result != 0 && errno == EINTR);
  if (result != 0) fatal("the kernel does not give memory of a node back (fallocate)");
}

std::string problem_of_shared_memory(std::uint64_t bytes) {
  constexpr const char* k_folder = "/dev/shm";
  const file_descriptor tried(::open(k_folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  const int why = tried.is_open() ? ::posix_fallocate(tried.get(), 0, static_cast<off_t>(bytes)) : errno;
  for (const int known : {ENOENT, EACCES, EROFS, ENOSPC})
    if (why == known) return fmt::format("{}: {}", k_folder, std::generic_category().message(why));
  return {};
}

}  // namespace gossamer::machine
