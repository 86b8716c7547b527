// Independent checks. Deliberately plain: queues, vectors and loops of a textbook, nothing of the kernels.
#include "gossamer/graph/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/compare_components.hpp"
#include "gossamer/graph/verify/internal/verify_betweenness.hpp"
#include "gossamer/graph/verify/internal/verify_bfs.hpp"
#include "gossamer/graph/verify/internal/wide_count.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::graph {

namespace {

std::string listed(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::uint64_t n : numbers) {
    if (!text.empty()) text += ' ';
    text += std::to_string(n);
  }
  return text;
}

/// Returns whether there is an arc. Looks in the row of the arriving end, which the caller goes through
/// anyway.
bool has_arc(remote_row_cache& in, vertex_id from, vertex_id to) {
  return std::ranges::binary_search(in[to], from);
}

struct serial_search {
  std::vector<vertex_id> level;  // k_no_vertex where the source does not lead
  std::vector<vertex_id> order;  // the others, by level
};

serial_search search_from(remote_row_cache& out, std::uint64_t vertices, vertex_id source) {
  serial_search s{std::vector<vertex_id>(vertices, k_no_vertex), {source}};
  s.level[source] = 0;
  for (std::size_t i = 0, end = 1; i < s.order.size(); ++i) {
    if (i == end) {
      end = s.order.size();  // rows of other processes come in ascending order
      if (!out.in_place()) std::sort(s.order.begin() + static_cast<std::ptrdiff_t>(i), s.order.end());
    }
    const vertex_id v = s.order[i];
    for (vertex_id n : out[v]) {
      if (s.level[n] != k_no_vertex) continue;
      s.level[n] = s.level[v] + 1;
      s.order.push_back(n);
    }
  }
  return s;
}

check check_parent(remote_row_cache& in, std::uint64_t vertices, vertex_id v, vertex_id source,
                   std::span<const vertex_id> parents, const std::vector<vertex_id>& level) {
  const vertex_id parent = parents[v];
  if ((parent == k_no_vertex) != (level[v] == k_no_vertex)) {
    return wrong("vertex {} is {} from {}, but the search says otherwise", v,
                 level[v] == k_no_vertex ? "not reachable" : "reachable", source);
  }
  if (parent == k_no_vertex || v == source) return {};
  if (parent >= vertices) return wrong("the parent of {} is {}, which is no vertex", v, parent);
  if (!has_arc(in, parent, v)) return wrong("the tree has an edge {} -> {}, the graph has not", parent, v);
  // With every parent one level up the tree has no cycle and spans what is reachable.
  if (level[parent] + 1 != level[v] || level[parent] == k_no_vertex) {
    return wrong("vertex {} is on level {}, its parent {} on level {}", v, level[v], parent, level[parent]);
  }
  return {};
}

vertex_id root_of(std::vector<vertex_id>& up, vertex_id v) {
  while (up[v] != v) v = up[v] = up[up[v]];
  return v;
}

/// Dependencies of one source, added to `sum`: Brandes 2001, algorithm 1.
void add_dependencies(remote_row_cache& out, std::uint64_t vertices, vertex_id source,
                      std::vector<double>& sum) {
  const auto [level, order] = search_from(out, vertices, source);
  std::vector<wide_count> paths(vertices);
  std::vector<double> dependency(vertices, 0);
  paths[source] = wide_count(1);
  for (vertex_id v : order) {
    for (vertex_id w : out[v]) {
      if (level[w] == level[v] + 1) paths[w] += paths[v];
    }
  }
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    for (vertex_id w : out[*v]) {
      if (level[w] == level[*v] + 1) dependency[*v] += paths[*v].over(paths[w]) * (1 + dependency[w]);
    }
    if (*v != source) sum[*v] += dependency[*v];
  }
}

}  // namespace

check compare_scores(std::span<const double> expected, std::span<const double> found, double tolerance) {
  if (expected.size() != found.size())
    return wrong("{} scores for {} vertices", found.size(), expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    // Negated, so that a score that is not a number fails.
    if (!(std::abs(expected[v] - found[v]) <= tolerance * (1 + std::abs(expected[v])))) {
      return wrong("the score of vertex {} is {:.17g}, a serial run says {:.17g}", v, found[v], expected[v]);
    }
  }
  return {};
}

