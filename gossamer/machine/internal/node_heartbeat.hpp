#pragma once
// Signs of life between the watches of nodes, whatever MPI does meanwhile: datagrams, each to the next node in a ring of
// them. A node is silent where the one before it in the ring was heard, and is no longer. One that never was heard
// counts as unknown: a firewall may stop datagrams, and the network of an MPI need not be one of these.
//
// open_heartbeat() is for the process, before it forks its watch; node_heartbeat for that fork: no allocation, no locks,
// no exceptions.

#include <array>
#include <cstdint>

namespace gossamer::machine {

/// Where a node's watch hears datagrams: addresses of IPv4 and a port, in the order of bytes of the network.
struct heartbeat_address {
  static constexpr unsigned k_most = 4;

  std::array<std::uint32_t, k_most> hosts{};  // 0: none
  std::uint32_t port = 0;  // 0: none
};

/// Another node as a watch knows it: by the first process of the job there.
struct heartbeat_peer {
  heartbeat_address address;
  std::uint64_t token = 0;  // which its datagrams hold
  std::uint32_t rank = 0;
  std::uint32_t pid = 0;
  char host[64] = {};
};

/// Opens a socket for datagrams and finds the addresses of this machine. Returns -1 where there is none.
int open_heartbeat(heartbeat_address& own) noexcept;

class node_heartbeat {
 public:
  /// Begins to hear `previous`, and sends `next` the first sign of life. `socket`: of open_heartbeat(); -1: none.
  void begin(int socket, std::uint64_t own_token, const heartbeat_peer& next,
             const heartbeat_peer& previous) noexcept;

  /// Reads what has come and sends one sign of life, a look. Returns how many looks in a row the node before this one has
  /// been silent; 0 where it was never heard.
  unsigned look() noexcept;

 private:
  struct datagram {
    std::uint64_t magic, token;
  };
  static constexpr std::uint64_t k_magic = 0x676f73732d626561;

  void send() const noexcept;
  bool hears() noexcept;

  int socket_ = -1;
  datagram own_ = {};
  heartbeat_peer next_, previous_;
  bool was_heard_ = false;
  unsigned silent_looks_ = 0;
};

}  // namespace gossamer::machine
