#pragma once
// Heartbeats between the watches of nodes, independent of MPI: datagrams to all nodes that are heard, to the
// next node in a ring of nodes, and to the first node, until the watch announces its end. A node is silent if
// it was heard before and is no longer heard. A node that was never heard is unknown: a firewall may block
// datagrams, and MPI may use another network. Each heartbeat says which nodes its sender hears. So a lost node
// differs from one that a firewall hides from some.
//
//   silent for             which node reports it
//   1 time-out             the one after it in the ring
//   2 time-outs            the first
//   a little longer        those after it, in the order of nodes
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
  std::uint32_t number = 0;  // of the node in the job
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
  /// The first of them is the node before this one. `socket`: from open_heartbeat(); -1: none. `own`: this
  /// node; its token and number are used. `first` may equal `next`.
  void begin(int socket, const heartbeat_peer& own, const heartbeat_address& next,
             const heartbeat_address& first, std::span<const heartbeat_peer> heard) noexcept;

  /// Reads the datagrams that have arrived. Does not count as a check.
  void take() noexcept;
  /// Makes a check: reads the datagrams that have arrived, and sends one heartbeat.
  void check() noexcept;
  /// Returns a node that has been silent for so long that this one must report it, and has not left; null if
  /// there is none. `checks`: of one time-out.
  const heartbeat_peer* lost(unsigned checks) const noexcept;
  /// Returns a node that was never heard in `checks` checks, but is heard by others that are heard, and that this
  /// one must report; null if there is none.
  const heartbeat_peer* never_heard(unsigned checks) const noexcept;
  /// Returns a node that hears `silent`, and is heard; null if there is none. Considers the state half of
  /// `checks` ago.
  const heartbeat_peer* hearer_of(const heartbeat_peer& silent, unsigned checks) const noexcept;
  /// Returns a node that has been silent for `checks` consecutive checks, and has not left; null if there is
  /// none. Only the first node considers others than the one before.
  const heartbeat_peer* silent(unsigned checks) const noexcept;
  /// Returns the same, including nodes that have left but have not gone.
  const heartbeat_peer* silent_to_the_end(unsigned checks) const noexcept;
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
    std::array<std::uint8_t, k_most_heard + 1>
        silent_checks;  // of each node, by its number; at most k_longest
  };
  /// The state of a node of `heard_`.
  struct hearing {
    bool ever = false, now = false;
    std::uint64_t stage = k_here;
    unsigned silent_checks = 0;
    std::array<std::uint8_t, k_most_heard + 1> silent_to = {};  // what its last sign said of each node
  };
  static constexpr std::uint64_t k_magic = 0x676f73732d626562;
  static constexpr unsigned k_longest = 255;

  const heartbeat_peer* silent_before(std::uint64_t reached, unsigned checks) const noexcept;
  std::size_t waited_for() const noexcept;
  bool waits_for(std::uint64_t reached) const noexcept;
  bool is_ours_to_say(std::size_t i) const noexcept;
  void reach(std::uint64_t reached) noexcept;
  void send() const noexcept;
  void send_to(const heartbeat_address& where) const noexcept;

  int socket_ = -1;
  std::uint32_t number_ = 0;
  datagram own_ = {};
  heartbeat_address next_, first_;
  std::span<const heartbeat_peer> heard_;
  std::array<hearing, k_most_heard> known_;
};

}  // namespace gossamer::machine
