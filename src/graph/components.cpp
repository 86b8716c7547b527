// Connected components, direction ignored.
//
// Algorithm:
//   1. A breadth-first search from the vertex of largest degree, at most k_search_levels deep, takes
//      the giant component of most graphs out of the way: all but a few edges are never looked at
//      (what Afforest does by sampling: M. Sutton, T. Ben-Nun, A. Barak, IPDPS 2018).
//   2. Of what is left, each core joins the vertices it owns by a serial union-find over the edges that
//      stay inside its block.
//   3. Edges between blocks hook the larger root below the smaller by shipped minimum operations, then
//      pointers jump until all trees are stars; repeated for the edges whose ends still differ
//      [Y. Shiloach, U. Vishkin, "An O(log n) parallel connectivity algorithm", J. Algorithms 1982].
//      From the second round on edges are pairs of roots, so each round is smaller than the one before.
//   Over processes every look at all labels costs a copy of them, so where the search left only a few edges,
//   as on most graphs, process 0 joins these by itself instead of 2 and 3.
// Encoding: label[v] <= v points towards the root, the smallest vertex of the tree. The vertices that the
//   search reached point to the smallest of them and are left alone until the end.
// Phases: in a phase labels are either frozen and read by all (path 2) while proposals are shipped (path 1),
// or
//   written by their owners only.
#include "gossamer/graph/components.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "direction_optimising.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_search_levels = 32;  // paths and grids: leave the rest to union-find
constexpr std::uint64_t k_few_edges = 1 << 18;  // over processes: joined in process 0
constexpr std::uint64_t k_join_ns = 100;        // what a simulation charges for one of those

struct edge {
  vertex_id high, low;
};

struct core_part {
  std::vector<vertex_id> rest;      // own vertices that have edges and that the search did not reach
  std::vector<vertex_id> jumping;   // own vertices whose label may not be a root yet
  std::vector<vertex_id> jumps;     // their next labels
  std::vector<vertex_id> proposed;  // own roots with a proposal
  std::vector<edge> open;           // pairs of roots to join
  std::uint64_t rest_edges = 0;     // of `rest`
  vertex_id smallest = 0;           // own vertex that the search reached; its start if there is none
};

/// The owner of a root keeps the smallest proposal.
class propose {
 public:
  propose(per_core<core_part> parts, vertex_id root, vertex_id low)
      : parts_(parts), root_(root), not_low_(~low) {}
  void operator()(vertex_id& proposal) const {
    if (proposal == k_no_vertex) parts_.here().proposed.push_back(root_);
    proposal = std::min(proposal, static_cast<vertex_id>(~not_low_));
  }

 private:
  per_core<core_part> parts_;
  vertex_id root_,
      not_low_;  // complemented: side by side two ids could look like an address (check_captures)
};

/// Follows and shortens a path of labels, all owned by the caller.
vertex_id find_root(std::span<vertex_id> label, std::uint64_t first, vertex_id v) {
  while (label[v - first] != v) {
    const vertex_id up = label[v - first];
    label[v - first] = label[up - first];
    v = up;
  }
  return v;
}

template <class Rows>
class labelling {
 public:
  labelling(const graph_view& g, const Rows& rows)
      : rows_(rows), search_(g, rows, rows), label_(g.vertices, by_boundaries(search_.bounds())) {}

  void run(const progress_hook& progress);
  std::vector<vertex_id> labels() const { return copy_of(label_.handle()); }

 private:
  void label_reached(vertex_id start);
  bool is_rest_small() const;
  void join_few();
  void join_own();
  void propose_edges();
  void propose_open();
  void accept_proposals();
  void jump_to_roots();
  void collect_open();
  void relabel_open();
  std::uint64_t sum_sizes(auto member) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t size :
         collect(parts_.handle(), [member](core_part& p) { return std::uint64_t{(p.*member).size()}; }))
      sum += size;
    return sum;
  }

  Rows rows_;
  direction_optimising<Rows> search_;
  scoped_array<vertex_id> label_, proposal_;
  scoped_per_core<core_part> parts_;
  vertex_id giant_ = k_no_vertex;  // smallest reached vertex
};

/// Reached vertices get the smallest of them as label, others themselves; lists the rest.
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
  giant_ = std::ranges::min(collect(parts_.handle(), [](core_part& p) { return p.smallest; }));
  on_all_cores([rows = rows_, giant = giant_, parents = search_.parents(), visited = search_.visited(),
                label = label_.handle(), parts = parts_.handle()] {
    auto v = static_cast<vertex_id>(parents.local_begin());
    const std::span<vertex_id> own = label.local();
    scanned(k_pass, own.size());
    const std::span<const vertex_id> parent = parents.local();
    for (std::uint64_t i = 0; i < own.size(); ++i, ++v) own[i] = parent[i] == k_no_vertex ? v : giant;
    std::uint64_t w = visited.local_begin();
    for (std::uint64_t word : visited.local()) {
      for_each_bit(~word, w++, [&](std::uint64_t x) {
        parts.here().rest.push_back(static_cast<vertex_id>(x));
        parts.here().rest_edges += rows.degree(static_cast<vertex_id>(x));
      });
    }
  });
}

