#include "gossamer/fabric/packet_pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/fabric/mesh.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/child_process.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::fabric {
namespace {

TEST(PacketPool, GivesEachPacketOnceAndThenNull) {
  packet_pool pool(3, 10, 4096);
  std::set<packet*> all;
  while (packet* p = pool.get()) {
    EXPECT_EQ(p->owner, 3);
    EXPECT_TRUE(all.insert(p).second);
  }
  EXPECT_EQ(all.size(), 10U);
  EXPECT_EQ(pool.available(), 0U);
}

TEST(PacketPool, TakesBackWhatOthersReturn) {
  packet_pool pool(0, 4, 4096);
  packet_batch batch;
  for (int i = 0; i < 4; ++i) batch.push(*pool.get());
  EXPECT_EQ(pool.get(), nullptr);
  EXPECT_FALSE(pool.any_returned());
  pool.put_batch(batch);
  EXPECT_TRUE(batch.empty());
  EXPECT_TRUE(pool.any_returned());
  EXPECT_EQ(pool.available(), 4U);
  for (int i = 0; i < 4; ++i) EXPECT_NE(pool.get(), nullptr);
  EXPECT_EQ(pool.get(), nullptr);
}

TEST(PacketPool, StaysAsSmallAsItIsWhereMemoryIsShort) {
  test::child_process child([](auto) {
    constexpr std::size_t k_bytes = 64 << 10, k_packets = 4096;  // 256 MiB
    constexpr std::uint64_t k_more = 96 << 20;
    ::setenv("GOSSAMER_MEMORY_LIMIT", "1", 1);
    while (machine::may_take(1 << 20)) {  // what was granted before
    }
    ::setenv("GOSSAMER_MEMORY_LIMIT", std::to_string(machine::current_rss() + k_more).c_str(), 1);
    for (int i = 0; i < machine::k_unasked_refusals; ++i) (void)machine::may_take(1);
    packet_pool pool(0, k_packets, k_bytes);
    std::vector<packet*> all;
    while (packet* p = pool.get()) {
      std::memset(p->payload(), 1, pool.payload_bytes());
      all.push_back(p);
    }
    const bool bounded = all.size() > 64 && all.size() < k_packets && pool.available() == 0;
    pool.put(*all.back());
    ::_exit(bounded && pool.available() == 1 && pool.get() == all.back() ? 7 : 8);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7)) << child.errors();
}

TEST(Lane, IsFirstInFirstOutAndBounded) {
  lane l;
  std::vector<packet> packets(lane::k_slots + 1);
  for (int lap = 0; lap < 3; ++lap) {  // a slot's bit changes its meaning from lap to lap
    EXPECT_TRUE(l.try_push(packets[0]));
    EXPECT_EQ(l.front(), &packets[0]);
    l.pop();
    EXPECT_EQ(l.front(), nullptr);
    for (std::uint32_t i = 1; i < lane::k_slots; ++i) {
      EXPECT_TRUE(l.try_push(packets[i]));
      EXPECT_TRUE(l.waiting());
      l.pop();
      EXPECT_FALSE(l.waiting());
    }
  }
  for (std::uint32_t i = 0; i < lane::k_slots; ++i) EXPECT_TRUE(l.try_push(packets[i]));
  EXPECT_FALSE(l.has_room());
  EXPECT_FALSE(l.try_push(packets.back()));
  for (std::uint32_t i = 0; i < lane::k_slots; ++i) {
    EXPECT_EQ(l.front(), &packets[i]);
    l.pop();
  }
  EXPECT_EQ(l.front(), nullptr);
  EXPECT_TRUE(l.try_push(packets.back()));
}

TEST(Mesh, ArrivalsNameTheSender) {
  mesh m(70, 70);
  packet p;
  const std::uint64_t nobody[2] = {};
  EXPECT_FALSE(m.any_arrival(5, nobody));
  ASSERT_TRUE(m.try_push(p, 69, 5));
  EXPECT_TRUE(m.any_arrival(5, nobody));
  EXPECT_FALSE(m.any_arrival(69, nobody));
  EXPECT_EQ(m.take_arrivals(5, 0), 0U);
  EXPECT_EQ(m.take_arrivals(5, 1), std::uint64_t{1} << 5);
  EXPECT_EQ(m.with_requests(69, 5, [](const auto& lane) { return lane.front(); }), &p);
}

TEST(Mesh, AFewCoresLookIntoEveryLane) {
  mesh m(3, 3);
  packet p;
  const std::uint64_t nobody = 0, first = 1;
  EXPECT_FALSE(m.any_arrival(1, {&nobody, 1}));
  ASSERT_TRUE(m.try_push(p, 0, 1));
  EXPECT_TRUE(m.any_arrival(1, {&nobody, 1}));
  EXPECT_FALSE(m.any_arrival(1, {&first, 1})) << "requests of core 0 are held up";
  EXPECT_EQ(m.take_arrivals(1, 0), 0b101U);
  p.kind = traffic::reply;
  ASSERT_TRUE(m.try_push(p, 0, 1));
  EXPECT_TRUE(m.any_arrival(1, {&first, 1})) << "replies never are";
}

TEST(PacketPool, ForgetsItsWishOnceSomethingHasComeBack) {
  packet_pool pool(0, 1, 4096);
  packet_batch batch;
  batch.push(*pool.get());
  EXPECT_EQ(pool.get(), nullptr);
  pool.want();
  EXPECT_TRUE(pool.wanted());
  pool.put_batch(batch);
  EXPECT_NE(pool.get(), nullptr);
  EXPECT_FALSE(pool.wanted());
}

/// Where one core finds what another one sends it.
packet* front(const mesh& m) {
  return m.with_requests(0, 1, [](const auto& lane) { return lane.front(); });
}

// A stream of packets from one thread to another: some as copies, which stay with their sender, some themselves, which come back
// through the depot. Each arrives once, whole and in order.
TEST(Mesh, StreamsPacketsBetweenThreads) {
  constexpr std::uint32_t k_packets = 100'000;
  constexpr std::uint64_t k_seed = 27;
  const auto size_of = [](std::uint32_t i) {  // in words
    return static_cast<std::uint32_t>(hash64(k_seed, i) % (i % 2 == 0 ? 13 : 50));
  };
  const auto word_of = [](std::uint32_t i, std::uint32_t word) { return hash64(i, word); };
  mesh m(2, 2);
  packet_pool pool(0, 100, 2048);
  std::size_t copied = 0;
  machine::thread consumer("consumer", [&] {
    packet_batch home;
    unsigned looks = 0;
    for (std::uint32_t next = 0; next < k_packets;) {
      packet* const p = front(m);
      if (p == nullptr) {
        pool.put_batch(home);
        if (++looks % 256 == 0) machine::yield_thread();  // else as close behind the sender as can be
        continue;
      }
      ASSERT_EQ(p->source, next % 1000);
      ASSERT_EQ(p->matches, next % 77);
      ASSERT_EQ(p->reply_bytes, next % 99);
      ASSERT_EQ(p->bytes, 8 * size_of(next));
      for (std::uint32_t w = 0; w < size_of(next); ++w) {
        std::uint64_t word;
        std::memcpy(&word, p->payload() + w * sizeof word, sizeof word);
        ASSERT_EQ(word, word_of(next, w));
      }
      m.with_requests(0, 1, [&](auto& lane) {
        const bool inside = lane.is_inside(*p);
        if (!inside) home.push(*p);
        lane.pop();
      });
      if (home.full()) pool.put_batch(home);
      ++next;
    }
  });
  for (std::uint32_t i = 0; i < k_packets; ++i) {
    packet* p = nullptr;
    while ((p = pool.get()) == nullptr) machine::yield_thread();
    p->kind = traffic::request;
    p->source = static_cast<std::uint16_t>(i % 1000);
    p->matches = static_cast<std::uint16_t>(i % 77);
    p->reply_bytes = i % 99;
    p->bytes = 8 * size_of(i);
    for (std::uint32_t w = 0; w < size_of(i); ++w) {
      const std::uint64_t word = word_of(i, w);
      std::memcpy(p->payload() + w * sizeof word, &word, sizeof word);
    }
    if (m.takes_copy(*p, 0, 1)) {
      while (!m.try_copy(*p, 0, 1)) machine::yield_thread();
      std::memset(p->payload(), 0xee, p->bytes);  // it is the sender's own
      pool.put(*p);
      ++copied;
    } else {
      while (!m.try_push(*p, 0, 1)) machine::yield_thread();
    }
  }
  consumer.join();
  EXPECT_GT(copied, k_packets / 2);
  EXPECT_LT(copied, k_packets * 9 / 10);
}

// A lap later nothing of a packet that had several slots is taken for another one.
TEST(LineLane, CopiesOfSeveralLinesAreWholeAndBounded) {
  constexpr std::uint64_t k_seed = 31;
  SCOPED_TRACE(k_seed);
  const auto lane_memory = std::make_unique<line_lane>();
  line_lane& l = *lane_memory;
  packet_pool pool(0, 1, 2048);
  packet& p = *pool.get();
  std::deque<std::pair<std::uint32_t, std::uint32_t>> expected;  // number, words
  std::uint32_t slots = 0, number = 0, refused = 0;
  const auto slots_of = [](std::uint32_t words) {
    return std::max<std::uint32_t>(1, divide_up(8 * words, std::uint32_t{line_lane::k_of_line_bytes}));
  };
  for (std::uint64_t step = 0; step < 200'000 / test::k_fewer; ++step) {
    const std::uint64_t r = hash64(k_seed, step);
    if (r % 1000 < (step / 500 % 2 == 0 ? 600U : 400U)) {
      const auto words = static_cast<std::uint32_t>((r >> 16) % (line_lane::k_inside_bytes / 8 + 1));
      p.bytes = 8 * words;
      p.reply_bytes = number;
      const std::uint64_t every = number * 0x0101'0101'0101'0101U;
      for (std::uint32_t w = 0; w < words; ++w) {
        const std::uint64_t word = every + w;
        std::memcpy(p.payload() + 8 * w, &word, sizeof word);
      }
      const bool fits = slots + slots_of(words) <= line_lane::k_slots;
      ASSERT_EQ(l.try_copy(p), fits);
      if (!fits) {
        ++refused;
        continue;
      }
      slots += slots_of(words);
      expected.emplace_back(number++, words);
    } else {
      ASSERT_EQ(l.waiting(), !expected.empty());
      const packet* const came = l.front();
      ASSERT_EQ(came != nullptr, !expected.empty());
      if (came == nullptr) continue;
      const auto [is, words] = expected.front();
      expected.pop_front();
      ASSERT_TRUE(l.is_inside(*came));
      ASSERT_EQ(came->reply_bytes, is);
      ASSERT_EQ(came->bytes, 8 * words);
      for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t word;
        std::memcpy(&word, came->payload() + 8 * w, sizeof word);
        ASSERT_EQ(word, is * 0x0101'0101'0101'0101U + w);
      }
      slots -= slots_of(words);
      l.pop();
    }
  }
  EXPECT_GT(refused, 100U);
}

TEST(LineLane, IsFirstInFirstOutAndBounded) {
  line_lane l;
  std::vector<packet> packets(line_lane::k_slots + 1);
  for (std::uint32_t i = 0; i < packets.size(); ++i) packets[i].source = static_cast<std::uint16_t>(i);
  for (int lap = 0; lap < 3; ++lap) {
    for (std::uint32_t i = 0; i < line_lane::k_slots; ++i) {
      EXPECT_TRUE(l.has_room());
      EXPECT_TRUE(i % 3 == 0 ? l.try_push(packets[i]) : l.try_copy(packets[i]));
    }
    EXPECT_FALSE(l.has_room());
    EXPECT_FALSE(l.try_push(packets.back()));
    EXPECT_FALSE(l.try_copy(packets.back()));
    for (std::uint32_t i = 0; i < line_lane::k_slots; ++i) {
      EXPECT_TRUE(l.waiting());
      packet* const p = l.front();
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(p->source, i);
      EXPECT_EQ(p == &packets[i], i % 3 == 0);
      EXPECT_EQ(l.is_inside(*p), i % 3 != 0);
      l.pop();
    }
    EXPECT_FALSE(l.waiting());
    EXPECT_EQ(l.front(), nullptr);
    EXPECT_TRUE(l.try_copy(packets[0]));  // the next lap begins elsewhere
    l.pop();
  }
}

TEST(Mesh, OnlySmallRequestsBetweenFewCoresAreCopied) {
  const mesh few(3, 2), many(mesh::k_dense_cores + 1, mesh::k_dense_cores + 1);
  packet p;
  p.bytes = line_lane::k_inside_bytes;
  EXPECT_TRUE(few.takes_copy(p, 0, 1));
  EXPECT_FALSE(few.takes_copy(p, 0, 2)) << "the wire takes packets themselves";
  EXPECT_FALSE(few.takes_copy(p, 2, 0));
  EXPECT_FALSE(many.takes_copy(p, 0, 1)) << "a line for each slot would be too much memory";
  p.kind = traffic::reply;
  EXPECT_FALSE(few.takes_copy(p, 0, 1)) << "a lane of replies has room for the packets of a pool";
  p.kind = traffic::request;
  ++p.bytes;
  EXPECT_FALSE(few.takes_copy(p, 0, 1));
}

}  // namespace
}  // namespace gossamer::fabric
