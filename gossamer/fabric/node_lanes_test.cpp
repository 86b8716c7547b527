// Lanes between processes: a model of one lane, a stream between threads, and the places of many.
#include "gossamer/fabric/node_lanes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/neighbours.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::fabric {
namespace {

constexpr std::size_t k_packet_bytes = 512;

/// Fills a packet: its size, a number, and bytes that follow from it.
void fill(packet& p, std::uint32_t number, std::uint32_t bytes) {
  p.bytes = bytes;
  p.reply_bytes = number;
  std::memset(p.payload(), static_cast<int>(number % 251), bytes);
}

void expect_filled(const packet& p, std::uint32_t number, std::uint32_t bytes) {
  ASSERT_EQ(p.bytes, bytes);
  ASSERT_EQ(p.reply_bytes, number);
  for (const std::uint32_t at : {0U, bytes / 2, bytes - 1})
    ASSERT_EQ(static_cast<unsigned>(p.payload()[at]), number % 251);
}

std::uint32_t some_bytes(std::uint64_t r) {
  const std::uint32_t most = r % 4 == 0 ? k_packet_bytes - packet::k_head_bytes : 48;
  return 1 + static_cast<std::uint32_t>((r >> 8) % most);
}

std::uint32_t some_block_bytes(std::uint64_t r, const node_lane_writer& out) {
  return 1 + static_cast<std::uint32_t>((r >> 8) % (out.block_bytes() - packet::k_head_bytes));
}

TEST(NodeLane, KeepsPacketsOfAllSizesInOrder) {
  constexpr std::uint64_t k_seed = 3;
  const std::uint64_t steps = std::uint32_t{200'000} / test::k_fewer;
  SCOPED_TRACE(k_seed);
  test::neighbours all(1, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  node_lane_reader& in = all.second.from(0, 0, traffic::request);
  std::deque<std::pair<std::uint32_t, std::uint32_t>> expected;
  std::uint32_t number = 0;
  std::size_t fullest = 0, laps = 0, unread = 0, blocks = 0;
  const std::size_t ring_bytes = node_lanes::layout{1, {0, 1}, k_packet_bytes}.ring_bytes();
  for (std::uint64_t i = 0; i < steps; ++i) {
    const std::uint64_t r = hash64(k_seed, i);
    const bool writes = (r >> 32) % 1000 < ((i / 1000) % 2 == 0 ? 600 : 400);  // fuller and emptier in turn
    if (writes) {
      const bool block = (r >> 44) % 8 == 0;
      const bool room = block ? out.has_block_room(false) : out.has_room();
      const std::uint32_t bytes = block ? some_block_bytes(r, out) : some_bytes(r);
      const bool staged = !block && bytes <= node_lane_writer::k_staged_bytes && (r >> 42) % 2 == 0;
      packet* p = block ? out.open_block() : staged ? out.stage() : out.open();
      ASSERT_EQ(p != nullptr, room);
      if (p == nullptr) {
        ASSERT_GT(unread, ring_bytes / 2) << "a lane that holds so few bytes has room";
        continue;
      }
      blocks += block ? 1 : 0;
      ASSERT_EQ(out.is_staged(*p), staged);
      fill(*p, number, bytes);
      if (staged && (r >> 43) % 4 == 0) {
        p = &out.promote();
        ASSERT_FALSE(out.is_staged(*p));
        ASSERT_NE(in.front(), p) << "it is not published";
      }
      out.publish(bytes);
      expected.emplace_back(number++, bytes);
      unread += node_lane::bytes_of(bytes);
    } else {
      packet* const p = in.front();
      ASSERT_EQ(p != nullptr, !expected.empty());
      if (p == nullptr) continue;
      expect_filled(*p, expected.front().first, expected.front().second);
      unread -= node_lane::bytes_of(*p);
      expected.pop_front();
      laps += expected.empty() ? 1 : 0;
      in.pop();
    }
    fullest = std::max(fullest, expected.size());
    ASSERT_EQ(out.sent() - in.received(), expected.size());
  }
  EXPECT_GT(fullest, node_lane::k_packets);
  EXPECT_GT(laps, 10U) << "it was empty now and then";
  EXPECT_GT(blocks, steps / 50);
}

// Packets of several lines leave bytes where a later lap looks for its marks, here such bytes. Between them come laps of packets of a
// line, whose marks stay and are not cleared.
TEST(NodeLane, TakesNoBytesOfAnEarlierLapForAPacket) {
  constexpr std::uint64_t k_seed = 23;
  SCOPED_TRACE(k_seed);
  const std::uint32_t packets = std::uint32_t{200'000} / test::k_fewer;
  test::neighbours all(1, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  node_lane_reader& in = all.second.from(0, 0, traffic::request);
  std::uint64_t lap = 0, short_laps = 0;
  const packet* before = nullptr;
  bool all_short = true;
  for (std::uint32_t i = 0; i < packets; ++i) {
    const std::uint64_t r = hash64(k_seed, i);
    const bool may_be_long = hash64(k_seed, lap / 2) % 3 == 0;  // in some laps and not in others
    const bool is_long = may_be_long && (r >> 32) % 16 == 0;
    const std::uint32_t bytes = !is_long ? 8 : (r >> 40) % 2 == 0 ? some_block_bytes(r, out) : 60;
    const bool is_block = is_long || (r >> 44) % 16 == 0;  // also of a line
    packet* const p = is_block ? out.open_block() : (r >> 50) % 2 == 0 ? out.open() : out.stage();
    ASSERT_NE(p, nullptr);
    p->bytes = bytes;
    p->reply_bytes = i;
    const auto mark =
        static_cast<std::uint16_t>((lap + 1 + r / 4 % 3) << node_lane::k_kind_bits | (1 + r % 2));
    for (std::uint32_t at = 0; at + sizeof mark <= bytes; at += sizeof mark)
      std::memcpy(p->payload() + at, &mark, sizeof mark);
    all_short &= bytes <= 8;
    out.publish(bytes);
    packet* const came = in.front();
    ASSERT_NE(came, nullptr);
    ASSERT_EQ(came->reply_bytes, i);
    ASSERT_EQ(came->bytes, bytes);
    if (before != nullptr && came < before) {
      ++lap;
      short_laps += std::exchange(all_short, true) ? 1 : 0;
    }
    before = came;
    in.pop();
    ASSERT_EQ(in.front(), nullptr) << "packet " << i << ", lap " << lap;
    ASSERT_EQ(in.received(), out.sent());
    in.hold_up(true);
    ASSERT_EQ(in.received(), out.sent()) << "packet " << i << ", lap " << lap;
    in.hold_up(false);
  }
  EXPECT_GT(short_laps, 20U);
  EXPECT_GT(lap - short_laps, 20U);
}

// From any place of the ring, with any number of packets unread, and with and without an open one.
void expect_blocks(unsigned cores) {
  constexpr std::uint64_t k_seed = 19;
  SCOPED_TRACE(fmt::format("seed {}, {} cores", k_seed, cores));
  const unsigned rounds = 30'000 / test::k_fewer;
  test::neighbours all(cores, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  node_lane_reader& in = all.second.from(0, 0, traffic::request);
  ASSERT_GE(out.block_bytes(), k_packet_bytes);
  std::uint32_t number = 0;
  const auto write = [&](packet* p, std::uint32_t bytes) {
    fill(*p, number++, bytes);
    out.publish(p->bytes);
  };
  unsigned taken[2] = {}, refused[2] = {};  // by whether one was open
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t r = hash64(k_seed, round);
    for (std::uint64_t unread = r % 160, i = 0; i < unread; ++i)
      if (packet* const p = out.open()) write(p, some_bytes(hash64(r, i)));
    packet* const opened = (r >> 16) % 2 != 0 ? out.open() : nullptr;
    const bool room = out.has_block_room(opened != nullptr);
    if (opened != nullptr) write(opened, some_bytes(r >> 20));
    packet* const p = room ? out.open_block() : nullptr;
    ASSERT_EQ(p != nullptr, room) << "round " << round;
    if (p != nullptr) write(p, some_block_bytes(r, out));
    ++(room ? taken : refused)[opened != nullptr];
    std::uint32_t next = number;
    for (; in.front() != nullptr; in.pop()) next = in.front()->reply_bytes + 1;
    ASSERT_EQ(next, number);
    ASSERT_TRUE(out.has_block_room(true)) << "it is empty";
  }
  for (const unsigned n : {taken[0], taken[1], refused[0], refused[1]}) EXPECT_GT(n, rounds / 100);
}

TEST(NodeLane, TakesABlockWhereItSaysSo) {
  for (const unsigned cores : {1U, 8U, 40U}) expect_blocks(cores);  // lanes of all lengths
}

// From any place of the ring, with any number of packets unread, and with and without an open one.
void expect_packets(unsigned cores) {
  constexpr std::uint64_t k_seed = 17;
  SCOPED_TRACE(fmt::format("seed {}, {} cores", k_seed, cores));
  const unsigned rounds = 30'000 / test::k_fewer;
  test::neighbours all(cores, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::reply);
  node_lane_reader& in = all.second.from(0, 0, traffic::reply);
  EXPECT_GE(out.packets_left(true), out.most_packets()) << "while it is empty";
  std::uint32_t number = 0;
  const auto write = [&](packet* p, std::uint32_t bytes) {
    fill(*p, number++, bytes);
    out.publish(p->bytes);
  };
  std::set<std::size_t> seen;
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t r = hash64(k_seed, round);
    for (std::uint64_t unread = r % 40, i = 0; i < unread; ++i)
      if (packet* const p = out.open()) write(p, some_bytes(hash64(r, i)));
    for (std::uint64_t taken = (r >> 8) % 8; taken > 0 && in.front() != nullptr; --taken) in.pop();
    packet* opened = (r >> 16) % 2 != 0 ? out.open() : nullptr;
    std::size_t left = out.packets_left(opened != nullptr);
    seen.insert(left);
    if (opened != nullptr) write(opened, k_packet_bytes - packet::k_head_bytes);
    for (; left > 0; --left) {
      packet* const p = out.open();
      ASSERT_NE(p, nullptr) << "round " << round << ", " << left << " were left";
      write(p, k_packet_bytes - packet::k_head_bytes);
    }
    while (in.front() != nullptr) in.pop();
  }
  EXPECT_GT(seen.size(), node_lane::k_packets / 2);
}

TEST(NodeLane, GivesAsManyPacketsAsItSays) {
  for (const unsigned cores : {1U, 8U, 40U}) expect_packets(cores);
}

TEST(NodeLane, MayGoOnOnceTheReaderHasMadeRoom) {
  test::neighbours all(1, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  node_lane_reader& in = all.second.from(0, 0, traffic::request);
  while (packet* const p = out.open()) {
    fill(*p, 1, 100);
    out.publish(p->bytes);
  }
  EXPECT_FALSE(all.first.may_go_on()) << "nothing waits";
  unsigned news = 0;
  const auto wait = [&] { out.wait([&] { ++news; }); };
  wait();
  EXPECT_FALSE(all.first.may_go_on());
  ASSERT_NE(in.front(), nullptr);
  in.pop();
  EXPECT_TRUE(all.first.may_go_on());
  EXPECT_EQ(news, 0U);
  wait();
  EXPECT_EQ(news, 1U) << "room has come since: that is not forgotten";
  EXPECT_FALSE(all.first.may_go_on()) << "it waits on";
  wait();
  EXPECT_EQ(news, 1U);
  in.pop();
  out.wait_no_more();
  EXPECT_FALSE(all.first.may_go_on());
  wait();
  EXPECT_EQ(news, 1U) << "it did not wait meanwhile";
}

TEST(NodeLane, CountsWhatItsReaderCannotTakeWhereThatIsHeldUp) {
  test::neighbours all(1, k_packet_bytes);
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  node_lane_reader& in = all.second.from(0, 0, traffic::request);
  std::uint32_t number = 0;
  for (unsigned round = 0; round < 200; ++round) {
    unsigned unread = 0;
    for (; unread < 1 + round % 7; ++unread) {
      packet* const p = out.open();
      ASSERT_NE(p, nullptr);
      fill(*p, number++, some_bytes(hash64(round, unread)));
      out.publish(p->bytes);
    }
    ASSERT_NE(in.front(), nullptr);
    EXPECT_EQ(all.second.received() + unread, all.first.sent());
    in.hold_up(true);
    EXPECT_EQ(all.second.received(), all.first.sent()) << "round " << round;
    in.hold_up(false);
    while (in.front() != nullptr) in.pop();
    EXPECT_EQ(all.second.received(), all.first.sent());
  }
}

// The reader and the writer wait for each other, at both ends of a full and of an empty lane.
TEST(NodeLane, StreamsPacketsBetweenThreads) {
  const std::uint32_t packets = std::uint32_t{200'000} / test::k_fewer;
  constexpr std::uint64_t k_seed = 11;
  test::neighbours all(1, k_packet_bytes);
  const auto bytes_of = [&](std::uint32_t i) {
    const std::uint64_t r = hash64(k_seed, i);
    return i % 16 == 5 ? some_block_bytes(r, all.first.to(0, 0, traffic::request)) : some_bytes(r);
  };
  machine::thread consumer("consumer", [&] {
    node_lane_reader& in = all.second.from(0, 0, traffic::request);
    for (std::uint32_t next = 0; next < packets;) {
      packet* const p = in.front();
      if (p == nullptr) {
        machine::yield_thread();
        continue;
      }
      ASSERT_NO_FATAL_FAILURE(expect_filled(*p, next, bytes_of(next)));
      in.pop();
      ++next;
    }
  });
  node_lane_writer& out = all.first.to(0, 0, traffic::request);
  for (std::uint32_t i = 0; i < packets; ++i) {
    packet* p = nullptr;
    while ((p = i % 16 == 5 ? out.open_block() : out.open()) == nullptr) machine::yield_thread();
    fill(*p, i, bytes_of(i));
    out.publish(p->bytes);
  }
}

// The reader looks where a bit says so, and empties that lane: a packet whose bit is lost ends the test by its time-out.
TEST(NodeLanes, BitsOfManyCoresSayWhereAPacketHasCome) {
  const std::uint32_t packets = std::uint32_t{100'000} / test::k_fewer;
  constexpr unsigned k_writers = 3;
  const node_lanes::layout l{20, {2, 3, 5, 7, 11}, k_packet_bytes};  // 80 places: two words
  machine::memory_region memory(l.bytes(), "lanes");
  constexpr unsigned k_reader = 2, k_local = 7;
  const auto open = [&](unsigned number) { return std::make_unique<node_lanes>(l, number, memory.data()); };
  const auto to = open(k_reader);
  ASSERT_FALSE(to->few());
  ASSERT_EQ(to->arrival_words(), 2U);
  std::vector<std::unique_ptr<node_lanes>> from;
  for (const unsigned number : {0U, 3U, 4U}) from.push_back(open(number));
  const auto core_of_writer = [](unsigned w) {
    return (std::array{2U, 7U, 11U}[w]) * 20 + (w == 2 ? 19 : w);
  };
  std::array<std::atomic<std::uint32_t>, k_writers> taken{};
  machine::thread consumer("consumer", [&] {
    unsigned looks = 0;
    for (std::uint32_t all = 0; all < k_writers * packets;) {
      bool some = false;
      for (std::size_t word = 0; word < to->arrival_words(); ++word) {
        for (std::uint64_t bits = to->take_arrivals(k_local, word); bits != 0; bits &= bits - 1) {
          const auto place = static_cast<unsigned>(64 * word) + static_cast<unsigned>(std::countr_zero(bits));
          unsigned w = 0;
          while (w < k_writers && core_of_writer(w) != to->core(place)) ++w;
          ASSERT_LT(w, k_writers) << "a bit of place " << place;
          node_lane_reader& in = to->from(place, k_local, traffic::request);
          for (; packet* const p = in.front(); ++all) {
            const std::uint32_t number = taken[w].load(std::memory_order_relaxed);
            ASSERT_NO_FATAL_FAILURE(expect_filled(*p, number, some_bytes(hash64(w, number))));
            in.pop();
            taken[w].store(number + 1, std::memory_order_relaxed);
            some = true;
          }
        }
      }
      if (!some && ++looks % 64 == 0) machine::yield_thread();
    }
  });
  std::vector<std::unique_ptr<machine::thread>> writers;
  for (unsigned w = 0; w < k_writers; ++w)
    writers.push_back(std::make_unique<machine::thread>("writer", [&, w] {
      const unsigned local = core_of_writer(w) % l.cores, place = from[w]->place(5 * 20 + k_local);
      node_lane_writer& out = from[w]->to(local, place, traffic::request);
      for (std::uint32_t i = 0; i < packets; ++i) {
        packet* p = nullptr;
        while ((p = out.open()) == nullptr) machine::yield_thread();
        fill(*p, i, some_bytes(hash64(w, i)));
        from[w]->publish(local, place, traffic::request, p->bytes);
        // Of each pair the second one mostly finds its bit set: had the reader cleared it just then, the packet would stay.
        while (i % 2 != 0 && taken[w].load(std::memory_order_relaxed) <= i) machine::yield_thread();
      }
    }));
}

TEST(NodeLanes, OfManyCoresAreShorter) {
  const auto of = [](unsigned cores, unsigned processes, std::size_t packet_bytes) {
    return node_lanes::layout{cores, std::vector<unsigned>(processes), packet_bytes};
  };
  EXPECT_EQ(of(2, 2, 8192).ring_packets(), 32U);
  EXPECT_EQ(of(3, 2, 8192).ring_packets(), 16U);
  EXPECT_EQ(of(32, 2, 8192).ring_packets(), 16U);
  EXPECT_EQ(of(33, 2, 8192).ring_packets(), node_lane::k_packets);
  EXPECT_EQ(of(16, 16, 65536).ring_bytes(), 8U * 65536);
  node_lanes::layout asked = of(2, 2, 2048);
  asked.least_packets = 9;
  EXPECT_EQ(asked.ring_bytes(), 16U * 2048) << "a power of two";
  // A core's lanes to others: as much for 128 cores as for 64.
  const auto of_core = [&](unsigned cores) { return node_lanes::bytes_of_process(2, cores, 8192) / cores; };
  EXPECT_LT(of_core(64), of_core(32) * 11 / 10);
}

// Every lane carries so much that its whole ring is touched: what that takes is what was predicted.
TEST(NodeLanes, TakeWhatIsPredicted) {
  for (const auto& [cores, processes] : {std::pair{9U, 4U}, {24U, 3U}}) {
    std::vector<unsigned> numbers(processes);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const node_lanes::layout l{cores, numbers, k_packet_bytes};
    const machine::memory_region memory(l.bytes(), "lanes", machine::pages::small);
    std::vector<std::unique_ptr<node_lanes>> all;
    for (unsigned self = 0; self < processes; ++self)
      all.push_back(std::make_unique<node_lanes>(l, self, memory.data()));
    for (unsigned self = 0; self < processes; ++self)
      for (unsigned local = 0; local < cores; ++local)
        for (unsigned place = 0; place < all[self]->others(); ++place)
          for (const traffic kind : {traffic::request, traffic::reply}) {
            node_lanes& there = *all[all[self]->core(place) / cores];
            node_lane_writer& out = all[self]->to(local, place, kind);
            node_lane_reader& in =
                there.from(there.place(self * cores + local), all[self]->core(place) % cores, kind);
            for (std::size_t bytes = 0; bytes < 2 * l.ring_bytes(); bytes += k_packet_bytes) {
              packet* const p = out.open();
              ASSERT_NE(p, nullptr);
              fill(*p, local, k_packet_bytes - packet::k_head_bytes);
              all[self]->publish(local, place, kind, p->bytes);
              ASSERT_NE(in.front(), nullptr);
              in.pop();
            }
          }
    std::vector<unsigned char> pages(l.bytes() / machine::page_bytes());
    ASSERT_EQ(::mincore(memory.data(), l.bytes(), pages.data()), 0);
    const std::uint64_t taken = machine::page_bytes() * static_cast<std::uint64_t>(std::ranges::count_if(
                                                            pages, [](auto p) { return (p & 1) != 0; }));
    const std::uint64_t predicted =
        processes * node_lanes::bytes_of_process(processes, cores, k_packet_bytes);
    EXPECT_LE(taken, predicted) << cores << " x " << processes;
    EXPECT_GT(taken, predicted * 3 / 4) << cores << " x " << processes;
  }
}

TEST(NodeLanes, LeadFromEveryCoreToEveryCoreOfAnotherProcess) {
  const node_lanes::layout l{2, {1, 3, 4}, k_packet_bytes};  // process 2 and 0 are elsewhere
  machine::memory_region memory(l.bytes(), "lanes");
  std::map<unsigned, std::unique_ptr<node_lanes>> of;
  for (unsigned self = 0; self < l.processes.size(); ++self)
    of.emplace(l.processes[self], std::make_unique<node_lanes>(l, self, memory.data()));
  std::uint32_t number = 0;
  for (auto& [process, from] : of) {
    EXPECT_EQ(from->others(), 4U);
    for (const unsigned elsewhere : {0U, 2U, 5U, 1000U})
      EXPECT_EQ(from->place(elsewhere * l.cores), node_lanes::k_none);
    EXPECT_EQ(from->place(process * l.cores + 1), node_lanes::k_none) << "no lane leads to the own process";
    std::set<unsigned> reached;
    for (unsigned place = 0; place < from->others(); ++place) {
      const unsigned to = from->core(place);
      EXPECT_EQ(from->place(to), place);
      reached.insert(to);
      for (unsigned mine = 0; mine < l.cores; ++mine)
        for (const traffic kind : {traffic::request, traffic::reply}) {
          node_lane_writer& out = from->to(mine, place, kind);
          packet* const p = out.open();
          ASSERT_NE(p, nullptr);
          fill(*p, ++number, 100);
          out.publish(p->bytes);
          node_lanes& there = *of.at(to / l.cores);
          node_lane_reader& in = there.from(there.place(process * l.cores + mine), to % l.cores, kind);
          ASSERT_NE(in.front(), nullptr);
          expect_filled(*in.front(), number, 100);
          in.pop();
        }
    }
    EXPECT_EQ(reached.size(), from->others());
  }
  std::uint64_t sent = 0, received = 0;
  for (auto& [process, one] : of) {
    sent += one->sent();
    received += one->received();
  }
  EXPECT_EQ(sent, number);
  EXPECT_EQ(received, number);
}

}  // namespace
}  // namespace gossamer::fabric
