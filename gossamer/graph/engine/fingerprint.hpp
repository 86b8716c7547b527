#pragma once
// A fingerprint of a graph in one line, so that stored work is not used for another graph. It depends on rows and weights
// only: not on names, files, or the division of the rows among processes.

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/engine/traversal.hpp"

namespace gossamer::graph {

/// A sum of words modulo 2^64.
struct fingerprint_sum {
  std::uint64_t words = 0;  ///< modulo 2^64
  /// Adds another sum.
  void add(const fingerprint_sum& other) { words += other.words; }
};

/// Returns the fingerprint. Collective over all cores; main fiber. Costs a pass over all arcs.
inline std::string fingerprint(const graph_view& g) {
  const traversal go(g);
  const auto sum_of = [&]<class Weight>(const adjacency& rows, const Weight* weights) {
    return go.block_reduce<fingerprint_sum>(
        k_pull, [rows, weights](vertex_range some, fingerprint_sum& mine, scan_meter& meter) {
          for (std::uint64_t v = some.begin; v < some.end; ++v) {
            const std::uint64_t of_row = hash64(v + 1);
            for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
              std::uint64_t arc = hash64(of_row ^ rows.targets[i]);
              if (weights != nullptr) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, weights + i, sizeof(Weight));
                arc = hash64(arc ^ bits);
              }
              mine.words += arc;
              ++meter.arcs;
            }
          }
        });
  };
  fingerprint_sum sum;
  if (g.vertices != 0 && g.weights == weight_type::none)
    sum = sum_of(adjacency(g.out), static_cast<const std::uint32_t*>(nullptr));
  else if (g.vertices != 0)
    with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
      sum = sum_of(adjacency(g.out), adjacency(g.out).weights_as<Weight>());
    });
  return fmt::format("{} graph of {} vertices, {} arcs, weights of type {}, rows {:016x}",
                     g.directed ? "directed" : "undirected", g.vertices, g.arcs,
                     static_cast<unsigned>(g.weights), sum.words);
}

}  // namespace gossamer::graph
