#include "gossamer/message/internal/blocked_sources.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::message {
namespace {

constexpr unsigned k_locals = 5, k_cores = 20;

/// Sources, each with messages of one unit of room, and a mailbox with some units in common.
struct mail_model {
  blocked_sources blocked{k_locals, 1};
  std::vector<unsigned> waiting = std::vector<unsigned>(k_cores);
  std::size_t room = 0;
  unsigned retries = 0;

  mail_model() { blocked.allow_remote(1); }

  void block(unsigned source) {
    if (source < k_locals)
      blocked.add_local(source, {1, 0});
    else
      blocked.add_remote(source, {1, 0});
  }
  bool take(unsigned source) {
    bool some = false;
    while (waiting[source] > 0 && room > 0) {
      --waiting[source];
      --room;
      some = true;
    }
    if (waiting[source] > 0)
      block(source);
    else if (source < k_locals)
      blocked.remove_local(source);
    return some;
  }
  bool receive_from(unsigned endpoint_index) {
    ++retries;
    if (endpoint_index < k_locals) return take(endpoint_index);
    std::vector<unsigned> remote;
    for (unsigned source = k_locals; source < k_cores; ++source)
      if (blocked.has_remote(source)) remote.push_back(source);
    blocked.clear_remote();
    bool some = false;
    for (const unsigned source : remote) some |= take(source);
    return some;
  }
  bool retry() {
    return blocked.retry([this] { return copy_room{room, 0}; },
                         [this](unsigned endpoint_index) { return receive_from(endpoint_index); });
  }
};

TEST(BlockedSources, RoomIsUsedAndNoSourceIsForgotten) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    mail_model m;
    unsigned total = 0;
    for (unsigned source = 0; source < k_cores; ++source) {
      m.waiting[source] = static_cast<unsigned>(hash64(seed, source) % 4);
      total += m.waiting[source];
      if (m.waiting[source] > 0) m.block(source);
    }
    for (std::uint64_t step = 0; total > 0; ++step) {
      ASSERT_LT(step, 1000U) << "seed " << seed << ": " << total << " messages wait for ever";
      const std::size_t freed = 1 + hash64(seed + 1000, step) % 3;
      m.room += freed;
      m.blocked.common_room_freed();
      ASSERT_TRUE(m.blocked.should_retry());
      const std::size_t before = m.room;
      EXPECT_TRUE(m.retry()) << "seed " << seed << ", step " << step;
      EXPECT_FALSE(m.blocked.should_retry());
      total -= static_cast<unsigned>(before - m.room);
      EXPECT_TRUE(m.room == 0 || total == 0) << "seed " << seed << ": room is left while messages wait";
    }
    EXPECT_FALSE(m.retry());
  }
}

TEST(BlockedSources, RoomForOneCostsOneRetry) {
  mail_model m;
  for (unsigned source = 0; source < k_locals; ++source) {
    m.waiting[source] = 10;
    m.block(source);
  }
  for (unsigned i = 0; i < 2 * k_locals; ++i) {
    m.room = 1;
    m.retries = 0;
    EXPECT_TRUE(m.retry());
    EXPECT_EQ(m.retries, 1U);
  }
  for (unsigned source = 0; source < k_locals; ++source) EXPECT_EQ(m.waiting[source], 8U) << "in turn";
}

}  // namespace
}  // namespace gossamer::message
