#include "gossamer/message/internal/outbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/neighbours.hpp"

namespace gossamer::message {
namespace {

using status = outbox::status;
using reason = outbox::reason;

/// A record as it was written, or read from a packet.
struct sent_record {
  unsigned to;
  std::uint16_t handler;
  std::uint64_t value;
  friend bool operator==(const sent_record&, const sent_record&) = default;
};

std::vector<sent_record> records_of(fabric::packet& p) {
  std::vector<sent_record> all;
  for_each_run(
      p.payload(), p.payload() + p.bytes, [](completion*) { ADD_FAILURE() << "none has a scope"; },
      [&](const run_header& h, const std::byte* at) {
        EXPECT_EQ(h.record_bytes, sizeof(std::uint64_t));
        for (unsigned i = 0; i < h.count; ++i) {
          std::uint64_t value;
          std::memcpy(&value, at + i * sizeof value, sizeof value);
          all.push_back({h.core, h.handler, value});
        }
      });
  return all;
}

/// The outbox of one core of a few, without an endpoint: the test takes packets out of the lanes.
class Outbox : public ::testing::Test, public packet_host {
 protected:
  static constexpr std::size_t k_packet_bytes = 2048;
  static constexpr std::size_t k_payload = k_packet_bytes - fabric::packet::k_head_bytes;
  static constexpr std::size_t k_full = (k_payload - sizeof(run_header)) / 8;  // records of one run

  static outbox_options small() { return {.packet_bytes = k_packet_bytes, .request_packets = 100}; }

  /// Core `id` of `cores` in one process.
  void make(const outbox_options& o, unsigned cores = 3, unsigned id = 0) {
    shared = std::make_unique<process_context>(cores);
    out = std::make_unique<outbox>(id, o, *shared, *this, count);
  }

  void run_packet(fabric::packet& p) override {
    for (const sent_record& r : records_of(p)) ran.push_back(r);
  }
  void notify_core(unsigned core) override { notified.push_back(core); }

  status put(unsigned to, std::uint64_t value, std::uint16_t handler = 1, std::uint32_t reply_bytes = 0,
             std::uint32_t matches = 0) {
    send_buffer& o = out->requests(to);
    if (o.needs_run(handler, nullptr) || out->exceeds_answers(o, reply_bytes)) {
      const status s = out->open_run(o, to, {nullptr, handler, sizeof value, reply_bytes, matches});
      if (s != status::opened) return s;
    }
    o.append<std::remove_cvref_t<decltype(value)>>(value);
    o.reply_bytes += reply_bytes;
    o.matches += matches;
    return status::opened;
  }
  void put_reply(unsigned to, std::uint64_t value) {
    send_buffer& o = out->replies(to);
    if (o.needs_run(1, nullptr)) {
      ASSERT_EQ(out->open_run(o, to, {nullptr, 1, sizeof value, 0, 0}), status::opened);
    }
    o.append<std::remove_cvref_t<decltype(value)>>(value);
  }
  /// Writes records until one needs more than a look at the send buffer; returns why.
  status fill(unsigned to, std::size_t most = 1 << 20) {
    for (std::size_t i = 0; i < most; ++i)
      if (const status s = put(to, i); s != status::opened) return s;
    return status::opened;
  }
  /// Takes the oldest packet of a lane; null where there is none.
  fabric::packet* take(unsigned to, fabric::traffic kind = fabric::traffic::request) {
    const auto front_of = [](auto& lane) {
      fabric::packet* const p = lane.front();
      if (p != nullptr) lane.pop();
      return p;
    };
    if (kind == fabric::traffic::request) return shared->lanes.with_requests(0, to, front_of);
    return front_of(shared->lanes.between(0, to, kind));
  }
  void give_back(fabric::packet& p) {
    fabric::packet_batch one;
    one.push(p);
    out->pool(p.kind).put_batch(one);
  }

