// Graphs from columns in memory, against a set of edges, on 1, 2 and 3 cores.
#include "gossamer/graph/build/from_edges.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "support/graphs.hpp"

namespace gossamer::test {
namespace {

using graph::from_edges_options;
using graph::id_column;
using graph::vertex_id;
using label_pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;

template <class Id>
id_column id_column_of(const std::vector<Id>& ids, id_column::type kind) {
  return {ids.data(), ids.size(), 1, kind};
}

/// Returns the arcs of a graph, by label.
label_pairs arcs_by_label(const graph::graph& g) {
  label_pairs all;
  const auto view = g.view();
  for (vertex_id v = 0; v < view.vertices; ++v)
    for (const vertex_id w : view.out[v])
      all.emplace(std::stoull(g.names().label(v)), std::stoull(g.names().label(w)));
  return all;
}

/// Returns the arcs that the columns ask for.
template <class Id>
label_pairs arcs_asked_for(const std::vector<Id>& from, const std::vector<Id>& to, bool directed) {
  label_pairs all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    all.emplace(from[i], to[i]);
    if (!directed) all.emplace(to[i], from[i]);
  }
  return all;
}

template <class Id>
void expect_graph_of_columns(id_column::type kind, unsigned cores, std::uint64_t factor) {
  const std::uint64_t seed = 7 * cores + factor;
  SCOPED_TRACE("seed " + std::to_string(seed));
  xoshiro256 random(seed);
  std::vector<Id> from, to;
  for (int i = 0; i < 10000; ++i) {
    from.push_back(static_cast<Id>(random() % 3000 * factor));
    to.push_back(static_cast<Id>(random() % 3000 * factor));
  }
  for (const bool directed : {true, false})
    for (const bool compact : {true, false}) {
      if (factor > 1 && !compact) continue;
      on_cores(cores, [&] {
        const auto g = graph::from_edges(id_column_of(from, kind), id_column_of(to, kind),
                                         {.directed = directed, .compact = compact});
        EXPECT_EQ(arcs_by_label(g), arcs_asked_for(from, to, directed));
        EXPECT_EQ(g.view().directed, directed);
        EXPECT_EQ(g.statistics().edges_read, from.size());
      });
    }
}

TEST(FromEdges, AgreesWithASetForEveryTypeOfId) {
  for (const unsigned cores : {1U, 2U, 3U}) {
    expect_graph_of_columns<std::int32_t>(id_column::type::int32, cores, 1);
    expect_graph_of_columns<std::uint32_t>(id_column::type::uint32, cores, 1'000'003);
    expect_graph_of_columns<std::int64_t>(id_column::type::int64, cores, 1);
    expect_graph_of_columns<std::uint64_t>(id_column::type::uint64, cores, 6'000'000'000'000'007);
  }
}

TEST(FromEdges, ReadsColumnsOfAMatrixInBothDirections) {
  const std::vector<std::int64_t> pairs{0, 1, 1, 2, 2, 3};
  on_cores(2, [&] {
    const auto g = graph::from_edges({pairs.data(), 3, 2}, {pairs.data() + 1, 3, 2});
    EXPECT_EQ(arcs_by_label(g), (label_pairs{{0, 1}, {1, 2}, {2, 3}}));
    const auto back = graph::from_edges({pairs.data() + 4, 3, -2}, {pairs.data() + 5, 3, -2});
    EXPECT_EQ(arcs_by_label(back), arcs_by_label(g));
  });
}

TEST(FromEdges, KeepsVerticesWithoutEdges) {
  const std::vector<std::int64_t> from{0}, to{1}, none;
  const auto kind = id_column::type::int64;
  on_cores(1, [&] {
    EXPECT_EQ(
        graph::from_edges(id_column_of(from, kind), id_column_of(to, kind), {.vertices = 5}).view().vertices,
        5U);
    EXPECT_EQ(graph::from_edges(id_column_of(none, kind), id_column_of(none, kind)).view().vertices, 0U);
    EXPECT_EQ(graph::from_edges(id_column_of(none, kind), id_column_of(none, kind), {.vertices = 3})
                  .view()
                  .vertices,
              3U);
    EXPECT_EQ(graph::from_edges(id_column_of(none, kind), id_column_of(none, kind), {.compact = true})
                  .view()
                  .vertices,
              0U);
  });
}

std::string refusal_of_columns(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                               const from_edges_options& how = {}) {
  std::string said = "nothing";
  on_cores(2, [&] {
    try {
      (void)graph::from_edges(id_column_of(from, id_column::type::int64),
                              id_column_of(to, id_column::type::int64), how);
    } catch (const error& e) {
      said = e.what();
    }
  });
  return said;
}

TEST(FromEdges, RefusesInOneLine) {
  EXPECT_EQ(refusal_of_columns({1, 2}, {3}), "expected as many sources as targets, found 2 and 1");
  EXPECT_EQ(refusal_of_columns({1, 2, 3}, {4, -5, -6}),
            "targets[1]: expected a vertex, 0 or larger, found -5");
  EXPECT_EQ(refusal_of_columns({1, 2}, {3, 9}, {.vertices = 9}),
            "expected ids below 9, the number of vertices, found 9");
  EXPECT_NE(refusal_of_columns({1}, {std::int64_t{1} << 60}).find("can be compacted"), std::string::npos);
  EXPECT_NE(refusal_of_columns({1}, {2}, {.vertices = 3, .compact = true}).find("found both"),
            std::string::npos);
}

TEST(FromEdges, AnUndirectedCopyHasEveryEdgeBothWays) {
  const std::vector<std::int64_t> from{0, 1, 1, 4}, to{1, 0, 2, 3};
  on_cores(3, [&] {
    const auto kind = id_column::type::int64;
    const auto g = graph::from_edges(id_column_of(from, kind), id_column_of(to, kind), {.vertices = 6});
    const auto both = graph::undirected_copy(g);
    EXPECT_EQ(arcs_by_label(both), arcs_asked_for(from, to, false));
    EXPECT_EQ(both.view().vertices, 6U);
    EXPECT_EQ(arcs_by_label(g), arcs_asked_for(from, to, true)) << "the original stays";
  });
}

TEST(FromEdges, AnUndirectedCopyCombinesTheWeightsOfOppositeEdges) {
  const std::vector<std::int64_t> from{0, 1}, to{1, 0};
  const std::vector<double> weights{2, 5};
  on_cores(2, [&] {
    const auto kind = id_column::type::int64;
    auto g = graph::from_edges(id_column_of(from, kind), id_column_of(to, kind),
                               {.weights = {weights.data(), weights.size(), 1, graph::weight_type::float64}});
    const auto weight = [&g](std::optional<graph::duplicate_rule> rule) {
      return graph::undirected_copy(g, rule).view().out.weights_as<double>()[0];
    };
    using enum graph::duplicate_rule;
    EXPECT_EQ(weight(sum), 7);
    const std::vector<std::pair<graph::duplicate_rule, double>> rules{{min, 2},   {max, 5},   {sum, 7},
                                                                      {count, 7}, {first, 2}, {last, 2}};
    for (const auto& [made_by, expected] : rules) {
      g.statistics().rule = made_by;
      EXPECT_EQ(weight({}), expected);
      EXPECT_EQ(graph::undirected_copy(g).statistics().rule,
                made_by == first || made_by == last ? min : made_by);
    }
  });
}

}  // namespace
}  // namespace gossamer::test
