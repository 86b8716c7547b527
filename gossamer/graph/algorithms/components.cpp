// Connected components, direction ignored.
//
// Algorithm:
//   1. A breadth-first search from the maximum-degree vertex, at most k_search_levels deep, finds the giant
//      component of most graphs: most edges are never read (Afforest does this by sampling: M. Sutton, T.
//      Ben-Nun, A. Barak, IPDPS 2018).
//   2. Each core joins its remaining vertices by a serial union-find over the edges inside its block.
//   3. The cores of a process join their blocks by a concurrent union-find over the edges between them.
//   4. Edges between processes hook the larger root below the smaller, in rounds (hooking.hpp).
//   With several processes, reading all labels costs a copy of them. So if the search has left only a few
//   edges, as on most graphs, process 0 joins these alone instead of steps 3 and 4.
// The vertices that the search has reached point to the smallest of them, and do not change until the end.
#include "gossamer/graph/algorithms/components.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gossamer/graph/algorithms/internal/hooking.hpp"
#include "gossamer/graph/algorithms/internal/parent_search.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_search_levels = 32;  // deeper graphs, as paths and grids, are left to union-find
constexpr std::uint64_t k_few_edges = 1 << 18;  // with several processes: joined in process 0

struct core_rest {
  // The rest: vertices that have edges and that the search did not reach.
  std::vector<root_pair> crossing;  // edges of the rest to other blocks of the process: as many as fit
  std::uint64_t arcs = 0;  // of own vertices of the rest
  vertex_id resume = 0;  // from this own vertex on, edges are not in `crossing`
  vertex_id smallest = 0;  // the smallest own vertex that the search reached; its start if there is none
};

/// Visits each edge of the rest that steps 2 and 3 join once.
template <class Rows>
struct rest_scanner {
  graph_view g;
  Rows rows;
  array<std::uint64_t> visited;
  bool was_cut;  // the search was cut short: edges may lead to reached vertices
  bool is_alone = processes() == 1;
  vertex_range process_own = own_vertices(g);
  const std::uint64_t* seen = elements_of(visited);

  /// Returns a scanner for the process of the calling core.
  rest_scanner here() const { return {g, rows, visited, was_cut}; }

  /// Calls own(n) for the edges of v to vertices of this core. Calls crossing(n) for those to other cores of
  /// the process, and in a job of one process for those to reached vertices.
  template <class Own, class Crossing>
  void operator()(scan_meter& meter, vertex_id v, Own own, Crossing crossing) const {
    const std::uint64_t first = visited.local_begin() * k_word_bits,
                        room = visited.local().size() * k_word_bits;
    scan_row(meter, rows, v, [&](vertex_id n) {
      if (was_cut && process_own.has(n) && test_bit(seen, n)) {
        if (is_alone) crossing(n);
      } else if (n < v) {  // otherwise the edge is visited from n
        if (n - first < room)
          own(n);
        else if (process_own.has(n))
          crossing(n);
      }
    });
  }
};

template <class Rows>
class labelling {
 public:
  labelling(const graph_view& g, const Rows& rows)
      : g_(g), rows_(rows), search_(g, rows, rows), forest_(g.vertices, search_.go().bounds()) {}

  void run(const progress_hook& progress);
  scoped_array<vertex_id> take_labels() { return forest_.take_labels(); }

 private:
  rest_scanner<Rows> rest_scan() const { return {g_, rows_, search_.levels().visited(), was_cut_}; }
  void find_giant(vertex_id start);
  void union_local_edges();
  std::uint64_t rest_arcs() const;
  void link_blocks();
  void compress();
  void join_processes(const progress_hook& progress);
  void open_rest();
  void propose_edges();
  void collect_open();

  graph_view g_;
  Rows rows_;
  parent_search<Rows> search_;
  hooking forest_;
  scoped_per_core<core_rest> parts_;
  bool was_cut_ = false;  // the search was cut short: edges of the rest may lead to reached vertices
  vertex_id giant_ = k_no_vertex;  // smallest reached vertex
};

/// Calls f(v) for the own vertices of the rest from `begin` on, ascending.
template <class F>
void for_each_rest(const array<std::uint64_t>& visited, std::uint64_t begin, F f) {
  std::uint64_t w = visited.local_begin();
  for (const std::uint64_t word : visited.local()) {
    if ((w + 1) * k_word_bits > begin)
      for_each_bit(~word, w, [&](std::uint64_t v) {
        if (v >= begin) f(static_cast<vertex_id>(v));
      });
    ++w;
  }
}

