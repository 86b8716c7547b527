#include "gossamer/machine/internal/node_heartbeat.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace gossamer::machine {
namespace {

/// Finds the addresses by which other machines may reach this one.
void find_addresses(heartbeat_address& own) noexcept {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  unsigned found = 0;
  for (const ifaddrs* one = all; one != nullptr && found < heartbeat_address::k_most; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    if ((one->ifa_flags & IFF_LOOPBACK) != 0 || (one->ifa_flags & IFF_UP) == 0) continue;
    own.hosts[found++] = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr;
  }
  ::freeifaddrs(all);
}

}  // namespace

int open_heartbeat(heartbeat_address& own) noexcept {
  const int made = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -1;
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = INADDR_ANY;
  socklen_t bytes = sizeof name;
  if (::bind(made, reinterpret_cast<const sockaddr*>(&name), bytes) != 0 ||
      ::getsockname(made, reinterpret_cast<sockaddr*>(&name), &bytes) != 0) {
    ::close(made);
    return -1;
  }
  own.port = name.sin_port;
  find_addresses(own);
  return made;
}

void node_heartbeat::begin(int socket, std::uint64_t own_token, const heartbeat_peer& next,
                           const heartbeat_peer& previous) noexcept {
  socket_ = socket;
  own_ = {k_magic, own_token};
  next_ = next;
  previous_ = previous;
  send();
}

void node_heartbeat::send() const noexcept {
  for (const std::uint32_t host : next_.address.hosts) {
    if (socket_ < 0 || host == 0 || next_.address.port == 0) continue;
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = static_cast<in_port_t>(next_.address.port);
    to.sin_addr.s_addr = host;
    ::sendto(socket_, &own_, sizeof own_, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to),
             sizeof to);
  }
}

bool node_heartbeat::hears() noexcept {
  constexpr unsigned k_most = 64;  // at a look, whoever sends them
  bool found = false;
  datagram read = {};
  for (unsigned n = 0; n < k_most; ++n) {
    const ssize_t bytes = ::recv(socket_, &read, sizeof read, MSG_DONTWAIT);
    if (bytes < 0) break;
    found |= bytes == sizeof read && read.magic == k_magic && read.token == previous_.token;
  }
  return found;
}

unsigned node_heartbeat::look() noexcept {
  if (socket_ < 0) return 0;
  send();
  if (previous_.address.port == 0) return 0;
  const bool heard = hears();
  was_heard_ |= heard;
  silent_looks_ = heard || !was_heard_ ? 0 : silent_looks_ + 1;
  return silent_looks_;
}

}  // namespace gossamer::machine
