// Connected components, direction ignored.
//
// Algorithm:
//   1. A breadth-first search from the vertex of largest degree, at most k_search_levels deep, takes
//      the giant component of most graphs out of the way: all but a few edges are never looked at
//      (what Afforest does by sampling: M. Sutton, T. Ben-Nun, A. Barak, IPDPS 2018).
//   2. Of what is left, each core joins the vertices it owns by a serial union-find over the edges that
//      stay inside its block.
//   3. Edges between blocks hook the larger root below the smaller, in rounds (hooking.hpp).
//   Over processes every look at all labels costs a copy of them, so where the search left only a few edges,
//   as on most graphs, process 0 joins these by itself instead of 2 and 3.
// The vertices that the search reached point to the smallest of them and are left alone until the end.
#include "gossamer/graph/algorithms/components.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/graph/algorithms/internal/direction_optimising.hpp"
#include "gossamer/graph/algorithms/internal/hooking.hpp"
#include "gossamer/graph/algorithms/internal/three_phases.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_search_levels = 32;  // paths and grids: leave the rest to union-find
constexpr std::uint64_t k_few_edges = 1 << 18;  // over processes: joined in process 0

struct core_rest {
  std::vector<vertex_id> rest;   // own vertices that have edges and that the search did not reach
  std::uint64_t edges = 0;       // theirs
  vertex_id smallest = 0;        // own vertex that the search reached; its start if there is none
};

template <class Rows>
class labelling {
 public:
  labelling(const graph_view& g, const Rows& rows)
      : rows_(rows), search_(g, rows, rows), forest_(g.vertices, search_.bounds()) {}

  void run(const progress_hook& progress);
  std::vector<vertex_id> labels() const { return copy_of(forest_.labels()); }

 private:
  void label_reached(vertex_id start);
  std::uint64_t rest_edges() const;
  void open_rest();
  void join_own();
  void propose_edges();
  void collect_open();

  Rows rows_;
  direction_optimising<Rows> search_;
  hooking forest_;
  scoped_per_core<core_rest> parts_;
  vertex_id giant_ = k_no_vertex;  // smallest reached vertex
};

/// Labels reached vertices with the smallest of them, and others with themselves. Lists as the rest the
/// unreached vertices that have edges.
template <class Rows>
void labelling<Rows>::label_reached(vertex_id start) {
  on_all_cores([start, parents = search_.parents(), parts = parts_.handle()] {
    vertex_id& smallest = parts.here().smallest;
    smallest = start;
    const std::span<const vertex_id> own = parents.local();
    for (std::uint64_t i = 0; i < own.size(); ++i) {
      if (own[i] == k_no_vertex) continue;
      smallest = static_cast<vertex_id>(parents.local_begin() + i);
      break;
    }
  });
  giant_ = std::ranges::min(collect(parts_.handle(), [](core_rest& p) { return p.smallest; }));
  on_all_cores([rows = rows_, giant = giant_, parents = search_.parents(), visited = search_.visited(),
                label = forest_.labels(), parts = parts_.handle()] {
    auto v = static_cast<vertex_id>(parents.local_begin());
    const std::span<vertex_id> own = label.local();
    const std::span<const vertex_id> parent = parents.local();
    {
      scan_meter meter(k_pass);
      meter.rows = own.size();
      for (std::uint64_t i = 0; i < own.size(); ++i, ++v) own[i] = parent[i] == k_no_vertex ? v : giant;
    }
    std::uint64_t w = visited.local_begin();
    for (std::uint64_t word : visited.local()) {
      for_each_bit(~word, w++, [&](std::uint64_t x) {
        parts.here().rest.push_back(static_cast<vertex_id>(x));
        parts.here().edges += rows.degree(static_cast<vertex_id>(x));
      });
    }
  });
}

template <class Rows>
std::uint64_t labelling<Rows>::rest_edges() const {
  std::uint64_t edges = 0;
  for (const std::uint64_t n : collect(parts_.handle(), [](core_rest& p) { return p.edges; })) edges += n;
  return edges;
}

/// Opens all edges of the rest. Called only where the search was not cut short, so that no edge leads to a
/// reached vertex.
template <class Rows>
void labelling<Rows>::open_rest() {
  on_all_cores([rows = rows_, parts = parts_.handle(), forest = forest_.parts()] {
    core_rest& mine = parts.here();
    scan_meter meter(k_hook);
    for (vertex_id v : mine.rest)
      scan_row(meter, rows, v, [&](vertex_id n) {
        if (n < v) forest.here().open.push_back({v, n});
      });
  });
}

/// Joins each core's own vertices of the rest (step 2). Leaves an edge to a reached vertex (where the search
/// was cut short) to step 3.
template <class Rows>
void labelling<Rows>::join_own() {
  on_all_cores([rows = rows_, giant = giant_, labels = forest_.labels(), parts = parts_.handle()] {
    const std::span<vertex_id> label = labels.local();
    const std::uint64_t first = labels.local_begin();
    scan_meter meter(k_hook);
    for (vertex_id v : parts.here().rest) {
      scan_row(meter, rows, v, [&](vertex_id n) {
        if (n >= v || n - first >= label.size() || label[n - first] == giant) return;
        const vertex_id a = find_root(label, first, v), b = find_root(label, first, n);
        label[std::max(a, b) - first] = std::min(a, b);
      });
    }
    for (vertex_id v : parts.here().rest) label[v - first] = find_root(label, first, v);
  });
}

