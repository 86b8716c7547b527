#include "gossamer/graph/algorithms/cores.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class Cores : public test::on_graphs {};

TEST_P(Cores, AgreeWithSerialPeeling) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const check c = verify_cores(rows.view(), core_numbers(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Cores);

std::vector<vertex_id> cores_of(const csr& rows) {
  std::vector<vertex_id> found;
  on_cores(2, [&] { found = core_numbers(rows.view()).core; });
  return found;
}

using numbers = std::vector<vertex_id>;

TEST(CoresOf, AnEmptyGraphAreNone) { EXPECT_EQ(cores_of(csr(0, {}, true)), numbers()); }

TEST(CoresOf, ADirectedGraphCountBothDirections) {
  EXPECT_EQ(cores_of(csr(3, {{0, 1}, {1, 2}, {2, 0}}, true)), numbers({2, 2, 2}));
  EXPECT_EQ(cores_of(csr(2, {{0, 1}, {1, 0}}, true)), numbers({2, 2}));
}

// A square with both diagonals, a path of two edges from it, and an isolated vertex.
TEST(CoresOf, ACliqueWithATailFallInLevels) {
  const csr rows(7, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}}, false);
  on_cores(3, [&] {
    const cores_result r = core_numbers(rows.view());
    EXPECT_EQ(r.core, numbers({3, 3, 3, 3, 1, 1, 0}));
    EXPECT_EQ(r.degeneracy, 3U);
    EXPECT_EQ(r.innermost, 4U);
    EXPECT_EQ(r.levels, 3U);
  });
}

}  // namespace
}  // namespace gossamer::graph