/// Finds the smallest vertex that the search reached.
template <class Rows>
void labelling<Rows>::find_giant(vertex_id start) {
  on_all_cores(
      [start, visited = search_.levels().visited(), idle = search_.levels().idle(), parts = parts_.handle()] {
        vertex_id& smallest = parts.here().smallest;
        smallest = start;
        const std::span<const std::uint64_t> seen = visited.local(), never = idle.local();
        for (std::size_t w = 0; w < seen.size(); ++w) {
          const std::uint64_t reached = seen[w] & ~never[w];
          if (reached == 0) continue;
          const auto bit = static_cast<unsigned>(std::countr_zero(reached));
          smallest = static_cast<vertex_id>((visited.local_begin() + w) * k_word_bits + bit);
          break;
        }
      });
  giant_ = std::ranges::min(collect(parts_.handle(), [](core_rest& p) { return p.smallest; }));
}

/// Labels reached vertices with the smallest of them, and others with themselves. Joins each core's own
/// vertices of the rest (step 2), and stores the edges to other cores of the process. If the search was cut
/// short, edges may lead to reached vertices. A job of one process stores these, too; otherwise step 4 joins
/// them.
template <class Rows>
void labelling<Rows>::union_local_edges() {
  on_all_cores([all = rest_scan(), giant = giant_, idle = search_.levels().idle(), labels = forest_.labels(),
                parts = parts_.handle()] {
    const auto scan = all.here();
    core_rest& mine = parts.here();
    const std::span<vertex_id> label = labels.local();
    const std::uint64_t first = labels.local_begin(), room = label.size();
    const std::span<const std::uint64_t> seen = scan.visited.local(), never = idle.local();
    mine.resume = static_cast<vertex_id>(first + room);
    scan_meter meter(k_hook);
    for (std::size_t w = 0; w < seen.size(); ++w) {
      const std::uint64_t begin = w * k_word_bits, end = std::min(begin + k_word_bits, room);
      const std::uint64_t reached = seen[w] & ~never[w];
      for (std::uint64_t i = begin; i < end; ++i)
        label[i] = (reached >> (i - begin) & 1) != 0 ? giant : static_cast<vertex_id>(first + i);
      for_each_bit(~seen[w], scan.visited.local_begin() + w, [&](std::uint64_t x) {
        const auto v = static_cast<vertex_id>(x);
        vertex_id root = v;
        const bool has_room = mine.crossing.size() <= room;
        if (!has_room) mine.resume = std::min(mine.resume, v);
        scan(
            meter, v,
            [&](vertex_id n) {
              const vertex_id other = find_root(label, first, n);
              label[std::max(root, other) - first] = std::min(root, other);
              root = std::min(root, other);
            },
            [&](vertex_id n) {
              if (has_room) mine.crossing.push_back({v, n});
            });
      });
    }
    mine.arcs = meter.arcs;
  });
}

/// Joins the blocks of each process (step 3).
template <class Rows>
void labelling<Rows>::link_blocks() {
  on_all_cores([all = rest_scan(), label = elements_of(forest_.labels()), parts = parts_.handle()] {
    const auto scan = all.here();
    core_rest& mine = parts.here();
    scan_meter meter(k_hook);
    meter.arcs = mine.crossing.size();
    for (const root_pair e : mine.crossing) link_roots(label, e.high, e.low);
    mine.crossing = {};
    for_each_rest(scan.visited, mine.resume, [&](vertex_id v) {
      scan(meter, v, [](vertex_id) {}, [&](vertex_id n) { link_roots(label, v, n); });
    });
  });
}

/// Points each own vertex to its root; with several processes, only vertices of the rest.
template <class Rows>
void labelling<Rows>::compress() {
  on_all_cores([all = rest_scan(), labels = forest_.labels()] {
    const auto scan = all.here();
    vertex_id* const label = elements_of(labels);
    const auto jump = [label](vertex_id v) { jump_to_root(label, v); };
    scan_meter meter(k_pass);
    meter.rows = labels.local().size();
    if (scan.is_alone)
      for (std::uint64_t i = 0; i < labels.local().size(); ++i)
        jump(static_cast<vertex_id>(labels.local_begin() + i));
    else
      for_each_rest(scan.visited, 0, jump);
  });
}

template <class Rows>
std::uint64_t labelling<Rows>::rest_arcs() const {
  std::uint64_t arcs = 0;
  for (const std::uint64_t n : collect(parts_.handle(), [](core_rest& p) { return p.arcs; })) arcs += n;
  return arcs;
}

