#include "gossamer/graph/algorithms/triangles.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class Triangles : public test::on_graphs {};

TEST_P(Triangles, AgreeWithASerialCount) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)count_triangles(rows.view()), error);
      return;
    }
    const check c = verify_triangles(rows.view(), count_triangles(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Triangles);

TEST(TrianglesOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_EQ(count_triangles(rows.view()).total, 0U); });
}

// A triangle with one more edge at a vertex.
TEST(TrianglesOf, ATriangleWithATailAreOfItsCorners) {
  const csr rows(4, {{0, 1}, {1, 2}, {0, 2}, {0, 3}}, false);
  on_cores(2, [&] {
    const triangles_result r = count_triangles(rows.view());
    EXPECT_EQ(r.triangles, std::vector<std::uint64_t>({1, 1, 1, 0}));
    EXPECT_EQ(r.clustering, std::vector<double>({1.0 / 3, 1, 1, 0}));
    EXPECT_EQ(r.total, 1U);
    EXPECT_EQ(r.transitivity, 3.0 / 5);
    EXPECT_EQ(r.average_clustering, (1.0 / 3 + 1 + 1) / 4);
  });
}

}  // namespace
}  // namespace gossamer::graph
