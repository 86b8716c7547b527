// Graphs with weights, from texts, matrices and native files, on any number of cores, compared with maps of
// the C++ library. For several processes see tests/processes/graph_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/build/internal/rebuild.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using graph::weight_type;
using graph::weight_use;

// The weight of each arc, by labels; as a double, which holds all types exactly.
using weighted_arcs = std::map<std::pair<std::string, std::string>, double>;

weighted_arcs arcs_of(const graph::graph& g, const graph::adjacency& rows, bool reversed) {
  const graph::graph_view view = g.view();
  weighted_arcs all;
  graph::with_weight_type(view.weights, [&]<class Weight>(std::type_identity<Weight>) {
    for (std::uint64_t v = 0; v < view.vertices; ++v)
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        const std::string here = g.names().label(static_cast<graph::vertex_id>(v)),
                          there = g.names().label(rows.targets[i]);
        all[reversed ? std::pair(there, here) : std::pair(here, there)] =
            static_cast<double>(rows.weights_as<Weight>()[i]);
      }
  });
  return all;
}

// Loads on that many cores, also in blocks, and expects the same result.
weighted_arcs load_weighted(const std::string& source, unsigned cores, graph::load_options o,
                            weight_type expected) {
  weighted_arcs all;
  if (o.weights == weight_use::counted) o.weights = weight_use::kept;
  on_cores(cores, [&] {
    const graph::graph g = graph::load(source, o), shared = graph::load_shared(source, o);
    for (const graph::graph* one : {&g, &shared}) {
      EXPECT_EQ(one->view().weights, expected);
      if (one->view().weights != expected) return;
      const weighted_arcs out = arcs_of(*one, one->view().out, false);
      EXPECT_EQ(out, arcs_of(*one, one->view().in, true));
      EXPECT_TRUE(one == &g || out == all);
      all = out;
    }
  });
  return all;
}

struct weighted_text {
  std::string text;
  weighted_arcs directed, undirected;

  void add(const std::string& from, const std::string& to, const std::string& weight) {
    text += from + "\t" + to + "\t" + weight + "\n";
    if (from == to) return;
    const double value = std::strtod(weight.c_str(), nullptr);
    const auto least = [value](weighted_arcs& arcs, const std::string& a, const std::string& b) {
      const auto [at, is_new] = arcs.try_emplace({a, b}, value);
      if (!is_new) at->second = std::min(at->second, value);
    };
    least(directed, from, to);
    least(undirected, from, to);
    least(undirected, to, from);
  }
};

// Random duplicates, loops and edges in both directions, of ids or names, and weights of a type.
weighted_text random_text(std::uint64_t seed, weight_type type, const std::string& prefix,
                          std::uint64_t scale) {
  xoshiro256 random(seed);
  weighted_text t;
  const std::uint64_t vertices = 2 + bounded(random, 60), edges = bounded(random, 900) + 2;
  for (std::uint64_t i = 0; i < edges; ++i) {
    const auto vertex = [&] { return prefix + std::to_string(bounded(random, vertices) * scale); };
    const auto weight = [&]() -> std::string {
      if (i == 0)
        return type == weight_type::int32 ? "-7" : type == weight_type::uint32 ? "4000000000" : "0.5";
      const std::string sign = type != weight_type::uint32 && bounded(random, 2) != 0 ? "-" : "";
      return sign + std::to_string(1 + bounded(random, 1000)) + (type == weight_type::float64 ? ".25" : "");
    };
    const std::string from = i == 0 ? prefix + "0" : vertex(),
                      to = i == 0 ? prefix + std::to_string(scale) : vertex();
    t.add(from, to, weight());
  }
  return t;
}

