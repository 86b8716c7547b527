#include "gossamer/machine/internal/watch_links.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace gossamer::machine {

watch_links::~watch_links() {
  for (const link& l : links_)
    if (l.descriptor >= 0) ::close(l.descriptor);
}

void watch_links::listen(int listener, int most_descriptors) noexcept {
  listener_ = listener;
  most_descriptors_ = most_descriptors;
}

/// Returns whether a process may have one more link.
bool watch_links::may_have_more(int pid) const noexcept {
  const auto is_its = [pid](const link& l) { return l.told.pid == pid; };
  return used_ < k_most && std::count_if(links_.begin(), links_.begin() + used_, is_its) < 2;
}

void watch_links::take() noexcept {
  for (std::size_t n = 0; n <= k_most && listener_ >= 0; ++n) {
    const int made = kept_descriptor(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK),
                                     most_descriptors_);
    if (made < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // Short of descriptors, the listener would be ready for ever. Deaths are noticed without links, too.
      if (errno != EAGAIN) ::close(std::exchange(listener_, -1));
      return;
    }
    ucred asked_by = {};
    socklen_t bytes = sizeof asked_by;
    if (::getsockopt(made, SOL_SOCKET, SO_PEERCRED, &asked_by, &bytes) != 0 || asked_by.uid != ::geteuid() ||
        !may_have_more(asked_by.pid)) {
      ::close(made);
      continue;
    }
    links_[used_] = {made, {k_unknown, asked_by.pid, false, false}};
    events_.add(made, first_ + used_++);
  }
}

std::optional<watch_links::news> watch_links::read(std::uint32_t l) noexcept {
  link& from = links_[l];
  if (from.descriptor < 0) return {};
  std::uint32_t word = 0;
  ssize_t n = 0;
  while ((n = ::recv(from.descriptor, &word, sizeof word, MSG_DONTWAIT)) == sizeof word) {
    if (from.told.rank == k_unknown)
      from.told.rank = word;
    else
      from.told.leaves = true;
  }
  from.told.closed = n == 0 || (n < 0 && errno == ECONNRESET);
  if (from.told.closed) {
    ::close(std::exchange(from.descriptor, -1));
    closings_[closed_++] = l;
  }
  return from.told;
}

}  // namespace gossamer::machine