check verify_bfs(const graph_view& g, const bfs_result& result, std::span<const vertex_id> parents) {
  if (parents.size() != g.vertices) return wrong("{} parents for {} vertices", parents.size(), g.vertices);
  if (result.source >= g.vertices) return wrong("the source {} is no vertex", result.source);
  if (parents[result.source] != result.source)
    return wrong("the source {} is not its own parent", result.source);
  if (processes() > 1) return verify_bfs_over_processes(g, result, parents);
  remote_row_cache out(g, g.out), in(g, g.in);
  const std::vector<vertex_id> level = search_from(out, g.vertices, result.source).level;
  std::vector<std::uint64_t> levels;
  std::uint64_t reached = 0, arcs = 0;
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    if (check c = check_parent(in, g.vertices, v, result.source, parents, level); !c) return c;
    if (level[v] == k_no_vertex) continue;
    if (level[v] >= levels.size()) levels.resize(level[v] + 1);
    ++levels[level[v]];
    ++reached;
    arcs += out.degree(v);
  }
  if (levels != result.levels) {
    return wrong("vertices per level are {}, a serial search says {}", listed(result.levels), listed(levels));
  }
  if (reached != result.reached)
    return wrong("{} vertices reached, a serial search says {}", result.reached, reached);
  const std::uint64_t edges = g.directed ? arcs : arcs / 2;
  if (edges != result.edges) return wrong("{} edges traversed, a serial search says {}", result.edges, edges);
  return {};
}

check compare_components(std::span<const vertex_id> expected, const components_result& found) {
  if (found.component.size() != expected.size())
    return wrong("{} component numbers for {} vertices", found.component.size(), expected.size());
  std::vector<std::uint64_t> size(expected.size(), 0);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ++size[expected[v]];
    if (found.component[v] != expected[v])
      return wrong("vertex {} is in component {}, a serial run says {}", v, found.component[v], expected[v]);
  }
  std::erase(size, 0);
  std::ranges::sort(size);
  if (size.size() != found.components)
    return wrong("{} components, a serial run says {}", found.components, size.size());
  const std::uint64_t largest = size.empty() ? 0 : size.back();
  if (largest != found.largest)
    return wrong("the largest has {} vertices, a serial run says {}", found.largest, largest);
  std::size_t at = 0;
  for (const component_size& s : found.sizes) {
    const auto same = std::ranges::equal_range(size, s.size);
    if (same.size() != s.count || same.begin() != size.begin() + static_cast<std::ptrdiff_t>(at))
      return wrong("{} components of size {}, a serial run says {}", s.count, s.size, same.size());
    at += s.count;
  }
  if (at != size.size()) return wrong("the distribution has {} components of {}", at, size.size());
  return {};
}

