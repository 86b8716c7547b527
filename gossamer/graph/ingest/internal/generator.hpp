#pragma once
// Generated graphs: undirected, the same for the same seed on any number of cores and processes.
//
//   kron, rmat   Kronecker graphs: 2^scale vertices, and edge_factor edges drawn per vertex. The initiator is
//                Graph500's (A 0.57, B 0.19, C 0.19) or the caller's; a random permutation renames vertices,
//                so that degrees and ids are unrelated
//   uniform      the same sizes, both ends at random
//   grid         ROWS x COLUMNS vertices, joined to those beside and below
//   road         a maze on a square grid with a few more streets and diagonals: connected, of mean degree 2.5
//   ba           preferential attachment: each vertex joins earlier ones in proportion to their degrees
//   ws           a small world: a ring whose edges are rewired with some probability
//   sbm          blocks of vertices: edges of some probability inside, of another between
//
// Duplicates and self-loops that are drawn are removed when rows are built (and counted). A range of weights
// may follow: the weight of an edge depends only on the seed and its ends.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// The uniform distribution of weights: whole numbers, both ends included, or real numbers in [low, high).
struct drawn_weights {
  weight_type type = weight_type::none;  // int32 or float64; none: edges have no weights
  bool whole = false;  // whole numbers, of at most 53 bits
  double low = 0, high = 0;
};

/// A graph to generate. Trivially copyable.
struct generator {
  enum class kind : std::uint8_t { kronecker, uniform, grid, road, preferential, small_world, blocks };
  static constexpr std::size_t k_most_blocks = 64;

  kind how = kind::kronecker;
  unsigned scale = 0;  // kronecker, uniform: log2 of the vertices
  std::uint64_t edge_factor = 16;  // kronecker, uniform: edges drawn per vertex
  std::array<double, 4> initiator{0.57, 0.19, 0.19, 0.05};  // kronecker
  std::uint64_t count = 0;  // of vertices: road, preferential, small world; of rows: grid
  std::uint64_t width =
      0;  // grid: columns; preferential: edges of a vertex; small world: neighbours on the ring; blocks: how many
  double chance = 0;  // small world: of an edge to be rewired; blocks: of an edge inside
  double chance_between = 0;  // blocks
  std::array<std::uint64_t, k_most_blocks> bounds{};  // blocks: one past the last vertex of each
  drawn_weights weights = {};
  std::uint64_t seed = 1;

  std::uint64_t vertices() const;
  /// Returns the number of edges drawn. For generators with a decision per edge, returns the expected number.
  std::uint64_t edges() const;
  /// Returns whether edges are drawn one by one, edges() of them. Otherwise each vertex determines its own.
  bool draws_edges() const { return how == kind::kronecker || how == kind::uniform; }
};

/// Returns whether a source has the prefix of a generator.
bool is_generator_name(std::string_view source);

/// Parses a generator: "kron:20", "grid:100x200@1..255". Returns nothing for another kind of source. Throws
/// gossamer::error for invalid or too large sizes, probabilities and weights.
std::optional<generator> parse_generator(std::string_view source, std::uint64_t seed);

/// Returns the name of a generator, such as "kron:20:16".
std::string name_of(const generator& g);
graph_statistics statistics_of(const generator& what);

/// Generates one of `blocks` equal blocks of the edges, on the cores of this process. For processes that make
/// a block each. `progress` is for process 0 only.
std::vector<edge_block<edge>> generate_edges(const generator& what, std::uint64_t block, std::uint64_t blocks,
                                             const progress_hook& progress = {});

/// Returns the weights of generated edges, on the cores of this process; nothing if the generator has none.
edge_weights generate_weights(const generator& what, const std::vector<edge_block<edge>>& blocks);

}  // namespace gossamer::graph
