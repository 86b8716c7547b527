#include "gossamer/message/internal/wire_buffers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gossamer/base/random.hpp"

namespace gossamer::message {
namespace {

constexpr auto k_request = fabric::traffic::request, k_reply = fabric::traffic::reply;

TEST(WireBuffers, KeepOnePacketForEachNeighbourAndKind) {
  fabric::packet_pool pool(0, 4, 2048);
  wire_buffers open(3);
  EXPECT_EQ(open.find(1, k_request), nullptr);
  EXPECT_FALSE(open.any_open(k_request));
  fabric::packet &first = *pool.get(), &second = *pool.get(), &third = *pool.get();
  open.open(1, first, k_request);
  open.open(0, second, k_request);
  open.open(1, third, k_reply);
  EXPECT_EQ(open.find(1, k_request)->open, &first);
  EXPECT_EQ(open.find(1, k_reply)->open, &third);
  EXPECT_EQ(third.kind, k_reply);
  EXPECT_EQ(open.oldest(k_request), 1U);
  wire_send_buffer& closed = open.close(1, k_request);
  EXPECT_EQ(closed.open, &first);
  EXPECT_EQ(open.find(1, k_request), nullptr);
  EXPECT_EQ(open.oldest(k_request), 0U);
  open.recycle(closed);
}

TEST(WireBuffers, AreUsedAgain) {
  fabric::packet_pool pool(0, 1, 2048);
  fabric::packet& p = *pool.get();
  wire_buffers open(5);
  std::set<wire_send_buffer*> seen;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto neighbour = static_cast<unsigned>(hash64(i) % 5);
    wire_send_buffer& b = open.open(neighbour, p, k_request);
    EXPECT_TRUE(b.chunks.empty());
    EXPECT_EQ(b.end, 0U);
    b.chunks.push_back(7);
    b.end = 64;
    seen.insert(&b);
    open.recycle(open.close(neighbour, k_request));
  }
  EXPECT_EQ(seen.size(), 1U);
}

}  // namespace
}  // namespace gossamer::message
