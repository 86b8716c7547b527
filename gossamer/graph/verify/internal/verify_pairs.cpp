// Checks of what is asked of a few vertices: measures of pairs, neighbourhoods, walks.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

std::set<vertex_id> neighbours_of(remote_row_cache& out, vertex_id v) {
  const auto row = out[v];
  return {row.begin(), row.end()};
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// Returns the weights of a row as doubles, 1 each where there are none.
std::vector<double> weights_of(remote_row_cache& out, const graph_view& g, vertex_id v) {
  const std::uint64_t begin = out.offsets()[v], end = out.offsets()[v + 1];
  if (g.weights == weight_type::none) return std::vector<double>(end - begin, 1);
  const std::byte* const all = out.weights(begin, end);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    const auto* const typed = reinterpret_cast<const Weight*>(all);
    return std::vector<double>(typed, typed + (end - begin));
  });
}

/// Returns the place of the arc that a number draws, or the row's length.
std::size_t drawn(const std::vector<double>& weights, bool by_weights, std::uint64_t random) {
  if (!by_weights) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::size_t>((wide{random} * weights.size()) >> 64);
  }
  const double unit = std::isfinite(std::accumulate(weights.begin(), weights.end(), 0.0)) ? 1 : 0x1p-64;
  double all = 0, sum = 0;
  for (const double w : weights) all += w * unit;
  const double wanted = std::ldexp(static_cast<double>(random >> 11), -53) * all;
  std::size_t last = weights.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) last = i;
    if ((sum += weights[i] * unit) > wanted) return i;
  }
  return last;
}

}  // namespace

check verify_similarity(const graph_view& g, const std::vector<vertex_id>& pairs,
                        const similarity_result& result) {
  if (result.of.size() != pairs.size() / 2)
    return wrong("{} answers for {} pairs", result.of.size(), pairs.size() / 2);
  remote_row_cache out(g, g.out);
  for (std::size_t i = 0; i < result.of.size(); ++i) {
    const vertex_id a = pairs[2 * i], b = pairs[2 * i + 1];
    const auto first = neighbours_of(out, a), second = neighbours_of(out, b);
    auto either = first;
    either.insert(second.begin(), second.end());
    std::uint64_t common = 0;
    double adamic_adar = 0, allocation = 0;
    for (const vertex_id n : first) {
      if (!second.contains(n)) continue;
      const auto degree = static_cast<double>(out.degree(n));
      ++common;
      allocation += 1 / degree;
      if (out.degree(n) > 1) adamic_adar += 1 / std::log(degree);
    }
    const double jaccard =
        either.empty() ? 0 : static_cast<double>(common) / static_cast<double>(either.size());
    const pair_similarity& found = result.of[i];
    if (found.common != common || found.preferential_attachment != first.size() * second.size() ||
        !is_near(found.jaccard, jaccard) || !is_near(found.adamic_adar, adamic_adar) ||
        !is_near(found.resource_allocation, allocation))
      return wrong("{} and {} have {} common neighbours, Jaccard {}; serially {} and {}", a, b, found.common,
                   found.jaccard, common, jaccard);
  }
  return {};
}

check verify_similar_vertices(const graph_view& g, vertex_id to, const std::vector<vertex_id>& found) {
  remote_row_cache out(g, g.out);
  const auto near = neighbours_of(out, to);
  std::set<vertex_id> expected;
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    if (v != to &&
        std::ranges::any_of(out[static_cast<vertex_id>(v)], [&](vertex_id n) { return near.contains(n); }))
      expected.insert(static_cast<vertex_id>(v));
  std::vector<vertex_id> sorted = found;
  std::ranges::sort(sorted);
  if (!std::ranges::equal(sorted, expected))
    return wrong("{} vertices share a neighbour with {}, serially {}", found.size(), to, expected.size());
  return {};
}

