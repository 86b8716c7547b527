// Kosaraju's method: the vertices in the order in which a depth-first search leaves them; then, from the last to the first, what leads to
// each and has no component yet is its component.
#include <algorithm>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/compare_components.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

using lists = std::vector<std::vector<vertex_id>>;

/// Calls leave(v) for the vertices that v leads to, itself among them, depth first, each when it is left.
template <class Leave>
void search(const lists& neighbours, vertex_id from, std::vector<bool>& seen, Leave leave) {
  struct step {
    vertex_id vertex;
    std::size_t next;
  };
  std::vector<step> path{{from, 0}};
  seen[from] = true;
  while (!path.empty()) {
    auto& [v, next] = path.back();
    if (next == neighbours[v].size()) {
      leave(v);
      path.pop_back();
      continue;
    }
    const vertex_id n = neighbours[v][next++];
    if (seen[n]) continue;
    seen[n] = true;
    path.push_back({n, 0});
  }
}

}  // namespace

check verify_strong(const graph_view& g, const components_result& result) {
  lists out(g.vertices), in(g.vertices);
  {
    remote_row_cache rows(g, g.out);
    for (std::size_t v = 0; v < out.size(); ++v)
      for (const vertex_id n : rows[static_cast<vertex_id>(v)]) {
        out[v].push_back(n);
        in[n].push_back(static_cast<vertex_id>(v));
      }
  }
  std::vector<vertex_id> order;
  std::vector<bool> seen(g.vertices);
  for (std::size_t v = 0; v < out.size(); ++v)
    if (!seen[v]) search(out, static_cast<vertex_id>(v), seen, [&](vertex_id n) { order.push_back(n); });
  std::vector<vertex_id> component(g.vertices), members;
  seen.assign(g.vertices, false);
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (seen[*v]) continue;
    members.clear();
    search(in, *v, seen, [&](vertex_id n) { members.push_back(n); });
    const vertex_id least = std::ranges::min(members);
    for (const vertex_id n : members) component[n] = least;
  }
  return compare_components(component, result);
}

}  // namespace gossamer::graph
