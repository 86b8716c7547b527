// Lanes that nothing has initialised, and what a mesh of many cores takes of memory.
#include "gossamer/fabric/mesh.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::fabric {
namespace {

constexpr std::size_t k_mib = std::size_t{1} << 20;

TEST(Lane, OfZeroBytesIsEmpty) {
  alignas(lane) std::array<std::byte, sizeof(lane)> bytes{};
  lane& l = *reinterpret_cast<lane*>(bytes.data());
  EXPECT_EQ(l.front(), nullptr);
  EXPECT_FALSE(l.waiting());
  std::vector<packet> packets(lane::k_slots);
  for (int lap = 0; lap < 3; ++lap) {
    for (packet& p : packets) EXPECT_TRUE(l.try_push(p));
    EXPECT_FALSE(l.has_room());
    for (packet& p : packets) {
      ASSERT_EQ(l.front(), &p);
      l.pop();
    }
    EXPECT_EQ(l.front(), nullptr);
  }
}

TEST(Mesh, TakesMemoryForTheLanesThatAreUsed) {
  constexpr unsigned k_cores = 1024;  // all lanes together: 1.3 GB
  const std::uint64_t before = machine::current_rss();
  mesh lanes(k_cores, k_cores);
  std::vector<packet> packets(k_cores);
  for (unsigned from = 0; from < k_cores; ++from)
    ASSERT_TRUE(lanes.try_push(packets[from], from, (from + 1) % k_cores));
  for (unsigned to = 0; to < k_cores; ++to) {
    EXPECT_TRUE(lanes.any_arrival(to, {}));
    const unsigned from = (to + k_cores - 1) % k_cores;
    for (std::size_t w = 0; w < lanes.arrival_words(); ++w)
      EXPECT_EQ(lanes.take_arrivals(to, w), w == from / 64 ? std::uint64_t{1} << (from % 64) : 0);
    lane& one = lanes.between(from, to, traffic::request);
    ASSERT_EQ(one.front(), &packets[from]);
    one.pop();
    EXPECT_FALSE(lanes.any_arrival(to, {}));
  }
  const std::uint64_t taken = machine::current_rss() - before;
  const std::uint64_t allowed =
      test::k_thread_sanitizer || test::k_address_sanitizer ? 200 * k_mib : 20 * k_mib;
  EXPECT_LT(taken, allowed);  // two pages for each core, and the bits of arrivals
}

}  // namespace
}  // namespace gossamer::fabric
