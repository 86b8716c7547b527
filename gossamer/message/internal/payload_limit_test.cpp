#include "gossamer/message/internal/payload_limit.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/gossamer.hpp"

namespace gossamer::message {
namespace {

TEST(PayloadLimit, FibersWaitForRoomInTurn) {
  run(job_options{.cores = 1}, [] {
    endpoint& self = endpoint::here();
    payload_limit limit(100);
    std::vector<int> order;
    limit.reserve(self, 60);
    auto second = start([&] {
      limit.reserve(self, 50);
      order.push_back(2);
    });
    auto third = start([&] {
      limit.reserve(self, 10);
      order.push_back(3);
    });
    for (int i = 0; i < 10; ++i) yield();
    EXPECT_TRUE(order.empty()) << "60 + 50 pass the limit, and the third waits behind the second";
    EXPECT_TRUE(limit.has_waiter());
    EXPECT_FALSE(limit.may_wake());
    limit.release(self, 60);
    ASSERT_TRUE(limit.may_wake());
    limit.wake(self);
    second.join();
    third.join();
    EXPECT_EQ(order, (std::vector<int>{2, 3}));
    EXPECT_EQ(limit.in_flight(), 60U);
    limit.release(self, 60);
  });
}

TEST(PayloadLimit, OneThatIsLargerThanTheLimitGoesAlone) {
  run(job_options{.cores = 1}, [] {
    endpoint& self = endpoint::here();
    payload_limit limit(100);
    limit.reserve(self, 1000);
    EXPECT_EQ(limit.in_flight(), 1000U);
    limit.release(self, 1000);
  });
}

TEST(PayloadLimit, AsksForAFlushEvery32KiB) {
  payload_limit limit(1);
  unsigned flushes = 0;
  for (int i = 0; i < 64; ++i) flushes += limit.should_flush(1024) ? 1 : 0;
  EXPECT_EQ(flushes, 2U);
}

}  // namespace
}  // namespace gossamer::message
