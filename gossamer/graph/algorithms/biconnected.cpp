// Biconnected components by connectivity of a skeleton.
//
// Algorithm: a spanning forest, of any shape, gets preorder numbers. low(v) and high(v) are the smallest
//   and the largest number at the other ends of edges from the subtree of v [R. E. Tarjan, U. Vishkin, "An
//   Efficient Parallel Biconnectivity Algorithm", SIAM Journal on Computing 1985]. The edge of v to its
//   parent is a fence if both lie in the subtree of the parent. The skeleton has all tree edges except
//   fences, and all other edges except those to an ancestor. Its components, each with the parent of its
//   topmost vertex, are the blocks [X. Dong, L. Wang, Y. Gu, Y. Sun, "Provably Fast and Space-Efficient
//   Parallel Biconnectivity", PPoPP 2023].
// Encoding: numbers begin at 0 in each tree, whose root is the smallest vertex of its component. The
//   subtree of v has the numbers of span(v). The skeleton is read from the rows and never stored.
// Phases: trees grow, and values are propagated up and down in them, without barriers (propagate.hpp). Only
//   owners write the data of their vertices; values for other cores are shipped. Spans are frozen while all
//   cores read them. Each process joins labels of its own vertices in place; pairs of labels of several
//   processes are joined by join_pairs.hpp.
#include "gossamer/graph/algorithms/biconnected.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/internal/hooking.hpp"
#include "gossamer/graph/algorithms/join_pairs.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/propagate.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

/// A vertex of the forest.
struct tree_vertex {
  vertex_id parent;  // a root is its own parent; k_no_vertex: not in a tree yet
  vertex_id children;
  vertex_id waits;  // children that have not sent their values up
  vertex_id size;  // vertices of the subtree, as far as children have reported
  vertex_id number;  // in preorder; before that, the distance from the parent's number
  vertex_id low, high;
};

/// The numbers of a subtree, its root's first.
struct number_span {
  vertex_id first, last;

  bool has(const number_span& other) const { return first <= other.first && other.last <= last; }
};

/// A child, and its number minus that of its parent.
struct placed_child {
  vertex_id parent, child, distance;
};

/// The children of a core's own vertices: those of a vertex follow one another.
struct core_children {
  std::vector<placed_child> placed;  // in order of arrival
  std::vector<std::uint64_t> begin;  // by own vertex, and the end
  std::vector<vertex_id> child;
};

/// The edge from a vertex of a tree to its parent, as a row for propagation.
struct parent_rows {
  const tree_vertex* tree;

  std::uint64_t degree(vertex_id) const { return 1; }
  template <class F>
  void for_each(vertex_id v, F f) const {
    if (tree[v].parent != v) f(tree[v].parent);
  }
};

/// The edges from a vertex of a tree to its children, as a row for propagation.
struct child_rows {
  per_core<core_children> children;
  array<tree_vertex> tree;

  std::uint64_t degree(vertex_id v) const { return elements_of(tree)[v].children; }
  template <class F>
  void for_each(vertex_id v, F f) const {
    const core_children& mine = children.here();
    const std::uint64_t i = v - tree.local_begin();
    for (std::uint64_t at = mine.begin[i]; at < mine.begin[i + 1]; ++at) f(mine.child[at]);
  }
};

/// Sets the parent of a vertex to the first neighbour that proposes itself.
struct grow_tree {
  array<tree_vertex> values;
  struct take_parent {
    bool operator()(tree_vertex& mine, vertex_id, vertex_id parent) const {
      if (mine.parent != k_no_vertex) return false;
      mine.parent = parent;
      return true;
    }
  };
  [[no_unique_address]] take_parent push = {};
  static constexpr bool k_depth_first = false;
  vertex_id offer(vertex_id v, const tree_vertex&) const { return v; }
};

/// Propagates sizes of subtrees up. A parent places its children one after another, in order of arrival.
struct propagate_sizes {
  struct subtree {
    vertex_id root, size;
  };
  struct take_child {
    per_core<core_children> children;
    bool operator()(tree_vertex& mine, vertex_id v, const subtree& below) const {
      children.here().placed.push_back({v, below.root, mine.size});
      mine.size += below.size;
      return --mine.waits == 0;
    }
  };
  array<tree_vertex> values;
  take_child push;
  static constexpr bool k_depth_first = true;
  subtree offer(vertex_id v, const tree_vertex& mine) const { return {v, mine.size}; }
};

