// DIMACS, METIS and Pajek, and GAP's serialized graphs with weights: read by one process and in blocks,
// compared with oracles; errors for invalid files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using graph::weight_type;
using graph::weight_use;

using arcs_by_label = std::map<std::pair<std::string, std::string>, double>;  // weight 1 where there are none

struct declared_graph {
  bool directed = false;
  std::vector<std::string> labels;
  arcs_by_label arcs;
  std::uint64_t duplicates = 0, self_loops = 0;
  std::vector<std::string> notes;
};

arcs_by_label arcs_in(const graph::graph& g, const graph::adjacency& rows, bool reversed) {
  arcs_by_label all;
  for (std::uint64_t v = 0; v < g.view().vertices; ++v)
    for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
      const std::string here = g.names().label(static_cast<graph::vertex_id>(v)),
                        there = g.names().label(rows.targets[i]);
      double weight = 1;
      if (g.view().weights != weight_type::none)
        graph::with_weight_type(g.view().weights, [&]<class Weight>(std::type_identity<Weight>) {
          weight = static_cast<double>(rows.weights_as<Weight>()[i]);
        });
      all[reversed ? std::pair(there, here) : std::pair(here, there)] = weight;
    }
  return all;
}

// Loads the whole file and in blocks, and expects the same result.
declared_graph load_declared(const std::string& path, unsigned cores, graph::load_options o,
                             weight_type type) {
  declared_graph all;
  on_cores(cores, [&] {
    const graph::graph g = graph::load(path, o), shared = graph::load_shared(path, o);
    for (const graph::graph* one : {&g, &shared}) {
      EXPECT_EQ(one->view().weights, type);
      const arcs_by_label out = arcs_in(*one, one->view().out, false);
      EXPECT_EQ(out, arcs_in(*one, one->view().in, true));
      EXPECT_TRUE(one == &g || out == all.arcs);
      EXPECT_TRUE(one == &g || one->statistics().duplicates == all.duplicates);
      all = {one->view().directed,   {}, out, one->statistics().duplicates, one->statistics().self_loops,
             one->statistics().notes};
      for (graph::vertex_id v = 0; v < one->view().vertices; ++v) all.labels.push_back(one->names().label(v));
    }
  });
  return all;
}

struct random_edges {
  std::uint64_t vertices;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> undirected;  // low, high

  explicit random_edges(std::uint64_t seed, std::uint64_t most_vertices, std::uint64_t most_edges) {
    xoshiro256 random(seed);
    vertices = 2 + bounded(random, most_vertices);
    for (std::uint64_t i = bounded(random, most_edges) + 1; i > 0; --i) {
      const std::uint64_t u = 1 + bounded(random, vertices), v = 1 + bounded(random, vertices);
      if (u != v) undirected[std::minmax(u, v)] = static_cast<int>(1 + bounded(random, 99));
    }
    if (undirected.empty()) undirected[{1, 2}] = 5;
  }
  arcs_by_label both_ways(bool weighted) const {
    arcs_by_label all;
    for (const auto& [ends, weight] : undirected) {
      const std::string u = std::to_string(ends.first), v = std::to_string(ends.second);
      all[{u, v}] = all[{v, u}] = weighted ? weight : 1;
    }
    return all;
  }
  std::vector<std::string> numbers() const {
    std::vector<std::string> all;
    for (std::uint64_t v = 1; v <= vertices; ++v) all.push_back(std::to_string(v));
    return all;
  }
};

std::string metis_text(const random_edges& g, unsigned vertex_weights, bool sizes, bool weights) {
  std::string format;
  if (vertex_weights != 0 || sizes || weights) {
    format =
        std::string(" ") + (sizes ? "1" : "0") + (vertex_weights != 0 ? "1" : "0") + (weights ? "1" : "0");
    if (vertex_weights > 1) format += " " + std::to_string(vertex_weights);
  }
  std::string text = "% made by a test\n" + std::to_string(g.vertices) + " " +
                     std::to_string(g.undirected.size()) + format + "\n";
  std::vector<std::string> rows(g.vertices);
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    for (unsigned i = 0; i < vertex_weights + sizes; ++i) rows[v] += std::to_string(v * 7 + i) + " ";
  for (const auto& [ends, weight] : g.undirected) {
    const std::string w = weights ? std::to_string(weight) + " " : "";
    rows[ends.first - 1] += std::to_string(ends.second) + "  " + w;
    rows[ends.second - 1] += std::to_string(ends.first) + " " + w;
  }
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    if (v % 5 == 3) text += "% in between\n";
    text += rows[v] + "\n";
  }
  return text;
}

