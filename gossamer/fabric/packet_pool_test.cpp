#include "gossamer/fabric/packet_pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "gossamer/fabric/mesh.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/child_process.hpp"

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
  mesh m(70);
  packet p;
  const std::uint64_t nobody[2] = {};
  EXPECT_FALSE(m.any_arrival(5, nobody));
  ASSERT_TRUE(m.try_push(p, 69, 5));
  EXPECT_TRUE(m.any_arrival(5, nobody));
  EXPECT_FALSE(m.any_arrival(69, nobody));
  EXPECT_EQ(m.take_arrivals(5, 0), 0U);
  EXPECT_EQ(m.take_arrivals(5, 1), std::uint64_t{1} << 5);
  EXPECT_EQ(m.between(69, 5, traffic::request).front(), &p);
}

TEST(Mesh, AFewCoresLookIntoEveryLane) {
  mesh m(3);
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

// A stream of packets from one thread to another and back through the depot: each arrives once, in order.
TEST(Mesh, StreamsPacketsBetweenThreads) {
  constexpr std::uint32_t k_packets = 20'000;
  mesh m(2);
  packet_pool pool(0, 100, 2048);
  machine::thread consumer("consumer", [&] {
    packet_batch home;
    for (std::uint32_t next = 0; next < k_packets;) {
      auto& in = m.between(0, 1, traffic::request);
      if (in.front() == nullptr) {
        pool.put_batch(home);
        machine::yield_thread();
        continue;
      }
      while (packet* p = in.front()) {
        in.pop();
        ASSERT_EQ(p->bytes, next);
        ASSERT_EQ(static_cast<std::uint32_t>(p->payload()[7]), next % 256);
        ++next;
        home.push(*p);
        if (home.full()) pool.put_batch(home);
      }
    }
  });
  for (std::uint32_t i = 0; i < k_packets; ++i) {
    packet* p = nullptr;
    while ((p = pool.get()) == nullptr) machine::yield_thread();
    p->bytes = i;
    p->payload()[7] = static_cast<std::byte>(i % 256);
    while (!m.try_push(*p, 0, 1)) machine::yield_thread();
  }
}

}  // namespace
}  // namespace gossamer::fabric
