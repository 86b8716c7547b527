#include "gossamer/graph/engine/length_heap.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <utility>

namespace gossamer::graph {
namespace {

// Pushes and pops at random, beside the standard library's queue.
template <class Length, class Draw>
void compare(Draw draw, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  length_heap<Length> heap;
  using pair = std::pair<Length, vertex_id>;
  std::priority_queue<pair, std::vector<pair>, std::greater<>> oracle;
  for (int step = 0; step < 20'000; ++step) {
    if (oracle.empty() || random() % 100 < (step < 10'000 ? 60 : 40)) {
      const pair added{draw(random), static_cast<vertex_id>(random())};
      heap.push(added.first, added.second);
      oracle.push(added);
    } else {
      const auto [length, vertex] = heap.pop();
      ASSERT_EQ(length, oracle.top().first) << "seed " << seed << ", step " << step;
      ASSERT_EQ(vertex, oracle.top().second) << "seed " << seed << ", step " << step;
      oracle.pop();
    }
    ASSERT_EQ(heap.empty(), oracle.empty());
  }
}

TEST(LengthHeap, OfIntegersIsThatOfTheStandardLibrary) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    compare<std::uint64_t>([](auto& random) { return random() % 50; }, seed);  // many are equal
    compare<std::uint64_t>([](auto& random) { return random(); }, seed);
  }
}

TEST(LengthHeap, OfRealsIsThatOfTheStandardLibrary) {
  constexpr double k_most = std::numeric_limits<double>::max();
  const double values[] = {
      0.0, 1.0, -1.0, 0.5, -2.5e-308, 4.9e-324, k_most, -k_most, std::numeric_limits<double>::infinity()};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    compare<double>([&](auto& random) { return values[random() % std::size(values)]; }, seed);
    compare<double>([](auto& random) { return std::uniform_real_distribution(-1.0, 1000.0)(random); }, seed);
  }
}

TEST(LengthHeap, TakesZeroOfEitherSignAsOne) {
  length_heap<double> heap;
  heap.push(0.0, 1);
  heap.push(-0.0, 2);
  heap.push(0.0, 0);
  for (const vertex_id v : {0, 1, 2}) EXPECT_EQ(heap.pop().vertex, v);
  heap.push(1, 3);
  heap.clear();
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace gossamer::graph