  counters count;
  std::unique_ptr<process_context> shared;
  std::unique_ptr<outbox> out;
  std::vector<unsigned> notified;
  std::vector<sent_record> ran;
};

TEST_F(Outbox, FlushesWhenPacketIsFull) {
  make(small());
  for (std::uint64_t i = 0; i < k_full; ++i) ASSERT_EQ(put(1, i), status::opened);
  EXPECT_EQ(take(1), nullptr);
  EXPECT_EQ(put(1, k_full), status::packet_left);
  fabric::packet* const p = take(1);
  ASSERT_NE(p, nullptr);
  const std::vector<sent_record> read = records_of(*p);
  ASSERT_EQ(read.size(), k_full);
  for (std::uint64_t i = 0; i < k_full; ++i) EXPECT_EQ(read[i], (sent_record{1, 1, i}));
  EXPECT_EQ(notified, std::vector<unsigned>{1});
  EXPECT_FALSE(out->any_open());
  EXPECT_EQ(put(1, k_full), status::opened) << "in the next packet";
  EXPECT_EQ(count.packets, 1U);
  EXPECT_EQ(count.flush_full, 1U);
  EXPECT_EQ(count.messages, k_full);
  EXPECT_EQ(count.bytes, p->bytes);
}

TEST_F(Outbox, KeepsThePacketWhoseLaneIsFull) {
  make(small());
  for (unsigned i = 0; i < fabric::lane::k_slots; ++i) ASSERT_EQ(fill(1), status::packet_left);
  EXPECT_FALSE(out->lane_has_room(1));
  EXPECT_EQ(fill(1), status::lane_full);
  EXPECT_TRUE(out->any_open_request());
  EXPECT_FALSE(out->may_leave());
  out->flush_all(reason::idle);
  EXPECT_TRUE(out->any_open_request()) << "it stays";
  EXPECT_EQ(fill(2), status::packet_left) << "others are not held up";
  ASSERT_NE(take(1), nullptr);
  EXPECT_TRUE(out->may_leave());
  out->flush_all(reason::idle);
  EXPECT_FALSE(out->any_open());
  unsigned left = 0;
  while (fabric::packet* const p = take(1)) {
    EXPECT_EQ(records_of(*p).size(), k_full);
    ++left;
  }
  EXPECT_EQ(left, fabric::lane::k_slots);
}

TEST_F(Outbox, SmallPacketsStayWithTheirPoolAndLargerOnesLeaveIt) {
  make(small());
  const std::size_t packets = out->pool(fabric::traffic::request).available();
  constexpr std::size_t k_most_inside = (fabric::line_lane::k_inside_bytes - sizeof(run_header)) / 8;
  for (std::size_t records = 1; records <= k_most_inside + 1; ++records) {
    for (std::uint64_t i = 0; i < records; ++i) ASSERT_EQ(put(1, 10 * records + i), status::opened);
    out->flush_all(reason::idle);
    fabric::packet* const p = take(1);
    ASSERT_NE(p, nullptr);
    const std::vector<sent_record> read = records_of(*p);
    ASSERT_EQ(read.size(), records);
    for (std::uint64_t i = 0; i < records; ++i) EXPECT_EQ(read[i], (sent_record{1, 1, 10 * records + i}));
    EXPECT_EQ(out->pool(fabric::traffic::request).available(), packets - (records > k_most_inside ? 1 : 0));
  }
  EXPECT_EQ(count.packets, k_most_inside + 1);
}

TEST_F(Outbox, SmallPacketsLeaveFirstWhereTheyAreAlone) {
  make(small());
  ASSERT_EQ(put(1, 5), status::opened);
  out->flush_small(reason::idle);
  EXPECT_FALSE(out->any_open());
  EXPECT_NE(take(1), nullptr);
  ASSERT_EQ(put(1, 5), status::opened);
  ASSERT_EQ(put(2, 6), status::opened);
  out->flush_small(reason::idle);
  EXPECT_TRUE(out->any_open()) << "more is under way";
  out->flush_all(reason::idle);
  ASSERT_EQ(fill(1, 100), status::opened);
  out->flush_small(reason::idle);
  EXPECT_TRUE(out->any_open()) << "it may become fuller";
  out->flush_all(reason::idle);
  ASSERT_EQ(put(0, 7), status::opened);
  out->flush_small(reason::idle);
  EXPECT_TRUE(out->any_open()) << "what goes to the own core is run by flush_all()";
}

TEST_F(Outbox, PacketsLeaveForCoresThatHaveTakenAll) {
  make(small());
  ASSERT_EQ(fill(1, 100), status::opened);
  ASSERT_EQ(fill(2, 2), status::opened);
  ASSERT_EQ(fill(0, 100), status::opened);
  out->flush_to_idle();
  EXPECT_NE(take(1), nullptr);
  EXPECT_EQ(take(2), nullptr) << "so few records wait for more";
  EXPECT_TRUE(ran.empty()) << "what goes to the own core is run by flush_all()";
  ASSERT_EQ(fill(1, 100), status::opened);
  out->flush_to_idle();
  ASSERT_EQ(fill(1, 100), status::opened);
  out->flush_to_idle();
  EXPECT_NE(take(1), nullptr);
  EXPECT_EQ(take(1), nullptr) << "core 1 had not taken the packet before";
  out->flush_to_idle();
  EXPECT_NE(take(1), nullptr);
  for (std::uint64_t i = 0; i < 100; ++i) put_reply(1, i);
  out->flush_to_idle();
  EXPECT_NE(take(1, fabric::traffic::reply), nullptr);
}

TEST_F(Outbox, SaysThatItHasNoPacket) {
  make({.packet_bytes = k_packet_bytes, .request_packets = 1});
  const std::size_t packets = out->pool(fabric::traffic::request).capacity();
  for (std::size_t i = 0; i < packets; ++i) ASSERT_EQ(fill(1), status::packet_left);
  EXPECT_EQ(put(1, 7), status::no_packet);
  EXPECT_EQ(put(2, 7), status::no_packet);
  EXPECT_FALSE(out->any_open());
  give_back(*take(1));
  EXPECT_EQ(put(2, 7), status::opened);
  EXPECT_EQ(put(1, 7), status::no_packet);
}

TEST_F(Outbox, RunsPacketsForTheOwnCoreWhenTheyLeave) {
  make(small());
  const std::size_t packets = out->pool(fabric::traffic::request).available();
  ASSERT_EQ(put(0, 5), status::opened);
  ASSERT_EQ(put(0, 6), status::opened);
  EXPECT_TRUE(ran.empty());
  EXPECT_TRUE(out->may_leave());
  EXPECT_TRUE(out->try_flush(out->requests(0), 0, reason::request));
  EXPECT_EQ(ran, (std::vector<sent_record>{{0, 1, 5}, {0, 1, 6}}));
  EXPECT_TRUE(notified.empty());
  EXPECT_EQ(out->pool(fabric::traffic::request).available(), packets);
}

TEST_F(Outbox, WithoutAggregationAPacketHoldsOneRecord) {
  outbox_options o = small();
  o.aggregate = false;
  make(o);
  EXPECT_EQ(put(1, 1), status::opened);
  EXPECT_EQ(put(1, 2), status::packet_left);
  EXPECT_EQ(put(1, 2), status::opened);
  out->flush_all(reason::idle);
  EXPECT_EQ(records_of(*take(1)), (std::vector<sent_record>{{1, 1, 1}}));
  EXPECT_EQ(records_of(*take(1)), (std::vector<sent_record>{{1, 1, 2}}));
}

TEST_F(Outbox, CountsWhyPacketsLeave) {
  make(small());
  ASSERT_EQ(put(1, 1), status::opened);
  ASSERT_EQ(put(2, 1), status::opened);
  out->flush_all(reason::idle);
  EXPECT_EQ(count.flush_idle, 2U);
  ASSERT_EQ(put(2, 1), status::opened);
  out->flush_aged(true);
  EXPECT_EQ(count.flush_request, 1U);
  EXPECT_EQ(fill(1), status::packet_left);
  EXPECT_EQ(count.flush_full, 1U);
  EXPECT_EQ(count.flush_age, 0U);
  EXPECT_EQ(count.packets, 4U);
  EXPECT_EQ(count.runs, 4U);
}

TEST_F(Outbox, OpenPacketsLeaveByAge) {
  outbox_options o = small();
  o.flush_delay_ns = std::uint64_t{3600} * 1'000'000'000;
  make(o);
  ASSERT_EQ(put(1, 1), status::opened);
  out->flush_aged(false);
  EXPECT_TRUE(out->any_open());
  o.flush_delay_ns = 0;
  make(o);
  ASSERT_EQ(put(1, 1), status::opened);
  while (out->any_open()) out->flush_aged(false);
  EXPECT_EQ(count.flush_age, 1U);
}

TEST_F(Outbox, NamesTheCoresThatPacketsAreOpenFor) {
  make(small(), 70);
  EXPECT_GE(out->next_open_request(0), shared->endpoint_indices());
  for (const unsigned to : {3U, 65U, 69U}) ASSERT_EQ(put(to, 1), status::opened);
  EXPECT_EQ(out->next_open_request(0), 3U);
  EXPECT_EQ(out->next_open_request(4), 65U);
  EXPECT_TRUE(out->try_flush(out->requests(65), 65, reason::request));
  EXPECT_EQ(out->next_open_request(4), 69U);
  EXPECT_GE(out->next_open_request(70), shared->endpoint_indices());
}

TEST_F(Outbox, APacketAsksForNoLargerAnswersThanItMay) {
  make(small());
  const auto most = static_cast<std::uint32_t>(8 * k_payload);
  const std::uint32_t each = most / 3;
  status s = status::opened;
  unsigned records = 0;
  while ((s = put(1, records, 1, each)) == status::opened) ++records;
  EXPECT_EQ(s, status::packet_left);
  EXPECT_EQ(records, 2U) << "the answers of a run take a header, too";
  const fabric::packet* const p = take(1);
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->reply_bytes, 2 * each + outbox::k_reply_overhead);
}

TEST_F(Outbox, APacketHoldsNoMoreTwoSidedMessagesThanAMailboxKeeps) {
  outbox_options o = small();
  o.most_matches = 3;
  make(o);
  EXPECT_EQ(out->most_matches(), 3U);
  ASSERT_EQ(put(1, 0, 1, 0, 1), status::opened);
  ASSERT_EQ(put(1, 1, 2, 0, 1), status::opened) << "of another type";
  ASSERT_EQ(put(1, 2, 1, 0, 1), status::opened);
  EXPECT_EQ(put(1, 3, 1, 0, 1), status::packet_left);
  EXPECT_EQ(take(1)->matches, 3U);
}

TEST_F(Outbox, AnswersHaveRoomWhileTheirPoolLasts) {
  make(small());
  EXPECT_TRUE(out->can_answer(1, 0));
  const std::size_t most = out->pool(fabric::traffic::reply).available() * k_payload;
  EXPECT_FALSE(out->can_answer(1, static_cast<std::uint32_t>(most)));
  put_reply(1, 1);
  EXPECT_TRUE(out->can_answer(1, 8 * k_payload));
  EXPECT_TRUE(out->any_open()) << "nothing had to leave";
  EXPECT_FALSE(out->can_answer(1, static_cast<std::uint32_t>(most)));
  EXPECT_FALSE(out->any_open()) << "so that it comes back";
  EXPECT_EQ(records_of(*take(1, fabric::traffic::reply)), (std::vector<sent_record>{{1, 1, 1}}));
}

TEST_F(Outbox, RandomRecordsArriveInOrder) {
  constexpr std::uint64_t k_seed = 5, k_records = 20'000;
  SCOPED_TRACE(k_seed);
  make({.packet_bytes = k_packet_bytes, .request_packets = 4});
  std::map<unsigned, std::deque<sent_record>> expected;
  const auto read_one = [&](unsigned to) {
    fabric::packet* const p = take(to);
    if (p == nullptr) return;
    for (const sent_record& r : records_of(*p)) {
      ASSERT_FALSE(expected[to].empty());
      ASSERT_EQ(r, expected[to].front());
      expected[to].pop_front();
    }
    give_back(*p);
  };
  for (std::uint64_t i = 0; i < k_records; ++i) {
    const std::uint64_t r = hash64(k_seed, i);
    const auto to = 1 + static_cast<unsigned>(r % 2);
    const auto handler = static_cast<std::uint16_t>(1 + (r >> 8) % 3);
    for (status s; (s = put(to, i, handler)) != status::opened;) {
      if (s != status::no_packet) continue;
      out->flush_all(reason::request);
      read_one(1);
      read_one(2);
    }
    expected[to].push_back({to, handler, i});
    if ((r >> 16) % 50 == 0) read_one(1 + static_cast<unsigned>((r >> 24) % 2));
  }
  out->flush_all(reason::idle);
  for (const unsigned to : {1U, 2U}) {
    for (unsigned i = 0; i < fabric::lane::k_slots; ++i) read_one(to);
    EXPECT_TRUE(expected[to].empty());
  }
  EXPECT_EQ(count.messages, k_records);
}

/// Two cores each in three processes. Wire packets lie in the lane to the wire.
class OutboxWire : public Outbox {
 protected:
  static constexpr unsigned k_cores = 2, k_processes = 3;

