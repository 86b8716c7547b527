#include "gossamer/message/internal/inbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "support/neighbours.hpp"

namespace gossamer::message {
namespace {

constexpr auto k_request = fabric::traffic::request, k_reply = fabric::traffic::reply;

/// What a packet asks of the core that takes it.
struct needs {
  std::uint32_t reply_bytes = 0;
  std::uint16_t matches = 0;
};

/// The inbox of core 0, without an endpoint: the test puts packets into the lanes. What a packet holds is
/// its number, in its field `bytes`.
class Inbox : public ::testing::Test, public inbox::host {
 protected:
  static constexpr std::size_t k_packets = 128;
  static constexpr std::uint32_t k_most_answers = 100;
  static constexpr std::uint64_t k_long_poll_us = 1'000'000'000;  // packets alone bound it

  void make(unsigned cores, unsigned processes = 1) {
    shared = std::make_unique<process_context>(cores, processes);
    in = std::make_unique<inbox>(0, *shared, *this, k_packets, k_packets, k_long_poll_us);
    for (unsigned c = 0; c < cores + (processes > 1 ? 1 : 0); ++c) pools.push_back(std::make_unique<pair>(c));
  }

  void run_packet(fabric::packet& p) override {
    ran.emplace_back(p.source, p.bytes);
    if (on_run) on_run(p);
  }
  void notify_core(unsigned core) override { notified.push_back(core); }
  bool can_answer(unsigned, std::uint32_t bytes) override { return bytes <= answer_room; }
  std::optional<copy_room> missing_room(const fabric::packet& p) override {
    ++asked;
    if (!full.contains(p.source)) return std::nullopt;
    return copy_room{p.matches, p.bytes};
  }
  copy_room common_room() override { return {room, ~std::size_t{0}}; }
  fabric::packet_pool& pool_of(unsigned core, fabric::traffic kind) override {
    return kind == k_reply ? pools[core]->replies : pools[core]->requests;
  }
  void node_packet() override { ++node_packets; }
  void release_chunk(fabric::packet& chunk) override {
    ++released;
    if (on_release) on_release(chunk);
  }

  /// Sends a packet from core `source` to core 0, by the lane of `endpoint_index`.
  void send(unsigned endpoint_index, unsigned source, std::uint32_t number, needs n = {},
            fabric::traffic kind = k_request) {
    fabric::packet* const p = pool_of(endpoint_index, kind).get();
    ASSERT_NE(p, nullptr);
    p->kind = kind;
    p->source = static_cast<std::uint16_t>(source);
    p->bytes = number;
    p->reply_bytes = n.reply_bytes;
    p->matches = n.matches;
    ASSERT_TRUE(shared->lanes.try_push(*p, endpoint_index, 0));
  }
  void send(unsigned source, std::uint32_t number, needs n = {}, fabric::traffic kind = k_request) {
    send(source, source, number, n, kind);
  }
  std::vector<std::uint32_t> ran_of(unsigned source) const {
    std::vector<std::uint32_t> all;
    for (const auto& [from, number] : ran)
      if (from == source) all.push_back(number);
    return all;
  }

  struct pair {
    explicit pair(unsigned owner)
        : requests(static_cast<std::uint16_t>(owner), k_packets, 2048),
          replies(static_cast<std::uint16_t>(owner), k_packets, 2048) {}
    fabric::packet_pool requests, replies;
  };

  std::unique_ptr<process_context> shared;
  std::vector<std::unique_ptr<pair>> pools;
  std::unique_ptr<inbox> in;
  std::vector<std::pair<unsigned, std::uint32_t>> ran;
  std::vector<unsigned> notified;
  std::function<void(const fabric::packet&)> on_run;
  std::function<void(fabric::packet&)> on_release;
  std::uint32_t answer_room = k_most_answers;
  std::set<unsigned> full;  // sources that the mailbox has no room for
  std::size_t room = 0;
  unsigned asked = 0, released = 0, node_packets = 0;
};

using numbers = std::vector<std::uint32_t>;

TEST_F(Inbox, TakesPacketsOfEachSourceInOrder) {
  for (const unsigned cores : {3U, 70U}) {  // few look into all lanes, many at bits
    ran.clear();
    pools.clear();
    make(cores);
    EXPECT_FALSE(in->receive());
    for (std::uint32_t n = 0; n < 10; ++n) {
      send(1, n);
      send(cores - 1, n);
    }
    EXPECT_TRUE(in->any_arrival());
    EXPECT_TRUE(in->receive());
    EXPECT_FALSE(in->any_arrival());
    EXPECT_EQ(ran_of(1), (numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(ran_of(cores - 1), ran_of(1));
    EXPECT_FALSE(in->receive());
  }
}

TEST_F(Inbox, RequestsWaitForRoomForTheirAnswersAndRepliesDoNot) {
  make(3);
  send(1, 0, {.reply_bytes = k_most_answers + 1});
  send(1, 1);
  send(1, 2, {}, k_reply);
  send(2, 3, {.reply_bytes = k_most_answers});
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(1), numbers{2});
  EXPECT_EQ(ran_of(2), numbers{3});
  EXPECT_TRUE(in->has_deferred());
  EXPECT_FALSE(in->receive());
  EXPECT_TRUE(in->has_deferred());
  answer_room += 1;
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(1), (numbers{2, 0, 1}));
  EXPECT_FALSE(in->has_deferred());
}

TEST_F(Inbox, ASourceWaitsForRoomInTheMailbox) {
  make(3);
  full = {1};
  send(1, 0, {.matches = 1});
  send(1, 1);
  send(2, 2, {.matches = 1});
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran, (std::vector<std::pair<unsigned, std::uint32_t>>{{2, 2}}));
  EXPECT_FALSE(in->any_arrival()) << "what waits does not keep the core awake";
  EXPECT_FALSE(in->has_deferred());
  in->room_freed(2, false);
  EXPECT_FALSE(in->has_deferred()) << "source 2 does not wait";
  in->room_freed(1, false);
  EXPECT_TRUE(in->has_deferred());
  full.clear();
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(1), (numbers{0, 1}));
  send(1, 3);
  EXPECT_TRUE(in->any_arrival()) << "it does not wait any more";
}

