// Distances by a serial search from each source, with a queue.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"

namespace gossamer::graph {

namespace {

/// Returns the distance of every vertex from `source` by the given rows; k_no_vertex where there is no path.
std::vector<vertex_id> distances_from(remote_row_cache& rows, std::uint64_t vertices, vertex_id source) {
  std::vector<vertex_id> distance(vertices, k_no_vertex), level{source}, next;
  for (vertex_id d = 0; !level.empty(); ++d) {
    next.clear();
    for (const vertex_id v : level) distance[v] = d;
    for (const vertex_id v : level)
      for (const vertex_id n : rows[v])
        if (distance[n] == k_no_vertex) {
          distance[n] = d + 1;
          next.push_back(n);
        }
    std::ranges::sort(next);  // rows of other processes come in ascending order
    level.swap(next);
  }
  return distance;
}

struct summed {
  std::uint64_t reached = 0, sum = 0, farthest = 0;
  double inverse_sum = 0;

  explicit summed(const std::vector<vertex_id>& distances) {
    for (const vertex_id d : distances) {
      if (d == k_no_vertex) continue;
      ++reached;
      sum += d;
      if (d != 0) inverse_sum += 1.0 / d;
      farthest = std::max<std::uint64_t>(farthest, d);
    }
  }
};

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

/// Calls f(index, source, sums) until it returns that something is wrong.
template <class F>
check each_source(const graph_view& g, const std::optional<std::vector<vertex_id>>& asked,
                  path_direction direction, std::size_t found, F f) {
  std::vector<vertex_id> sources(asked ? asked->size() : g.vertices);
  std::iota(sources.begin(), sources.end(), vertex_id{0});
  if (asked) sources = *asked;
  if (found != sources.size()) return wrong("{} answers for {} sources", found, sources.size());
  remote_row_cache rows(g, direction == path_direction::outgoing ? g.out : g.in);
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (check c = f(i, sources[i], summed(distances_from(rows, g.vertices, sources[i]))); !c) return c;
  return {};
}

/// Compares what is said of a source.
check check_summary(vertex_id source, const distance_summary& d, const summed& s) {
  if (d.reached != s.reached || d.sum != s.sum || d.farthest != s.farthest)
    return wrong(
        "{} is told to reach {} vertices, {} away in all, {} at most; a serial search says {}, {}, {}",
        source, d.reached, d.sum, d.farthest, s.reached, s.sum, s.farthest);
  if (!is_close(d.inverse_sum, s.inverse_sum))
    return wrong("1/distance of {} sums to {:.17g}, a serial search says {:.17g}", source, d.inverse_sum,
                 s.inverse_sum);
  return {};
}

}  // namespace

check verify_distances(const graph_view& g, const distance_options& options, const distances_result& result) {
  return each_source(g, options.sources, options.direction, result.distances.size(),
                     [&](std::size_t i, vertex_id source, const summed& s) {
                       return check_summary(source, result.distances[i], s);
                     });
}

check verify_closeness(const graph_view& g, const closeness_options& options,
                       const closeness_result& result) {
  if (result.harmonic.size() != result.closeness.size() || result.distances.size() != result.closeness.size())
    return wrong("{} harmonic scores and {} summaries for {} scores", result.harmonic.size(),
                 result.distances.size(), result.closeness.size());
  return each_source(g, options.sources, options.direction, result.closeness.size(),
                     [&](std::size_t i, vertex_id source, const summed& s) -> check {
                       const auto others = static_cast<double>(s.reached) - 1;
                       double score = others == 0 ? 0 : others / static_cast<double>(s.sum);
                       if (options.wf_improved && g.vertices > 1)
                         score = score * others / (static_cast<double>(g.vertices) - 1);
                       if (!is_close(result.closeness[i], score))
                         return wrong("the closeness of {} is {:.17g}, a serial search says {:.17g}", source,
                                      result.closeness[i], score);
                       if (!is_close(result.harmonic[i], s.inverse_sum))
                         return wrong(
                             "the harmonic centrality of {} is {:.17g}, a serial search says {:.17g}", source,
                             result.harmonic[i], s.inverse_sum);
                       return check_summary(source, result.distances[i], s);
                     });
}

check verify_sampled_closeness(const graph_view& g, const closeness_sample_options& options,
                               const sampled_closeness_result& result) {
  const std::uint64_t n = g.vertices, wanted = std::min(std::max<std::uint64_t>(options.samples, 2), n);
  if (result.closeness.size() != n || result.harmonic.size() != n || result.distances.size() != n)
    return wrong("{} and {} scores and {} sums for {} vertices", result.closeness.size(),
                 result.harmonic.size(), result.distances.size(), n);
  std::vector<bool> drawn(n);
  for (const vertex_id v : result.samples) {
    if (v >= n || drawn[v]) return wrong("{} was drawn twice, or is no vertex", v);
    drawn[v] = true;
  }
  if (result.samples.size() != wanted) return wrong("{} samples, not {}", result.samples.size(), wanted);
  if (n < 2) return {};
  std::vector<sampled_distances> sums(n);
  remote_row_cache rows(g, g.out);
  bool reaches_all = true;
  vertex_id widest = k_no_vertex;  // twice the least eccentricity is as wide as the graph, or wider
  for (const vertex_id source : result.samples) {
    vertex_id farthest = 0;
    const std::vector<vertex_id> distances = distances_from(rows, n, source);
    for (std::uint64_t v = 0; v < n; ++v) {
      if (v == source) continue;
      ++sums[v].samples;
      reaches_all &= distances[v] != k_no_vertex;
      if (distances[v] == k_no_vertex) continue;
      ++sums[v].reached;
      sums[v].sum += distances[v];
      sums[v].inverse_sum += 1.0 / distances[v];
      farthest = std::max(farthest, distances[v]);
    }
    widest = std::min(widest, farthest);
  }
  for (std::uint64_t v = 0; v < n; ++v) {
    const sampled_distances &found = result.distances[v], &right = sums[v];
    if (found.samples != right.samples || found.reached != right.reached || found.sum != right.sum ||
        !is_close(found.inverse_sum, right.inverse_sum))
      return wrong("{} is told {} away in all from {} of {} samples; serial searches say {}, {}, {}", v,
                   found.sum, found.reached, found.samples, right.sum, right.reached, right.samples);
    const double share = static_cast<double>(right.reached) / static_cast<double>(right.samples);
    const double closeness =
        right.sum == 0 ? 0 : share * static_cast<double>(right.reached) / static_cast<double>(right.sum);
    if (!is_close(result.closeness[v], closeness))
      return wrong("the closeness of {} is {:.17g}, serial searches say {:.17g}", v, result.closeness[v],
                   closeness);
    const double harmonic =
        right.inverse_sum / static_cast<double>(right.samples) * (static_cast<double>(n) - 1);
    if (!is_close(result.harmonic[v], harmonic))
      return wrong("the harmonic centrality of {} is {:.17g}, serial searches say {:.17g}", v,
                   result.harmonic[v], harmonic);
  }
  const double error = sampling_error(wanted - 1, n - 1, n);
  if (!is_close(result.harmonic_error, error * (static_cast<double>(n) - 1)))
    return wrong("an error of {} at most, told {}", error * (static_cast<double>(n) - 1),
                 result.harmonic_error);
  if (result.distance_error.has_value() != (reaches_all && !g.directed))
    return wrong("a bound of mean distances is {}",
                 result.distance_error ? "told, and there is none" : "missing");
  if (result.distance_error && !is_close(*result.distance_error, error * 2 * widest))
    return wrong("mean distances within {}, told {}", error * 2 * widest, *result.distance_error);
  return {};
}

check verify_eccentricities(const graph_view& g, const distance_options& options,
                            const eccentricity_result& result) {
  std::uint64_t largest = 0, smallest = 0;
  bool reaches_all = true;
  if (check c = each_source(g, options.sources, options.direction, result.eccentricity.size(),
                            [&](std::size_t i, vertex_id source, const summed& s) -> check {
                              largest = std::max(largest, s.farthest);
                              smallest = i == 0 ? s.farthest : std::min(smallest, s.farthest);
                              reaches_all &= s.reached == g.vertices;
                              if (result.eccentricity[i] == s.farthest) return {};
                              return wrong("the eccentricity of {} is {}, a serial search says {}", source,
                                           result.eccentricity[i], s.farthest);
                            });
      !c)
    return c;
  if (result.largest != largest || result.smallest != smallest || result.reaches_all != reaches_all)
    return wrong("eccentricities from {} to {}, {} reached; serial searches say {} to {}, {}",
                 result.smallest, result.largest, result.reaches_all ? "all" : "not all", smallest, largest,
                 reaches_all ? "all" : "not all");
  return {};
}

check verify_diameter(const graph_view& g, const diameter_result& result) {
  if (g.vertices == 0) {
    if (result.diameter != 0 || result.components != 0 || result.from != k_no_vertex ||
        result.to != k_no_vertex)
      return wrong("a graph without vertices is told to have a diameter of {}", result.diameter);
    return {};
  }
  if (result.from >= g.vertices || result.to >= g.vertices)
    return wrong("the diameter is told from {} to {}, which are no vertices", result.from, result.to);
  remote_row_cache rows(g, g.out);
  std::uint64_t farthest = 0, components = 0;
  std::vector<bool> seen(g.vertices);
  for (std::size_t v = 0; v < seen.size(); ++v) {
    const std::vector<vertex_id> distance = distances_from(rows, g.vertices, static_cast<vertex_id>(v));
    if (!seen[v]) ++components;
    for (std::size_t w = 0; w < distance.size(); ++w) {
      if (distance[w] == k_no_vertex) {
        if (g.directed) return wrong("there is no path from {} to {}, so there is no diameter", v, w);
        continue;
      }
      seen[w] = true;
      farthest = std::max<std::uint64_t>(farthest, distance[w]);
    }
    if (v == result.from && distance[result.to] != result.diameter)
      return wrong("the diameter is told from {} to {}, {} away: a serial search says {}", v, result.to,
                   result.diameter, distance[result.to]);
  }
  if (result.diameter != farthest)
    return wrong("the diameter is {}, serial searches say {}", result.diameter, farthest);
  if (result.components != components || result.connected != (components == 1))
    return wrong("{} components, serial searches say {}", result.components, components);
  return {};
}

}  // namespace gossamer::graph
