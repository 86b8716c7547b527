#include "studies/task_bfs.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::studies {
namespace {

using namespace graph;
using test::csr;
using test::on_cores;

class TaskBfs : public test::on_graphs {};

TEST_P(TaskBfs, FindsTheSameLevelsWithAnyTasks) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    bfs tuned(rows.view());
    std::vector<vertex_id> sources = random_sources(rows.view(), 1, 2);
    sources.push_back(static_cast<vertex_id>(shape().vertices - 1));
    for (const bool stealable : {true, false}) {
      for (const std::uint64_t grain : {0U, 1U, 7U}) {
        task_bfs search(rows.view(), {.stealable = stealable, .grain = grain});
        for (const vertex_id source : sources) {
          const bfs_result result = search.run(source), expected = tuned.run(source);
          EXPECT_EQ(result.levels, expected.levels) << "from " << source << ", grain " << grain;
          EXPECT_EQ(result.edges, expected.edges) << "from " << source << ", grain " << grain;
          const check c = verify_bfs(rows.view(), result, search.parents());
          ASSERT_TRUE(c) << "from " << source << ", grain " << grain << ": " << c.reason;
        }
      }
    }
  });
}
GOSSAMER_ON_GRAPHS(TaskBfs);

TEST(TaskBfsOptions, LoopsAreCutAsTheJobSays) {
  const csr rows(2001, test::star_edges(2001), false);
  const auto tasks_with = [&](std::uint64_t grain) {
    std::uint64_t tasks = 0;
    run({.cores = 1, .loop_grain = grain}, [&] {
      task_bfs search(rows.view());
      const std::uint64_t before = statistics()[0].tasks;
      EXPECT_EQ(search.run(2000).levels, (std::vector<std::uint64_t>{1, 2000}));
      tasks = statistics()[0].tasks - before;
    });
    return tasks;
  };
  // The row of the hub is halved down to the grain: 2,000 neighbours make 2,048 tasks of at most one, or 64
  // of at most 32.
  EXPECT_GT(tasks_with(1), 2000U);
  EXPECT_LT(tasks_with(32), 300U);
  EXPECT_GT(tasks_with(32), tasks_with(1000));
  EXPECT_EQ(tasks_with(0), tasks_with(1));  // about two arcs for each task, so the grain is 1
}

TEST(TaskBfsProgress, ASearchCutShortLeavesNothingBehind) {
  const csr rows(100, test::path_edges(100), false);
  on_cores(2, [&] {
    task_bfs search(rows.view());
    EXPECT_THROW(search.run(0,
                            [](const char*, std::uint64_t done, std::uint64_t) {
                              if (done == 7) throw 1;
                            }),
                 int);
    EXPECT_EQ(search.run(99).reached, 100U);
  });
}

}  // namespace
}  // namespace gossamer::studies
