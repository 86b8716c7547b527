#include "gossamer/machine/internal/node_heartbeat.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gossamer::machine {
namespace {

constexpr unsigned k_never_silent = 100;

/// Watches of a ring of nodes, by the loopback address. Each hears all others. A hidden pair cannot reach each other.
class ring {
 public:
  explicit ring(std::uint64_t token_of_first = 1, std::pair<unsigned, unsigned> hidden = {0, 0}) {
    for (unsigned n = 0; n < k_nodes; ++n) {
      sockets_[n] = open_heartbeat(peers_[n].address);
      peers_[n].address.hosts = {htonl(INADDR_LOOPBACK)};
      peers_[n].token = peers_[n].rank = n + 1;
      peers_[n].number = n;
    }
    for (unsigned n = 0; n < k_nodes; ++n) {
      const auto seen = [&](unsigned other) {
        heartbeat_peer peer = peers_[other];
        if (std::pair(n, other) == hidden || std::pair(other, n) == hidden) peer.address = {};
        return peer;
      };
      const unsigned before = (n + k_nodes - 1) % k_nodes;
      heard_[n] = {seen(before)};
      for (unsigned other = 0; other < k_nodes; ++other)
        if (other != n && other != before) heard_[n].push_back(seen(other));
      heartbeat_peer own = peers_[n];
      if (n == 0) own.token = token_of_first;
      const heartbeat_address next = seen((n + 1) % k_nodes).address;
      nodes_[n].begin(sockets_[n], own, next, n == 0 ? next : seen(0).address, heard_[n]);
    }
  }
  ~ring() {
    for (const int s : sockets_) ::close(s);
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;

  static constexpr unsigned k_nodes = 4;
  node_heartbeat& operator[](unsigned n) { return nodes_[n]; }
  /// Makes one check, and returns how many checks in a row the node before that one has been silent.
  unsigned check(unsigned n) {
    nodes_[n].check();
    unsigned silent = 0;
    while (silent < k_never_silent && nodes_[n].lost(silent + 1) == &heard_[n][0]) ++silent;
    return silent;
  }
  /// Makes so many checks on all nodes but those that are still.
  void check_all(unsigned checks, std::initializer_list<unsigned> still = {}) {
    for (unsigned check = 0; check < checks; ++check)
      for (unsigned n = 0; n < k_nodes; ++n)
        if (std::ranges::find(still, n) == still.end()) nodes_[n].check();
  }

 private:
  std::array<int, k_nodes> sockets_{};
  std::array<heartbeat_peer, k_nodes> peers_;
  std::array<std::vector<heartbeat_peer>, k_nodes> heard_;
  std::array<node_heartbeat, k_nodes> nodes_;
};

TEST(NodeHeartbeat, FindsANodeSilentThatWasHeard) {
  ring nodes;
  for (unsigned check = 0; check < 5; ++check)
    for (unsigned n = 0; n < ring::k_nodes; ++n) nodes[n].check();
  nodes[0].check();  // takes what node 3 has sent last
  for (unsigned check = 1; check < 5; ++check) {
    EXPECT_EQ(nodes.check(0), check);  // node 3 makes no more checks
    EXPECT_LE(nodes.check(1), 1U);
  }
}

TEST(NodeHeartbeat, HearsANodeAgain) {
  ring nodes;
  nodes[3].check();
  EXPECT_EQ(nodes.check(0), 0U);
  EXPECT_EQ(nodes.check(0), 1U);
  EXPECT_EQ(nodes.check(0), 2U);
  nodes[3].check();
  EXPECT_EQ(nodes.check(0), 0U);
}

TEST(NodeHeartbeat, NeverFindsANodeSilentThatWasNotHeard) {
  ring nodes(77);  // node 1 waits for another one than node 0
  for (unsigned check = 0; check < k_never_silent; ++check) EXPECT_EQ(nodes.check(1), 0U);
  EXPECT_FALSE(nodes[1].waits());
}

TEST(NodeHeartbeat, IsSentAtTheBeginning) {
  ring nodes;
  EXPECT_EQ(nodes.check(0), 0U);
  EXPECT_EQ(nodes.check(0), 1U);  // node 3 was heard, though it has made no check yet
}

TEST(NodeHeartbeat, BelievesOnlyTheNodeBeforeThisOne) {
  ring nodes(77);  // of another job
  for (unsigned check = 0; check < 5; ++check) {
    nodes[0].check();
    EXPECT_EQ(nodes.check(1), 0U);
  }
  ring others;
  others[0].check();
  EXPECT_EQ(others.check(1), 0U);
  EXPECT_EQ(others.check(1), 1U);  // it was heard
}

TEST(NodeHeartbeat, OfTheFirstNodeNamesAnyThatIsSilent) {
  ring nodes;
  nodes[0].check();
  EXPECT_EQ(nodes[0].silent(1), nullptr);
  for (const unsigned n : {1U, 3U}) nodes[n].check();
  nodes[0].check();
  ASSERT_NE(nodes[0].silent(1), nullptr);
  EXPECT_EQ(nodes[0].silent(1)->rank, 3U);  // node 2
  EXPECT_EQ(nodes[0].lost(1), nullptr);  // it says so after two time-outs
  nodes[0].check();
  ASSERT_NE(nodes[0].lost(1), nullptr);
}

TEST(NodeHeartbeat, OfALostNodeIsMissedByTheNextOneFirst) {
  constexpr unsigned k_checks = 8;
  ring nodes;
  nodes.check_all(2);
  nodes.check_all(k_checks, {1});
  for (const unsigned n : {0U, 3U}) EXPECT_EQ(nodes[n].lost(k_checks), nullptr) << n;
  ASSERT_NE(nodes[2].lost(k_checks), nullptr);
  EXPECT_EQ(nodes[2].hearer_of(*nodes[2].lost(k_checks), k_checks), nullptr);  // no node hears it
  nodes.check_all(k_checks + 1, {1});
  EXPECT_NE(nodes[0].lost(k_checks), nullptr);
  EXPECT_EQ(nodes[3].lost(k_checks), nullptr);
  nodes.check_all(1, {1});
  EXPECT_NE(nodes[3].lost(k_checks), nullptr);
}

/// A node of a ring and the one that it has to miss: they are neighbours, or they are not.
class HiddenNodes : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(HiddenNodes, AreToldFromLostOnesByOneOfThem) {
  constexpr unsigned k_checks = 8;
  const auto [hidden, by] = GetParam();
  ring nodes(1, {hidden, by});
  nodes.check_all(2 * k_checks + 4);
  const heartbeat_peer* const found = nodes[by].never_heard(k_checks);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->number, hidden);
  ASSERT_NE(nodes[by].hearer_of(*found, k_checks), nullptr);
  EXPECT_EQ(nodes[by].lost(k_checks), nullptr);  // it never was heard
  for (unsigned n = 0; n < ring::k_nodes; ++n)
    EXPECT_EQ(nodes[n].never_heard(k_checks) != nullptr, n == by) << n;
}

INSTANTIATE_TEST_SUITE_P(All, HiddenNodes,
                         testing::Values(std::pair(1U, 2U), std::pair(1U, 3U), std::pair(3U, 0U)));

TEST(NodeHeartbeat, IsNotMissedOfANodeThatNoneHears) {
  ring nodes(77);  // of another job
  nodes.check_all(100);
  for (unsigned n = 0; n < ring::k_nodes; ++n) EXPECT_EQ(nodes[n].never_heard(8), nullptr) << n;
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
  for (unsigned check = 0; check < 5; ++check) EXPECT_EQ(nodes.check(0), 0U);
  EXPECT_EQ(nodes[0].silent(1), nullptr);
}

TEST(NodeHeartbeat, IsMissedToTheEndUntilTheNodeHasGone) {
  ring nodes;
  for (const unsigned n : {1U, 2U, 3U}) nodes[n].leave();
  for (const unsigned n : {1U, 2U}) nodes[n].go();
  nodes[0].check();
  EXPECT_FALSE(nodes[0].waits());
  EXPECT_TRUE(nodes[0].waits_to_the_end());
  nodes[0].check();
  EXPECT_EQ(nodes[0].silent(1), nullptr);
  EXPECT_EQ(nodes[0].lost(1), nullptr);
  ASSERT_NE(nodes[0].silent_to_the_end(1), nullptr);
  EXPECT_EQ(nodes[0].silent_to_the_end(1)->rank, 4U);  // node 3
  nodes[3].go();
  nodes[0].check();
  EXPECT_FALSE(nodes[0].waits_to_the_end());
  for (unsigned check = 0; check < 5; ++check) nodes[0].check();
  EXPECT_EQ(nodes[0].silent_to_the_end(1), nullptr);
}

TEST(NodeHeartbeat, DoesNothingWithoutASocketOrOtherNodes) {
  node_heartbeat alone;
  alone.check();
  EXPECT_EQ(alone.lost(1), nullptr);
  heartbeat_address own;
  const int socket = open_heartbeat(own);
  EXPECT_GE(socket, 0);
  EXPECT_NE(own.port, 0U);
  alone.begin(socket, {}, {}, {}, {});
  for (unsigned check = 0; check < 10; ++check) alone.check();
  EXPECT_EQ(alone.silent(1), nullptr);
  EXPECT_FALSE(alone.waits());
  ::close(socket);
}

}  // namespace
}  // namespace gossamer::machine