TEST_F(Inbox, CommonRoomWakesSourcesInTurn) {
  make(70);  // so many that receive() does not look into all lanes anyway
  full = {1, 2, 3};
  for (const unsigned source : {1U, 2U, 3U}) send(source, source, {.matches = 2});
  EXPECT_FALSE(in->receive());
  const unsigned before = asked;
  room = 1;  // less than any needs
  in->room_freed(0, true);
  EXPECT_FALSE(in->receive());
  EXPECT_EQ(asked, before) << "no source was polled";
  room = 6;
  full.clear();
  in->room_freed(0, true);
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran.size(), 3U);
  EXPECT_FALSE(in->any_arrival());
}

TEST_F(Inbox, PacketsGoHomeByTheBatch) {
  make(2);
  const std::size_t batch = k_packets / (4 * 2);
  for (std::uint32_t n = 0; n + 1 < batch; ++n) send(1, n);
  EXPECT_TRUE(in->receive());
  EXPECT_TRUE(notified.empty());
  send(1, 99);
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(notified, std::vector<unsigned>{1});
  EXPECT_EQ(pools[1]->requests.available(), k_packets);
}

TEST_F(Inbox, PacketsGoHomeEarlyWhereTheyAreWanted) {
  make(3);
  send(1, 0);
  send(2, 0);
  EXPECT_TRUE(in->receive());
  pools[1]->requests.want();
  for (int i = 0; i < 8; ++i) in->return_wanted();
  EXPECT_EQ(notified, std::vector<unsigned>{1});
  EXPECT_EQ(pools[2]->requests.available(), k_packets - 1);
  in->return_all();
  EXPECT_EQ(notified, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(pools[2]->requests.available(), k_packets);
}

TEST_F(Inbox, ASenderOfCopiesHearsOfRoomInItsLane) {
  make(3);
  fabric::packet& p = *pools[1]->requests.get();
  p.source = 1;
  p.bytes = fabric::line_lane::k_inside_bytes;
  ASSERT_TRUE(shared->lanes.try_copy(p, 1, 0));
  ASSERT_TRUE(shared->lanes.try_copy(p, 1, 0));
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(1).size(), 2U);
  for (int call = 0; call < 8; ++call) in->return_wanted();
  EXPECT_TRUE(notified.empty()) << "nobody waits";
  pools[1]->requests.want();
  for (int call = 0; call < 8; ++call) in->return_wanted();
  EXPECT_EQ(notified, std::vector<unsigned>{1});
  in->return_all();
  EXPECT_EQ(notified.size(), 1U) << "it has been told";
  ASSERT_TRUE(shared->lanes.try_copy(p, 1, 0));
  EXPECT_TRUE(in->receive());
  in->return_all();
  EXPECT_EQ(notified.size(), 2U) << "before this core sleeps";
  EXPECT_EQ(pools[1]->requests.available(), k_packets - 1) << "the packet is its sender's own";
}

