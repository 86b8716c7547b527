#include "gossamer/message/internal/packet_returns.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::message {
namespace {

constexpr unsigned k_owners = 3;
constexpr std::size_t k_packets = 96;  // so a batch has 8

struct pools {
  fabric::packet_pool requests, replies;
  explicit pools(std::uint16_t owner) : requests(owner, k_packets, 2048), replies(owner, k_packets, 2048) {}
  fabric::packet_pool& of(fabric::traffic kind) {
    return kind == fabric::traffic::reply ? replies : requests;
  }
};

TEST(PacketReturns, EveryPacketComesHomeInBatches) {
  std::array<pools, k_owners> all{pools(0), pools(1), pools(2)};
  packet_returns returns(k_owners, 1, k_packets, k_packets);
  std::size_t largest = 0, given = 0;
  const auto give = [&](unsigned owner, fabric::traffic kind, fabric::packet_batch& batch) {
    largest = std::max<std::size_t>(largest, batch.size());
    given += batch.size();
    all[owner].of(kind).put_batch(batch);
  };
  std::size_t taken = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto owner = static_cast<unsigned>(hash64(i) % k_owners);
    const auto kind = hash64(i, 1) % 2 == 0 ? fabric::traffic::request : fabric::traffic::reply;
    fabric::packet* const p = all[owner].of(kind).get();
    ASSERT_NE(p, nullptr) << "packets are held back: " << taken - given;
    p->kind = kind;
    ++taken;
    returns.add(owner, *p, give);
  }
  EXPECT_EQ(largest, 8U);
  EXPECT_EQ(returns.empty(), taken == given);
  returns.give_all([](unsigned, fabric::traffic) { return true; }, give);
  EXPECT_TRUE(returns.empty());
  EXPECT_EQ(given, taken);
  for (pools& p : all)
    for (const auto kind : {fabric::traffic::request, fabric::traffic::reply})
      EXPECT_EQ(p.of(kind).available(), k_packets);
}

TEST(PacketReturns, GivesBackOnlyWhatIsWanted) {
  std::array<pools, k_owners> all{pools(0), pools(1), pools(2)};
  packet_returns returns(k_owners, 1, k_packets, k_packets);
  const auto give = [&](unsigned owner, fabric::traffic kind, fabric::packet_batch& batch) {
    all[owner].of(kind).put_batch(batch);
  };
  for (unsigned owner = 0; owner < k_owners; ++owner) {
    fabric::packet* const p = all[owner].requests.get();
    p->kind = fabric::traffic::request;
    returns.add(owner, *p, give);
  }
  returns.give_all([](unsigned owner, fabric::traffic) { return owner == 1; }, give);
  EXPECT_EQ(all[1].requests.available(), k_packets);
  EXPECT_EQ(all[0].requests.available(), k_packets - 1);
  EXPECT_FALSE(returns.empty());
  returns.give_all([](unsigned, fabric::traffic) { return true; }, give);
  EXPECT_EQ(all[0].requests.available(), k_packets);
  EXPECT_TRUE(returns.empty());
}

}  // namespace
}  // namespace gossamer::message