TEST(Metis, IsReadWithEveryFormat) {
  const temporary_folder folder;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const random_edges g(seed, 40, 150);
    const bool weights = (seed & 1) != 0, sizes = (seed & 2) != 0;
    const unsigned vertex_weights = seed % 4 == 0 ? 3 : (seed & 4) != 0 ? 1 : 0;
    const std::string text = metis_text(g, vertex_weights, sizes, weights);
    SCOPED_TRACE(text);
    const std::string path = folder.plant("g.graph", seed % 3 == 0 ? gzipped(text) : text);
    const weight_type type = weights ? weight_type::int32 : weight_type::none;
    const unsigned cores = static_cast<unsigned>(seed % 3) + 1;
    const declared_graph found = load_declared(path, cores, {.weights = weight_use::kept}, type);
    EXPECT_FALSE(found.directed);
    EXPECT_EQ(found.arcs, g.both_ways(weights));
    EXPECT_EQ(found.labels, g.numbers());
    EXPECT_EQ(found.duplicates, 0U);
    EXPECT_EQ(found.notes.size(), (vertex_weights != 0) + std::size_t{sizes});
    const declared_graph directed =
        load_declared(path, cores, {.how = graph::direction::directed, .weights = weight_use::kept}, type);
    EXPECT_TRUE(directed.directed);
    EXPECT_EQ(directed.arcs, found.arcs);
  }
}

// A text larger than the sample whose lines are all alike is METIS by its name alone.
TEST(Metis, IsKnownByItsNameBehindAnyCompression) {
  constexpr int k_vertices = 12'000;
  std::string ring = std::to_string(k_vertices) + " " + std::to_string(k_vertices) + "\n";
  for (int v = 0; v < k_vertices; ++v)
    ring += std::to_string((v + k_vertices - 1) % k_vertices + 1) + " " +
            std::to_string((v + 1) % k_vertices + 1) + "\n";
  const temporary_folder folder;
  for (const std::string& path :
       {folder.plant("g.graph", ring), folder.plant("g.graph.gz", gzipped(ring)),
        folder.plant("g.graph.bz2", bzipped(ring)), folder.plant("g.graph.xz", xzipped(ring))}) {
    const declared_graph found = load_declared(path, 2, {}, weight_type::none);
    EXPECT_FALSE(found.directed) << path;
    EXPECT_EQ(found.arcs.size(), 2U * k_vertices) << path;
  }
}

// Many chunks: the vertex of a line follows from the lines before its chunk.
TEST(Metis, LinesAreCountedOverChunks) {
  const random_edges g(99, 8000, 40000);
  const temporary_folder folder;
  const std::string path = folder.plant("g.metis", metis_text(g, 0, false, true));
  for (const unsigned cores : {1U, 3U}) {
    const declared_graph found =
        load_declared(path, cores, {.weights = weight_use::kept}, weight_type::int32);
    EXPECT_EQ(found.arcs, g.both_ways(true));
  }
}

std::string error_of(const std::string& name, const std::string& text, weight_use use = weight_use::counted) {
  const temporary_folder folder;
  const std::string path = folder.plant(name, text);
  std::string message;
  on_cores(2, [&] {
    for (const auto how : {graph::load, graph::load_shared}) {
      std::string found;
      try {
        (void)how(path, {.weights = use});
      } catch (const error& e) {
        found = e.what();
      }
      EXPECT_TRUE(message.empty() || message == found) << message << "\n" << found;
      message = found;
    }
  });
  return message.starts_with(folder.path() + "/") ? message.substr(folder.path().size() + 1) : message;
}