check verify_components(const graph_view& g, const components_result& result) {
  std::vector<vertex_id> up(g.vertices);
  std::iota(up.begin(), up.end(), vertex_id{0});
  remote_row_cache out(g, g.out);
  for (std::size_t v = 0; v < up.size(); ++v) {
    for (vertex_id n : out[static_cast<vertex_id>(v)]) {
      const vertex_id a = root_of(up, static_cast<vertex_id>(v)), b = root_of(up, n);
      up[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::size_t v = 0; v < up.size(); ++v) up[v] = root_of(up, static_cast<vertex_id>(v));
  return compare_components(up, result);
}

check verify_cores(const graph_view& g, const cores_result& result) {
  if (result.core.size() != g.vertices)
    return wrong("{} core numbers for {} vertices", result.core.size(), g.vertices);
  remote_row_cache out(g, g.out), in(g, g.in);
  std::vector<std::uint64_t> left(g.vertices);
  std::vector<bool> gone(g.vertices);
  std::vector<vertex_id> rest(g.vertices), queue, next;
  std::iota(rest.begin(), rest.end(), vertex_id{0});
  for (const vertex_id v : rest) left[v] = out.degree(v) + (g.directed ? in.degree(v) : 0);
  std::uint64_t levels = 0, innermost = 0, k = 0;
  for (; !rest.empty(); ++k) {
    queue.clear();
    std::ranges::copy_if(rest, std::back_inserter(queue), [&](vertex_id v) { return left[v] <= k; });
    std::uint64_t taken = 0;
    for (; !queue.empty(); queue = std::move(next)) {
      next.clear();
      std::ranges::sort(queue);  // rows of other processes come in ascending order
      for (const vertex_id v : queue) gone[v] = true;
      for (const vertex_id v : queue) {
        ++taken;
        if (result.core[v] != k)
          return wrong("vertex {} has core number {}, a serial run says {}", v, result.core[v], k);
        const auto leave = [&](vertex_id n) {
          if (!gone[n] && --left[n] == k) next.push_back(n);
        };
        for (const vertex_id n : out[v]) leave(n);
        if (g.directed)
          for (const vertex_id n : in[v]) leave(n);
      }
    }
    std::erase_if(rest, [&](vertex_id v) { return gone[v]; });
    if (taken != 0) innermost = taken, ++levels;
  }
  const std::uint64_t most = g.vertices == 0 ? 0 : k - 1;
  if (result.degeneracy != most || result.innermost != innermost || result.levels != levels)
    return wrong("degeneracy {} of {} vertices, {} levels; a serial run says {}, {}, {}", result.degeneracy,
                 result.innermost, result.levels, most, innermost, levels);
  return {};
}

check verify_triangles(const graph_view& g, const triangles_result& result) {
  if (result.triangles.size() != g.vertices || result.clustering.size() != g.vertices)
    return wrong("{} counts for {} vertices", result.triangles.size(), g.vertices);
  remote_row_cache out(g, g.out);
  std::vector<std::vector<vertex_id>> smaller(g.vertices);  // neighbours
  for (std::size_t v = 0; v < smaller.size(); ++v)
    for (const vertex_id n : out[static_cast<vertex_id>(v)])
      if (n < v) smaller[v].push_back(n);
  std::vector<std::uint64_t> triangles(g.vertices);
  std::vector<bool> near(g.vertices);
  for (std::size_t v = 0; v < smaller.size(); ++v) {
    for (const vertex_id n : smaller[v]) near[n] = true;
    for (const vertex_id n : smaller[v])
      for (const vertex_id m : smaller[n])
        if (near[m]) ++triangles[v], ++triangles[n], ++triangles[m];
    for (const vertex_id n : smaller[v]) near[n] = false;
  }
  std::uint64_t corners = 0, paths = 0;
  double clustering = 0;
  for (std::size_t v = 0; v < triangles.size(); ++v) {
    const std::uint64_t degree = out.degree(static_cast<vertex_id>(v)), pairs = degree * (degree - 1) / 2;
    const double share = degree < 2 ? 0 : static_cast<double>(triangles[v]) / static_cast<double>(pairs);
    if (result.triangles[v] != triangles[v] || result.clustering[v] != share)
      return wrong("vertex {} has {} triangles and clustering {:.17g}, a serial run says {} and {:.17g}", v,
                   result.triangles[v], result.clustering[v], triangles[v], share);
    corners += triangles[v];
    paths += degree < 2 ? 0 : pairs;
    clustering += share;
  }
  const double transitivity = paths == 0 ? 0 : static_cast<double>(corners) / static_cast<double>(paths);
  const double average = g.vertices == 0 ? 0 : clustering / static_cast<double>(g.vertices);
  if (result.total != corners / 3 || result.transitivity != transitivity ||
      result.average_clustering != average)
    return wrong(
        "{} triangles, transitivity {:.17g}, clustering {:.17g}; a serial run says {}, {:.17g}, {:.17g}",
        result.total, result.transitivity, result.average_clustering, corners / 3, transitivity, average);
  return {};
}

check verify_betweenness(const graph_view& g, std::span<const vertex_id> sources,
                         const betweenness_options& options, const betweenness_result& result) {
  if (result.sources != sources.size())
    return wrong("{} sources, {} expected", result.sources, sources.size());
  if (options.edges || (options.weighted && g.weights != weight_type::none))
    return verify_betweenness_by_lengths(g, sources, options, result);
  std::vector<double> sum(g.vertices, 0);
  remote_row_cache out(g, g.out);
  for (vertex_id s : sources) add_dependencies(out, g.vertices, s, sum);
  for (double& x : sum) x *= g.directed ? options.scale : options.scale / 2;
  return compare_scores(sum, result.scores, 1e-9);
}

check verify_sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                 const betweenness_options& options, const betweenness_result& result) {
  const std::uint64_t all = count_sources(g);
  if (samples == 0 || samples > all) samples = all;
  const std::vector<vertex_id> sources = random_sources(g, samples, seed);
  const double scale = samples == 0 ? 1 : static_cast<double>(all) / static_cast<double>(samples);
  betweenness_options scaled = options;
  scaled.scale = scale;
  return verify_betweenness(g, sources, scaled, result);
}

}  // namespace gossamer::graph