TEST_F(Inbox, ASourceOfAnotherProcessHoldsUpItselfOnly) {
  make(2, 2);  // cores 2 and 3 are of the other process
  const unsigned wire = shared->wire_index();
  full = {2};
  send(wire, 2, 0, {.matches = 1});
  send(wire, 3, 1, {.matches = 1});
  send(wire, 2, 2);
  send(wire, 3, 3);
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(3), (numbers{1, 3}));
  EXPECT_EQ(ran_of(2), numbers{});
  EXPECT_EQ(released, 2U);
  send(wire, 2, 4);
  EXPECT_FALSE(in->receive());
  in->room_freed(3, false);
  EXPECT_FALSE(in->has_deferred());
  in->room_freed(2, false);
  EXPECT_TRUE(in->has_deferred());
  full.clear();
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), (numbers{0, 2, 4})) << "in order";
  EXPECT_EQ(released, 5U);
  EXPECT_TRUE(notified.empty()) << "chunks are no pool's";
}

TEST_F(Inbox, RequestsOfOtherProcessesWaitForRoomForTheirAnswers) {
  make(2, 2);
  const unsigned wire = shared->wire_index();
  send(wire, 2, 0, {.reply_bytes = k_most_answers + 1});
  send(wire, 3, 1);
  send(wire, 3, 2, {}, k_reply);
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran, (std::vector<std::pair<unsigned, std::uint32_t>>{{3, 2}}));
  EXPECT_TRUE(in->has_deferred());
  answer_room += 1;
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), numbers{0});
  EXPECT_EQ(ran_of(3), (numbers{2, 1}));
  EXPECT_FALSE(in->has_deferred());
}

/// A source sends as fast as this core takes: each of its packets is followed by another one before it has been run.
TEST_F(Inbox, ASourceThatNeverEndsHoldsUpNeitherTheCoreNorOthers) {
  constexpr unsigned k_never = 20'000;
  for (const unsigned cores : {3U, 70U})  // few look into all lanes, many at bits
    for (const fabric::traffic kind : {k_request, k_reply}) {
      ran.clear();
      pools.clear();
      make(cores);
      on_run = [&](const fabric::packet& p) {
        if (p.source == 1 && ran.size() < k_never) send(1, static_cast<std::uint32_t>(ran.size()), {}, kind);
      };
      send(1, 0, {}, kind);
      send(cores - 1, 1);
      EXPECT_TRUE(in->receive());
      EXPECT_LT(ran.size(), 200U) << "the poll ends";
      EXPECT_TRUE(in->has_deferred() || in->any_arrival()) << "it goes on";
      for (unsigned polls = 0; polls < cores && ran_of(cores - 1).empty(); ++polls) in->receive();
      EXPECT_EQ(ran_of(cores - 1).size(), 1U);
      EXPECT_LT(ran.size(), k_never / 2);
      on_run = nullptr;
      while (in->receive()) {}
      const numbers all = ran_of(1);
      EXPECT_TRUE(std::ranges::is_sorted(all)) << "in order";
      EXPECT_FALSE(in->has_deferred());
      EXPECT_FALSE(in->any_arrival());
    }
}

TEST_F(Inbox, ALookThatHasLastedEndsAfterAPacketAndGoesOnBehind) {
  make(4);
  in = std::make_unique<inbox>(0, *shared, *this, k_packets, k_packets, 0);
  for (std::uint32_t n = 0; n < 20; ++n)
    for (const unsigned source : {1U, 2U, 3U}) send(source, 9000 + n);  // large, by the bytes that they say
  in->receive();
  EXPECT_EQ(ran.size(), 1U);
  in->receive();
  in->receive();
  EXPECT_EQ(std::set<unsigned>({ran[0].first, ran[1].first, ran[2].first}), (std::set<unsigned>{1, 2, 3}));
  while (in->receive()) {}
  for (const unsigned source : {1U, 2U, 3U}) EXPECT_EQ(ran_of(source).size(), 20U);
}

TEST_F(Inbox, AProcessThatNeverEndsHoldsUpNoOther) {
  constexpr unsigned k_never = 20'000;
  for (const fabric::traffic kind : {k_request, k_reply}) {
    ran.clear();
    pools.clear();
    make(2, 4);
    const unsigned wire = shared->wire_index();
    on_release = [&](fabric::packet& p) {  // it comes again
      if (p.source == 2 && ran.size() < k_never) {
        EXPECT_TRUE(shared->lanes.try_push(p, wire, 0));
      }
    };
    send(wire, 2, 0, {}, kind);
    send(wire, 5, 1);
    send(1, 2);
    for (unsigned polls = 0; polls < 4 && (ran_of(5).empty() || ran_of(1).empty()); ++polls) in->receive();
    EXPECT_EQ(ran_of(5).size(), 1U);
    EXPECT_EQ(ran_of(1).size(), 1U);
    EXPECT_LT(ran.size(), 1000U);
    on_release = nullptr;
  }
}

/// Two cores each in two processes of a node, or in many. Core 0 of the first receives; the test sends from the second.
class InboxNode : public Inbox, public ::testing::WithParamInterface<unsigned> {
 protected:
  static constexpr unsigned k_cores = 2;

