#pragma once
// Graphs made of random numbers: undirected, the same for the same seed on any number of cores.
// Kronecker: the Graph500 benchmark's initiator (A 0.57, B 0.19, C 0.19), vertices renamed by a random
// one-to-one map, so that a vertex's degree says nothing about its id. Uniform: both ends at random.
// All 2^scale vertices exist, also those without edges; edge_factor * 2^scale edges are drawn, of
// which duplicates and self-loops are removed (and counted).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

struct generator {
  enum class kind : std::uint8_t { kronecker, uniform };
  kind how = kind::kronecker;
  unsigned scale = 0;               // log2 of the vertices
  std::uint64_t edge_factor = 16;   // edges drawn per vertex
  std::uint64_t seed = 1;

  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  std::uint64_t edges() const { return edge_factor << scale; }
};

/// Parses a generator: "kron:20", "kron:20:8", "uniform:10". Returns nothing for another kind of source.
/// Throws gossamer::error where scale or edge factor are no numbers or too large.
std::optional<generator> parse_generator(std::string_view source, std::uint64_t seed);

/// Returns the name of a generator, such as "kron:20:16".
std::string name_of(const generator& g);
graph_statistics statistics_of(const generator& what);

/// Generates one of `blocks` equal blocks of the edges, on the cores of this process. Serves processes that
/// make a block each. `progress` is for process 0 only.
std::vector<edge_block<edge>> generate_edges(const generator& what, std::uint64_t block, std::uint64_t blocks,
                                             const progress_hook& progress = {});

}  // namespace gossamer::graph
