#include "gossamer/machine/internal/node_heartbeat.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace gossamer::machine {
namespace {

constexpr unsigned k_never_silent = 100;

/// Watches of a ring of nodes, by the loopback address. Node 0 hears all, as the first node does.
class ring {
 public:
  explicit ring(std::uint64_t token_of_first = 1) {
    for (unsigned n = 0; n < k_nodes; ++n) {
      sockets_[n] = open_heartbeat(peers_[n].address);
      peers_[n].address.hosts = {htonl(INADDR_LOOPBACK)};
      peers_[n].token = peers_[n].rank = n + 1;
    }
    for (unsigned n = 0; n < k_nodes; ++n) {
      heard_[n] = {peers_[(n + k_nodes - 1) % k_nodes]};
      if (n == 0)
        for (unsigned other = 1; other + 1 < k_nodes; ++other) heard_[n].push_back(peers_[other]);
      const heartbeat_address& next = peers_[(n + 1) % k_nodes].address;
      nodes_[n].begin(sockets_[n], n == 0 ? token_of_first : n + 1, next, n == 0 ? next : peers_[0].address,
                      heard_[n]);
    }
  }
  ~ring() {
    for (const int s : sockets_) ::close(s);
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;

  static constexpr unsigned k_nodes = 4;
  node_heartbeat& operator[](unsigned n) { return nodes_[n]; }
  /// Looks once, and returns how many looks in a row the node before that one has been silent.
  unsigned look(unsigned n) {
    nodes_[n].look();
    unsigned silent = 0;
    while (silent < k_never_silent && nodes_[n].previous_is_silent(silent + 1)) ++silent;
    return silent;
  }

 private:
  std::array<int, k_nodes> sockets_{};
  std::array<heartbeat_peer, k_nodes> peers_;
  std::array<std::vector<heartbeat_peer>, k_nodes> heard_;
  std::array<node_heartbeat, k_nodes> nodes_;
};

TEST(NodeHeartbeat, FindsANodeSilentThatWasHeard) {
  ring nodes;
  for (unsigned look = 0; look < 5; ++look)
    for (unsigned n = 0; n < ring::k_nodes; ++n) nodes[n].look();
  nodes[0].look();  // takes what node 3 has sent last
  for (unsigned look = 1; look < 5; ++look) {
    EXPECT_EQ(nodes.look(0), look);  // node 3 looks no more
    EXPECT_LE(nodes.look(1), 1U);
  }
}

TEST(NodeHeartbeat, HearsANodeAgain) {
  ring nodes;
  nodes[3].look();
  EXPECT_EQ(nodes.look(0), 0U);
  EXPECT_EQ(nodes.look(0), 1U);
  EXPECT_EQ(nodes.look(0), 2U);
  nodes[3].look();
  EXPECT_EQ(nodes.look(0), 0U);
}

TEST(NodeHeartbeat, NeverFindsANodeSilentThatWasNotHeard) {
  ring nodes(77);  // node 1 waits for another one than node 0
  for (unsigned look = 0; look < k_never_silent; ++look) EXPECT_EQ(nodes.look(1), 0U);
  EXPECT_FALSE(nodes[1].waits());
}

TEST(NodeHeartbeat, IsSentAtTheBeginning) {
  ring nodes;
  EXPECT_EQ(nodes.look(0), 0U);
  EXPECT_EQ(nodes.look(0), 1U);  // node 3 was heard, though it has not looked yet
}

TEST(NodeHeartbeat, BelievesOnlyTheNodeBeforeThisOne) {
  ring nodes(77);  // of another job
  for (unsigned look = 0; look < 5; ++look) {
    nodes[0].look();
    EXPECT_EQ(nodes.look(1), 0U);
  }
  ring others;
  others[0].look();
  EXPECT_EQ(others.look(1), 0U);
  EXPECT_EQ(others.look(1), 1U);  // it was heard
}

TEST(NodeHeartbeat, OfTheFirstNodeNamesAnyThatIsSilent) {
  ring nodes;
  nodes[0].look();
  EXPECT_EQ(nodes[0].silent(1), nullptr);
  for (const unsigned n : {1U, 3U}) nodes[n].look();
  nodes[0].look();
  ASSERT_NE(nodes[0].silent(1), nullptr);
  EXPECT_EQ(nodes[0].silent(1)->rank, 3U);  // node 2
  EXPECT_FALSE(nodes[0].previous_is_silent(1));
}

TEST(NodeHeartbeat, IsNotMissedOfANodeThatHasLeft) {
  ring nodes;
  nodes[0].take();
  EXPECT_TRUE(nodes[0].waits());
  for (const unsigned n : {1U, 2U, 3U}) {
    EXPECT_TRUE(nodes[0].waits());
    nodes[n].leave();
    nodes[0].take();
  }
  EXPECT_FALSE(nodes[0].waits());
  for (unsigned look = 0; look < 5; ++look) EXPECT_EQ(nodes.look(0), 0U);
  EXPECT_EQ(nodes[0].silent(1), nullptr);
}

TEST(NodeHeartbeat, IsMissedToTheEndUntilTheNodeHasGone) {
  ring nodes;
  for (const unsigned n : {1U, 2U, 3U}) nodes[n].leave();
  for (const unsigned n : {1U, 2U}) nodes[n].go();
  nodes[0].look();
  EXPECT_FALSE(nodes[0].waits());
  EXPECT_TRUE(nodes[0].waits_to_the_end());
  nodes[0].look();
  EXPECT_EQ(nodes[0].silent(1), nullptr);
  EXPECT_FALSE(nodes[0].previous_is_silent(1));
  ASSERT_NE(nodes[0].silent_to_the_end(1), nullptr);
  EXPECT_EQ(nodes[0].silent_to_the_end(1)->rank, 4U);  // node 3
  nodes[3].go();
  nodes[0].look();
  EXPECT_FALSE(nodes[0].waits_to_the_end());
  for (unsigned look = 0; look < 5; ++look) nodes[0].look();
  EXPECT_EQ(nodes[0].silent_to_the_end(1), nullptr);
}

TEST(NodeHeartbeat, DoesNothingWithoutASocketOrOtherNodes) {
  node_heartbeat alone;
  alone.look();
  EXPECT_FALSE(alone.previous_is_silent(1));
  heartbeat_address own;
  const int socket = open_heartbeat(own);
  EXPECT_GE(socket, 0);
  EXPECT_NE(own.port, 0U);
  alone.begin(socket, 1, {}, {}, {});
  for (unsigned look = 0; look < 10; ++look) alone.look();
  EXPECT_EQ(alone.silent(1), nullptr);
  EXPECT_FALSE(alone.waits());
  ::close(socket);
}

}  // namespace
}  // namespace gossamer::machine
