#include "gossamer/graph/build/internal/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/ingest/internal/vertex_edges.hpp"
#include "support/edge_files.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::test {
namespace {

TEST(Generate, IsTheSameOnAnyNumberOfCores) {
  for (const char* source :
       {k_address_sanitizer ? "kron:11" : "kron:13", "uniform:12:5", "rmat:9:8:0.45,0.2,0.2", "grid:120x150",
        "road:25000", "ba:6000:4", "ws:9000:6:0.1", "sbm:300,20x100,7:0.1:0.005"}) {
    const labelled_graph first = load_labelled(source, 1);
    for (unsigned cores : {2U, 3U, 8U}) EXPECT_EQ(load_labelled(source, cores), first) << source;
  }
}

TEST(Generate, SeedsDiffer) {
  graph::load_options other;
  other.seed = 2;
  EXPECT_NE(load_labelled("kron:8", 1), load_labelled("kron:8", 1, other));
}

TEST(Generate, KeepsAllVerticesAndCountsAllEdges) {
  on_cores(2, [] {
    const auto g = graph::load("kron:10:7");
    EXPECT_EQ(g.view().vertices, 1024U);
    EXPECT_FALSE(g.view().directed);
    const auto& s = g.statistics();
    EXPECT_EQ(s.edges_read, 7U * 1024);
    EXPECT_EQ(g.view().edges() + s.duplicates + s.self_loops, s.edges_read);
  });
}

TEST(Generate, SmallestScales) {
  for (unsigned scale = 0; scale < 6; ++scale) {
    for (const std::string kind : {"kron:", "uniform:"}) {
      const labelled_graph g = load_labelled(kind + std::to_string(scale), 2);
      EXPECT_EQ(g.vertices.size(), std::size_t{1} << scale);
    }
  }
  EXPECT_TRUE(load_labelled("kron:5:0", 2).arcs.empty());
}

TEST(Generate, KroneckerIsSkewedAndUniformIsNot) {
  on_cores(2, [] {
    const auto largest = [](const graph::graph& g) {
      std::uint64_t most = 0;
      for (graph::vertex_id v = 0; v < g.view().vertices; ++v) most = std::max(most, g.view().out.degree(v));
      return most;
    };
    EXPECT_GT(largest(graph::load("kron:12")), 500U);
    EXPECT_LT(largest(graph::load("uniform:12")), 80U);
  });
}

// The initiator's first row has 0.57 + 0.19 of the weight, so a vertex whose unpermuted id has k zero bits of
// s expects edges * 0.76^k * 0.24^(s-k) starts. The largest degree (before duplicates) tells.
TEST(Generate, KroneckerHasTheInitiatorsLargestDegree) {
  on_cores(2, [] {
    const auto g = graph::load("kron:8:1000");
    std::vector<double> degrees;
    for (graph::vertex_id v = 0; v < 256; ++v) degrees.push_back(static_cast<double>(g.view().out.degree(v)));
    // so many edges fill nearly everything: each vertex is joined to nearly all others
    EXPECT_GT(*std::ranges::max_element(degrees), 250.0);
    EXPECT_GT(g.statistics().duplicates, 200000U);
  });
}

TEST(Generate, DegreesDoNotFollowIds) {
  on_cores(2, [] {
    const auto g = graph::load("kron:12");
    double low = 0, high = 0;
    for (graph::vertex_id v = 0; v < 4096; ++v)
      (v < 2048 ? low : high) += static_cast<double>(g.view().out.degree(v));
    EXPECT_LT(std::abs(low - high) / (low + high), 0.25);
  });
}

// The edges as vertices decide about them, by no core.
std::vector<std::pair<std::uint64_t, std::uint64_t>> edges_of(const std::string& source,
                                                              std::uint64_t seed = 1) {
  const graph::generator g = *graph::parse_generator(source, seed);
  const graph::vertex_rules rules(g);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
  for (std::uint64_t v = 0; v < g.vertices(); ++v)
    rules.edges_of(v, [&all](auto from, auto to) { all.emplace_back(from, to); });
  return all;
}

std::uint64_t components_of(const std::string& source) {
  std::uint64_t components = 0;
  on_cores(2, [&] {
    const graph::graph g = graph::load(source);
    components = graph::connected_components(g.view()).components;
  });
  return components;
}

TEST(Generate, RmatWithTheUsualInitiatorIsKron) {
  EXPECT_EQ(load_labelled("rmat:9:4:0.57,0.19,0.19", 2), load_labelled("kron:9:4", 2));
  EXPECT_EQ(load_labelled("rmat:9:4", 2), load_labelled("kron:9:4", 2));
  EXPECT_NE(load_labelled("rmat:9:4:0.25,0.25,0.25", 2), load_labelled("kron:9:4", 2));
}

TEST(Generate, AGridJoinsNeighboursInRowsAndColumns) {
  const labelled_graph g = load_labelled("grid:3x4", 2);
  std::vector<std::pair<std::string, std::string>> expected;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) {
      const std::string v = std::to_string(r * 4 + c);
      if (c < 3) expected.emplace_back(v, std::to_string(r * 4 + c + 1));
      if (r < 2) expected.emplace_back(v, std::to_string(r * 4 + c + 4));
    }
  EXPECT_EQ(g, naive(expected, false));
  EXPECT_EQ(load_labelled("grid:1x1", 2).vertices.size(), 1U);
  EXPECT_EQ(load_labelled("grid:1x5", 2).arcs.size(), 8U);
  EXPECT_EQ(load_labelled("grid:5x1", 2).arcs.size(), 8U);
}