  void make_wire(std::size_t packets) {
    format = fabric::wire_format(8 << 10, k_cores);
    routing = std::make_unique<fabric::routes>(k_processes, 0, routing::direct);
    outbox_options o = small();
    o.format = &format;
    o.routing = routing.get();
    o.wire_packets = packets;
    shared = std::make_unique<process_context>(k_cores, k_processes);
    out = std::make_unique<outbox>(0, o, *shared, *this, count);
  }
  fabric::packet* take_wire() { return take(shared->wire_index()); }
  std::vector<sent_record> read_chunks(fabric::packet& p) {
    std::vector<sent_record> all;
    std::size_t at = 0;
    for (unsigned i = 0; i < p.matches; ++i) {
      fabric::packet& chunk = fabric::wire_format::chunk(p, at);
      for (const sent_record& r : records_of(chunk)) {
        EXPECT_EQ(r.to, chunk.owner);
        all.push_back(r);
      }
      at += fabric::wire_format::bytes_of(chunk);
    }
    EXPECT_EQ(p.bytes, fabric::wire_format::k_head_bytes + at) << "chunks lie side by side";
    return all;
  }

  fabric::wire_format format;
  std::unique_ptr<fabric::routes> routing;
};

TEST_F(OutboxWire, RecordsForCoresOfAProcessShareAPacket) {
  make_wire(4);
  ASSERT_EQ(put(2, 1), status::opened);
  ASSERT_EQ(put(3, 2), status::opened);
  ASSERT_EQ(put(4, 3), status::opened);
  ASSERT_EQ(put(2, 4), status::opened);
  EXPECT_TRUE(out->may_leave());
  out->flush_all(reason::idle);
  EXPECT_FALSE(out->any_open());
  fabric::packet *const first = take_wire(), *const second = take_wire();
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(take_wire(), nullptr);
  EXPECT_EQ(first->reply_bytes, 1U) << "the process that it goes to";
  EXPECT_EQ(read_chunks(*first), (std::vector<sent_record>{{2, 1, 1}, {2, 1, 4}, {3, 1, 2}}));
  EXPECT_EQ(second->reply_bytes, 2U);
  EXPECT_EQ(read_chunks(*second), (std::vector<sent_record>{{4, 1, 3}}));
  EXPECT_EQ(count.wire_packets, 2U);
  EXPECT_EQ(count.flush_idle, 2U);
  EXPECT_EQ(count.wire_bytes, first->bytes + second->bytes);
}

TEST_F(OutboxWire, AFullPacketLeavesAndNothingIsLost) {
  constexpr std::uint64_t k_seed = 9, k_records = 5000;
  SCOPED_TRACE(k_seed);
  make_wire(4);
  std::map<unsigned, std::deque<std::uint64_t>> expected;
  const auto read_all = [&] {
    while (fabric::packet* const p = take_wire()) {
      for (const sent_record& r : read_chunks(*p)) {
        ASSERT_FALSE(expected[r.to].empty());
        ASSERT_EQ(r.value, expected[r.to].front());
        expected[r.to].pop_front();
      }
      fabric::packet_batch one;
      one.push(*p);
      out->wire_pool(fabric::traffic::request).put_batch(one);
    }
  };
  for (std::uint64_t i = 0; i < k_records; ++i) {
    const auto to = 2 + static_cast<unsigned>(hash64(k_seed, i) % 4);
    for (status s; (s = put(to, i)) != status::opened;)
      if (s == status::no_packet) read_all();
    expected[to].push_back(i);
  }
  EXPECT_GT(count.flush_full, 0U);
  out->flush_wire(fabric::traffic::request, reason::idle);
  read_all();
  for (const auto& [to, left] : expected) EXPECT_TRUE(left.empty()) << to;
}

TEST_F(OutboxWire, SaysThatItHasNoWirePacket) {
  make_wire(4);
  unsigned left = 0;
  status s = status::opened;
  while ((s = put(2, left)) != status::no_packet) left += s == status::packet_left ? 1 : 0;
  EXPECT_EQ(count.wire_packets, 4U);
  EXPECT_EQ(put(4, 1), status::no_packet) << "for another process";
  EXPECT_EQ(put(1, 1), status::opened) << "in the own process";
}

/// Two cores each in two processes of a node and one elsewhere. Core 0 of the first sends; the test reads in the second.
class OutboxNode : public OutboxWire {
 protected:
  void make_node(outbox_options o) {
    lanes = std::make_unique<test::neighbours>(k_cores, k_packet_bytes);
    format = fabric::wire_format(8 << 10, k_cores);
    routing = std::make_unique<fabric::routes>(k_processes, 0, routing::direct);
    o.format = &format;
    o.routing = routing.get();
    o.wire_packets = 4;
    shared = std::make_unique<process_context>(k_cores, k_processes);
    shared->node = &lanes->first;
    out = std::make_unique<outbox>(0, o, *shared, *this, count);
  }
  fabric::node_lane_reader& reader(unsigned to, fabric::traffic kind = fabric::traffic::request) {
    return lanes->second.from(lanes->second.place(0), to - k_cores, kind);
  }
  /// Reads the oldest packet of the lane to a core of the second process; empty where there is none.
  std::vector<sent_record> read(unsigned to, fabric::traffic kind = fabric::traffic::request) {
    fabric::packet* const p = reader(to, kind).front();
    if (p == nullptr) return {};
    EXPECT_EQ(p->source, 0U);
    EXPECT_EQ(p->kind, kind);
    std::vector<sent_record> all = records_of(*p);
    reader(to, kind).pop();
    return all;
  }

