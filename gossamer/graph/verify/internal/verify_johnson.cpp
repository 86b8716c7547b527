// Check of shortest paths from many vertices: those of each source by the rules of paths from one.
#include <algorithm>
#include <limits>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

check verify_johnson(const graph_view& g, std::span<const vertex_id> sources, const johnson_result& result) {
  const std::size_t rows = result.from.size();
  if (result.to.size() != rows || result.length.size() != rows || result.parent.size() != rows)
    return wrong("{} targets, {} lengths and {} parents for {} sources", result.to.size(),
                 result.length.size(), result.parent.size(), rows);
  remote_row_cache out(g, g.out);
  std::size_t row = 0;
  for (const vertex_id source : sources) {
    path_lengths lengths = std::vector<double>(g.vertices, std::numeric_limits<double>::infinity());
    std::vector<double>& length = std::get<1>(lengths);
    std::vector<vertex_id> parents(g.vertices, k_no_vertex);
    sssp_result told;
    told.source = source;
    for (std::uint64_t next = 0; row < rows && result.from[row] == source; ++row) {
      const vertex_id to = result.to[row];
      if (to >= g.vertices) return wrong("row {} is of {}, which is no vertex", row, to);
      if (to < next) break;  // the same source once more
      next = std::uint64_t{to} + 1;
      length[to] = result.length[row];
      parents[to] = result.parent[row];
      ++told.reached;
      told.edges += out.degree(to);
      told.farthest = std::max(told.farthest, length[to]);
    }
    if (!g.directed) told.edges /= 2;
    if (check c = verify_sssp(g, told, lengths, parents); !c) return wrong("from {}: {}", source, c.reason);
  }
  if (row != rows) return wrong("{} rows; those of the sources are {}", rows, row);
  return {};
}

}  // namespace gossamer::graph