TEST(Metis, SaysWhatIsWrong) {
  const auto metis = [](const std::string& text, weight_use use = weight_use::counted) {
    return error_of("g.metis", text, use);
  };
  EXPECT_EQ(
      metis("% c\n3 x\n"),
      "g.metis:2: expected the numbers of vertices and edges, and perhaps a format as 011 and a number of "
      "weights, found \"3 x\"");
  EXPECT_EQ(metis("3 2\n2\n1 3\n4\n"),
            "g.metis:4: expected a neighbour of vertex 3 from 1 to 3, found \"4\"");
  EXPECT_EQ(metis("3 2\n2\n1 b\n4\n"),
            "g.metis:3: expected a neighbour of vertex 2 from 1 to 3, found \"b\"");
  EXPECT_EQ(metis("3 2\n2\n% c\n1 2\n2\n"),
            "g.metis:4: expected another neighbour than vertex 2 itself, as METIS has no self-loops");
  EXPECT_EQ(metis("3 2\n2\n1 3\n"),
            "g.metis: expected 3 lines of neighbours, as there are vertices, found 2");
  EXPECT_EQ(metis("2 1\n2\n1\n\n1\n"),
            "g.metis:5: expected 2 lines of neighbours, as there are vertices, found one more: \"1\"");
  EXPECT_EQ(metis("3 3\n2\n1 3\n2\n"), "g.metis: expected 3 edges, as its first line says, found 2");
  EXPECT_EQ(metis("3 2\n2\n1 3\n\n"),
            "g.metis:3: expected the edge from 2 to 3 in both lines, found it in that of 2 only");
  EXPECT_EQ(
      metis("3 2 1\n2 5\n1 5 3 7\n2 8\n"),
      "g.metis:3: expected the edge from 2 to 3 in both lines, with one weight, found it in that of 2 only");
  EXPECT_EQ(metis("3 2\n2 2\n1 3\n2\n"),
            "g.metis:2: expected the edge from 1 to 2 in both lines, found it in that of 1 only");
  EXPECT_EQ(metis("2 1 1\n2 5\n1\n"),
            "g.metis:3: expected a weight behind each neighbour of vertex 2, found none behind 1");
  EXPECT_EQ(metis("2 1 1\n2 x\n1 x\n"), "g.metis:2: expected a number as weight, found \"x\"");
  EXPECT_EQ(
      metis("2 1 1\n2 -1\n1 -1\n", weight_use::lengths),
      "g.metis:2: expected a weight of 0 or more, as weights are lengths or capacities here, found \"-1\"");
  EXPECT_EQ(metis("2 1 10\n5 2\n\n"),
            "g.metis:3: expected an integer of vertex 2 before its neighbours, found \"\"");
}

TEST(Dimacs, ShortestPathsAndFlows) {
  const temporary_folder folder;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    xoshiro256 random(seed);
    const std::uint64_t n = 2 + bounded(random, 500), m = bounded(random, seed == 6 ? 30000 : 300);
    arcs_by_label expected;
    std::uint64_t loops = 0, duplicates = 0;
    std::string body;
    for (std::uint64_t i = 0; i < m; ++i) {
      const std::string u = std::to_string(1 + bounded(random, n)),
                        v = std::to_string(1 + bounded(random, n));
      const auto w = bounded(random, 1000);
      body += "a " + u + " " + v + " " + std::to_string(w) + (i % 50 == 0 ? "\nc between\n" : "\n");
      if (u == v) {
        ++loops;
        continue;
      }
      const auto [at, is_new] = expected.try_emplace({u, v}, static_cast<double>(w));
      duplicates += !is_new;
      at->second = std::min(at->second, static_cast<double>(w));
    }
    const bool flow = seed % 2 == 0;
    const std::string counts = std::to_string(n) + " " + std::to_string(m) + "\n";
    const std::string text =
        "c one\nc\n" + (flow ? "p max " + counts + "n 1 s\nn 2 t\n" : "p sp " + counts) + body;
    const std::string path = folder.plant("g", seed == 3 ? gzipped(text) : text);
    const declared_graph found =
        load_declared(path, static_cast<unsigned>(seed % 3) + 1, {.weights = weight_use::lengths},
                      m == 0 ? weight_type::none : weight_type::int32);
    EXPECT_TRUE(found.directed);
    EXPECT_EQ(found.arcs, expected);
    EXPECT_EQ(found.labels.size(), n);
    EXPECT_EQ(found.labels.front(), "1");
    EXPECT_EQ(found.self_loops, loops);
    EXPECT_EQ(found.duplicates, duplicates);
    EXPECT_EQ(found.notes, flow
                               ? std::vector<std::string>{"the file says that 1 is the source and 2 the sink"}
                               : std::vector<std::string>{});
  }
}

