#include "gossamer/machine/internal/socket_name.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>

namespace gossamer::machine {
namespace {

constexpr unsigned k_names = 4;  // that are tried where other users hold them
constexpr unsigned k_name_ms = 20;  // for which the holder of a name may need to become known

/// Returns whether a process of this user holds the name.
bool holds_name(int token, const sockaddr_un& name, socklen_t bytes) noexcept {
  for (unsigned ms = 0; ms < k_name_ms; ++ms) {
    if (::connect(token, reinterpret_cast<const sockaddr*>(&name), bytes) == 0)
      return connects_own_user(token);
    if (errno != ECONNREFUSED) return false;
    ::poll(nullptr, 0, 1);  // taken, and listening the next moment
  }
  return false;
}

}  // namespace

bool take_name(const char* what, std::uint64_t pid_namespace, int parent,
               std::uint64_t parent_start) noexcept {
  for (unsigned attempt = 0; attempt < k_names; ++attempt) {
    const int token = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (token < 0) return true;
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    const int n = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "gossamer-%s-%llu-%d-%llu-%u",
                                what, static_cast<unsigned long long>(pid_namespace), parent,
                                static_cast<unsigned long long>(parent_start), attempt);
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<unsigned>(n));
    if (::bind(token, reinterpret_cast<const sockaddr*>(&name), bytes) == 0) {
      ::listen(token, SOMAXCONN);  // from here on others can see which user holds it
      return true;
    }
    if (errno != EADDRINUSE) return true;
    const bool is_ours = holds_name(token, name, bytes);
    ::close(token);
    if (is_ours) return false;
  }
  return true;
}

bool connects_own_user(int connected) noexcept {
  ucred other = {};
  socklen_t bytes = sizeof other;
  return ::getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &other, &bytes) == 0 && other.uid == ::geteuid();
}

}  // namespace gossamer::machine