TEST(Generate, ARoadNetworkIsConnectedAndThin) {
  for (const char* source : {"road:1", "road:2", "road:7", "road:1000", "road:20003"})
    EXPECT_EQ(components_of(source), 1U) << source;
  const auto edges = edges_of("road:90000");
  const double degree = 2 * static_cast<double>(edges.size()) / 90000;
  EXPECT_GT(degree, 2.45);
  EXPECT_LT(degree, 2.55);
  std::map<std::uint64_t, int> degrees;
  for (const auto& [from, to] : edges) {
    const std::uint64_t apart = from - to;  // beside, above, or both, in rows of 300
    EXPECT_TRUE(apart == 1 || apart == 300 || apart == 301);
    ++degrees[from], ++degrees[to];
  }
  for (const auto& [v, d] : degrees) EXPECT_LE(d, 6) << v;
}

// The list of ends that Batagelj and Brandes keep, built in order, has at each place what retracing finds there.
TEST(Generate, PreferentialAttachmentIsThatOfTheListOfEnds) {
  constexpr std::uint64_t k_vertices = 3000, k_edges = 3;
  const graph::generator g = *graph::parse_generator("ba:3000:3", 7);
  std::vector<std::uint64_t> ends;
  std::size_t at = 0;
  const auto drawn = edges_of("ba:3000:3", 7);
  ASSERT_EQ(drawn.size(), (k_vertices - 1) * k_edges);
  for (std::uint64_t v = 1; v < k_vertices; ++v) {
    const std::uint64_t before = ends.size();
    for (std::uint64_t j = 0; j < k_edges; ++j, ++at) {
      const auto place =
          static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash64(g.seed, at)) * before) >> 64);
      const std::uint64_t target = before == 0 ? 0 : ends[place];
      EXPECT_EQ(drawn[at], std::pair(v, target));
      ends.insert(ends.end(), {v, target});
    }
  }
  EXPECT_EQ(components_of("ba:3000:3"), 1U);
  std::map<std::uint64_t, std::uint64_t> degrees;
  for (const std::uint64_t end : ends) ++degrees[end];
  std::uint64_t most = 0;
  for (const auto& [v, d] : degrees) most = std::max(most, d);
  EXPECT_GT(most, 100U);  // a random graph of this mean degree has 20
}

