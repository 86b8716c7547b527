#include "studies/queue_bfs.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::studies {
namespace {

using namespace graph;
using test::csr;
using test::on_cores;

class QueueBfs : public test::on_graphs {};

TEST_P(QueueBfs, FindsTheSameLevelsWhereverRequestsMerge) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    bfs tuned(rows.view());
    queue_bfs search(rows.view(), {.singly = core_count() == 2,
                                   .locked = core_count() == 3,
                                   .combining = test::some_mode(shape(), core_count())});
    std::vector<vertex_id> sources = random_sources(rows.view(), 1, 2);
    sources.push_back(static_cast<vertex_id>(shape().vertices - 1));
    for (const vertex_id source : sources) {
      const bfs_result result = search.run(source), expected = tuned.run(source);
      EXPECT_EQ(result.levels, expected.levels) << "from " << source;
      EXPECT_EQ(result.edges, expected.edges) << "from " << source;
      const check c = verify_bfs(rows.view(), result, search.parents());
      ASSERT_TRUE(c) << "from " << source << ": " << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(QueueBfs);

TEST(QueueBfsProgress, ReportsEveryLevelAndStopsWhenTheHookThrows) {
  const csr rows(100, test::path_edges(100), false);
  on_cores(2, [&] {
    queue_bfs search(rows.view());
    std::uint64_t reports = 0;
    search.run(0, [&](const char*, std::uint64_t, std::uint64_t) { ++reports; });
    EXPECT_EQ(reports, 100U);
    struct enough {};
    EXPECT_THROW(search.run(0,
                            [](const char*, std::uint64_t done, std::uint64_t) {
                              if (done == 7) throw enough{};
                            }),
                 enough);
    EXPECT_EQ(search.run(0).reached, 100U);
  });
}

// The level that remains in the queue is larger than one core dequeues at once.
TEST(QueueBfsProgress, ASearchCutShortLeavesNothingBehind) {
  const csr rows(3000, test::star_edges(3000), false);
  for (const bool locked : {false, true})
    on_cores(3, [&] {
      queue_bfs search(rows.view(), {.locked = locked});
      for (int round = 0; round < 2; ++round) {
        EXPECT_THROW(search.run(2999,
                                [](const char*, std::uint64_t done, std::uint64_t) {
                                  if (done == 2) throw 1;
                                }),
                     int);
      }
      const bfs_result result = search.run(5);
      EXPECT_EQ(result.levels, (std::vector<std::uint64_t>{1, 1, 2998}));
      EXPECT_TRUE(verify_bfs(rows.view(), result, search.parents()));
    });
}

}  // namespace
}  // namespace gossamer::studies