  std::unique_ptr<test::neighbours> lanes;
};

TEST_F(OutboxNode, PacketsForANeighboursCoresLeaveByTheirLanes) {
  make_node(small());
  ASSERT_EQ(put(2, 1), status::opened);
  ASSERT_EQ(put(3, 2), status::opened);
  ASSERT_EQ(put(4, 3), status::opened) << "by the wire";
  ASSERT_EQ(put(2, 4), status::opened);
  put_reply(3, 5);
  EXPECT_TRUE(read(2).empty()) << "it is still open";
  EXPECT_TRUE(out->may_leave());
  out->flush_all(reason::idle);
  EXPECT_FALSE(out->any_open());
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 1}, {2, 1, 4}}));
  EXPECT_EQ(read(3), (std::vector<sent_record>{{3, 1, 2}}));
  EXPECT_EQ(read(3, fabric::traffic::reply), (std::vector<sent_record>{{3, 1, 5}}));
  EXPECT_EQ(count.flush_idle, 4U);
  EXPECT_EQ(count.wire_packets, 1U);
  EXPECT_TRUE(notified.empty());
  fabric::packet* const wired = take_wire();
  ASSERT_NE(wired, nullptr);
  EXPECT_EQ(read_chunks(*wired), (std::vector<sent_record>{{4, 1, 3}}));
}

