#include "gossamer/fabric/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gossamer::fabric {
namespace {

bool contains(const std::vector<unsigned>& all, unsigned one) {
  return std::ranges::find(all, one) != all.end();
}

TEST(Routes, DirectOnesReachEverybodyInOneHop) {
  const routes r(5, 2, routing::direct);
  for (unsigned to = 0; to < 5; ++to) EXPECT_EQ(r.next(to), to);
  EXPECT_EQ(r.neighbours(), (std::vector<unsigned>{0, 1, 3, 4}));
  EXPECT_EQ(r.most_neighbours(), 4U);
}

TEST(Routes, GridsReachEverybodyInTwoHopsOverNeighbours) {
  for (const unsigned n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 13U, 30U, 31U, 32U, 97U, 128U}) {
    std::vector<routes> all;
    for (unsigned p = 0; p < n; ++p) all.emplace_back(n, p, routing::grid);
    const auto side = static_cast<unsigned>(std::ceil(std::sqrt(n)));
    for (unsigned from = 0; from < n; ++from) {
      const routes& r = all[from];
      EXPECT_LE(r.neighbours().size(), r.most_neighbours());
      EXPECT_LE(r.most_neighbours(), 2 * side - 2);
      std::vector<unsigned> behind(n);
      for (unsigned to = 0; to < n; ++to) {
        if (to == from) continue;
        const unsigned hop = r.next(to);
        EXPECT_TRUE(contains(r.neighbours(), hop)) << from << " to " << to << " of " << n;
        EXPECT_TRUE(contains(all[hop].neighbours(), from)) << "a neighbour on one side only";
        EXPECT_TRUE(hop == to || all[hop].next(to) == to) << from << " to " << to << " of " << n;
        EXPECT_LE(++behind[hop], r.most_behind());
      }
    }
  }
}

TEST(Routes, AutomaticOnesAreDirectUntilThereAreManyProcesses) {
  EXPECT_FALSE(routes(routes::k_many_processes - 1, 0, routing::automatic).over_grid());
  EXPECT_TRUE(routes(routes::k_many_processes, 0, routing::automatic).over_grid());
}

}  // namespace
}  // namespace gossamer::fabric
