// A minimum spanning forest.
//
// Algorithm: in rounds, each tree takes the lightest edge that leaves it [O. Boruvka, 1926; J. Nesetril, E.
//   Milkova, H. Nesetrilova, "Otakar Boruvka on Minimum Spanning Tree Problem", Discrete Mathematics 2001],
//   and the trees that an edge joins become one (hooking.hpp). Edges are strictly ordered, so the chosen
//   edges never close a cycle. A round at least halves the number of trees with outgoing edges.
// Encoding: label[v] is the smallest vertex of the tree of v, its root; the owner of a root keeps the
//   lightest proposed edge.
// Phases: labels are frozen while vertices read their arcs and ship proposals; then owners write labels.
#include "gossamer/graph/algorithms/spanning_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/internal/hooking.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

/// The weights of arcs of a graph without weights: 1 each.
struct unit_weights {
  explicit unit_weights(const adjacency&) {}
  double operator[](std::uint64_t) const { return 1; }
};

/// Stored weights, as doubles: exact for all types.
template <class Weight>
struct stored_weights {
  const Weight* all;
  explicit stored_weights(const adjacency& rows) : all(rows.weights_as<Weight>()) {}
  double operator[](std::uint64_t arc) const { return static_cast<double>(all[arc]); }
};

/// The lightest edge that leaves a tree, and the root of the tree that it leads to.
struct leaving_edge {
  weighted_edge edge;
  vertex_id to = k_no_vertex;
  vertex_id unused = 0;  // no bytes without a value are sent

  void take_lighter(const leaving_edge& other) {
    if (edge.low == k_no_vertex || other.edge.is_before(edge)) *this = other;
  }
};

template <class Weights>
class tree_growing {
 public:
  explicit tree_growing(const graph_view& g)
      : rows_(g.out), go_(g), forest_(g.vertices, go_.bounds()), best_(go_.values<leaving_edge>()) {}

  /// Grows all trees. Returns their edges, some of them twice.
  std::vector<weighted_edge> grow(const progress_hook& progress, std::uint64_t& rounds) {
    start();
    for (rounds = 0;; ++rounds) {
      report(progress, "spanning tree", rounds + 1, 0);
      offer_edges();
      if (!take_edges()) break;
      forest_.join_in_rounds({});
      jump_to_roots();
    }
    std::vector<weighted_edge> all;
    for (const auto& part : collect_spans<weighted_edge>(
             parts_.handle(), [](core_part& mine) { return std::span<const weighted_edge>(mine.taken); }))
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }

 private:
  struct core_part {
    std::vector<vertex_id> open;  // own vertices that an edge to another tree may leave
    std::vector<vertex_id> roots;  // own roots that were offered an edge in this round
    std::vector<weighted_edge> taken;
  };
  struct count {
    std::uint64_t edges = 0;
    void add(const count& other) { edges += other.edges; }
  };

  /// Offers an edge to the root of a tree, at its owner.
  struct offer {
    per_core<core_part> parts;
    leaving_edge edge;
    std::uint64_t root;
    void operator()(leaving_edge& best) const {
      if (best.edge.low == k_no_vertex) parts.here().roots.push_back(static_cast<vertex_id>(root));
      best.take_lighter(edge);
    }
  };

  void start() {
    go_.vertex_map(k_pass, best_.handle(),
                   [rows = rows_, parts = parts_.handle()](vertex_id v, leaving_edge& best) {
                     best = {};
                     if (rows.degree(v) != 0) parts.here().open.push_back(v);
                   });
    on_all_cores([labels = forest_.labels()] {
      std::iota(labels.local().begin(), labels.local().end(), static_cast<vertex_id>(labels.local_begin()));
    });
  }

  /// Offers the lightest edge from each open vertex to another tree. Closes vertices that have none.
  void offer_edges() {
    on_all_cores(
        [rows = rows_, labels = forest_.labels().freeze(), best = best_.handle(), parts = parts_.handle()] {
          const Weights weights(rows);
          const std::span<leaving_edge> own = best.local();
          const std::uint64_t first = best.local_begin();
          scan_meter meter(k_hook);
          std::erase_if(parts.here().open, [&](vertex_id v) {
            const vertex_id mine = labels[v];
            leaving_edge lightest;
            ++meter.rows;
            meter.arcs += rows.degree(v);
            for (std::uint64_t arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc) {
              const vertex_id n = rows.targets[arc], other = labels[n];
              if (other == mine) continue;
              lightest.take_lighter({{weights[arc], std::min(v, n), std::max(v, n)}, other});
            }
            if (lightest.to == k_no_vertex) return true;
            const offer offered{parts, lightest, mine};
            if (mine - first < own.size())
              offered(own[mine - first]);
            else
              best.async(mine, offered);
            return false;
          });
        });
    forest_.labels().thaw();
  }

