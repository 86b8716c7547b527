#include "gossamer/machine/internal/node_heartbeat.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace gossamer::machine {
namespace {

/// Watches of a ring of nodes, by the loopback address.
class ring {
 public:
  explicit ring(std::uint64_t token_of_first = 1) {
    for (unsigned n = 0; n < k_nodes; ++n) {
      sockets_[n] = open_heartbeat(peers_[n].address);
      peers_[n].address.hosts = {htonl(INADDR_LOOPBACK)};
      peers_[n].token = n + 1;
    }
    for (unsigned n = 0; n < k_nodes; ++n)
      nodes_[n].begin(sockets_[n], n == 0 ? token_of_first : n + 1, peers_[(n + 1) % k_nodes],
                      peers_[(n + k_nodes - 1) % k_nodes]);
  }
  ~ring() {
    for (const int s : sockets_) ::close(s);
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;

  static constexpr unsigned k_nodes = 3;
  node_heartbeat& operator[](unsigned n) { return nodes_[n]; }

 private:
  std::array<int, k_nodes> sockets_{};
  std::array<heartbeat_peer, k_nodes> peers_;
  std::array<node_heartbeat, k_nodes> nodes_;
};

TEST(NodeHeartbeat, FindsANodeSilentThatWasHeard) {
  ring nodes;
  for (unsigned look = 0; look < 5; ++look)
    for (unsigned n = 0; n < ring::k_nodes; ++n) (void)nodes[n].look();
  (void)nodes[0].look();  // takes what node 2 has sent last
  for (unsigned look = 1; look < 5; ++look) {
    EXPECT_EQ(nodes[0].look(), look);  // node 2 looks no more
    EXPECT_LE(nodes[1].look(), 1U);
  }
}

TEST(NodeHeartbeat, HearsANodeAgain) {
  ring nodes;
  (void)nodes[2].look();
  EXPECT_EQ(nodes[0].look(), 0U);
  EXPECT_EQ(nodes[0].look(), 1U);
  EXPECT_EQ(nodes[0].look(), 2U);
  (void)nodes[2].look();
  EXPECT_EQ(nodes[0].look(), 0U);
}

TEST(NodeHeartbeat, NeverFindsANodeSilentThatWasNotHeard) {
  ring nodes(77);  // node 1 waits for another one than node 0
  for (unsigned look = 0; look < 100; ++look) EXPECT_EQ(nodes[1].look(), 0U);
}

TEST(NodeHeartbeat, IsSentAtTheBeginning) {
  ring nodes;
  EXPECT_EQ(nodes[0].look(), 0U);
  EXPECT_EQ(nodes[0].look(), 1U);  // node 2 was heard, though it has not looked yet
}

TEST(NodeHeartbeat, BelievesOnlyTheNodeBeforeThisOne) {
  ring nodes(77);  // of another job
  for (unsigned look = 0; look < 5; ++look) {
    (void)nodes[0].look();
    EXPECT_EQ(nodes[1].look(), 0U);
  }
  ring others;
  (void)others[0].look();
  EXPECT_EQ(others[1].look(), 0U);
  EXPECT_EQ(others[1].look(), 1U);  // it was heard
}

TEST(NodeHeartbeat, DoesNothingWithoutASocketOrOtherNodes) {
  node_heartbeat alone;
  EXPECT_EQ(alone.look(), 0U);
  heartbeat_address own;
  const int socket = open_heartbeat(own);
  EXPECT_GE(socket, 0);
  EXPECT_NE(own.port, 0U);
  alone.begin(socket, 1, {}, {});
  for (unsigned look = 0; look < 10; ++look) EXPECT_EQ(alone.look(), 0U);
  ::close(socket);
}

}  // namespace
}  // namespace gossamer::machine
