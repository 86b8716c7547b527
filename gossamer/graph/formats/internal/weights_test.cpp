// Texts with weights, read into batches of edges, compared with the C library's results for each line.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <tuple>
#include <type_traits>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::graph {
namespace {

using test::gzipped;
using test::on_cores;

// Both ends, and the bits of the weight as a double, which holds all types exactly.
using weighted_edge = std::tuple<std::string, std::string, std::uint64_t>;

struct weighted_edges {
  weight_type type = weight_type::none;
  std::vector<weighted_edge> all;  // in order
};

weighted_edge made(const std::string& from, const std::string& to, double weight) {
  return {from, to, std::bit_cast<std::uint64_t>(weight)};
}

struct reading_options {
  bool weights = true;
  std::uint64_t chunk = 200;
  unsigned cores = 3;
  bool matrix = false;
  load_options load = {};
};

weighted_edges read(const std::string& bytes, const reading_options& o) {
  weighted_edges result;
  on_cores(o.cores, [&] {
    text_options t;
    t.chunk_bytes = o.chunk;
    t.round_bytes = 3 * o.chunk;
    t.weights = o.weights;
    matrix_header header;
    t.begin = [&](std::string_view beginning, bool whole) {
      return o.matrix ? begin_matrix_market(beginning, whole, "g", header)
                      : begin_edge_list(beginning, whole, "g", o.load);
    };
    text_edges text = read_text(io::text_file(std::as_bytes(std::span(bytes)), "g"), t);
    const bool named = text.named;
    const labels names = text.names;
    place_weights(text, facts_of(text.chunks), duplicate_rule::min);
    result.type = text.weights.type;
    const auto label = [&](std::uint64_t v) {
      return named ? std::string(names.text(static_cast<vertex_id>(v))) : std::to_string(v);
    };
    const auto add = [&](const auto& blocks, const auto& weights) {
      ASSERT_EQ(blocks.size(), weights.blocks.size());
      with_weight_type(weights.type, [&]<class Weight>(std::type_identity<Weight>) {
        for (std::size_t b = 0; b < blocks.size(); ++b)
          for (std::uint64_t i = 0; i < blocks[b].size; ++i)
            result.all.push_back(
                made(label(blocks[b].edges()[i].from), label(blocks[b].edges()[i].to),
                     static_cast<double>(reinterpret_cast<const Weight*>(weights.blocks[b].data())[i])));
      });
    };
    if (text.weights.type == weight_type::none) return;
    add(text.edges, text.weights);
    add(text.wide, text.wide_weights);
  });
  std::ranges::sort(result.all);
  return result;
}

struct weighted_text {
  std::string text;
  std::vector<weighted_edge> edges;

  template <class Weight>
  void make(std::uint64_t seed, char separator, bool names, Weight weight) {
    xoshiro256 random(seed);
    for (int i = 0; i < 600; ++i) {
      const auto vertex = [&] { return (names ? "v" : "") + std::to_string(bounded(random, 1000)); };
      const std::string from = vertex(), to = vertex(), value = weight(random, i);
      text += from + separator + to + separator + value + "\n";
      edges.push_back(made(from, to, std::atof(value.c_str())));
    }
    std::ranges::sort(edges);
  }
};

// Kinds of numbers: the type of the batch that they make, and one of them.
struct column {
  weight_type type;
  std::string (*value)(xoshiro256&, int);
};

std::string below(xoshiro256& random, std::uint64_t limit) { return std::to_string(bounded(random, limit)); }

const column k_columns[] = {
    {weight_type::int32, [](xoshiro256& r, int) { return (bounded(r, 2) ? "-" : "") + below(r, 1U << 31); }},
    {weight_type::uint32,
     [](xoshiro256& r, int i) { return i == 0 ? std::string("4294967295") : below(r, 1ULL << 32); }},
    {weight_type::float64,
     [](xoshiro256&, int i) { return std::string(i % 2 ? "-2147483648" : "4294967295"); }},
    {weight_type::float64,
     [](xoshiro256& r, int i) { return i == 599 ? std::string("4294967296") : below(r, 1U << 31); }},
    {weight_type::float64,
     [](xoshiro256& r, int i) { return i == 300 ? std::string("1e0") : below(r, 100); }},
    {weight_type::float64, [](xoshiro256& r, int i) { return i == 7 ? std::string("-0") : below(r, 100); }},
    {weight_type::float64,
     [](xoshiro256& r, int i) {
       const std::string number = below(r, 1ULL << 60) + "." + below(r, 1ULL << 60);
       return i % 9 == 0 ? "+1.5e-320" : i % 7 == 0 ? number + "e-50" : number;
     }},
};

TEST(Weights, AreReadExactly) {
  std::uint64_t seed = 0;
  for (const column& c : k_columns) {
    for (const bool names : {false, true}) {
      weighted_text t;
      ++seed;
      t.make(seed, seed % 3 == 0 ? ',' : '\t', names, c.value);
      for (const std::string& bytes : {t.text, gzipped(t.text)}) {
        const weighted_edges found = read(bytes, {.cores = static_cast<unsigned>(seed % 3 + 1)});
        EXPECT_EQ(found.type, c.type) << seed;
        EXPECT_TRUE(found.all == t.edges) << seed;
      }
    }
  }
}

TEST(Weights, AreNotKeptUnlessAskedFor) {
  EXPECT_EQ(read("1 2 3\n", {.weights = false}).type, weight_type::none);
  EXPECT_EQ(read("1 2\n3 4\n", {}).type, weight_type::none);
}

TEST(Weights, OfWideIdsAreBesideThem) {
  EXPECT_EQ(read("1 2 5\n3 18446744073709551615 -6\n18446744073709551614 4 7\n", {.chunk = 1}).all,
            (std::vector{made("1", "2", 5), made("18446744073709551614", "4", 7),
                         made("3", "18446744073709551615", -6)}));
}

TEST(Weights, ThatAreMissingAreOne) {
  load_options load;
  load.table.nulls = {"NA"};
  EXPECT_EQ(read("1 2 5\n3 4 NA\nNA 4 3\n", {.load = load}).all,
            (std::vector{made("1", "2", 5), made("3", "4", 1)}));
  load.table = {.columns = {"a", "b", "w"}};
  EXPECT_EQ(read("w,a,b\n7,1,2\n,3,4\n", {.load = load}).all,
            (std::vector{made("1", "2", 7), made("3", "4", 1)}));
  EXPECT_EQ(read("{\"a\":1,\"b\":2,\"w\":2.5}\n{\"a\":3,\"b\":4}\n", {.load = load}).all,
            (std::vector{made("1", "2", 2.5), made("3", "4", 1)}));
}

TEST(Weights, OfMatricesAreWhatTheirHeaderSays) {
  const auto matrix = [](const std::string& field, const std::string& entries) {
    return read("%%MatrixMarket matrix coordinate " + field + " general\n4 4 2\n" + entries,
                {.matrix = true});
  };
  const std::vector expected{made("0", "1", 3), made("2", "3", -4)};
  const weighted_edges integers = matrix("integer", "1 2 3\n3 4 -4\n"),
                       reals = matrix("real", "1 2 3\n3 4 -4\n");
  EXPECT_EQ(integers.all, expected);
  EXPECT_EQ(integers.type, weight_type::int32);
  EXPECT_EQ(reals.all, expected);
  EXPECT_EQ(reals.type, weight_type::float64);
  EXPECT_EQ(matrix("pattern", "1 2\n3 4\n").type, weight_type::none);
}

}  // namespace
}  // namespace gossamer::graph
