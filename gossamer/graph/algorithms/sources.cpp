#include "gossamer/graph/algorithms/sources.hpp"

#include <algorithm>
#include <unordered_set>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"

namespace gossamer::graph {

namespace {

std::vector<vertex_id> all_sources(const remote_row_cache& out, std::uint64_t vertices) {
  std::vector<vertex_id> all;
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (out.degree(static_cast<vertex_id>(v)) > 0) all.push_back(static_cast<vertex_id>(v));
  }
  return all;
}

std::uint64_t count(const remote_row_cache& out, std::uint64_t vertices) {
  std::uint64_t n = 0;
  for (std::uint64_t v = 0; v < vertices; ++v) n += out.degree(static_cast<vertex_id>(v)) > 0;
  return n;
}

}  // namespace

std::uint64_t count_sources(const graph_view& g) { return count(remote_row_cache(g, g.out), g.vertices); }

std::vector<vertex_id> random_sources(const graph_view& g, std::uint64_t wanted, std::uint64_t seed) {
  const remote_row_cache out(g, g.out);
  const std::uint64_t available = count(out, g.vertices);
  splitmix64 random(seed);
  // Rejection sampling needs few draws only if sources are neither rare nor nearly exhausted.
  if (wanted >= available / 2 || available < g.vertices / 16) {
    std::vector<vertex_id> all = all_sources(out, g.vertices);
    const std::uint64_t chosen = std::min<std::uint64_t>(wanted, all.size());
    for (std::uint64_t i = 0; i < chosen; ++i) std::swap(all[i], all[i + bounded(random, all.size() - i)]);
    all.resize(chosen);
    return all;
  }
  std::vector<vertex_id> drawn;
  std::unordered_set<vertex_id> seen;
  while (drawn.size() < wanted) {
    const auto v = static_cast<vertex_id>(bounded(random, g.vertices));
    if (out.degree(v) > 0 && seen.insert(v).second) drawn.push_back(v);
  }
  return drawn;
}

}  // namespace gossamer::graph
