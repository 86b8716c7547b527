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

bool same(const heartbeat_address& a, const heartbeat_address& b) noexcept {
  return a.hosts == b.hosts && a.port == b.port;
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

void node_heartbeat::begin(int socket, const heartbeat_peer& own, const heartbeat_address& next,
                           const heartbeat_address& first, std::span<const heartbeat_peer> heard) noexcept {
  socket_ = socket;
  number_ = own.number;
  own_ = {k_magic, own.token, k_here, {}};
  own_.silent_checks.fill(k_longest);
  next_ = next;
  first_ = first;
  heard_ = heard.first(std::min(heard.size(), k_most_heard));
  for (hearing& of : known_) of.silent_to.fill(k_longest);
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
  if (!same(first_, next_)) send_to(first_);
  for (const heartbeat_peer& other : heard_)
    if (!same(other.address, next_) && !same(other.address, first_)) send_to(other.address);
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
  constexpr std::size_t k_most = 4 * k_most_heard;  // at a check, from whatever source
  datagram sign = {};
  for (std::size_t n = 0; n < k_most; ++n) {
    const ssize_t bytes = ::recv(socket_, &sign, sizeof sign, MSG_DONTWAIT);
    if (bytes < 0) break;
    if (bytes != sizeof sign || sign.magic != k_magic) continue;
    for (std::size_t i = 0; i < heard_.size(); ++i) {
      if (heard_[i].token != sign.token) continue;
      known_[i].ever = known_[i].now = true;
      known_[i].stage = std::max(known_[i].stage, sign.stage);
      known_[i].silent_to = sign.silent_checks;
    }
  }
}

void node_heartbeat::check() noexcept {
  if (socket_ < 0) return;
  send();
  take();
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    hearing& of = known_[i];
    of.silent_checks = of.now || of.stage == k_gone ? 0 : of.silent_checks + 1;
    of.now = false;
    if (heard_[i].number < own_.silent_checks.size())
      own_.silent_checks[heard_[i].number] =
          static_cast<std::uint8_t>(of.ever ? std::min(of.silent_checks, k_longest) : k_longest);
  }
}

/// Returns whether this node is to say that another one hides from it. Of two neighbours in the ring that is the next one, of others the later.
bool node_heartbeat::is_ours_to_say(std::size_t i) const noexcept {
  return i == 0 || (number_ > heard_[i].number && !same(heard_[i].address, next_));
}

const heartbeat_peer* node_heartbeat::lost(unsigned checks) const noexcept {
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    const unsigned patience = i == 0 ? checks : number_ == 0 ? 2 * checks : 2 * checks + 2;
    const bool is_ours = number_ == 0 || is_ours_to_say(i);
    if (is_ours && known_[i].ever && known_[i].stage < k_left && known_[i].silent_checks >= patience)
      return &heard_[i];
  }
  return nullptr;
}

const heartbeat_peer* node_heartbeat::never_heard(unsigned checks) const noexcept {
  for (std::size_t i = 0; i < heard_.size(); ++i)
    if (is_ours_to_say(i) && !known_[i].ever && known_[i].silent_checks >= checks &&
        hearer_of(heard_[i], checks) != nullptr)
      return &heard_[i];
  return nullptr;
}

const heartbeat_peer* node_heartbeat::hearer_of(const heartbeat_peer& silent,
                                                unsigned checks) const noexcept {
  if (silent.number > k_most_heard) return nullptr;
  for (std::size_t i = 0; i < heard_.size(); ++i)
    if (known_[i].ever && known_[i].silent_checks < checks / 2 &&
        known_[i].silent_to[silent.number] < checks / 2)
      return &heard_[i];
  return nullptr;
}

/// Returns how many of the nodes this one waits for at the end: the first one for all, the others for the node before.
std::size_t node_heartbeat::waited_for() const noexcept {
  return number_ == 0 ? heard_.size() : std::min<std::size_t>(heard_.size(), 1);
}

const heartbeat_peer* node_heartbeat::silent_before(std::uint64_t reached, unsigned checks) const noexcept {
  for (std::size_t i = 0; i < waited_for(); ++i)
    if (known_[i].ever && known_[i].stage < reached && known_[i].silent_checks >= checks) return &heard_[i];
  return nullptr;
}

const heartbeat_peer* node_heartbeat::silent(unsigned checks) const noexcept {
  return silent_before(k_left, checks);
}

const heartbeat_peer* node_heartbeat::silent_to_the_end(unsigned checks) const noexcept {
  return silent_before(k_gone, checks);
}

bool node_heartbeat::waits_for(std::uint64_t reached) const noexcept {
  return std::any_of(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(waited_for()),
                     [reached](const hearing& of) { return of.ever && of.stage < reached; });
}

bool node_heartbeat::waits() const noexcept { return waits_for(k_left); }

bool node_heartbeat::waits_to_the_end() const noexcept { return waits_for(k_gone); }

}  // namespace gossamer::machine