TEST(Dimacs, SaysWhatIsWrong) {
  const auto gr = [](const std::string& lines, weight_use use = weight_use::counted) {
    return error_of("g.gr", "c x\np sp 3 2\n" + lines, use);
  };
  EXPECT_EQ(gr("a 1 2 3\n"), "g.gr: expected 2 arcs, as its line \"p sp 3 2\" says, found 1");
  EXPECT_EQ(gr("a 1 2 3\na 1 4 3\n"), "g.gr:4: expected vertices from 1 to 3, found \"a 1 4 3\"");
  EXPECT_EQ(gr("a 0 2 3\na 1 4 3\n"), "g.gr:3: expected vertices from 1 to 3, found \"a 0 2 3\"");
  EXPECT_EQ(gr("a 1 2\n"), "g.gr:3: expected \"a FROM TO LENGTH\", found \"a 1 2\"");
  EXPECT_EQ(gr("a 1 2 3 4\n"), "g.gr:3: expected \"a FROM TO LENGTH\", found \"a 1 2 3 4\"");
  EXPECT_EQ(gr("e 1 2\n"), "g.gr:3: expected \"a FROM TO LENGTH\", found \"e 1 2\"");
  EXPECT_EQ(gr("a 1 2 x\n"), "g.gr:3: expected a number as weight, found \"x\"");
  EXPECT_EQ(
      gr("a 1 2 -1\n", weight_use::lengths),
      "g.gr:3: expected a weight of 0 or more, as weights are lengths or capacities here, found \"-1\"");
  EXPECT_EQ(error_of("g.max", "p max 3 1\nn 4 s\na 1 2 3\n"),
            "g.max:2: expected \"n V s\" or \"n V t\" with V from 1 to 3, found \"n 4 s\"");
  EXPECT_EQ(error_of("g.max", "p max 3 x\n"),
            "g.max:1: expected \"p sp VERTICES ARCS\" or \"p max VERTICES ARCS\", found \"p max 3 x\"");
}

