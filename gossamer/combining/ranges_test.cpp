// Operations on ranges: keys and values of other types are converted, and a loop of them lets other fibers run, on the home core,
// too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

class Ranges : public testing::TestWithParam<unsigned> {};

TEST_P(Ranges, KeysAndValuesAreConverted) {
  run({.cores = GetParam()}, [] {
    const scoped_hash_map<std::uint64_t, double> map;
    const scoped_hash_set<std::uint64_t> set;
    std::vector<int> keys(1000);
    std::iota(keys.begin(), keys.end(), 0);
    const std::vector<int> ones(keys.size(), 1), twos(keys.size(), 2);
    map.insert_all(keys, ones);
    map.insert_all(keys, twos);
    set.insert_all(keys);
    EXPECT_EQ(map.size(), keys.size());
    EXPECT_EQ(map.lookup(999), 1);
    map.insert_or_assign_all(keys, twos);
    EXPECT_EQ(map.lookup(0), 2);
    map.insert_or_reduce_all(keys, twos);
    map.insert_or_reduce_all(std::vector<std::uint16_t>(5000, 7), std::vector<float>(5000, 0.5F));
    EXPECT_EQ(map.lookup(999), 4);
    EXPECT_EQ(map.lookup(7), 2504);
    const auto there = std::make_unique<bool[]>(keys.size());
    set.contains_all(keys, std::span(there.get(), keys.size()));
    EXPECT_TRUE(std::all_of(there.get(), there.get() + keys.size(), [](bool one) { return one; }));
    EXPECT_EQ(set.size(), keys.size());
  });
}

/// Has the job's last core call fill(), and calls poll() here, on the home core, until it returns true.
template <class Fill, class Poll>
void poll_until(Fill fill, Poll poll) {
  finish([&] {
    spawn_on(cores() - 1, fill);
    while (!poll()) {}
  });
}

TEST_P(Ranges, LoopsThatPollLetOthersRun) {
  run({.cores = GetParam()}, [] {
    const scoped_queue<int> queue;
    const scoped_stack<int> stack;
    const scoped_priority_queue<int> smallest, counted;
    int one[1] = {};
    const std::vector<int> two{1, 2};
    poll_until([q = queue.handle()] { q.enqueue(1); }, [&] { return queue.dequeue_some(one) == 1; });
    poll_until([s = stack.handle()] { s.push(1); }, [&] { return stack.pop_some(one) == 1; });
    poll_until([p = smallest.handle()] { p.push(1); }, [&] { return smallest.pop_some(one) == 1; });
    poll_until([p = counted.handle()] { p.push(1); }, [&] { return counted.size() == 1; });
    const scoped_hash_map<int, int> map;
    poll_until([m = map.handle()] { m.insert(1, 1); }, [&] { return map.size() == 1; });
    static std::atomic<bool> is_set;  // this job has one process
    const auto set_beside = [](auto change) {
      is_set = false;
      poll_until([] { is_set = true; },
                 [&] {
                   change();
                   return is_set.load();
                 });
    };
    set_beside([&] { stack.push_all(two); });
    set_beside([&] { smallest.push_all(two); });
    set_beside([&] {
      stack.stage(two);
      stack.push_staged();
    });
    set_beside([&] { map.insert_or_assign_all(two, two); });
    set_beside([&] { map.erase_all(two); });
  });
}

INSTANTIATE_TEST_SUITE_P(Cores, Ranges, testing::Values(1U, 2U, 3U),
                         [](const auto& i) { return "on_" + std::to_string(i.param); });

}  // namespace
}  // namespace gossamer