/// Proposes the edges of the rest: step 3, first round. Reads them from the rows, since storing the edges
/// could take more memory than the graph.
template <class Rows>
void labelling<Rows>::propose_edges() {
  on_all_cores([rows = rows_, labels = forest_.labels().freeze(), proposal = forest_.proposals(),
                parts = parts_.handle(), forest = forest_.parts()] {
    scan_meter meter(k_hook);
    for (vertex_id v : parts.here().rest) {
      const vertex_id a = labels[v];
      scan_row(meter, rows, v, [&](vertex_id n) {
        const vertex_id b = labels[n];
        const edge e = edge::of(a, b);
        if (a != b) proposal.async(e.high, hooking::propose{forest, e.high, e.low});
      });
    }
  });
  forest_.labels().thaw();
}

/// Collects the edges that still join different roots, as pairs of roots.
template <class Rows>
void labelling<Rows>::collect_open() {
  on_all_cores([rows = rows_, giant = giant_, labels = forest_.labels().freeze(), parts = parts_.handle(),
                forest = forest_.parts()] {
    core_rest& mine = parts.here();
    scan_meter meter(k_hook);
    for (vertex_id v : mine.rest) {
      const vertex_id a = labels[labels[v]];
      scan_row(meter, rows, v, [&](vertex_id n) {
        const vertex_id b = labels[labels[n]];
        if (a == b) return;
        // Both ends see an edge, and the one with the larger root keeps it; the giant's ends do not look.
        if (a > b || labels[n] == giant) forest.here().open.push_back(edge::of(a, b));
      });
    }
  });
  forest_.labels().thaw();
}

template <class Rows>
void labelling<Rows>::run(const progress_hook& progress) {
  const vertex_id start = search_.max_degree_vertex();
  const std::uint64_t levels = search_.run(start, k_search_levels, {}).size();
  label_reached(start);
  report(progress, "components", 1, 0);
  const std::uint64_t left = rest_edges();
  if (left == 0) return;
  if (processes() > 1 && levels < k_search_levels && left <= k_few_edges) {
    open_rest();
    return forest_.local_union();
  }

  join_own();
  propose_edges();
  forest_.accept_proposals();
  collect_open();
  forest_.join_in_rounds(progress);

  // All edges are closed: every vertex of the rest, and the giant's root, jumps to its final root.
  const array<vertex_id> label = forest_.labels();
  label.call(giant_,
             [parts = parts_.handle(), giant = giant_](vertex_id&) { parts.here().rest.push_back(giant); });
  on_all_cores(
      [parts = parts_.handle(), forest = forest_.parts()] { forest.here().jumping.swap(parts.here().rest); });
  forest_.jump_to_roots();
  const vertex_id root = label.read(giant_);
  if (root == giant_) return;
  on_all_cores([root, giant = giant_, labels = label] { std::ranges::replace(labels.local(), giant, root); });
}

template <class Rows>
std::vector<vertex_id> label_components(const graph_view& g, const Rows& rows, const components_options& o,
                                        const progress_hook& progress, double& seconds) {
  const std::uint64_t begin = machine::now_ns();
  const auto end = [&] { seconds = machine::seconds_since(begin); };
  if (o.method == components_method::three_phase) {
    three_phases<Rows> work(g, rows, o);
    work.run(progress);
    end();
    return work.labels();
  }
  labelling<Rows> work(g, rows);
  work.run(progress);
  end();
  return work.labels();
}

/// Counts components and finds the largest and the distribution of sizes, from the labels. Serial, linear.
void count_sizes(components_result& r) {
  std::vector<vertex_id> size(r.component.size(), 0);
  for (vertex_id id : r.component) ++size[id];
  std::vector<std::uint64_t> large;  // sizes not in `small`
  std::vector<std::uint64_t> small(1024, 0);  // how many components are of each size
  for (std::size_t id = 0; id < size.size(); ++id) {
    if (size[id] == 0) continue;
    ++r.components;
    if (size[id] > r.largest) {
      r.largest = size[id];
      r.largest_id = static_cast<vertex_id>(id);
    }
    if (size[id] < small.size()) {
      ++small[size[id]];
    } else {
      large.push_back(size[id]);
    }
  }
  for (std::size_t s = 1; s < small.size(); ++s) {
    if (small[s] > 0) r.sizes.push_back({s, small[s]});
  }
  std::ranges::sort(large);
  for (std::uint64_t s : large) {
    if (r.sizes.empty() || r.sizes.back().size != s) r.sizes.push_back({s, 0});
    ++r.sizes.back().count;
  }
}

}  // namespace

components_result connected_components(const graph_view& g, const progress_hook& progress,
                                       const components_options& o) {
  components_result r;
  if (g.vertices == 0) return r;
  r.component = g.directed ? label_components(g, symmetric_adjacency{{g.out}, {g.in}}, o, progress, r.seconds)
                           : label_components(g, directed_adjacency{g.out}, o, progress, r.seconds);
  count_sizes(r);
  return r;
}

}  // namespace gossamer::graph