check verify_neighbourhood(const graph_view& g, const std::vector<vertex_id>& around, std::uint64_t hops,
                           const neighbourhood_result& result) {
  remote_row_cache out(g, g.out);
  std::map<vertex_id, std::uint64_t> distance;
  std::vector<vertex_id> queue;
  const auto visit = [&](vertex_id v, std::uint64_t at) {
    if (distance.emplace(v, at).second) queue.push_back(v);
  };
  for (const vertex_id v : around) visit(v, 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint64_t at = distance[queue[i]];
    if (at == hops) break;
    const auto row = out[queue[i]];
    for (const vertex_id n : std::vector<vertex_id>(row.begin(), row.end())) visit(n, at + 1);
  }
  if (result.vertices.size() != distance.size() || result.distances.size() != distance.size())
    return wrong("{} vertices within {} hops, a serial search finds {}", result.vertices.size(), hops,
                 distance.size());
  for (std::size_t i = 0; i < result.vertices.size(); ++i) {
    const vertex_id v = result.vertices[i];
    const auto at = distance.find(v);
    if (at == distance.end() || at->second != result.distances[i])
      return wrong("vertex {} is at distance {}, a serial search says otherwise", v, result.distances[i]);
    if (i > 0 &&
        std::pair(result.distances[i - 1], result.vertices[i - 1]) >= std::pair(result.distances[i], v))
      return wrong("vertex {} comes after {}", v, result.vertices[i - 1]);
  }
  return {};
}

check verify_subgraph(const graph_view& g, const std::vector<vertex_id>& members,
                      const induced_edges& result) {
  const std::set<vertex_id> all(members.begin(), members.end());
  if (result.vertices != all.size()) return wrong("{} vertices of {}", result.vertices, all.size());
  remote_row_cache out(g, g.out);
  std::size_t at = 0;
  for (const vertex_id v : all) {
    const auto weights = weights_of(out, g, v);
    const auto row = out[v];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!all.contains(row[i]) || (!g.directed && row[i] < v)) continue;
      if (at >= result.from.size() || result.from[at] != v || result.to[at] != row[i])
        return wrong("the edge from {} to {} is not at its place", v, row[i]);
      if (g.weights != weight_type::none && result.weights[at] != weights[i])
        return wrong("the edge from {} to {} weighs {}, not {}", v, row[i], weights[i], result.weights[at]);
      ++at;
    }
  }
  if (at != result.from.size()) return wrong("{} edges; there are {}", result.from.size(), at);
  return {};
}

check verify_random_walks(const graph_view& g, const random_walk_options& options,
                          const random_walks_result& result) {
  const std::uint64_t starts = options.starts.empty() ? g.vertices : options.starts.size();
  const std::uint64_t length = options.steps + 1;
  if (result.walks != starts * options.walks || result.vertices.size() != result.walks * length)
    return wrong("{} walks, expected {}", result.walks, starts * options.walks);
  remote_row_cache out(g, g.out);
  std::uint64_t ended = 0;
  std::map<vertex_id, std::uint64_t> walks_of;
  for (std::uint64_t walk = 0; walk < result.walks; ++walk) {
    const std::uint64_t start = walk / options.walks;
    vertex_id at = options.starts.empty() ? static_cast<vertex_id>(start) : options.starts[start];
    const std::uint64_t number = options.starts.empty() ? walk % options.walks : walks_of[at]++;
    const std::uint64_t stream = hash64(hash64(options.seed, at), number);
    const vertex_id* const path = result.vertices.data() + walk * length;
    if (path[0] != at) return wrong("walk {} starts at {}, not at {}", walk, path[0], at);
    for (std::uint64_t step = 1; step < length; ++step) {
      vertex_id next = k_no_vertex;
      if (at != k_no_vertex) {
        const std::size_t place = drawn(weights_of(out, g, at), options.by_weights, hash64(stream, step));
        const auto row = out[at];
        if (place < row.size()) next = row[place];
      }
      if (path[step] != next)
        return wrong("walk {} is at {} after {} steps, not at {}", walk, path[step], step, next);
      at = next;
    }
    ended += at == k_no_vertex;
  }
  if (ended != result.ended)
    return wrong("{} walks ended before their last step; {} did", result.ended, ended);
  return {};
}

}  // namespace gossamer::graph