  /// Takes the lightest edge of each tree. Returns whether there was any.
  bool take_edges() {
    return go_.core_reduce<count>([best = best_.handle(), parts = parts_.handle(), joined = forest_.parts()] {
                core_part& mine = parts.here();
                const std::span<leaving_edge> own = best.local();
                for (const vertex_id root : mine.roots) {
                  const leaving_edge lightest = std::exchange(own[root - best.local_begin()], leaving_edge{});
                  mine.taken.push_back(lightest.edge);
                  joined.here().open.push_back(root_pair::of(root, lightest.to));
                }
                return count{std::exchange(mine.roots, {}).size()};
              })
               .edges != 0;
  }

  /// Points each vertex to its root. Starts from the vertices whose label is another vertex: several levels
  /// may lie between that and the root.
  void jump_to_roots() {
    on_all_cores([labels = forest_.labels(), joined = forest_.parts()] {
      auto v = static_cast<vertex_id>(labels.local_begin());
      for (const vertex_id label : labels.local()) {
        if (label != v) joined.here().jumping.push_back(v);
        ++v;
      }
    });
    forest_.jump_to_roots();
  }

  adjacency rows_;
  traversal go_;
  hooking forest_;
  scoped_array<leaving_edge> best_;
  scoped_per_core<core_part> parts_;
};

/// Grows the trees with the graph's type of weights. Returns their edges, some of them twice.
std::vector<weighted_edge> edges_of_trees(const graph_view& g, const progress_hook& progress,
                                          std::uint64_t& rounds) {
  if (g.weights == weight_type::none) return tree_growing<unit_weights>(g).grow(progress, rounds);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return tree_growing<stored_weights<Weight>>(g).grow(progress, rounds);
  });
}

/// Removes duplicate edges, and roots each tree at its smallest vertex.
void take_parents(spanning_tree_result& r, std::vector<weighted_edge>& edges, std::uint64_t vertices) {
  const auto by_ends = [](const weighted_edge& e) { return std::pair(e.low, e.high); };
  std::ranges::sort(edges, {}, by_ends);
  const auto duplicates = std::ranges::unique(edges, {}, by_ends);
  edges.erase(duplicates.begin(), duplicates.end());
  std::vector<std::uint64_t> begin(vertices + 1);
  for (const weighted_edge& e : edges) ++begin[e.low], ++begin[e.high];
  std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), std::uint64_t{0});
  std::vector<std::pair<vertex_id, double>> ends(2 * edges.size());
  std::vector<std::uint64_t> at(begin.begin(), begin.end() - 1);
  for (const weighted_edge& e : edges) {
    ends[at[e.low]++] = {e.high, e.weight};
    ends[at[e.high]++] = {e.low, e.weight};
  }
  r.parent.assign(vertices, k_no_vertex);
  std::vector<double> weight(vertices);
  std::vector<vertex_id> next;
  for (std::uint64_t root = 0; root < vertices; ++root) {
    if (r.parent[root] != k_no_vertex) continue;
    r.parent[root] = static_cast<vertex_id>(root);
    ++r.trees;
    next.push_back(static_cast<vertex_id>(root));
    while (!next.empty()) {
      const vertex_id v = next.back();
      next.pop_back();
      for (std::uint64_t i = begin[v]; i < begin[v + 1]; ++i) {
        const auto [n, w] = ends[i];
        if (n == r.parent[v]) continue;
        r.parent[n] = v;
        weight[n] = w;
        next.push_back(n);
      }
    }
  }
  r.edges = edges.size();
  for (const double w : weight) r.weight += w;
}

}  // namespace

spanning_tree_result minimum_spanning_tree(const graph_view& g, const progress_hook& progress) {
  if (g.directed) throw error("spanning-tree: expected an undirected graph, found a directed one");
  spanning_tree_result r;
  if (g.vertices == 0) return r;
  const std::uint64_t begin = machine::now_ns();
  std::vector<weighted_edge> edges = edges_of_trees(g, progress, r.rounds);
  take_parents(r, edges, g.vertices);
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
