// Lines on standard error: one writev() each, whatever the C library does.
#include "gossamer/machine/standard_error.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace gossamer::machine {

namespace {

iovec part_of(std::string_view text) { return {const_cast<char*>(text.data()), text.size()}; }

void write_all(iovec (&parts)[3]) noexcept {
  const int before = errno;
  std::fflush(stderr);  // what stands in a buffer comes first
  iovec* at = parts;
  iovec* const end = parts + 3;
  while (at < end) {
    const ssize_t written = ::writev(STDERR_FILENO, at, static_cast<int>(end - at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;  // no reader is left: nothing else can be told
    auto left = static_cast<std::size_t>(written);
    for (; at < end && left >= at->iov_len; ++at) left -= at->iov_len;
    if (at == end) break;
    at->iov_base = static_cast<char*>(at->iov_base) + left;
    at->iov_len -= left;
  }
  errno = before;
}

void print(std::string_view kind, std::string_view what) noexcept {
  iovec parts[] = {part_of(kind), part_of(what), part_of("\n")};
  write_all(parts);
}

}  // namespace

void write_error(std::string_view text) noexcept {
  iovec parts[] = {part_of(text), part_of(""), part_of("")};
  write_all(parts);
}

void print_error(std::string_view what) noexcept { print("error: ", what); }

void print_warning(std::string_view what) noexcept { print("warning: ", what); }

}  // namespace gossamer::machine