TEST(Generate, ASmallWorldIsARingUntilItIsRewired) {
  std::vector<std::pair<std::string, std::string>> ring;
  for (int v = 0; v < 10; ++v)
    for (int k : {1, 2}) ring.emplace_back(std::to_string(v), std::to_string((v + k) % 10));
  EXPECT_EQ(load_labelled("ws:10:4:0", 2), naive(ring, false));
  std::uint64_t kept = 0;
  const auto edges = edges_of("ws:10000:10:0.3");
  ASSERT_EQ(edges.size(), 50000U);
  for (const auto& [from, to] : edges) {
    EXPECT_NE(from, to);
    kept += (to + 10000 - from) % 10000 <= 5;
  }
  EXPECT_NEAR(static_cast<double>(kept) / 50000, 0.7, 0.02);
}

TEST(Generate, BlocksHaveEdgesOfTheirProbabilities) {
  const auto full = edges_of("sbm:4,1,3:1:0");
  EXPECT_EQ(full.size(), 6U + 0 + 3);
  EXPECT_EQ(edges_of("sbm:4,1,3:0:1").size(), 28U - 9);
  EXPECT_EQ(edges_of("sbm:4x5:1:1").size(), 190U);
  const auto edges = edges_of("sbm:600,900,500:0.05:0.01");
  const std::set<std::pair<std::uint64_t, std::uint64_t>> unique(edges.begin(), edges.end());
  EXPECT_EQ(unique.size(), edges.size());
  double inside = 0, between = 0;
  const auto block = [](std::uint64_t v) { return v < 600 ? 0 : v < 1500 ? 1 : 2; };
  for (const auto& [from, to] : edges) {
    EXPECT_LT(from, to);
    (block(from) == block(to) ? inside : between) += 1;
  }
  const double pairs_inside = (600.0 * 599 + 900.0 * 899 + 500.0 * 499) / 2, pairs = 2000.0 * 1999 / 2;
  EXPECT_NEAR(inside / pairs_inside, 0.05, 0.002);
  EXPECT_NEAR(between / (pairs - pairs_inside), 0.01, 0.0005);
}

TEST(Generate, WeightsDependOnTheEndsOnly) {
  std::map<std::pair<graph::vertex_id, graph::vertex_id>, std::int32_t> first;
  for (unsigned cores : {1U, 3U}) {
    on_cores(cores, [&] {
      graph::load_options o;
      o.weights = graph::weight_use::lengths;
      for (const auto load : {graph::load, graph::load_shared}) {
        const graph::graph g = load("kron:10:8@1..255", o);
        const graph::graph_view v = g.view();
        ASSERT_EQ(v.weights, graph::weight_type::int32);
        EXPECT_EQ(g.statistics().weights, 8U * 1024);
        std::map<std::pair<graph::vertex_id, graph::vertex_id>, std::int32_t> all;
        for (graph::vertex_id u = 0; u < v.vertices; ++u)
          for (std::uint64_t i = v.out.offsets[u]; i < v.out.offsets[u + 1]; ++i)
            all[{u, v.out.targets[i]}] = v.out.weights_as<std::int32_t>()[i];
        double sum = 0;
        std::set<std::int32_t> values;
        for (const auto& [ends, weight] : all) {
          EXPECT_EQ(weight, all.at({ends.second, ends.first}));
          EXPECT_TRUE(weight >= 1 && weight <= 255);
          values.insert(weight);
          sum += weight;
        }
        EXPECT_EQ(values.size(), 255U);
        EXPECT_NEAR(sum / static_cast<double>(all.size()), 128, 4);
        if (first.empty()) first = all;
        EXPECT_EQ(all, first);
      }
    });
  }
  on_cores(2, [] {
    graph::load_options o;
    EXPECT_EQ(graph::load("grid:9x9@1..3", o).view().weights, graph::weight_type::none);
    o.weights = graph::weight_use::kept;
    EXPECT_EQ(graph::load("grid:9x9", o).view().weights, graph::weight_type::none);
    const graph::graph g = graph::load("grid:9x9@-0.5..0.25", o);
    ASSERT_EQ(g.view().weights, graph::weight_type::float64);
    for (std::uint64_t i = 0; i < g.view().arcs; ++i) {
      const double w = g.view().out.weights_as<double>()[i];
      EXPECT_TRUE(w >= -0.5 && w < 0.25);
    }
    // Whole numbers beyond 32 bits are doubles, and whole.
    for (const std::string range : {"0..4294967295", "-9007199254740992..9007199254740992"}) {
      const graph::graph wide = graph::load("grid:9x9@" + range, o);
      ASSERT_EQ(wide.view().weights, graph::weight_type::float64);
      bool is_wide = false;
      for (std::uint64_t i = 0; i < wide.view().arcs; ++i) {
        const double w = wide.view().out.weights_as<double>()[i];
        EXPECT_EQ(w, std::floor(w));
        is_wide |= w > 2147483647;
      }
      EXPECT_TRUE(is_wide);
    }
  });
}

