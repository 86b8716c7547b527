#include "gossamer/message/bulk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/failing_new.hpp"

namespace gossamer {
namespace {

job_options two_processes() {
  job_options o;
  o.cores = 1;
  o.simulate = simulation::options::parse("processes=2 seed=1");
  o.bulk_bytes = 1024;
  return o;
}

constexpr std::size_t k_block = 4096;

/// Returns memory of core 1 that a bulk move may write to, or read from.
std::byte* memory_there() {
  return call_on(1, [] { return static_cast<std::byte*>(::operator new(2 * k_block)); });
}
void free_there(std::byte* at) {
  call_on(1, [at] { ::operator delete(at); });
}
/// Returns whether all tags of this core can be taken. Gives them back.
bool all_tags_are_free() {
  auto& tags = message::endpoint::here().bulk();
  std::vector<unsigned> taken;
  while (const auto tag = tags.try_take()) taken.push_back(*tag);
  for (const unsigned tag : taken) tags.give_back(tag);
  return taken.size() == message::bulk_tags::k_most;
}

// Whatever allocation fails: the put that it belongs to has not begun, and the earlier one ends.
TEST(BulkPuts, ThatFindNoMemoryAreNotWaitedFor) {
  if (!test::k_new_may_fail) GTEST_SKIP() << "the sanitizers have an operator new of their own";
  run(two_processes(), [] {
    std::byte* const there = memory_there();
    bool failed = true;
    for (std::uint64_t n = 0; failed; ++n) {
      ASSERT_LT(n, 20U) << "a put allocates no end";
      const std::vector<std::byte> first(k_block, std::byte{1}), second(k_block, std::byte{2});
      {
        message::bulk_puts puts(message::endpoint::here());
        puts.add(1, there, first);
        try {
          failed = test::with_failing_new(n, 0, [&] { puts.add(1, there + k_block, second); });
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        puts.wait();
      }
      EXPECT_TRUE(all_tags_are_free()) << "allocation " << n;
      const bool came = call_on(1, [there, failed] {
        return std::all_of(there, there + k_block, [](std::byte b) { return b == std::byte{1}; }) &&
               (failed || std::all_of(there + k_block, there + 2 * k_block,
                                      [](std::byte b) { return b == std::byte{2}; }));
      });
      EXPECT_TRUE(came) << "allocation " << n;
    }
    free_there(there);
  });
}

TEST(GetBulk, ThatFindsNoMemoryIsNotWaitedFor) {
  if (!test::k_new_may_fail) GTEST_SKIP() << "the sanitizers have an operator new of their own";
  run(two_processes(), [] {
    std::byte* const there = memory_there();
    call_on(1, [there] { std::fill_n(there, 2 * k_block, std::byte{7}); });
    bool failed = true;
    for (std::uint64_t n = 0; failed; ++n) {
      ASSERT_LT(n, 20U) << "a get allocates no end";
      std::vector<std::byte> into(k_block);
      finish([&] {
        try {
          failed = test::with_failing_new(
              n, 0, [&] { message::get_bulk(message::endpoint::here(), 1, there, into); });
        } catch (const std::bad_alloc&) {
          failed = true;
        }
      });
      EXPECT_TRUE(all_tags_are_free()) << "allocation " << n;
      EXPECT_TRUE(failed || std::ranges::count(into, std::byte{7}) == k_block);
    }
    free_there(there);
  });
}

}  // namespace
}  // namespace gossamer
