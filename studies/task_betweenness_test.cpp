#include "studies/task_betweenness.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::studies {
namespace {

using namespace graph;
using test::csr;
using test::on_cores;

class TaskBetweenness : public test::on_graphs {};

TEST_P(TaskBetweenness, HasTheScoresOfBrandes) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const auto sources = random_sources(rows.view(), 3, 5);
    for (const bool stealable : {true, false}) {
      const auto result = task_betweenness(rows.view(), sources, {.stealable = stealable, .scale = 2});
      const check c = verify_betweenness(rows.view(), sources, {.scale = 2}, result);
      EXPECT_TRUE(c) << c.reason << (stealable ? ", stealable" : ", private");
    }
  });
}
GOSSAMER_ON_GRAPHS(TaskBetweenness);

TEST(TaskBetweennessOf, APathLiesAllOnItsMiddle) {
  const csr rows(5, test::path_edges(5), false);
  on_cores(2, [&] {
    const std::vector<vertex_id> all{0, 1, 2, 3, 4};
    EXPECT_EQ(task_betweenness(rows.view(), all).scores, (std::vector<double>{0, 3, 4, 3, 0}));
  });
}

}  // namespace
}  // namespace gossamer::studies