TEST(WeightedGraph, RefusesSumsBeyondDoubles) {
  const temporary_folder folder;
  const graph::load_options sum{.weights = weight_use::kept, .duplicates = graph::duplicate_rule::sum};
  for (const auto& [first, second, fits] :
       {std::tuple("1e308", "1.7e308", false), std::tuple("-1e308", "-1.7e308", false),
        std::tuple("1e308", "-1.7e308", true)}) {
    std::string text;
    for (int v = 0; v < 3000; ++v) text += fmt::format("a{} b{} 1.5\na{} b{} 1e308\n", v, v * 7 % 3000, v, v);
    text += fmt::format("b7 a2500 {}\nb7 a2500 {}\n", first, second);
    const std::string path = folder.plant("g.tsv", text);
    const std::string expected = fits ? "" : path + ": parallel edges of b7 and a2500 add up beyond doubles";
    for (const auto how : {graph::direction::directed, graph::direction::undirected}) {
      graph::load_options o = sum;
      o.how = how;
      for (const unsigned cores : {1U, 3U}) EXPECT_EQ(load_error(path, o, cores), expected);
      on_cores(2, [&] {
        try {
          (void)graph::load_shared(path, o);
          EXPECT_TRUE(fits);
        } catch (const error& e) {
          EXPECT_EQ(e.what(), expected);
        }
      });
    }
  }
  const std::string path = folder.plant("c.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n2 2 2\n"
                                        "1 2 1e308\n1 2 1.7e308\n");
  EXPECT_EQ(load_error(path, {.weights = weight_use::capacities}),
            path + ": parallel edges of 1 and 2 add up beyond doubles");
}

