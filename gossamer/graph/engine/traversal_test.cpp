// Loops of the engine that throw: what they leave does not reach the next one.
#include "gossamer/graph/engine/traversal.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/propagate.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::graph {
namespace {

struct vertices_seen {
  std::uint64_t count = 0;
  void add(const vertices_seen& more) { count += more.count; }
};

/// Counts the vertices; throws at vertex `bad`.
vertices_seen seen_by(const traversal& go, std::uint64_t bad) {
  return go.block_reduce<vertices_seen>(k_pass, [bad](vertex_range some, vertices_seen& sums, scan_meter&) {
    sums.count += some.size();
    if (some.begin <= bad && bad < some.end) throw error("bad vertex");
  });
}

/// Marks what can be reached; throws at vertex `bad`.
struct reach {
  struct push_mark {
    std::uint64_t bad;
    bool operator()(std::uint8_t& mark, vertex_id n, std::uint8_t) const {
      if (n == bad) throw error("bad vertex");
      return mark++ == 0;
    }
  };
  array<std::uint8_t> values;
  push_mark push;
  static constexpr bool k_depth_first = false;
  std::uint8_t offer(vertex_id, std::uint8_t) const { return 1; }
};

class Traversal : public testing::TestWithParam<unsigned> {};

TEST_P(Traversal, SumsOfALoopThatThrewAreDropped) {
  run({.cores = GetParam()}, [] {
    const graph g = load("grid:200x200");
    const traversal go(g.view());
    for (unsigned round = 0; round < 2; ++round) {
      EXPECT_THROW(seen_by(go, 30'000), error);
      EXPECT_EQ(seen_by(go, ~std::uint64_t{0}).count, 40'000U);
    }
  });
}

TEST_P(Traversal, VerticesOfAPropagationThatThrewAreDropped) {
  run({.cores = GetParam()}, [] {
    const graph g = load("grid:50x50");
    const graph_view view = g.view();
    const traversal go(view);
    const propagation all;
    const auto marks = go.values<std::uint8_t>();
    const auto begin = [&](vertex_id v) {
      on_all_cores([senders = all.senders(), values = marks.handle(), v] {
        for (std::uint64_t k = values.local_begin(); k < values.local_begin() + values.local().size(); ++k)
          if (k == v) senders.here().found.push_back(v);
      });
    };
    with_symmetric_adjacency(view, [&](const auto& rows) {
      begin(0);
      EXPECT_THROW(all.run(rows, reach{marks.handle(), {1300}}), error);
      go.vertex_map(k_pass, marks.handle(), [](vertex_id, std::uint8_t& mark) { mark = 0; });
      all.run(rows, reach{marks.handle(), {~std::uint64_t{0}}});  // from nothing
      const auto reached = go.core_reduce<vertices_seen>([values = marks.handle()] {
        vertices_seen own;
        for (const std::uint8_t mark : values.local()) own.count += mark != 0;
        return own;
      });
      EXPECT_EQ(reached.count, 0U);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Cores, Traversal, testing::Values(1U, 3U),
                         [](const auto& i) { return "on_" + std::to_string(i.param); });

}  // namespace
}  // namespace gossamer::graph
