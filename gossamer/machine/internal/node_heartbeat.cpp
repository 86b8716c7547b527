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

void node_heartbeat::begin(int socket, std::uint64_t own_token, const heartbeat_address& next,
                           const heartbeat_address& first, std::span<const heartbeat_peer> heard) noexcept {
  socket_ = socket;
  own_ = {k_magic, own_token, 0};
  next_ = next;
  first_ = first;
  heard_ = heard.first(std::min(heard.size(), k_most_heard));
  send();
}

void node_heartbeat::send_to(const heartbeat_address& where) const noexcept {
  for (const std::uint32_t host : where.hosts) {
    if (host == 0 || where.port == 0) continue;
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = static_cast<in_port_t>(where.port);
    to.sin_addr.s_addr = host;
    ::sendto(socket_, &own_, sizeof own_, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to),
             sizeof to);
  }
}

void node_heartbeat::send() const noexcept {
  if (socket_ < 0) return;
  send_to(next_);
  if (first_.hosts != next_.hosts || first_.port != next_.port) send_to(first_);
}

void node_heartbeat::reach(std::uint64_t reached) noexcept {
  constexpr unsigned k_times = 3;  // datagrams may be lost
  if (own_.stage >= reached) return;
  own_.stage = reached;
  for (unsigned n = 0; n < k_times; ++n) send();
}

void node_heartbeat::leave() noexcept { reach(k_left); }

void node_heartbeat::go() noexcept { reach(k_gone); }

void node_heartbeat::take() noexcept {
  if (socket_ < 0) return;
  constexpr std::size_t k_most = 4 * k_most_heard;  // at a look, from whatever source
  datagram sign = {};
  for (std::size_t n = 0; n < k_most; ++n) {
    const ssize_t bytes = ::recv(socket_, &sign, sizeof sign, MSG_DONTWAIT);
    if (bytes < 0) break;
    if (bytes != sizeof sign || sign.magic != k_magic) continue;
    for (std::size_t i = 0; i < heard_.size(); ++i) {
      if (heard_[i].token != sign.token) continue;
      known_[i].ever = known_[i].now = true;
      known_[i].stage = std::max(known_[i].stage, sign.stage);
    }
  }
}

void node_heartbeat::look() noexcept {
  if (socket_ < 0) return;
  send();
  take();
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    hearing& of = known_[i];
    of.silent_looks = of.now || of.stage == k_gone || !of.ever ? 0 : of.silent_looks + 1;
    of.now = false;
  }
}

bool node_heartbeat::previous_is_silent(unsigned looks) const noexcept {
  return !heard_.empty() && known_[0].stage < k_left && known_[0].silent_looks >= looks;
}

const heartbeat_peer* node_heartbeat::silent_before(std::uint64_t reached, unsigned looks) const noexcept {
  for (std::size_t i = 0; i < heard_.size(); ++i)
    if (known_[i].stage < reached && known_[i].silent_looks >= looks) return &heard_[i];
  return nullptr;
}

const heartbeat_peer* node_heartbeat::silent(unsigned looks) const noexcept {
  return silent_before(k_left, looks);
}

const heartbeat_peer* node_heartbeat::silent_to_the_end(unsigned looks) const noexcept {
  return silent_before(k_gone, looks);
}

bool node_heartbeat::waits_for(std::uint64_t reached) const noexcept {
  return std::any_of(known_.begin(), known_.end(),
                     [reached](const hearing& of) { return of.ever && of.stage < reached; });
}

bool node_heartbeat::waits() const noexcept { return waits_for(k_left); }

bool node_heartbeat::waits_to_the_end() const noexcept { return waits_for(k_gone); }

}  // namespace gossamer::machine
