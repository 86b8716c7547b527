#pragma once
// Signs of life between the watches of nodes, whatever MPI does meanwhile: datagrams to all nodes that are heard, to the
// next node in a ring of them, and to the first node, until the watch says that it goes. A node is silent where it was
// heard, and is no longer. One that never was heard counts as unknown: a firewall may stop datagrams, and the network of
// an MPI need not be one of these. Each sign says which nodes its sender hears: so a node that is lost differs from one
// that a firewall hides from some.
//
//   silent for             which node says so
//   1 time-out             the one after it in the ring
//   2 time-outs            the first
//   a little longer        those after it, in the order of nodes
//
// open_heartbeat() is for the process, before it forks its watch; node_heartbeat for that fork: no allocation, no locks,
// no exceptions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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
  std::uint32_t number = 0;  // of the node in the job
  std::uint32_t rank = 0;
  std::uint32_t pid = 0;
  char host[64] = {};
};

/// Opens a socket for datagrams and finds the addresses of this machine. Returns -1 where there is none.
int open_heartbeat(heartbeat_address& own) noexcept;

class node_heartbeat {
 public:
  static constexpr std::size_t k_most_heard = 128;  // nodes

  /// Begins to hear the nodes of `heard`, which stays where it is, and sends the first sign of life. The first of them is
  /// the one before this one. `socket`: of open_heartbeat(); -1: none. `own`: this node; its token and number are used.
  /// `first` may be `next`.
  void begin(int socket, const heartbeat_peer& own, const heartbeat_address& next,
             const heartbeat_address& first, std::span<const heartbeat_peer> heard) noexcept;

  /// Reads what has come. Counts no look.
  void take() noexcept;
  /// Reads what has come and sends one sign of life, a look.
  void look() noexcept;
  /// Returns a node that has been silent for so long that it is this one's to say so, and has not left; null where there is
  /// none. `looks`: of one time-out.
  const heartbeat_peer* lost(unsigned looks) const noexcept;
  /// Returns a node that never was heard in `looks` looks, but is by others that are heard, and is this one's to say so;
  /// null where there is none.
  const heartbeat_peer* never_heard(unsigned looks) const noexcept;
  /// Returns a node that hears that one, and is heard; null where there is none. It tells what was so half of `looks` ago.
  const heartbeat_peer* hearer_of(const heartbeat_peer& silent, unsigned looks) const noexcept;
  /// Returns a node that has been silent for `looks` looks in a row, and has not left; null where there is none. Only the
  /// first node looks at others than the one before.
  const heartbeat_peer* silent(unsigned looks) const noexcept;
  /// Returns the same among nodes that have left, too, but have not gone.
  const heartbeat_peer* silent_to_the_end(unsigned looks) const noexcept;
  /// Returns whether a node that was heard has not left.
  bool waits() const noexcept;
  /// Returns whether a node that was heard has not gone.
  bool waits_to_the_end() const noexcept;

  /// Says that this node's processes have ended in order. Each sign from here on says so.
  void leave() noexcept;
  /// Says that the launcher on this node has ended, too, or is not waited for: no sign comes after that.
  void go() noexcept;

 private:
  enum stage : std::uint64_t { k_here, k_left, k_gone };
  struct datagram {
    std::uint64_t magic, token, stage;
    std::array<std::uint8_t, k_most_heard + 1>
        silent_looks;  // of each node, by its number; at most k_longest
  };
  /// What is known of a node of `heard_`.
  struct hearing {
    bool ever = false, now = false;
    std::uint64_t stage = k_here;
    unsigned silent_looks = 0;
    std::array<std::uint8_t, k_most_heard + 1> silent_to = {};  // what its last sign said of each node
  };
  static constexpr std::uint64_t k_magic = 0x676f73732d626562;
  static constexpr unsigned k_longest = 255;

  const heartbeat_peer* silent_before(std::uint64_t reached, unsigned looks) const noexcept;
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