TEST(ParseGenerator, SaysWhatIsWrong) {
  const auto message = [](const std::string& source, graph::weight_use use = graph::weight_use::counted) {
    graph::load_options o;
    o.weights = use;
    return load_error(source, o);
  };
  EXPECT_EQ(message("kron:abc"), "kron:abc: expected a scale from 0 to 31, found \"abc\"");
  EXPECT_EQ(message("kron:4:2:1"),
            "kron:4:2:1: expected kron:SCALE[:EDGEFACTOR][@LOW..HIGH], found \"kron:4:2:1\"");
  EXPECT_EQ(message("grid:10"), "grid:10: expected ROWSxCOLUMNS, as 100x200, found \"10\"");
  EXPECT_EQ(message("grid:0x5"), "grid:0x5: expected rows from 1 to 4294967296, found \"0\"");
  EXPECT_EQ(message("grid:100000x100000"),
            "grid:100000x100000: expected less than 4294967295 vertices and 17592186044416 edges, found "
            "10000000000 and 19999800000");
  EXPECT_EQ(message("ws:10:3:0.5"),
            "ws:10:3:0.5: expected an even number of neighbours on the ring, found \"3\"");
  EXPECT_EQ(message("ws:10:10:0.5"),
            "ws:10:10:0.5: expected neighbours on the ring from 0 to 9, found \"10\"");
  EXPECT_EQ(message("ws:10:2:1.5"),
            "ws:10:2:1.5: expected rewiring, a probability from 0 to 1, found \"1.5\"");
  EXPECT_EQ(message("sbm:5,a:0:0"),
            "sbm:5,a:0:0: expected vertices of a block from 1 to 4294967294, found \"a\"");
  EXPECT_EQ(message("sbm:5,2x2x2:0:0"),
            "sbm:5,2x2x2:0:0: expected a size, as 1000 or 8x1000, found \"2x2x2\"");
  EXPECT_EQ(message("sbm:65x5:0:0"), "sbm:65x5:0:0: expected blocks from 1 to 64, found \"65\"");
  EXPECT_EQ(message("sbm:60x5,5x1:0:0"), "sbm:60x5,5x1:0:0: expected 64 blocks at most, found \"60x5,5x1\"");
  EXPECT_EQ(message("rmat:5:1:0.9,0.9,0"),
            "rmat:5:1:0.9,0.9,0: expected A, B and C of 1 in sum at most, found \"0.9,0.9,0\"");
  for (const std::string range : {"", "5", "1..", "3..2", "a..b", "1..inf", "nan..1"})
    EXPECT_EQ(message("grid:2x2@" + range),
              "grid:2x2@" + range + ": expected a range of weights, as 1..255 or 0.5..2.0, found \"" + range +
                  "\"");
  EXPECT_EQ(
      message("grid:2x2@-5..5", graph::weight_use::lengths),
      "grid:2x2@-5..5: expected weights of 0 or more, as weights are lengths or capacities here, found -5");
  EXPECT_EQ(message("grid:2x2@-5..5", graph::weight_use::kept), "");
}

TEST(ParseGenerator, KnowsItsSources) {
  EXPECT_FALSE(graph::parse_generator("data/kron.txt", 1));
  const auto g = graph::parse_generator("uniform:10:3", 5);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->how, graph::generator::kind::uniform);
  EXPECT_EQ(g->vertices(), 1024U);
  EXPECT_EQ(g->edges(), 3072U);
  EXPECT_EQ(g->seed, 5U);
}

}  // namespace
}  // namespace gossamer::test