/// Propagates preorder numbers down.
struct propagate_numbers {
  array<tree_vertex> values;
  struct add_parent {
    bool operator()(tree_vertex& mine, vertex_id, vertex_id parent) const {
      mine.number += parent;
      return true;
    }
  };
  [[no_unique_address]] add_parent push = {};
  static constexpr bool k_depth_first = true;
  vertex_id offer(vertex_id, const tree_vertex& mine) const { return mine.number; }
};

/// Propagates up the smallest and the largest number at the other ends of a subtree's edges.
struct propagate_reach {
  struct reach {
    vertex_id low, high;
  };
  array<tree_vertex> values;
  struct take_reach {
    bool operator()(tree_vertex& mine, vertex_id, const reach& below) const {
      mine.low = std::min(mine.low, below.low);
      mine.high = std::max(mine.high, below.high);
      return --mine.waits == 0;
    }
  };
  [[no_unique_address]] take_reach push = {};
  static constexpr bool k_depth_first = true;
  reach offer(vertex_id, const tree_vertex& mine) const { return {mine.low, mine.high}; }
};

/// Sorts the pairs, and removes duplicates.
void remove_duplicates(vertex_pairs& pairs) {
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

class skeleton {
 public:
  explicit skeleton(const graph_view& g)
      : g_(g),
        rows_{g.out},
        go_(g),
        tree_(go_.values<tree_vertex>()),
        spans_(go_.values<number_span>()),
        labels_(go_.values<vertex_id>()),
        tops_(go_.values<vertex_id>()) {}

  biconnected_result run(const progress_hook& progress);

 private:
  void grow_trees(const progress_hook& progress);
  void count_children();
  void start_at_leaves();
  void place_children();
  void number();
  void find_reach();
  void find_fences();
  void join_here();
  void join_processes(const progress_hook& progress);
  void collect_pairs();
  void clear_roots();

  graph_view g_;
  directed_adjacency rows_;
  traversal go_;
  scoped_array<tree_vertex> tree_;
  scoped_array<number_span> spans_;
  const number_span* frozen_spans_ = nullptr;  // of all vertices
  scoped_array<vertex_id> labels_;  // of components of the skeleton
  scoped_array<vertex_id> tops_;  // the parent, if the edge to it is a fence
  scoped_per_core<core_children> children_;
  scoped_per_core<vertex_pairs> pairs_;
  propagation walk_;
};

/// Grows a spanning tree from the smallest vertex of each component.
void skeleton::grow_trees(const progress_hook& progress) {
  const scoped_array<vertex_id> components = component_labels(g_, progress);
  go_.vertex_map(k_pass, tree_.handle(),
                 [rows = rows_, components = components.handle(), senders = walk_.senders()](
                     vertex_id v, tree_vertex& mine) {
                   const bool is_root = components.local()[v - components.local_begin()] == v;
                   mine = {};
                   mine.size = 1;
                   mine.parent = is_root ? v : k_no_vertex;
                   if (is_root && rows.degree(v) != 0) senders.here().found.push_back(v);
                 });
  walk_.run(rows_, grow_tree{tree_.handle()});
}

/// Sends each parent the number of its children.
void skeleton::count_children() {
  on_all_cores([tree = tree_.handle()] {
    const std::span<tree_vertex> own = tree.local();
    const std::uint64_t first = tree.local_begin();
    scan_meter meter(k_pass);
    meter.rows = own.size();
    for (std::uint64_t i = 0; i < own.size(); ++i) {
      const vertex_id parent = own[i].parent;
      if (parent == first + i) continue;
      if (parent - first < own.size())
        ++own[parent - first].children;
      else
        tree.async(parent, [](tree_vertex& mine) { ++mine.children; });
    }
  });
}

/// Prepares propagation towards the roots: leaves send first, other vertices after all of their children.
void skeleton::start_at_leaves() {
  go_.vertex_map(k_pass, tree_.handle(), [senders = walk_.senders()](vertex_id v, tree_vertex& mine) {
    mine.waits = mine.children;
    if (mine.children == 0 && mine.parent != v) senders.here().found.push_back(v);
  });
}

/// Builds the rows of children, and sends each child the distance of its number from its parent's.
void skeleton::place_children() {
  on_all_cores([tree = tree_.handle(), children = children_.handle()] {
    const std::span<tree_vertex> own = tree.local();
    const std::uint64_t first = tree.local_begin();
    core_children& mine = children.here();
    scan_meter meter(k_pass);
    meter.rows = own.size() + mine.placed.size();
    mine.begin.resize(own.size() + 1);
    for (std::uint64_t i = 0; i < own.size(); ++i) mine.begin[i + 1] = mine.begin[i] + own[i].children;
    mine.child.resize(mine.placed.size());
    for (const placed_child& each : std::exchange(mine.placed, {})) {
      tree_vertex& parent = own[each.parent - first];
      mine.child[mine.begin[each.parent - first] + parent.waits++] = each.child;
      if (each.child - first < own.size())
        own[each.child - first].number = each.distance;
      else
        tree.async(each.child, [distance = each.distance](tree_vertex& child) { child.number = distance; });
    }
  });
}

/// Numbers the vertices of each tree in preorder, and freezes the spans.
void skeleton::number() {
  go_.vertex_map(k_pass, tree_.handle(), [senders = walk_.senders()](vertex_id v, tree_vertex& mine) {
    if (mine.parent == v && mine.children != 0) senders.here().found.push_back(v);
  });
  walk_.run(child_rows{children_.handle(), tree_.handle()}, propagate_numbers{tree_.handle()});
  go_.vertex_map(k_pass, spans_.handle(), [tree = elements_of(tree_.handle())](vertex_id v, number_span& s) {
    s = {tree[v].number, tree[v].number + tree[v].size - 1};
  });
  frozen_spans_ = spans_.freeze().data();
}

/// Finds the numbers at the other ends of each vertex's edges. The edge to its parent changes nothing: it
/// stays in the parent's subtree.
void skeleton::find_reach() {
  on_all_cores([rows = rows_, tree = tree_.handle(), spans = frozen_spans_] {
    auto v = static_cast<vertex_id>(tree.local_begin());
    scan_meter meter(k_hook);
    for (tree_vertex& mine : tree.local()) {
      mine.low = mine.high = mine.number;
      scan_row(meter, rows, v, [&](vertex_id n) {
        mine.low = std::min(mine.low, spans[n].first);
        mine.high = std::max(mine.high, spans[n].first);
      });
      ++v;
    }
  });
}

/// Finds the tree edges that are fences.
void skeleton::find_fences() {
  go_.vertex_map(k_pass, tops_.handle(),
                 [tree = elements_of(tree_.handle()), spans = frozen_spans_](vertex_id v, vertex_id& top) {
                   const tree_vertex& mine = tree[v];
                   const bool is_fence =
                       mine.parent != v && spans[mine.parent].has(number_span{mine.low, mine.high});
                   top = is_fence ? mine.parent : k_no_vertex;
                 });
}

/// Calls join(n) for each edge of the skeleton from v to n. Visits a tree edge from the child, and other
/// edges from the larger end.
template <class Join>
void for_each_joined(scan_meter& meter, const directed_adjacency& rows, const number_span* spans,
                     vertex_id parent, vertex_id top, vertex_id v, Join join) {
  if (parent != v && top == k_no_vertex) join(parent);
  scan_row(meter, rows, v, [&](vertex_id n) {
    if (n < v && !spans[v].has(spans[n]) && !spans[n].has(spans[v])) join(n);
  });
}

/// Joins the ends of the skeleton's edges inside each process.
void skeleton::join_here() {
  on_all_cores([labels = labels_.handle()] {
    std::iota(labels.local().begin(), labels.local().end(), static_cast<vertex_id>(labels.local_begin()));
  });
  on_all_cores([g = g_, rows = rows_, tree = tree_.handle(), tops = elements_of(tops_.handle()),
                spans = frozen_spans_, label = elements_of(labels_.handle())] {
    const vertex_range own = own_vertices(g);
    auto v = static_cast<vertex_id>(tree.local_begin());
    scan_meter meter(k_hook);
    for (const tree_vertex& mine : tree.local()) {
      for_each_joined(meter, rows, spans, mine.parent, tops[v], v, [&](vertex_id n) {
        if (own.has(n)) link_roots(label, v, n);
      });
      ++v;
    }
  });
  on_all_cores([labels = labels_.handle()] {
    scan_meter meter(k_pass);
    meter.rows = labels.local().size();
    vertex_id* const label = elements_of(labels);
    for (std::uint64_t i = 0; i < labels.local().size(); ++i)
      jump_to_root(label, static_cast<vertex_id>(labels.local_begin() + i));
  });
}

/// Collects the pairs of labels that edges between processes join, each pair once on a core.
void skeleton::collect_pairs() {
  on_all_cores([g = g_, rows = rows_, tree = tree_.handle(), tops = elements_of(tops_.handle()),
                spans = frozen_spans_, labels = labels_.freeze(), pairs = pairs_.handle()] {
    constexpr std::size_t k_few_pairs = 1 << 16;
    const vertex_range own = own_vertices(g);
    vertex_pairs& mine = pairs.here();
    std::size_t enough = k_few_pairs;
    auto v = static_cast<vertex_id>(tree.local_begin());
    scan_meter meter(k_hook);
    for (const tree_vertex& each : tree.local()) {
      for_each_joined(meter, rows, spans, each.parent, tops[v], v, [&](vertex_id n) {
        if (!own.has(n)) mine.push_back(std::minmax(vertex_id{labels[v]}, vertex_id{labels[n]}));
      });
      if (mine.size() > enough) {
        remove_duplicates(mine);
        enough = std::max(k_few_pairs, 2 * mine.size());
      }
      ++v;
    }
    remove_duplicates(mine);
  });
  labels_.thaw();
}

/// Joins the labels at the ends of edges between processes.
void skeleton::join_processes(const progress_hook& progress) {
  constexpr std::uint64_t k_few = 1 << 18;
  collect_pairs();
  const scoped_array<vertex_id> joined =
      join_pairs(g_.vertices, go_.bounds(), pairs_.handle(), k_few, progress);
  on_all_cores([labels = labels_.handle(), joined = elements_of(joined.handle())] {
    for (vertex_id& label : labels.local()) label = joined[label];
  });
}

/// Removes the labels of roots, which belong only to blocks below them.
void skeleton::clear_roots() {
  go_.vertex_map(k_pass, labels_.handle(),
                 [tree = elements_of(tree_.handle())](vertex_id v, vertex_id& label) {
                   if (tree[v].parent == v) label = k_no_vertex;
                 });
}

/// Computes the result from `block` and the fences. The parent of a vertex below a fence also belongs to the
/// vertex's block. It is the head of the block, unless other edges of the skeleton join it to the block.
/// Serial, linear.
void summarise(biconnected_result& r, const std::vector<vertex_id>& tops) {
  const std::uint64_t n = r.block.size();
  std::vector<vertex_id> size(n), head(n, k_no_vertex);  // by block
  for (std::uint64_t v = 0; v < n; ++v) {
    if (r.block[v] == k_no_vertex) continue;
    ++size[r.block[v]];
    if (tops[v] != k_no_vertex && r.block[tops[v]] != r.block[v]) head[r.block[v]] = tops[v];
  }
  r.memberships.resize(n);
  r.head.assign(n, k_no_vertex);
  r.bridge.assign(n, k_no_vertex);
  for (std::uint64_t v = 0; v < n; ++v) {
    const vertex_id block = r.block[v];
    if (block == k_no_vertex) continue;
    r.head[v] = head[block];
    ++r.memberships[v];
    if (block != v) continue;
    ++r.blocks;
    ++r.memberships[head[v]];
    r.largest = std::max<std::uint64_t>(r.largest, std::uint64_t{size[v]} + 1);
    if (size[v] != 1) continue;
    ++r.bridges;
    r.bridge[v] = head[v];
  }
  for (const vertex_id blocks : r.memberships) r.articulation_points += blocks > 1;
}

biconnected_result skeleton::run(const progress_hook& progress) {
  biconnected_result r;
  const std::uint64_t begin = machine::now_ns();
  grow_trees(progress);
  report(progress, "biconnected", 1, 0);
  count_children();
  start_at_leaves();
  const parent_rows up{elements_of(tree_.handle())};
  walk_.run(up, propagate_sizes{tree_.handle(), {children_.handle()}});
  place_children();
  number();
  report(progress, "biconnected", 2, 0);
  find_reach();
  start_at_leaves();
  walk_.run(up, propagate_reach{tree_.handle()});
  find_fences();
  report(progress, "biconnected", 3, 0);
  join_here();
  if (processes() > 1) join_processes(progress);
  spans_.thaw();
  clear_roots();
  r.seconds = machine::seconds_since(begin);
  r.block = copy_of(labels_.handle());
  summarise(r, copy_of(tops_.handle()));
  return r;
}

}  // namespace

biconnected_result biconnected_components(const graph_view& g, const progress_hook& progress) {
  if (g.directed) throw error("biconnected: expected an undirected graph, found a directed one");
  if (g.vertices == 0) return {};
  return skeleton(g).run(progress);
}

}  // namespace gossamer::graph