TEST_F(OutboxNode, APacketGrowsBeyondWhatIsWrittenAside) {
  make_node(small());
  std::vector<sent_record> expected;
  constexpr std::uint64_t k_records = 2 * fabric::node_lane_writer::k_staged_bytes / sizeof(std::uint64_t);
  for (std::uint64_t i = 0; i < k_records; ++i) {
    ASSERT_EQ(put(2, i), status::opened) << i;
    expected.push_back({2, 1, i});
    EXPECT_EQ(reader(2).front(), nullptr) << "it is still open";
  }
  put_reply(2, 5);
  out->flush_all(reason::idle);
  EXPECT_EQ(read(2), expected) << "one packet";
  EXPECT_EQ(read(2, fabric::traffic::reply), (std::vector<sent_record>{{2, 1, 5}}));
  EXPECT_EQ(count.packets, 2U);
  EXPECT_EQ(count.runs, 2U) << "the run goes on where it is moved";
}

TEST_F(OutboxNode, WithoutAggregationEachRecordHasAPacket) {
  outbox_options o = small();
  o.aggregate = false;
  make_node(o);
  ASSERT_EQ(put(2, 1), status::opened);
  ASSERT_EQ(put(2, 2), status::packet_left);
  ASSERT_EQ(put(2, 2), status::opened);
  out->flush_all(reason::idle);
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 1}}));
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 2}}));
}

