// Hopcroft and Tarjan's method: a depth-first search from the smallest vertex of each component. A vertex is left with the least level that
// its subtree leads to. Where that is no less than the level of the parent, the vertices found since are a block with the parent.
#include <algorithm>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

class block_search {
 public:
  block_search(const graph_view& g, biconnected_result& r) : neighbours_(g.vertices), r_(r) {
    remote_row_cache rows(g, g.out);
    for (std::size_t v = 0; v < neighbours_.size(); ++v)
      for (const vertex_id n : rows[static_cast<vertex_id>(v)]) neighbours_[v].push_back(n);
    r.memberships.resize(g.vertices);
    r.block.assign(g.vertices, k_no_vertex);
    r.head = r.bridge = level_ = least_ = r.block;
  }

  void run() {
    for (std::size_t v = 0; v < neighbours_.size(); ++v)
      if (level_[v] == k_no_vertex) search(static_cast<vertex_id>(v));
    for (const vertex_id blocks : r_.memberships) r_.articulation_points += blocks > 1;
  }

 private:
  struct step {
    vertex_id vertex, parent;
    std::size_t next;
  };

  void enter(vertex_id v, vertex_id parent) {
    level_[v] = least_[v] = static_cast<vertex_id>(path_.size());
    path_.push_back({v, parent, 0});
    found_.push_back(v);
  }

  void search(vertex_id root) {
    enter(root, k_no_vertex);
    while (!path_.empty()) {
      auto& [v, parent, next] = path_.back();
      if (next == neighbours_[v].size()) {
        leave();
        continue;
      }
      const vertex_id n = neighbours_[v][next++];
      if (level_[n] == k_no_vertex)
        enter(n, v);
      else if (n != parent)
        least_[v] = std::min(least_[v], level_[n]);
    }
    found_.clear();
  }

  void leave() {
    const step last = path_.back();
    path_.pop_back();
    if (last.parent == k_no_vertex) return;
    least_[last.parent] = std::min(least_[last.parent], least_[last.vertex]);
    if (least_[last.vertex] >= level_[last.parent]) take_block(last.vertex, last.parent);
  }

  void take_block(vertex_id top, vertex_id head) {
    const auto begin = std::ranges::find(found_.rbegin(), found_.rend(), top).base() - 1;
    const vertex_id name = *std::min_element(begin, found_.end());
    const auto below = static_cast<std::uint64_t>(found_.end() - begin);
    for (auto v = begin; v != found_.end(); ++v) {
      r_.block[*v] = name;
      r_.head[*v] = head;
      ++r_.memberships[*v];
    }
    ++r_.memberships[head];
    ++r_.blocks;
    r_.largest = std::max(r_.largest, below + 1);
    if (below == 1) {
      ++r_.bridges;
      r_.bridge[top] = head;
    }
    found_.erase(begin, found_.end());
  }

  std::vector<std::vector<vertex_id>> neighbours_;
  std::vector<vertex_id> level_, least_;
  std::vector<step> path_;
  std::vector<vertex_id> found_;  // vertices that no block has yet
  biconnected_result& r_;
};

}  // namespace

check verify_biconnected(const graph_view& g, const biconnected_result& result) {
  biconnected_result right;
  block_search(g, right).run();
  const auto compare = [&](const char* what, const std::vector<vertex_id>& found,
                           const std::vector<vertex_id>& expected) -> check {
    if (found.size() != expected.size())
      return wrong("{} {} for {} vertices", found.size(), what, g.vertices);
    const auto [at, other] = std::ranges::mismatch(found, expected);
    if (at == found.end()) return {};
    return wrong("{} of vertex {}: {}, a serial search says {}", what, at - found.begin(), *at, *other);
  };
  for (const check& c :
       {compare("blocks", result.memberships, right.memberships), compare("block", result.block, right.block),
        compare("head", result.head, right.head), compare("bridge", result.bridge, right.bridge)})
    if (!c) return c;
  if (result.blocks != right.blocks || result.articulation_points != right.articulation_points ||
      result.bridges != right.bridges || result.largest != right.largest)
    return wrong(
        "{} blocks, the largest of {}, {} articulation points, {} bridges; a serial search says {}, {}, {}, "
        "{}",
        result.blocks, result.largest, result.articulation_points, result.bridges, right.blocks,
        right.largest, right.articulation_points, right.bridges);
  return {};
}

}  // namespace gossamer::graph