/// Adds all edges of the rest to the open edges. Called only if the search was not cut short, so no edge
/// leads to a reached vertex.
template <class Rows>
void labelling<Rows>::open_rest() {
  on_all_cores([rows = rows_, visited = search_.levels().visited(), forest = forest_.parts()] {
    scan_meter meter(k_hook);
    for_each_rest(visited, 0, [&](vertex_id v) {
      scan_row(meter, rows, v, [&](vertex_id n) {
        if (n < v) forest.here().open.push_back({v, n});
      });
    });
  });
}

/// Proposes the edges of the rest: step 4, first round. Reads them from the rows: a list of them could take
/// more memory than the graph.
template <class Rows>
void labelling<Rows>::propose_edges() {
  on_all_cores([rows = rows_, labels = forest_.labels().freeze(), proposal = forest_.proposals(),
                visited = search_.levels().visited(), forest = forest_.parts()] {
    scan_meter meter(k_hook);
    for_each_rest(visited, 0, [&](vertex_id v) {
      const vertex_id a = labels[v];
      scan_row(meter, rows, v, [&](vertex_id n) {
        const vertex_id b = labels[n];
        const root_pair e = root_pair::of(a, b);
        if (a != b) proposal.async(e.high, hooking::propose{forest, e.high, e.low});
      });
    });
  });
  forest_.labels().thaw();
}

/// Collects the edges that still join different roots, as pairs of roots.
template <class Rows>
void labelling<Rows>::collect_open() {
  on_all_cores([rows = rows_, giant = giant_, labels = forest_.labels().freeze(),
                visited = search_.levels().visited(), forest = forest_.parts()] {
    scan_meter meter(k_hook);
    for_each_rest(visited, 0, [&](vertex_id v) {
      const vertex_id a = labels[labels[v]];
      scan_row(meter, rows, v, [&](vertex_id n) {
        const vertex_id b = labels[labels[n]];
        if (a == b) return;
        // Both ends scan an edge; the one with the larger root adds it. Vertices of the giant do not scan.
        if (a > b || labels[n] == giant) forest.here().open.push_back(root_pair::of(a, b));
      });
    });
  });
  forest_.labels().thaw();
}

/// Joins the trees of processes (step 4).
template <class Rows>
void labelling<Rows>::join_processes(const progress_hook& progress) {
  propose_edges();
  forest_.accept_proposals();
  collect_open();
  forest_.join_in_rounds(progress);

  // All edges are closed: every vertex of the rest, and the giant's root, jumps to its final root.
  const array<vertex_id> label = forest_.labels();
  on_all_cores([visited = search_.levels().visited(), forest = forest_.parts()] {
    for_each_rest(visited, 0, [&](vertex_id v) { forest.here().jumping.push_back(v); });
  });
  label.call(giant_, [forest = forest_.parts(), giant = giant_](vertex_id&) {
    forest.here().jumping.push_back(giant);
  });
  forest_.jump_to_roots();
  const vertex_id root = label.read(giant_);
  if (root == giant_) return;
  on_all_cores([root, giant = giant_, labels = label] { std::ranges::replace(labels.local(), giant, root); });
}

template <class Rows>
void labelling<Rows>::run(const progress_hook& progress) {
  const vertex_id start = search_.levels().max_degree_vertex();
  was_cut_ = search_.run(start, k_search_levels, {}).size() >= k_search_levels;
  find_giant(start);
  union_local_edges();
  report(progress, "components", 1, 0);
  const std::uint64_t arcs = rest_arcs();
  if (arcs == 0) return;
  if (processes() > 1 && !was_cut_ && arcs <= k_few_edges) {
    open_rest();
    return forest_.local_union();
  }
  link_blocks();
  compress();
  if (processes() > 1) join_processes(progress);
}

template <class Rows>
scoped_array<vertex_id> label_components(const graph_view& g, const Rows& rows,
                                         const progress_hook& progress) {
  labelling<Rows> work(g, rows);
  work.run(progress);
  return work.take_labels();
}

}  // namespace

components_result components_of_labels(std::vector<vertex_id> component) {
  components_result r;
  r.component = std::move(component);
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
  return r;
}

scoped_array<vertex_id> component_labels(const graph_view& g, const progress_hook& progress) {
  return with_symmetric_adjacency(g, [&](const auto& rows) { return label_components(g, rows, progress); });
}

components_result connected_components(const graph_view& g, const progress_hook& progress) {
  if (g.vertices == 0) return {};
  const std::uint64_t begin = machine::now_ns();
  const scoped_array<vertex_id> labels = component_labels(g, progress);
  const double seconds = machine::seconds_since(begin);
  components_result r = components_of_labels(copy_of(labels.handle()));
  r.seconds = seconds;
  return r;
}

}  // namespace gossamer::graph
