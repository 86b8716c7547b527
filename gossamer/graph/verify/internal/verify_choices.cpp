// Checks of greedy choices. That each vertex or edge has what those before it leave to it decides the whole answer.
#include <algorithm>
#include <set>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

check verify_colouring(const graph_view& g, const colouring_options& options,
                       const colouring_result& result) {
  if (result.colour.size() != g.vertices)
    return wrong("{} colours for {} vertices", result.colour.size(), g.vertices);
  remote_row_cache out(g, g.out);
  std::vector<std::uint64_t> sizes;
  std::vector<vertex_id> used;  // by neighbours before a vertex
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    const vertex_id colour = result.colour[v];
    const greedy_place mine = options.place(v, out.degree(v));
    used.clear();
    for (const vertex_id n : out[v]) {
      if (result.colour[n] == colour) return wrong("neighbours {} and {} have colour {}", v, n, colour);
      if (options.place(n, out.degree(n)).is_before(mine)) used.push_back(result.colour[n]);
    }
    std::ranges::sort(used);
    vertex_id least = 0;
    for (const vertex_id c : used) least += c == least;
    if (colour != least) return wrong("vertex {} has colour {}, those before it leave {}", v, colour, least);
    if (colour >= sizes.size()) sizes.resize(std::size_t{colour} + 1);
    ++sizes[colour];
  }
  const std::uint64_t largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  if (result.colours != sizes.size() || result.largest != largest)
    return wrong("{} colours, {} vertices of one; they are {} and {}", result.colours, result.largest,
                 sizes.size(), largest);
  return {};
}

check verify_independent_set(const graph_view& g, const independent_set_options& options,
                             const independent_set_result& result) {
  if (result.member.size() != g.vertices)
    return wrong("{} values for {} vertices", result.member.size(), g.vertices);
  remote_row_cache out(g, g.out);
  std::uint64_t members = 0;
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    if (result.member[v] > 1) return wrong("vertex {} has {}, neither 0 nor 1", v, result.member[v]);
    members += result.member[v];
    bool kept_out = false;
    for (const vertex_id n : out[v]) {
      if (result.member[n] != 1) continue;
      if (result.member[v] == 1) return wrong("neighbours {} and {} are both members", v, n);
      kept_out |= options.place(n).is_before(options.place(v));
    }
    if (result.member[v] == 0 && !kept_out)
      return wrong("vertex {} is no member, and none of its neighbours before it is", v);
  }
  if (members != result.members) return wrong("{} members; there are {}", result.members, members);
  return {};
}

check verify_matching(const graph_view& g, const matching_options& options, const matching_result& result) {
  if (result.mate.size() != g.vertices)
    return wrong("{} mates for {} vertices", result.mate.size(), g.vertices);
  const std::vector<vertex_id>& mate = result.mate;
  for (const vertex_id m : mate)
    if (m != k_no_vertex && m >= g.vertices) return wrong("a mate is {}, of {} vertices", m, g.vertices);
  remote_row_cache out(g, g.out);
  std::uint64_t matched = 0;
  const auto has_before = [&](vertex_id v, const edge_place& edge) {
    return mate[v] != k_no_vertex && options.place(v, mate[v]) < edge;
  };
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    bool has_edge = mate[v] == k_no_vertex;
    if (!has_edge && mate[mate[v]] != v)
      return wrong("the mate of {} is {}, whose mate is another", v, mate[v]);
    for (const vertex_id n : out[v]) {
      has_edge |= n == mate[v];
      const edge_place edge = options.place(v, n);
      if (n != mate[v] && !has_before(v, edge) && !has_before(n, edge))
        return wrong("the edge of {} and {} is not taken, and none before it at its ends is", v, n);
    }
    if (!has_edge) return wrong("vertex {} has no edge to its mate {}", v, mate[v]);
    matched += mate[v] != k_no_vertex;
  }
  if (matched != 2 * result.edges) return wrong("{} edges; {} vertices have a mate", result.edges, matched);
  return {};
}

namespace {

/// Returns what is wrong with a cycle. There is one exactly where not all vertices are in order.
check verify_cycle(remote_row_cache& out, const std::vector<vertex_id>& cycle, bool expected) {
  if (cycle.empty() == expected)
    return expected ? wrong("no cycle is told of, and some vertices have no place")
                    : wrong("a cycle is told of, and there is none");
  if (std::set(cycle.begin(), cycle.end()).size() != cycle.size())
    return wrong("the cycle has a vertex twice");
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const vertex_id next = cycle[(i + 1) % cycle.size()];
    if (!std::ranges::binary_search(out[cycle[i]], next))
      return wrong("the cycle goes from {} to {}, and there is no such arc", cycle[i], next);
  }
  return {};
}

}  // namespace

check verify_topological(const graph_view& g, const topological_result& result) {
  if (result.level.size() != g.vertices || result.position.size() != g.vertices)
    return wrong("{} levels and {} positions for {} vertices", result.level.size(), result.position.size(),
                 g.vertices);
  remote_row_cache out(g, g.out), in(g, g.in);
  std::vector<std::uint64_t> waits(g.vertices);
  std::vector<vertex_id> now, next;
  std::vector<bool> is_ordered(g.vertices);
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    waits[v] = in.degree(v);
    if (waits[v] == 0) now.push_back(v);
  }
  std::uint64_t position = 0, level = 0;
  for (; !now.empty(); now = std::move(next), ++level) {
    next.clear();
    std::ranges::sort(now);
    for (const vertex_id v : now) {
      is_ordered[v] = true;
      if (result.level[v] != level || result.position[v] != position)
        return wrong("vertex {} has level {} and position {}, a serial run says {} and {}", v,
                     result.level[v], result.position[v], level, position);
      ++position;
      for (const vertex_id n : out[v])
        if (--waits[n] == 0) next.push_back(n);
    }
  }
  for (std::uint64_t i = 0; i < g.vertices; ++i)
    if (!is_ordered[i] && (result.level[i] != k_no_vertex || result.position[i] != k_no_vertex))
      return wrong("vertex {} has a place, and lies behind a cycle", i);
  if (result.ordered != position || result.levels != level)
    return wrong("{} vertices in order, {} levels; a serial run says {} and {}", result.ordered,
                 result.levels, position, level);
  return verify_cycle(out, result.cycle, position != g.vertices);
}

}  // namespace gossamer::graph