TEST(Pajek, ArcsEdgesAndLists) {
  const temporary_folder folder;
  const auto load = [&](const std::string& text, weight_type type, graph::load_options o = {}) {
    o.weights = weight_use::kept;
    return load_declared(folder.plant("g.net", text), 2, o, type);
  };
  const std::string vertices = "*Vertices 4\n1 \"ann lee\" 0.1 0.2\n2 bob\n3 \"cy\"\n4 \"dee\" ic Red\n";
  declared_graph g =
      load("% c\n*Network test\n" + vertices + "*Arcs\n1 2 5\n% c\n\n2 3 0.5 c Blue\n*Edges\n3 4 l x\n",
           weight_type::float64);
  EXPECT_TRUE(g.directed);
  EXPECT_EQ(g.labels, (std::vector<std::string>{"ann lee", "bob", "cy", "dee"}));
  EXPECT_EQ(
      g.arcs,
      (arcs_by_label{{{"ann lee", "bob"}, 5}, {{"bob", "cy"}, 0.5}, {{"cy", "dee"}, 1}, {{"dee", "cy"}, 1}}));
  g = load(vertices + "*Edges\n3 4\n1 3\n", weight_type::none);
  EXPECT_FALSE(g.directed);
  EXPECT_EQ(g.arcs.size(), 4U);
  for (const char* empty : {"*Arcs\n*Edges\n3 4\n1 3\n", "*Edges\n3 4\n1 3\n*Arcs\n% none\n"})
    EXPECT_FALSE(load(vertices + empty, weight_type::none).directed) << empty;
  g = load(vertices + "*edges\n3 4 2\n1 3 4\n", weight_type::int32, {.how = graph::direction::directed});
  EXPECT_TRUE(g.directed);
  EXPECT_EQ(g.arcs,
            (arcs_by_label{
                {{"cy", "dee"}, 2}, {{"dee", "cy"}, 2}, {{"ann lee", "cy"}, 4}, {{"cy", "ann lee"}, 4}}));
  g = load("*vertices 5\n*Arcslist\n1 2 3 4\n5 1\n*Edgeslist\n2 3\n", weight_type::none);
  EXPECT_EQ(g.labels, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(g.arcs, (arcs_by_label{{{"1", "2"}, 1},
                                   {{"1", "3"}, 1},
                                   {{"1", "4"}, 1},
                                   {{"5", "1"}, 1},
                                   {{"2", "3"}, 1},
                                   {{"3", "2"}, 1}}));
  g = load("*Vertices 3\n1 \"a\"\n3 \"c\"\n*Edges\n1 3\n", weight_type::none);
  EXPECT_EQ(g.labels, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(g.notes,
            std::vector<std::string>{"vertices are called by their numbers, as 1 of 3 have no label"});
  g = load("*Vertices 2\n1 \"a\"\n2 \"a\"\n*Edges\n1 2\n", weight_type::none);
  EXPECT_EQ(g.notes,
            std::vector<std::string>{"vertices are called by their numbers, as two have the label \"a\""});
  g = load("*Vertices 2\n1 \"a\"\n2 \"b\"\n", weight_type::none);
  EXPECT_EQ(g.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(g.arcs.empty());
}

TEST(Pajek, ManyEdgesInChunks) {
  const random_edges g(7, 9000, 60000);
  std::string text = "*Vertices " + std::to_string(g.vertices) + "\r\n";
  for (std::uint64_t v = 1; v <= g.vertices; ++v)
    text += std::to_string(v) + " \"" + std::to_string(v) + "\"\r\n";
  text += "*Edges\r\n";
  for (const auto& [ends, weight] : g.undirected)
    text += std::to_string(ends.first) + " " + std::to_string(ends.second) + " " + std::to_string(weight) +
            "\r\n";
  const temporary_folder folder;
  const declared_graph found =
      load_declared(folder.plant("g.net", text), 3, {.weights = weight_use::kept}, weight_type::int32);
  EXPECT_EQ(found.arcs, g.both_ways(true));
  EXPECT_EQ(found.labels, g.numbers());
}

TEST(Pajek, SaysWhatIsWrong) {
  const auto net = [](const std::string& text) { return error_of("g.net", text); };
  EXPECT_EQ(net("*Vertices 2\n*Arcs\n1 3\n"), "g.net:3: expected vertices from 1 to 2, found \"1 3\"");
  EXPECT_EQ(net("*Vertices 2\n*Edges\n1 2\n*Arcs\n1 2\n2 0\n"),
            "g.net:6: expected vertices from 1 to 2, found \"2 0\"");
  EXPECT_EQ(net("*Vertices 2\n*Matrix\n0 1\n1 0\n"),
            "g.net:2: expected *Arcs, *Edges, *Arcslist or *Edgeslist, found \"*Matrix\"");
  EXPECT_EQ(net("*Vertices 2\n*Edges\n1 2\n*Vertices 2\n"),
            "g.net:4: expected one network, found \"*Vertices 2\"");
  EXPECT_EQ(net("*Vertices 2\n3 \"a\"\n*Edges\n1 2\n"),
            "g.net:2: expected a vertex from 1 to 2, found \"3 \\\"a\\\"\"");
  EXPECT_EQ(net("*Vertices 2\n1 \"a\n*Edges\n1 2\n"),
            "g.net:2: expected a quote that ends the label in its line, found \"1 \\\"a\"");
  EXPECT_EQ(net("*Network x\n*Edges\n1 2\n"), "g.net:2: expected \"*Vertices N\", found \"*Edges\"");
  EXPECT_EQ(net("*Vertices 2\n*Edges\n1 2 0x\n"), "g.net:3: expected a number as weight, found \"0x\"");
}

template <class T>
void append_value(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Rows in GAP's format: the target and the weight of each arc.
std::string weighted_serialized(const std::vector<std::vector<std::pair<std::uint32_t, std::int32_t>>>& rows,
                                bool directed) {
  std::uint64_t arcs = 0;
  for (const auto& row : rows) arcs += row.size();
  std::string bytes(1, directed ? '\1' : '\0');
  append_value(bytes, arcs);
  append_value(bytes, static_cast<std::uint64_t>(rows.size()));
  const auto append_rows = [&](const auto& all) {
    std::uint64_t before = 0;
    append_value(bytes, before);
    for (const auto& row : all) append_value(bytes, before += row.size());
    for (const auto& row : all)
      for (const auto& [target, weight] : row) {
        append_value(bytes, target);
        append_value(bytes, weight);
      }
  };
  append_rows(rows);
  if (directed) {
    auto back = rows;
    for (auto& row : back) row.clear();
    for (std::uint32_t v = 0; v < rows.size(); ++v)
      for (const auto& [target, weight] : rows[v]) back[target].emplace_back(v, weight);
    append_rows(back);
  }
  return bytes;
}

TEST(WeightedSerialized, IsRead) {
  const temporary_folder folder;
  const std::string directed =
      folder.plant("d.wsg", weighted_serialized({{{1, 5}, {2, -7}}, {{2, 1}}, {}, {{0, 9}}}, true));
  const arcs_by_label expected{{{"0", "1"}, 5}, {{"0", "2"}, -7}, {{"1", "2"}, 1}, {{"3", "0"}, 9}};
  for (const weight_use use : {weight_use::counted, weight_use::kept})
    EXPECT_EQ(load_declared(directed, 2, {.weights = use}, weight_type::int32).arcs, expected);
  // duplicates and a self-loop: rebuilt with the smallest weights
  const std::string untidy = folder.plant("any", weighted_serialized({{{1, 5}, {0, 1}, {1, 3}}, {}}, true));
  EXPECT_EQ(load_declared(untidy, 2, {}, weight_type::int32).arcs, (arcs_by_label{{{"0", "1"}, 3}}));
  // capacities add up, and an undirected graph has each edge in both rows
  const graph::load_options capacities{.weights = weight_use::capacities};
  EXPECT_EQ(load_declared(untidy, 2, capacities, weight_type::float64).arcs,
            (arcs_by_label{{{"0", "1"}, 8}}));
  const std::string parallel = folder.plant(
      "par", weighted_serialized({{{1, 3}, {0, 9}, {1, 4}}, {{0, 4}, {0, 3}, {2, 5}}, {{1, 5}}}, false));
  EXPECT_EQ(load_declared(parallel, 2, capacities, weight_type::float64).arcs,
            (arcs_by_label{{{"0", "1"}, 7}, {{"1", "0"}, 7}, {{"1", "2"}, 5}, {{"2", "1"}, 5}}));
  on_cores(2, [&] {
    for (const auto load : {graph::load, graph::load_shared}) {
      const graph::graph_statistics s = load(parallel, {}).statistics();
      EXPECT_EQ(s.edges_read, 4U);
      EXPECT_EQ(s.duplicates, 1U);
      EXPECT_EQ(s.self_loops, 1U);
    }
  });
  const std::string both =
      folder.plant("u.wsg", weighted_serialized({{{1, 4}}, {{0, 4}, {2, 6}}, {{1, 6}}}, false));
  const declared_graph found = load_declared(both, 3, {}, weight_type::int32);
  EXPECT_FALSE(found.directed);
  EXPECT_EQ(found.arcs, (arcs_by_label{{{"0", "1"}, 4}, {{"1", "0"}, 4}, {{"1", "2"}, 6}, {{"2", "1"}, 6}}));
}

TEST(WeightedSerialized, SaysWhatIsWrong) {
  const std::string good = weighted_serialized({{{1, 4}}, {{0, 4}}}, false);
  EXPECT_EQ(error_of("g.wsg", good.substr(0, good.size() - 1)),
            "g.wsg: expected 57 bytes for 2 vertices and 2 arcs, found 56: truncated");
  EXPECT_EQ(error_of("g.wsg", "abc"),
            "g.wsg: expected a serialized graph of the GAP benchmark suite, found other bytes");
  EXPECT_EQ(error_of("g.wsg", weighted_serialized({{{9, 4}}, {{0, 4}}}, false)),
            "g.wsg: damaged: expected vertices below 2");
  EXPECT_EQ(error_of("g.wsg", weighted_serialized({{{1, 4}}, {{0, 5}}}, false)),
            "g.wsg: damaged: expected each edge of an undirected graph in both rows, found others");
}

TEST(PackedEdges, AreReadAsAnEdgeListOfTheSameIds) {
  const temporary_folder folder;
  for (const std::uint64_t factor : {std::uint64_t{1}, std::uint64_t{5'000'000'000}}) {
    xoshiro256 random(factor);
    std::string packed, text;
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t u = bounded(random, 900) * factor, v = bounded(random, 50'000) * factor;
      append_value(packed, static_cast<std::uint32_t>(u));
      append_value(packed, static_cast<std::uint32_t>(v));
      append_value(packed, static_cast<std::uint32_t>(u >> 32 | v >> 32 << 16));
      text += std::to_string(u) + " " + std::to_string(v) + "\n";
    }
    const std::string path = folder.plant("p", packed), listed = folder.plant("t", text);
    const declared_graph found = load_declared(path, 3, {.packed_edges = true}, weight_type::none);
    const declared_graph expected =
        load_declared(listed, 2, {.how = graph::direction::undirected}, weight_type::none);
    EXPECT_FALSE(found.directed);
    EXPECT_EQ(found.arcs, expected.arcs);
    EXPECT_EQ(found.labels, expected.labels);
    EXPECT_EQ(found.duplicates, expected.duplicates);
    EXPECT_EQ(
        load_error(folder.plant("q", packed + "x"), {.packed_edges = true}),
        folder / "q" + ": expected packed edges of 12 bytes each, found 60001 bytes, which are 1 too many");
  }
}

// Duplicates ---------------------------------------------------------------------------------------------

double combined(graph::duplicate_rule rule, const std::vector<double>& weights) {
  using rules = graph::duplicate_rule;
  double sum = 0;
  for (const double w : weights) sum += w;
  switch (rule) {
    case rules::min:
      return std::ranges::min(weights);
    case rules::max:
      return std::ranges::max(weights);
    case rules::first:
      return weights.front();
    case rules::last:
      return weights.back();
    case rules::count:
      return static_cast<double>(weights.size());
    case rules::sum:
      break;
  }
  return sum;
}

// Texts of many chunks with many duplicates: of ids, of ids of which some are wide, and of names; whatever
// core reads which chunk.
TEST(Duplicates, AreCombinedInTheOrderOfTheText) {
  const temporary_folder folder;
  std::uint64_t seed = 0;
  for (const bool reals : {false, true})
    for (const std::string form : {"ids", "wide", "names", "dimacs"}) {
      xoshiro256 random(++seed);
      std::map<std::pair<std::string, std::string>, std::vector<double>> directed, undirected;
      std::string text;
      constexpr int k_lines = 12'000;
      for (int i = 0; i < k_lines; ++i) {
        const auto vertex = [&] {
          const std::uint64_t v = 1 + bounded(random, 40);
          if (form == "wide" && i > k_lines / 2 && v > 20) return std::to_string(v * 1'000'000'000'000);
          return (form == "names" ? "v" : "") + std::to_string(v);
        };
        const std::string u = vertex(), v = vertex();
        const std::string w = std::to_string(bounded(random, 1'000'000)) + (reals ? ".3" : "");
        text += (form == "dimacs" ? "a " : "") + u + " " + v + " " + w + "\n";
        if (u == v) continue;
        const double value = std::strtod(w.c_str(), nullptr);
        directed[{u, v}].push_back(value);
        undirected[{u, v}].push_back(value);
        undirected[{v, u}].push_back(value);
      }
      if (form == "dimacs") text = "p sp 40 " + std::to_string(k_lines) + "\n" + text;
      const std::string path = folder.plant("g" + std::to_string(seed), seed % 2 == 0 ? gzipped(text) : text);
      for (const auto rule :
           {graph::duplicate_rule::min, graph::duplicate_rule::max, graph::duplicate_rule::first,
            graph::duplicate_rule::last, graph::duplicate_rule::sum, graph::duplicate_rule::count})
        for (const auto how : {graph::direction::directed, graph::direction::undirected}) {
          SCOPED_TRACE(form + " " + std::to_string(static_cast<int>(rule)));
          const auto& all = how == graph::direction::directed ? directed : undirected;
          arcs_by_label expected;
          for (const auto& [ends, weights] : all) expected[ends] = combined(rule, weights);
          const bool doubles =
              rule == graph::duplicate_rule::sum || (reals && rule != graph::duplicate_rule::count);
          for (const unsigned cores : {1U, 3U})
            EXPECT_EQ(
                load_declared(path, cores, {.how = how, .weights = weight_use::kept, .duplicates = rule},
                              doubles ? weight_type::float64 : weight_type::int32)
                    .arcs,
                expected);
        }
    }
}

TEST(Duplicates, AreCountedWhereEdgesHaveNoWeights) {
  const temporary_folder folder;
  const std::string path = folder.plant("g", "1 2\n2 1\n1 2\n2 3\n3 3\n");
  const graph::load_options o{.weights = weight_use::kept, .duplicates = graph::duplicate_rule::count};
  EXPECT_EQ(load_declared(path, 2, o, weight_type::int32).arcs,
            (arcs_by_label{{{"1", "2"}, 2}, {{"2", "1"}, 1}, {{"2", "3"}, 1}}));
  const std::string matrix =
      folder.plant("m", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n1 2\n2 1\n");
  EXPECT_EQ(load_declared(matrix, 2, o, weight_type::int32).arcs,
            (arcs_by_label{{{"1", "2"}, 2}, {{"2", "1"}, 1}}));
  EXPECT_EQ(load_error("kron:4", o),
            "kron:4: weights of duplicates are combined in texts, this is generated");
}

// Written files are read back ------------------------------------------------------------------------------

TEST(NumberedForms, AreReadBack) {
  const temporary_folder folder;
  const std::string text = folder.plant("t", "9 4 7\n4 9 2\n4 5 1\n30 9 6\n5 5 1\n");
  const std::string lonely = folder.plant("v", "1\n40\n");
  const std::string reals = folder.plant("r", "1 2 0.1\n2 3 -1e300\n");
  const std::string none = folder.plant("n", "1 2\n2 3\n");
  struct row {
    std::string source, name;
    graph::direction how;
  };
  std::vector<row> rows;
  for (const std::string name : {"g.mtx", "g.mtx.gz", "g.gr", "g.wsg"})
    for (const auto how : {graph::direction::directed, graph::direction::undirected})
      rows.push_back({text, name, how});
  for (const std::string name : {"g.mtx", "g.gr", "g.sg"})
    for (const auto how : {graph::direction::directed, graph::direction::undirected})
      rows.push_back({none, name, how});
  for (const std::string& source : {text, none})
    for (const std::string name : {"g.metis", "g.graph", "g.graph.zst"})
      rows.push_back({source, name, graph::direction::undirected});
  rows.push_back({reals, "g.mtx", graph::direction::directed});
  rows.push_back({"grid:70x100@1..255", "g.graph", graph::direction::undirected});
  rows.push_back({"kron:10:8@1..255", "g.mtx", graph::direction::undirected});
  rows.push_back({"kron:10:8@1..255", "g.wsg", graph::direction::undirected});
  for (const row& r : rows) {
    SCOPED_TRACE(r.source + " " + r.name);
    const std::string path = folder / r.name;
    graph::load_options o{.how = r.how, .weights = weight_use::kept};
    if (r.source == text || r.source == reals) o.table.vertices = lonely;
    arcs_by_label expected;
    std::uint64_t vertices = 0;
    weight_type type = weight_type::none;
    const std::uint64_t first = r.name.ends_with("sg") ? 0 : 1;
    on_cores(3, [&] {
      const graph::graph g = graph::load(r.source, o);
      graph::write(g, path);
      vertices = g.view().vertices;
      type = g.view().weights;
      for (std::uint64_t v = 0; v < vertices; ++v)
        for (std::uint64_t i = g.view().out.offsets[v]; i < g.view().out.offsets[v + 1]; ++i) {
          double weight = 1;
          if (type != weight_type::none)
            graph::with_weight_type(type, [&]<class Weight>(std::type_identity<Weight>) {
              weight = static_cast<double>(g.view().out.weights_as<Weight>()[i]);
            });
          expected[{std::to_string(v + first), std::to_string(g.view().out.targets[i] + first)}] = weight;
        }
    });
    const bool is_gr = r.name == "g.gr";
    const declared_graph found = load_declared(
        path, 2, {.how = is_gr ? r.how : graph::direction::by_input, .weights = weight_use::kept},
        is_gr ? weight_type::int32 : type);
    EXPECT_EQ(found.arcs, expected);
    EXPECT_EQ(found.labels.size(), vertices);
    EXPECT_EQ(found.directed, r.how == graph::direction::directed);
  }
}

TEST(NumberedForms, RefuseWhatTheyDoNotHold) {
  const temporary_folder folder;
  const std::string text = folder.plant("t", "9 4 7\n4 9 2\n"), reals = folder.plant("r", "1 2 0.5\n");
  const auto message = [&](const std::string& source, const std::string& name, graph::direction how) {
    std::string said;
    on_cores(2, [&] {
      try {
        graph::write(graph::load(source, {.how = how, .weights = weight_use::kept}), folder / name);
      } catch (const error& e) {
        said = e.what();
      }
    });
    return said.starts_with(folder.path() + "/") ? said.substr(folder.path().size() + 1) : said;
  };
  using graph::direction;
  EXPECT_EQ(message(text, "g.graph", direction::directed),
            "g.graph: expected an undirected graph, as METIS has no others: --undirected reads it as one");
  EXPECT_EQ(message(reals, "g.graph", direction::undirected),
            "g.graph: expected integers as weights, as METIS has, found float64");
  EXPECT_EQ(message(reals, "g.gr", direction::directed),
            "g.gr: expected integers as weights, as DIMACS has, found float64");
  EXPECT_EQ(message(text, "g.sg", direction::directed),
            "g.sg: expected a graph without weights, as .sg has none: .wsg keeps them");
  EXPECT_EQ(message(reals, "g.wsg", direction::directed),
            "g.wsg: expected weights that are integers of 32 bits, as .wsg has, found float64");
}

}  // namespace
}  // namespace gossamer::test