TEST_F(OutboxNode, ARequestMayLeaveAlone) {
  make_node(small());
  const auto alone = [this](unsigned to, std::uint64_t value) {
    std::byte* const at = out->open_alone(to, 1, sizeof value);
    if (at == nullptr) return false;
    std::memcpy(at, &value, sizeof value);
    out->push_alone(to, sizeof value);
    return true;
  };
  EXPECT_TRUE(alone(2, 1));
  EXPECT_FALSE(out->any_open());
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 1}})) << "it has left";
  EXPECT_EQ(count.messages, 1U);
  EXPECT_EQ(count.packets, 1U);
  ASSERT_EQ(put(2, 2), status::opened);
  EXPECT_FALSE(alone(2, 3)) << "it would overtake what is open";
  EXPECT_TRUE(alone(3, 4)) << "that is for another core";
  out->flush_all(reason::idle);
  EXPECT_TRUE(alone(2, 5));
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 2}}));
  EXPECT_EQ(read(2), (std::vector<sent_record>{{2, 1, 5}}));
  EXPECT_FALSE(alone(1, 6)) << "in the own process";
  EXPECT_FALSE(alone(4, 6)) << "by the wire";
  EXPECT_EQ(out->open_alone(2, 1, out->record_room() + 8), nullptr) << "too large";
  const std::size_t words = out->record_room() / 8;  // too much to be staged
  ASSERT_GT(8 * words, fabric::node_lane_writer::k_staged_bytes);
  std::byte* const large = out->open_alone(2, 1, 8 * words);
  ASSERT_NE(large, nullptr);
  std::memset(large, 3, 8 * words);
  EXPECT_EQ(reader(2).front(), nullptr) << "it is not published";
  out->push_alone(2, 8 * words);
  ASSERT_NE(reader(2).front(), nullptr);
  EXPECT_EQ(reader(2).front()->bytes, sizeof(run_header) + 8 * words);
  EXPECT_EQ(reader(2).front()->payload()[8 * words], std::byte{3});
  reader(2).pop();
  std::uint64_t sent = 0;
  while (alone(2, sent)) ++sent;
  EXPECT_FALSE(out->lane_has_room(2));
  for (std::uint64_t i = 0; i < sent; ++i) ASSERT_EQ(read(2), (std::vector<sent_record>{{2, 1, i}}));
}