template <class Rows>
bool labelling<Rows>::is_rest_small() const {
  std::uint64_t edges = 0;
  for (const std::uint64_t n : collect(parts_.handle(), [](core_part& p) { return p.rest_edges; }))
    edges += n;
  return edges <= k_few_edges;
}

/// The edges of the rest come to process 0, which joins them serially and tells the owners. Only where the
/// search was not cut short, so that none of them leads to what it reached.
template <class Rows>
void labelling<Rows>::join_few() {
  on_all_cores([rows = rows_, parts = parts_.handle()] {
    core_part& mine = parts.here();
    scanned(k_hook, mine.rest.size(), mine.rest_edges);
    for (vertex_id v : mine.rest)
      rows.for_each(v, [&](vertex_id n) {
        if (n < v) mine.open.push_back({v, n});
      });
  });
  std::vector<edge> all;
  for (const auto& part :
       collect_spans<edge>(parts_.handle(), [](core_part& p) { return std::span<const edge>(p.open); }))
    all.insert(all.end(), part.begin(), part.end());
  std::vector<vertex_id> ids;
  for (const edge e : all) ids.insert(ids.end(), {e.high, e.low});
  worked(all.size() * k_join_ns);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto number = [&](vertex_id v) {
    return static_cast<vertex_id>(std::ranges::lower_bound(ids, v) - ids.begin());
  };
  std::vector<vertex_id> up(ids.size());
  std::iota(up.begin(), up.end(), vertex_id{0});
  for (const edge e : all) {
    const vertex_id a = find_root(up, 0, number(e.high)), b = find_root(up, 0, number(e.low));
    up[std::max(a, b)] = std::min(a, b);
  }
  finish([&] {
    for (vertex_id i = 0; i < ids.size(); ++i)
      label_.async(ids[i], [root = ids[find_root(up, 0, i)]](vertex_id& label) { label = root; });
  });
}

/// Step 2. An edge to a reached vertex (where the search was cut short) waits for step 3.
template <class Rows>
void labelling<Rows>::join_own() {
  on_all_cores([rows = rows_, giant = giant_, labels = label_.handle(), parts = parts_.handle()] {
    const std::span<vertex_id> label = labels.local();
    const std::uint64_t first = labels.local_begin();
    scanned(k_hook, parts.here().rest.size(), parts.here().rest_edges);
    for (vertex_id v : parts.here().rest) {
      rows.for_each(v, [&](vertex_id n) {
        if (n >= v || n - first >= label.size() || label[n - first] == giant) return;
        const vertex_id a = find_root(label, first, v), b = find_root(label, first, n);
        label[std::max(a, b) - first] = std::min(a, b);
      });
    }
    for (vertex_id v : parts.here().rest) label[v - first] = find_root(label, first, v);
  });
}

/// Step 3, first round: straight from the rows, since storing the edges could take more memory than the
/// graph.
template <class Rows>
void labelling<Rows>::propose_edges() {
  on_all_cores(
      [rows = rows_, labels = label_.freeze(), proposal = proposal_.handle(), parts = parts_.handle()] {
        for (vertex_id v : parts.here().rest) {
          scanned(k_hook, 1, rows.degree(v));
          const vertex_id a = labels[v];
          rows.for_each(v, [&](vertex_id n) {
            const vertex_id b = labels[n];
            if (a != b) proposal.async(std::max(a, b), propose{parts, std::max(a, b), std::min(a, b)});
          });
        }
      });
  label_.thaw();
}

/// Edges that join different roots still, as pairs of roots.
template <class Rows>
void labelling<Rows>::collect_open() {
  on_all_cores([rows = rows_, giant = giant_, labels = label_.freeze(), parts = parts_.handle()] {
    core_part& mine = parts.here();
    scanned(k_hook, mine.rest.size(), mine.rest_edges);
    for (vertex_id v : mine.rest) {
      const vertex_id a = labels[labels[v]];
      rows.for_each(v, [&](vertex_id n) {
        const vertex_id b = labels[labels[n]];
        if (a == b) return;
        // Both ends see an edge, and the one with the larger root keeps it; the giant's ends do not look.
        if (a > b || labels[n] == giant) mine.open.push_back({std::max(a, b), std::min(a, b)});
      });
    }
  });
  label_.thaw();
}