TEST(WeightedGraph, HasTheLeastWeightOfEachEdge) {
  const temporary_folder folder;
  std::uint64_t seed = 0;
  for (const weight_type type : {weight_type::int32, weight_type::uint32, weight_type::float64})
    for (const std::string prefix : {"", "v"})
      for (const std::uint64_t scale : {std::uint64_t{1}, std::uint64_t{100'000'000'000}})
        for (int round = 0; round < 4; ++round) {
          const weighted_text t = random_text(++seed, type, prefix, scale);
          SCOPED_TRACE("seed " + std::to_string(seed));
          const bool compressed = seed % 2 == 0;
          const std::string path =
              folder.plant("g" + std::to_string(seed), compressed ? gzipped(t.text) : t.text);
          const unsigned cores = static_cast<unsigned>(seed % 3) + 1;
          EXPECT_EQ(load_weighted(path, cores, {}, type), t.directed);
          EXPECT_EQ(load_weighted(path, cores, {.how = graph::direction::undirected}, type), t.undirected);
        }
}

// Enough for several buckets, of more than a chunk of edges.
TEST(WeightedGraph, IsBuiltInManyBuckets) {
  xoshiro256 random(5);
  std::string text;
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> expected;
  for (int i = 0; i < 400'000; ++i) {
    const std::uint64_t from = bounded(random, 1 << 15), to = bounded(random, 1 << 15);
    const std::uint64_t weight = bounded(random, 1000);
    text += std::to_string(from) + " " + std::to_string(to) + " " + std::to_string(weight) + "\n";
    if (from == to) continue;
    const auto [at, is_new] = expected.try_emplace({from, to}, weight);
    if (!is_new) at->second = std::min(at->second, static_cast<double>(weight));
  }
  const temporary_folder folder;
  weighted_arcs found = load_weighted(folder.plant("g", text), 3, {}, weight_type::int32);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [ends, weight] : expected)
    ASSERT_EQ(found[std::pair(std::to_string(ends.first), std::to_string(ends.second))], weight);
}

// Without duplicates the rows of a bucket fill all of its memory, also with an odd number of edges.
TEST(WeightedGraph, EveryEdgeIsKeptWhereNoneIsTwice) {
  for (const std::uint64_t step : {1, 2, 3, 5}) {
    std::string text;
    weighted_arcs expected;
    for (std::uint64_t v = 0; v < 60'000; v += 1 + v % step) {
      const std::uint64_t weight = hash64(v) % 1000;
      text += std::to_string(v) + " " + std::to_string(v + 1) + " " + std::to_string(weight) + "\n";
      expected[std::pair(std::to_string(v), std::to_string(v + 1))] = static_cast<double>(weight);
    }
    const temporary_folder folder;
    ASSERT_EQ(load_weighted(folder.plant("g", text), 2, {}, weight_type::int32), expected);
  }
}

TEST(WeightedGraph, RoundTripsThroughItsNativeForm) {
  const temporary_folder folder;
  std::uint64_t seed = 100;
  for (const weight_type type : {weight_type::int32, weight_type::uint32, weight_type::float64})
    for (const auto how : {graph::direction::directed, graph::direction::undirected}) {
      ++seed;
      const weighted_text t = random_text(seed, type, seed % 2 == 0 ? "" : "n", 1);
      const std::string source = folder.plant("g.txt", t.text), path = folder / "g.gsg";
      on_cores(2,
               [&] { graph::write(graph::load(source, {.how = how, .weights = weight_use::kept}), path); });
      const bool directed = how == graph::direction::directed;
      EXPECT_EQ(load_weighted(path, 3, {}, type), directed ? t.directed : t.undirected);
      // read with the other direction than written
      EXPECT_EQ(load_weighted(path, 2, {.how = graph::direction::undirected}, type), t.undirected);
    }
}

TEST(WeightedGraph, TakesTheValuesOfMatrices) {
  const temporary_folder folder;
  const auto matrix = [&](const std::string& kind, const std::string& entries, graph::load_options o,
                          weight_type type) {
    return load_weighted(
        folder.plant("m.mtx", "%%MatrixMarket matrix coordinate " + kind + "\n3 3 2\n" + entries), 2, o,
        type);
  };
  const auto pair = [](const char* a, const char* b) { return std::pair<std::string, std::string>(a, b); };
  EXPECT_EQ(matrix("integer general", "1 2 -3\n3 1 4\n", {}, weight_type::int32),
            (weighted_arcs{{pair("1", "2"), -3}, {pair("3", "1"), 4}}));
  EXPECT_EQ(matrix("real symmetric", "2 1 3\n3 1 0.5\n", {}, weight_type::float64),
            (weighted_arcs{
                {pair("1", "2"), 3}, {pair("2", "1"), 3}, {pair("1", "3"), 0.5}, {pair("3", "1"), 0.5}}));
  EXPECT_EQ(matrix("integer skew-symmetric", "2 1 3\n3 1 -2147483648\n", {}, weight_type::float64),
            (weighted_arcs{{pair("1", "2"), 3},
                           {pair("2", "1"), 3},
                           {pair("1", "3"), 2147483648.0},
                           {pair("3", "1"), 2147483648.0}}));
  EXPECT_EQ(matrix("real hermitian", "2 1 3\n3 1 -0.5\n", {}, weight_type::float64),
            (weighted_arcs{
                {pair("1", "2"), 3}, {pair("2", "1"), 3}, {pair("1", "3"), -0.5}, {pair("3", "1"), -0.5}}));
  EXPECT_EQ(
      matrix("integer skew-symmetric", "2 1 3\n3 1 -7\n",
             {.how = graph::direction::directed, .duplicates = graph::duplicate_rule::count},
             weight_type::int32),
      (weighted_arcs{{pair("1", "2"), 1}, {pair("2", "1"), 1}, {pair("1", "3"), 1}, {pair("3", "1"), 1}}));
  // Reversed arcs are where their entries are.
  for (const auto& [rule, weight] :
       {std::pair(graph::duplicate_rule::first, 5), std::pair(graph::duplicate_rule::last, 7)})
    EXPECT_EQ(matrix("integer symmetric", "2 1 5\n1 2 7\n",
                     {.how = graph::direction::directed, .duplicates = rule}, weight_type::int32),
              (weighted_arcs{{pair("1", "2"), weight}, {pair("2", "1"), weight}}));
  EXPECT_EQ(matrix("integer skew-symmetric", "2 1 3\n3 1 -2147483648\n", {.how = graph::direction::directed},
                   weight_type::float64),
            (weighted_arcs{{pair("2", "1"), 3},
                           {pair("1", "2"), -3},
                           {pair("3", "1"), -2147483648.0},
                           {pair("1", "3"), 2147483648.0}}));
}

std::string weights_error(const temporary_folder& folder, const std::string& text, weight_use use,
                          graph::table_options table = {}) {
  std::string message;
  const std::string path = folder.plant("g.txt", text);
  on_cores(2, [&] {
    for (const auto how : {graph::load, graph::load_shared}) {
      std::string found = "no error";
      try {
        (void)how(path, {.weights = use, .table = table});
      } catch (const error& e) {
        found = e.what();
      }
      EXPECT_TRUE(message.empty() || message == found) << message << "\n" << found;
      message = found;
    }
  });
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

TEST(WeightedGraph, NamesTheLineOfABadWeight) {
  const temporary_folder folder;
  for (const std::string v : {"", "v"}) {
    const auto edge = [&v](const std::string& from, const std::string& to) {
      return v + from + " " + v + to;
    };
    const auto with_bad = [&](const std::string& weight) {
      return edge("1", "2") + " 1\n" + edge("2", "3") + " 2.5\n" + edge("3", "4") + weight + "\n";
    };
    EXPECT_EQ(
        weights_error(folder, with_bad(" -0.5"), weight_use::lengths),
        ":3: expected a weight of 0 or more, as weights are lengths or capacities here, found \"-0.5\"");
    EXPECT_EQ(weights_error(folder, with_bad(" -0.5"), weight_use::kept), "no error");
    EXPECT_EQ(weights_error(folder, with_bad(" -0"), weight_use::lengths), "no error");
    EXPECT_EQ(weights_error(folder, with_bad(" 1e999"), weight_use::kept),
              ":3: expected a weight that a double holds, found \"1e999\"");
    EXPECT_EQ(weights_error(folder, with_bad(" 1e999"), weight_use::counted), "no error");
    for (const std::string bad : {" nan", " inf", " -inf", " x"})
      EXPECT_TRUE(weights_error(folder, with_bad(bad), weight_use::kept)
                      .starts_with(":3: expected a number as weight, found \"" + bad.substr(1) + "\""))
          << bad;
    EXPECT_TRUE(weights_error(folder, with_bad(""), weight_use::kept).starts_with(":3: expected")) << v;
  }
  EXPECT_EQ(weights_error(folder, "a,b,w\n1,2,3\n2,3,\n", weight_use::kept, {.columns = {"a", "b", "w"}}),
            ":3: expected a weight, as the other edges have, found none in \"2,3,\"");
  EXPECT_EQ(weights_error(folder, "{\"a\":1,\"b\":2,\"w\":1}\n{\"a\":1,\"b\":3}\n", weight_use::kept,
                          {.columns = {"a", "b", "w"}}),
            ":2: expected a weight, as the other edges have, found none in \"{\\\"a\\\":1,\\\"b\\\":3}\"");
  EXPECT_EQ(weights_error(folder, "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 3 4\n",
                          weight_use::kept),
            ":1: expected real or integer values, which are weights, found complex ones");
}

TEST(WeightedGraph, HasNoneWhereTheTextHasNone) {
  const temporary_folder folder;
  const std::string path = folder.plant("g.txt", "1 2\n2 3\n");
  on_cores(2, [&] {
    const graph::graph g = graph::load(path, {.weights = weight_use::lengths});
    EXPECT_EQ(g.view().weights, weight_type::none);
    EXPECT_EQ(g.view().out.weights, nullptr);
  });
  const std::string vertices = folder.plant("v.txt", "9\n1\n");
  const std::string weighted = folder.plant("w.txt", "1 2 5\n2 3 6\n");
  EXPECT_EQ(load_weighted(weighted, 2, {.table = {.vertices = vertices}}, weight_type::int32),
            (weighted_arcs{{{"1", "2"}, 5}, {{"2", "3"}, 6}}));
}

}  // namespace
}  // namespace gossamer::test