TEST_F(OutboxNode, ABlockLeavesAmongTheRepliesBehindWhatIsOpen) {
  constexpr auto k_reply = fabric::traffic::reply;
  make_node(small());
  const std::size_t bytes = round_down(out->block_room(2), 8);
  ASSERT_GT(bytes, 2 * out->record_room());
  const auto block = [&](std::uint64_t value) {
    std::byte* const at = out->open_block(2, 7, bytes);
    std::memset(at, static_cast<int>(value), bytes);
    out->push_alone(2, bytes, k_reply);
  };
  const auto read_block = [&](std::uint64_t value) {
    fabric::packet* const p = reader(2, k_reply).front();
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(p->kind, k_reply);
    EXPECT_EQ(p->matches, 0U);
    EXPECT_EQ(p->reply_bytes, 0U);
    unsigned runs = 0;
    for_each_run(
        p->payload(), p->payload() + p->bytes, [](completion*) { ADD_FAILURE() << "nothing counts it"; },
        [&](const run_header& h, const std::byte* at) {
          ++runs;
          EXPECT_EQ(h.handler, 7U);
          EXPECT_EQ(h.count, 1U);
          EXPECT_EQ(h.record_bytes, bytes);
          EXPECT_EQ(at[0], static_cast<std::byte>(value));
          EXPECT_EQ(at[bytes - 1], static_cast<std::byte>(value));
        });
    EXPECT_EQ(runs, 1U);
    reader(2, k_reply).pop();
  };
  ASSERT_TRUE(out->takes_block(2));
  block(1);
  read_block(1);
  put_reply(2, 2);
  ASSERT_EQ(put(2, 9), status::opened);
  ASSERT_TRUE(out->takes_block(2));
  block(3);
  EXPECT_FALSE(out->any_open_reply());
  EXPECT_TRUE(out->any_open_request()) << "requests are not in its way";
  put_reply(2, 4);
  EXPECT_EQ(read(2, k_reply), (std::vector<sent_record>{{2, 1, 2}}));
  read_block(3);
  out->flush_all(reason::idle);
  EXPECT_EQ(read(2, k_reply), (std::vector<sent_record>{{2, 1, 4}}));
  std::uint64_t sent = 0;
  for (; out->takes_block(2); ++sent) block(sent);
  EXPECT_GE(sent, fabric::node_lane::k_blocks - 2);
  EXPECT_LE(sent, fabric::node_lane::k_blocks);
  for (std::uint64_t i = 0; i < sent; ++i) read_block(i);
  EXPECT_TRUE(out->takes_block(2));
}