template <class Rows>
void labelling<Rows>::propose_open() {
  on_all_cores([proposal = proposal_.handle(), parts = parts_.handle()] {
    for (edge e : parts.here().open) proposal.async(e.high, propose{parts, e.high, e.low});
  });
}

/// Roots take the smallest proposal as their label.
template <class Rows>
void labelling<Rows>::accept_proposals() {
  on_all_cores([labels = label_.handle(), proposals = proposal_.handle(), parts = parts_.handle()] {
    core_part& mine = parts.here();
    const std::uint64_t first = labels.local_begin();
    for (vertex_id root : mine.proposed) {
      labels.local()[root - first] = std::exchange(proposals.local()[root - first], k_no_vertex);
    }
    mine.jumping.swap(mine.proposed);
    mine.proposed.clear();
  });
}

/// Doubles the pointers of the `jumping` vertices until each points to a root.
template <class Rows>
void labelling<Rows>::jump_to_roots() {
  while (sum_sizes(&core_part::jumping) > 0) {
    on_all_cores([labels = label_.freeze(), parts = parts_.handle()] {
      core_part& mine = parts.here();
      mine.jumps.clear();
      // Whoever points to a root is done: roots do not change while others jump.
      std::erase_if(mine.jumping, [&](vertex_id v) {
        const vertex_id up = labels[labels[v]];
        if (up == labels[v]) return true;
        mine.jumps.push_back(up);
        return false;
      });
    });
    label_.thaw();
    on_all_cores([labels = label_.handle(), parts = parts_.handle()] {
      const core_part& mine = parts.here();
      for (std::size_t i = 0; i < mine.jumping.size(); ++i) {
        labels.local()[mine.jumping[i] - labels.local_begin()] = mine.jumps[i];
      }
    });
  }
}

template <class Rows>
void labelling<Rows>::relabel_open() {
  on_all_cores([labels = label_.freeze(), parts = parts_.handle()] {
    std::vector<edge>& open = parts.here().open;
    for (edge& e : open) {
      const vertex_id a = labels[e.high], b = labels[e.low];
      e = {std::max(a, b), std::min(a, b)};
    }
    std::erase_if(open, [](edge e) { return e.high == e.low; });
  });
  label_.thaw();
}

template <class Rows>
void labelling<Rows>::run(const progress_hook& progress) {
  const vertex_id start = search_.widest();
  const std::uint64_t levels = search_.run(start, k_search_levels, {}).size();
  label_reached(start);
  report(progress, "components", 1, 0);
  if (sum_sizes(&core_part::rest) == 0) return;
  if (processes() > 1 && levels < k_search_levels && is_rest_small()) return join_few();

  join_own();
  proposal_ = scoped_array<vertex_id>(label_.size(), by_boundaries(search_.bounds()));
  on_all_cores([proposal = proposal_.handle()] { std::ranges::fill(proposal.local(), k_no_vertex); });
  propose_edges();
  accept_proposals();
  jump_to_roots();
  collect_open();
  for (std::uint64_t round = 2; sum_sizes(&core_part::open) > 0; ++round) {
    report(progress, "components", round, 0);
    propose_open();
    accept_proposals();
    jump_to_roots();
    relabel_open();
  }

  // All edges are closed: every vertex of the rest, and the giant's root, jumps to its final root.
  label_.call(giant_,
              [parts = parts_.handle(), giant = giant_](vertex_id&) { parts.here().rest.push_back(giant); });
  on_all_cores([parts = parts_.handle()] { parts.here().jumping.swap(parts.here().rest); });
  jump_to_roots();
  const vertex_id root = label_.read(giant_);
  if (root == giant_) return;
  on_all_cores([root, giant = giant_, labels = label_.handle()] {
    std::ranges::replace(labels.local(), giant, root);
  });
}

template <class Rows>
void label_components(const graph_view& g, const Rows& rows, const progress_hook& progress,
                      components_result& r) {
  const std::uint64_t begin = machine::now_ns();
  labelling<Rows> work(g, rows);
  work.run(progress);
  r.seconds = static_cast<double>(machine::now_ns() - begin) * 1e-9;
  r.component = work.labels();
}

/// Number, largest and distribution of sizes, from the labels. Serial, linear.
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

components_result connected_components(const graph_view& g, const progress_hook& progress) {
  components_result r;
  if (g.vertices == 0) return r;
  if (g.directed) {
    label_components(g, both_ways{{g.out}, {g.in}}, progress, r);
  } else {
    label_components(g, one_way{g.out}, progress, r);
  }
  count_sizes(r);
  return r;
}

}  // namespace gossamer::graph
