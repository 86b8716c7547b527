#pragma once
// Heartbeats between the watches of nodes, independent of MPI: datagrams to the next node in a ring of nodes,
// and to the first node, until the watch announces its end. A node is silent if it was heard before and is no
// longer heard. A node that was never heard is unknown: a firewall may block datagrams, and MPI may use
// another network.
//
// open_heartbeat() is for the process, before it forks its watch; node_heartbeat for that fork: no
// allocation, no locks, no exceptions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gossamer::machine {

/// Where a node's watch receives datagrams: IPv4 addresses and a port, in network byte order.
struct heartbeat_address {
  static constexpr unsigned k_most = 4;

  std::array<std::uint32_t, k_most> hosts{};  // 0: none
  std::uint32_t port = 0;  // 0: none
};

/// Another node as a watch knows it: the first process of the job there.
struct heartbeat_peer {
  heartbeat_address address;
  std::uint64_t token = 0;  // which its datagrams contain
  std::uint32_t rank = 0;
  std::uint32_t pid = 0;
  char host[64] = {};
};

/// Opens a socket for datagrams and determines the addresses of this machine. Returns -1 if that fails.
int open_heartbeat(heartbeat_address& own) noexcept;

class node_heartbeat {
 public:
  static constexpr std::size_t k_most_heard = 128;  // nodes

  /// Begins to receive from the nodes of `heard`, which must stay in place, and sends the first heartbeat.
  /// The first of them is the node before this one. `socket`: from open_heartbeat(); -1: none. `first` may
  /// equal `next`.
  void begin(int socket, std::uint64_t own_token, const heartbeat_address& next,
             const heartbeat_address& first, std::span<const heartbeat_peer> heard) noexcept;

  /// Reads the datagrams that have arrived. Does not count as a look.
  void take() noexcept;
  /// Makes a look: reads the datagrams that have arrived, and sends one heartbeat.
  void look() noexcept;
  /// Returns whether the node before this one has been silent for `looks` consecutive looks, and has not
  /// left.
  bool previous_is_silent(unsigned looks) const noexcept;
  /// Returns a node that has been silent for `looks` consecutive looks, and has not left; null if there is
  /// none.
  const heartbeat_peer* silent(unsigned looks) const noexcept;
  /// Returns the same, including nodes that have left but have not gone.
  const heartbeat_peer* silent_to_the_end(unsigned looks) const noexcept;
  /// Returns whether a node that was heard has not left.
  bool waits() const noexcept;
  /// Returns whether a node that was heard has not gone.
  bool waits_to_the_end() const noexcept;

  /// Announces, in each heartbeat from here on, that this node has left: its processes have ended in order.
  void leave() noexcept;
  /// Announces that this node has gone: its launcher has ended, too, or is not waited for. No heartbeat
  /// follows.
  void go() noexcept;

 private:
  enum stage : std::uint64_t { k_here, k_left, k_gone };
  struct datagram {
    std::uint64_t magic, token, stage;
  };
  /// The state of a node of `heard_`.
  struct hearing {
    bool ever = false, now = false;
    std::uint64_t stage = k_here;
    unsigned silent_looks = 0;
  };
  static constexpr std::uint64_t k_magic = 0x676f73732d626562;

  const heartbeat_peer* silent_before(std::uint64_t reached, unsigned looks) const noexcept;
  bool waits_for(std::uint64_t reached) const noexcept;
  void reach(std::uint64_t reached) noexcept;
  void send() const noexcept;
  void send_to(const heartbeat_address& where) const noexcept;

  int socket_ = -1;
  datagram own_ = {};
  heartbeat_address next_, first_;
  std::span<const heartbeat_peer> heard_;
  std::array<hearing, k_most_heard> known_;
};

}  // namespace gossamer::machine