TEST_F(OutboxNode, SaysThatALaneIsFullUntilItsReaderHasTakenSome) {
  make_node(small());
  unsigned left = 0;
  status s = status::opened;
  while ((s = fill(2)) == status::packet_left) ++left;
  EXPECT_EQ(s, status::lane_full);
  EXPECT_GT(left, fabric::node_lane::k_packets / 2);
  EXPECT_FALSE(out->lane_has_room(2));
  EXPECT_FALSE(out->any_open()) << "a packet that is open lies in the lane, and leaves";
  EXPECT_EQ(put(3, 1), status::opened) << "others are not held up";
  for (unsigned i = 0; i < left; ++i) EXPECT_EQ(read(2).size(), k_full);
  EXPECT_TRUE(out->lane_has_room(2));
  EXPECT_EQ(put(2, 1), status::opened);
}

TEST_F(OutboxNode, AnswersFitAsLongAsItSaysSo) {
  constexpr std::uint64_t k_seed = 7;
  SCOPED_TRACE(k_seed);
  make_node(small());
  const auto answer = [this](std::uint64_t value) {
    send_buffer& o = out->replies(2);
    while (o.needs_run(1, nullptr))
      ASSERT_NE(out->open_run(o, 2, {nullptr, 1, sizeof value, 0, 0}), status::lane_full) << value;
    o.append<std::uint64_t>(value);
  };
  std::uint64_t next = 0, came = 0;
  const auto read_all = [&] {
    for (std::vector<sent_record> some; !(some = read(2, fabric::traffic::reply)).empty();)
      for (const sent_record& r : some) ASSERT_EQ(r.value, came++);
  };
  unsigned refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    const auto answers = static_cast<unsigned>(hash64(k_seed, round) % 700);
    if (!out->can_answer(2, answers * sizeof next)) {
      ++refused;
      EXPECT_FALSE(out->any_open()) << "so that it comes back";
      read_all();
      ASSERT_TRUE(out->can_answer(2, answers * sizeof next))
          << "an empty lane has room for as many as one may ask for";
    }
    for (unsigned i = 0; i < answers; ++i) answer(next++);
    if (round % 5 == 0) out->flush_replies(reason::idle);
  }
  EXPECT_GT(refused, 20U);
  out->flush_replies(reason::idle);
  read_all();
  EXPECT_EQ(came, next);
}

TEST_F(OutboxNode, APacketAsksForNoLargerAnswersThanALaneTakes) {
  make_node(small());
  std::uint32_t most = 8;
  while (!out->exceeds_answers(out->requests(2), most)) most += 8;
  EXPECT_TRUE(out->can_answer(2, most - 8));
}

TEST_F(OutboxNode, NamesTheCoresThatPacketsAreOpenFor) {
  make_node(small());
  for (const unsigned to : {1U, 3U, 4U}) ASSERT_EQ(put(to, 1), status::opened);
  const unsigned first = out->next_open_request(0), second = out->next_open_request(first + 1);
  EXPECT_EQ(shared->core_of(first), 1U);
  EXPECT_EQ(shared->core_of(second), 3U);
  EXPECT_GE(out->next_open_request(second + 1), shared->endpoint_indices())
      << "the wire's are not among them";
}

}  // namespace
}  // namespace gossamer::message