  InboxNode() {
    make(k_cores, GetParam());
    shared->node = &lanes.first;
    in = std::make_unique<inbox>(0, *shared, *this, k_packets, k_packets, k_long_poll_us);
  }
  void send_by_lane(unsigned source, std::uint32_t number, needs n = {}, fabric::traffic kind = k_request) {
    const unsigned place = lanes.second.place(0);
    fabric::packet* const p = lanes.second.to(source - k_cores, place, kind).open();
    ASSERT_NE(p, nullptr);
    p->kind = kind;
    p->source = static_cast<std::uint16_t>(source);
    p->bytes = number;
    p->reply_bytes = n.reply_bytes;
    p->matches = n.matches;
    lanes.second.publish(source - k_cores, place, kind, p->bytes);
  }
  /// Returns whether all that was sent has been received, as a search for a stall sees it.
  bool all_received() const { return lanes.first.received() == lanes.second.sent(); }
  static std::vector<unsigned> processes() {
    std::vector<unsigned> all(GetParam());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  test::neighbours lanes{fabric::node_lanes::layout{k_cores, processes(), 2048}};
};

// With 70 processes the bits of arrivals have three words; a core polls the lanes that they name.
INSTANTIATE_TEST_SUITE_P(FewAndMany, InboxNode, ::testing::Values(2U, 70U));

TEST_P(InboxNode, TakesPacketsOfEachSourceInOrder) {
  EXPECT_FALSE(in->receive());
  for (std::uint32_t n = 1; n < 8; ++n) {
    send_by_lane(2, n);
    send_by_lane(3, 100 * n, {}, k_reply);
  }
  EXPECT_TRUE(in->any_arrival());
  EXPECT_FALSE(all_received());
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), (numbers{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(ran_of(3), (numbers{100, 200, 300, 400, 500, 600, 700}));
  EXPECT_EQ(node_packets, 14U) << "each is announced before it counts as received";
  EXPECT_TRUE(all_received());
  EXPECT_FALSE(in->any_arrival());
  EXPECT_FALSE(in->receive());
  EXPECT_EQ(released, 0U) << "they are no chunks of the wire";
  EXPECT_TRUE(notified.empty()) << "and no pool's";
}

TEST_P(InboxNode, RequestsWaitForRoomForTheirAnswersAndRepliesDoNot) {
  send_by_lane(2, 1, {.reply_bytes = k_most_answers + 1});
  send_by_lane(2, 2);
  send_by_lane(2, 3, {}, k_reply);
  send_by_lane(3, 4, {.reply_bytes = k_most_answers});
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), numbers{3});
  EXPECT_EQ(ran_of(3), numbers{4});
  EXPECT_TRUE(in->has_deferred());
  EXPECT_FALSE(all_received()) << "the core is not quiet";
  answer_room += 1;
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), (numbers{3, 1, 2}));
  EXPECT_FALSE(in->has_deferred());
  EXPECT_TRUE(all_received());
}

TEST_P(InboxNode, ASourceWaitsForRoomInTheMailboxAndHoldsUpItselfOnly) {
  full = {2};
  send_by_lane(2, 1, {.matches = 1});
  send_by_lane(2, 2);
  send_by_lane(3, 3, {.matches = 1});
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran, (std::vector<std::pair<unsigned, std::uint32_t>>{{3, 3}}));
  EXPECT_FALSE(in->any_arrival()) << "what waits does not keep the core awake";
  EXPECT_FALSE(in->has_deferred());
  EXPECT_TRUE(all_received()) << "or no stall would ever be found";
  send_by_lane(2, 4, {}, k_reply);
  EXPECT_TRUE(in->any_arrival()) << "replies are not held up";
  EXPECT_TRUE(in->receive());
  full.clear();
  EXPECT_TRUE(in->receive()) << "it polls again at each call";
  EXPECT_EQ(ran_of(2), (numbers{4, 1, 2}));
  send_by_lane(2, 5);
  EXPECT_TRUE(in->any_arrival()) << "it does not wait any more";
  EXPECT_FALSE(all_received());
}

// A poll takes at most so many packets of a lane. The next poll finds the rest without another arrival.
TEST_P(InboxNode, FindsWhatTheLastLookHasLeft) {
  std::uint32_t sent = 0;
  for (; sent < 100; ++sent) send_by_lane(3, sent);
  in->receive();
  send_by_lane(2, 0, {.reply_bytes = k_most_answers + 1});
  in->receive();
  in->receive();
  EXPECT_EQ(ran_of(3).size(), sent);
  EXPECT_TRUE(ran_of(2).empty());
  EXPECT_TRUE(in->any_arrival()) << "it has been looked at, and is there";
  answer_room += 1;
  EXPECT_TRUE(in->receive());
  EXPECT_EQ(ran_of(2), numbers{0});
  EXPECT_FALSE(in->any_arrival());
}

}  // namespace
}  // namespace gossamer::message
