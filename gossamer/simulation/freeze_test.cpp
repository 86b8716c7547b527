// The number of messages that freeze an array: between each two processes one request, if the cores have few elements.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

std::uint64_t messages() {
  std::uint64_t sum = 0;
  for (const counters& c : statistics()) sum += c.messages;
  return sum;
}

/// Counts the messages of a freeze on 4 processes of 4 cores, and checks what every core sees then.
std::uint64_t messages_to_freeze(std::uint64_t elements, std::size_t bulk_bytes) {
  std::uint64_t sent = 0;
  job_options o;
  o.cores = 4;
  o.bulk_bytes = bulk_bytes;
  o.simulate = simulation::options::parse("network=qdr processes=4");
  run(o, [&] {
    const scoped_array<std::uint64_t> owner(elements);
    const auto a = owner.handle();
    forall(a, [](std::uint64_t i, std::uint64_t& x) { x = i * i; });
    const std::uint64_t first = messages(), before = messages();
    const auto view = a.freeze();
    sent = messages() - before - (before - first);
    const scoped_per_core<std::uint64_t> wrong;
    on_all_cores([view, wrong = wrong.handle()] {
      for (std::uint64_t i = 0; i < view.size(); ++i) wrong.here() += view[i] != i * i;
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, std::plus<>{}), 0U);
    a.thaw();
  });
  return sent;
}

TEST(Freeze, SmallSlicesOfAProcessComeTogether) {
  EXPECT_LE(messages_to_freeze(1000, 1 << 20), 90U);  // seen: 79; 103 where each core was asked
}

TEST(Freeze, LargeSlicesComeFromTheirCores) { EXPECT_GT(messages_to_freeze(300'000, 0), 10'000U); }

TEST(Freeze, LargeSlicesOfAProcessComeInOneMove) {
  EXPECT_LE(messages_to_freeze(300'000, 64 << 10), 90U);  // as many as small ones
}

}  // namespace
}  // namespace gossamer
