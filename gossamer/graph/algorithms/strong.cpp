// Strongly connected components of a directed graph.
//
// Algorithm:
//   1. Trimming: repeatedly removes vertices without incoming, or without outgoing, arcs. Cores propagate
//      both at once; each vertex is removed by one of them, and processed once. Nothing is left of an
//      acyclic graph.
//   2. A forward and a backward search, from the vertex with the largest product of degrees, intersect in
//      its component: the giant one of most graphs [L. Fleischer, B. Hendrickson, A. Pinar, "On Identifying
//      Strongly Connected Components in Parallel", IPDPS 2000]. The second search visits only vertices that
//      the first has reached. If process 0 may search alone, it does so after searches of many levels are
//      cut short.
//   3. The rest is trimmed as in 1. Process 0 searches the remaining vertices alone if that pays
//      (serial_strong.hpp).
//   4. Otherwise each vertex takes the largest colour that reaches it. A colour is a vertex. Its component
//      is the set of vertices of that colour with a path back to it [S. Orzan, "On Distributed Verification
//      and Verified Distribution", 2004]. Colours are ranked at random, anew in each round. So a round splits
//      a chain of components into chains that are shorter by a constant factor on average: O(log n) rounds.
//      Then step 3 is repeated.
// Encoding: `component` is some vertex of the component, at the end the smallest; k_no_vertex: not found.
//   The meaning of `mark` depends on the step.
// Phases: only owners write their states, except while a search pulls or hops (edge_map.hpp). `open` has a
//   bit for every vertex without a component; it is written between the steps, and frozen while others read
//   it.
#include "gossamer/graph/algorithms/strong.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gossamer/graph/algorithms/internal/serial_strong.hpp"
#include "gossamer/graph/engine/edge_map.hpp"
#include "gossamer/graph/engine/propagate.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_few_arcs = 1 << 18;  // with several processes: searched in process 0
constexpr std::uint64_t k_search_levels = 32;  // deeper graphs, as paths and grids, are searched serially
constexpr std::uint64_t k_tiny_arcs = 1 << 14;  // not worth two searches on all cores
constexpr unsigned k_few_cores = 16;  // in one process: with no more, a serial search is as fast
constexpr scan_cost k_serial{20'000, 6'000};  // of a serial depth-first search

/// A message without contents.
struct nothing {};

/// Removes an incoming or an outgoing arc of a vertex, and the vertex with its last one. The order does not
/// matter: when a vertex loses its last incoming arc, all its predecessors are removed, so none of them waits
/// for it. The same holds for outgoing arcs and successors.
template <vertex_id strong_state::* Arcs>
struct peel {
  array<strong_state> values;
  struct take_arc {
    bool operator()(strong_state& s, vertex_id n, nothing) const {
      if (s.component != k_no_vertex || --(s.*Arcs) != 0) return false;
      s.component = n;
      return true;
    }
  };
  [[no_unique_address]] take_arc push = {};
  static constexpr bool k_depth_first = true;
  nothing offer(vertex_id, const strong_state&) const { return {}; }
};
using peel_forward = peel<&strong_state::mark>;
using peel_backward = peel<&strong_state::leaving>;

/// Propagates the colour of the largest rank. Each round ranks the colours by another injective hash.
struct propagate_colours {
  array<strong_state> values;
  struct take_larger {
    std::uint64_t round;
    std::uint64_t rank(vertex_id colour) const {
      std::uint64_t x = (colour + (round << 32)) *
                        0x9e3779b97f4a7c15ULL;  // each step is invertible: no two ranks are equal
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
      return x ^ (x >> 31);
    }
    bool operator()(strong_state& s, vertex_id, vertex_id colour) const {
      if (s.component != k_no_vertex || s.mark == colour || rank(s.mark) > rank(colour)) return false;
      s.mark = colour;
      return true;
    }
  };
  take_larger push;
  static constexpr bool k_depth_first = false;
  vertex_id offer(vertex_id, const strong_state& s) const { return s.mark; }
};

/// Adds vertices to the component of their colour if they have a path to its vertex.
struct propagate_back {
  array<strong_state> values;
  struct take_own_colour {
    bool operator()(strong_state& s, vertex_id, vertex_id colour) const {
      if (s.component != k_no_vertex || s.mark != colour) return false;
      s.component = colour;
      return true;
    }
  };
  [[no_unique_address]] take_own_colour push = {};
  static constexpr bool k_depth_first = true;
  vertex_id offer(vertex_id, const strong_state& s) const { return s.mark; }
};

/// Marks the vertices of the forward search with 1.
struct reach {
  array<strong_state> values;
  struct take_mark {
    bool operator()(strong_state& s, vertex_id, vertex_id) const {
      return s.component == k_no_vertex && std::exchange(s.mark, vertex_id{1}) == 0;
    }
  };
  [[no_unique_address]] take_mark push = {};
  static constexpr bool k_asks_front = true;
  static constexpr scan_cost k_pull_cost = k_bottom_up;

  vertex_id offer(vertex_id, const strong_state&) const { return 1; }
  template <class Front>
  bool pull(strong_state& s, vertex_id v, Front& front) const {
    if (front.first(v) == k_no_vertex) return false;
    s.mark = 1;
    return true;
  }
  static void correct(strong_state& s, vertex_id) { s.mark = 1; }
};

/// Assigns the component of the start to the marked vertices that the backward search reaches.
struct claim {
  array<strong_state> values;
  vertex_id start;
  struct take_component {
    bool operator()(strong_state& s, vertex_id, vertex_id start) const {
      if (s.component != k_no_vertex || s.mark == 0) return false;
      s.component = start;
      return true;
    }
  };
  [[no_unique_address]] take_component push = {};
  static constexpr bool k_asks_front = true;
  static constexpr scan_cost k_pull_cost = k_bottom_up;

  vertex_id offer(vertex_id, const strong_state&) const { return start; }
  template <class Front>
  bool pull(strong_state& s, vertex_id v, Front& front) const {
    if (front.first(v) == k_no_vertex) return false;
    s.component = start;
    return true;
  }
  static void correct(strong_state& s, vertex_id start) { s.component = start; }
};

/// An arc between remaining vertices.
struct rest_arc {
  vertex_id from, to;
};

class strong_labelling {
 public:
  strong_labelling(const graph_view& g, const strong_options& options)
      : out_{g.out},
        in_{g.in},
        go_(g),
        states_(go_.values<strong_state>()),
        open_(words_of(g.vertices), by_boundaries(grouped_bounds(go_.bounds(), k_word_bits))),
        serial_arcs_(options.serial_arcs.value_or(
            processes() == 1 && cores() <= k_few_cores ? ~std::uint64_t{0} : k_few_arcs)) {}

  void run(const progress_hook& progress);
  std::vector<vertex_id> labels() const;

 private:
  /// Statistics of the open vertices.
  struct open_facts {
    std::uint64_t vertices = 0, arcs = 0, product = 0;
    vertex_id pivot = k_no_vertex;  // with the largest product of degrees
    vertex_id settled = k_no_vertex;  // the smallest vertex that was closed
    void add(const open_facts& other) {
      vertices += other.vertices;
      arcs += other.arcs;
      settled = std::min(settled, other.settled);
      if (pivot == k_no_vertex || other.product > product) pivot = other.pivot, product = other.product;
    }
  };

  void peel_all();
  void peel_rest();
  void peel_from_found();
  open_facts close_settled(bool lists_settled = false);
  bool find_giant(vertex_id pivot, std::uint64_t most_levels, const progress_hook& progress);
  void search_serially(std::uint64_t vertices);
  void search_rows(std::uint64_t vertices);
  void search_arcs();
  void paint_round(std::uint64_t round);
  void take_smallest();

  directed_adjacency out_, in_;
  traversal go_;
  scoped_array<strong_state> states_;
  scoped_array<std::uint64_t> open_;
  propagation forward_, backward_;  // along arcs, and against them
  scoped_per_core<std::vector<vertex_id>> painted_;  // own vertices whose component is named after a colour
  std::uint64_t serial_arcs_;
  std::uint64_t steps_ = 0;  // reported as progress
  vertex_id pivot_ = k_no_vertex,
            giant_ = k_no_vertex;  // the name of the giant component, and its smallest vertex
};

/// Calls f(v) for the own open vertices of a core, ascending.
template <class F>
void for_each_open(const array<std::uint64_t>& open, F f) {
  std::uint64_t w = open.local_begin();
  for (const std::uint64_t word : open.local()) {
    for_each_bit(word, w, [&](std::uint64_t v) { f(static_cast<vertex_id>(v)); });
    ++w;
  }
}

/// Trims vertices that are on no cycle: step 1. Opens the other vertices.
void strong_labelling::peel_all() {
  on_all_cores([in = in_, out = out_, open = open_.handle(), states = states_.handle(),
                n = go_.graph().vertices, forward = forward_.senders(), backward = backward_.senders()] {
    scan_meter meter(k_pass);
    meter.rows = states.local().size();
    auto v = static_cast<vertex_id>(states.local_begin());
    for (strong_state& s : states.local()) {
      s = {k_no_vertex, static_cast<vertex_id>(in.degree(v)), static_cast<vertex_id>(out.degree(v))};
      if (s.mark == 0 || s.leaving == 0) {
        s.component = v;
        (s.mark == 0 ? forward : backward).here().found.push_back(v);
      }
      ++v;
    }
    std::uint64_t first = open.local_begin() * k_word_bits;
    for (std::uint64_t& word : open.local()) {
      word = n - first >= k_word_bits ? ~std::uint64_t{0} : bit_of(n) - 1;
      first += k_word_bits;
    }
  });
  peel_from_found();
}

/// Trims the open vertices again: step 3. Afterwards `leaving` counts the arcs to other open vertices.
void strong_labelling::peel_rest() {
  const std::uint64_t* const bits = open_.freeze().data();
  on_all_cores([in = in_, out = out_, bits, open = open_.handle(), states = states_.handle(),
                forward = forward_.senders(), backward = backward_.senders()] {
    const std::span<strong_state> own = states.local();
    const std::uint64_t begin = states.local_begin();
    scan_meter meter(k_hook);
    const auto count = [&](const directed_adjacency& rows, vertex_id v) {
      vertex_id arcs = 0;
      scan_row(meter, rows, v, [&](vertex_id n) { arcs += test_bit(bits, n); });
      return arcs;
    };
    for_each_open(open, [&](vertex_id v) {
      strong_state& s = own[v - begin];
      s.mark = count(in, v);
      s.leaving = count(out, v);
      if (s.mark != 0 && s.leaving != 0) return;
      s.component = v;
      (s.mark == 0 ? forward : backward).here().found.push_back(v);
    });
  });
  open_.thaw();
  peel_from_found();
}

/// Propagates from the removed vertices in both directions.
void strong_labelling::peel_from_found() {
  propagate_both(forward_, out_, peel_forward{states_.handle()}, backward_, in_,
                 peel_backward{states_.handle()});
}

/// Closes the vertices that have a component, and adds them to `painted_` if requested. Returns statistics of
/// the vertices that stay open.
strong_labelling::open_facts strong_labelling::close_settled(bool lists_settled) {
  return go_.core_reduce<open_facts>([=, out = out_, in = in_, open = open_.handle(),
                                      states = states_.handle(), painted = painted_.handle()] {
    const std::span<const strong_state> own = states.local();
    const std::uint64_t first = states.local_begin();
    open_facts facts;
    scan_meter meter(k_pass);
    std::uint64_t w = open.local_begin();
    for (std::uint64_t& word : open.local()) {
      for_each_bit(word, w++, [&](std::uint64_t x) {
        const auto v = static_cast<vertex_id>(x);
        const strong_state& s = own[v - first];
        ++meter.rows;
        if (s.component != k_no_vertex) {
          word &= ~bit_of(v);
          facts.settled = std::min(facts.settled, v);
          if (lists_settled) painted.here().push_back(v);
          return;
        }
        ++facts.vertices;
        facts.arcs += s.leaving;
        const std::uint64_t product = out.degree(v) * in.degree(v);
        if (facts.pivot == k_no_vertex || product > facts.product) facts.pivot = v, facts.product = product;
      });
    }
    return facts;
  });
}

/// Searches forward and backward from the pivot: step 2. Returns whether its component was found: not if a
/// search has `most_levels` levels or more.
bool strong_labelling::find_giant(vertex_id pivot, std::uint64_t most_levels, const progress_hook& progress) {
  vertex_levels levels(go_, in_);
  scoped_array<std::uint64_t> reached(open_.size(), by_boundaries(grouped_bounds(go_.bounds(), k_word_bits)));
  const auto search = [&](const directed_adjacency& forward, const directed_adjacency& backward,
                          const auto& step, const strong_state& first) {
    levels.start(forward, states_.handle(), pivot, first);
    while (levels.size() > 0) {
      if (levels.sizes().size() >= most_levels) return false;
      edge_map(go_, forward, backward, levels, step);
      report(progress, "strong", ++steps_, 0);
    }
    return true;
  };
  levels.clear([visited = levels.visited(), open = open_.handle(), states = states_.handle()] {
    for (std::size_t w = 0; w < open.local().size(); ++w) visited.local()[w] |= ~open.local()[w];
    const std::uint64_t first = states.local_begin();
    for_each_open(open, [&](vertex_id v) { states.local()[v - first].mark = 0; });
  });
  if (!search(out_, in_, reach{states_.handle()}, {k_no_vertex, 1, 0})) return false;
  on_all_cores([visited = levels.visited(), open = open_.handle(), reached = reached.handle()] {
    for (std::size_t w = 0; w < open.local().size(); ++w)
      reached.local()[w] = visited.local()[w] & open.local()[w];
  });
  levels.clear([visited = levels.visited(), reached = reached.handle()] {
    for (std::size_t w = 0; w < reached.local().size(); ++w) visited.local()[w] |= ~reached.local()[w];
  });
  if (search(in_, out_, claim{states_.handle(), pivot}, {pivot, 1, 0})) {
    pivot_ = pivot;
    return true;
  }
  on_all_cores([open = open_.handle(), states = states_.handle()] {
    const std::uint64_t first = states.local_begin();
    for_each_open(open, [&](vertex_id v) { states.local()[v - first].component = k_no_vertex; });
  });
  return false;
}

/// Searches the remaining vertices depth first, in process 0.
void strong_labelling::search_serially(std::uint64_t vertices) {
  on_all_cores([open = open_.handle(), states = states_.handle()] {
    const std::uint64_t first = states.local_begin();
    for_each_open(open, [&](vertex_id v) { states.local()[v - first].mark = 0; });
  });
  if (processes() == 1)
    search_rows(vertices);
  else
    search_arcs();
}

/// Searches serially if all rows lie in this process.
void strong_labelling::search_rows(std::uint64_t vertices) {
  scan_meter meter(k_serial);
  meter.rows = vertices;
  meter.arcs = settle_serially(out_.rows, elements_of(states_), {elements_of(open_), open_.size()}, vertices);
}

/// Searches serially if several processes have the rows: collects the remaining arcs in process 0, and sends
/// the components to the owners.
void strong_labelling::search_arcs() {
  scoped_per_core<std::vector<rest_arc>> arcs;
  const std::uint64_t* const bits = open_.freeze().data();
  on_all_cores([out = out_, bits, open = open_.handle(), arcs = arcs.handle()] {
    scan_meter meter(k_hook);
    for_each_open(open, [&](vertex_id v) {
      arcs.here().push_back({v, v});  // a vertex without remaining arcs is a component, too
      scan_row(meter, out, v, [&](vertex_id n) {
        if (test_bit(bits, n)) arcs.here().push_back({v, n});
      });
    });
  });
  open_.thaw();
  std::vector<rest_arc> all;  // by their start
  for (const auto& part : collect_spans<rest_arc>(
           arcs.handle(), [](std::vector<rest_arc>& each) { return std::span<const rest_arc>(each); }))
    all.insert(all.end(), part.begin(), part.end());
  std::vector<vertex_id> vertices;
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    if (!vertices.empty() && vertices.back() == all[i].from) continue;
    vertices.push_back(all[i].from);
    offsets.push_back(i);
  }
  offsets.push_back(all.size());
  const auto number = [&](vertex_id v) {
    return static_cast<vertex_id>(std::ranges::lower_bound(vertices, v) - vertices.begin());
  };
  std::vector<vertex_id> targets(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) targets[i] = number(all[i].to);
  std::vector<std::uint64_t> open(words_of(vertices.size()), ~std::uint64_t{0});
  if (vertices.size() % k_word_bits != 0) open.back() = bit_of(vertices.size()) - 1;
  std::vector<strong_state> found(vertices.size(), strong_state{k_no_vertex, 0, 0});
  scan_meter meter(k_serial);
  meter.rows = vertices.size();
  meter.arcs =
      settle_serially(adjacency{offsets.data(), targets.data()}, found.data(), open, vertices.size());
  finish([&] {
    for (std::size_t i = 0; i < vertices.size(); ++i)
      states_.async(vertices[i],
                    [component = vertices[found[i].component]](strong_state& s) { s.component = component; });
  });
}

/// Colours the open vertices, and finds the component of each colour: step 4.
void strong_labelling::paint_round(std::uint64_t round) {
  on_all_cores([open = open_.handle(), states = states_.handle(), senders = forward_.senders()] {
    const std::uint64_t first = states.local_begin();
    for_each_open(open, [&](vertex_id v) {
      states.local()[v - first].mark = v;
      senders.here().found.push_back(v);
    });
  });
  forward_.run(out_, propagate_colours{states_.handle(), {round}});
  on_all_cores([open = open_.handle(), states = states_.handle(), senders = backward_.senders()] {
    const std::uint64_t first = states.local_begin();
    for_each_open(open, [&](vertex_id v) {
      strong_state& s = states.local()[v - first];
      if (s.mark != v) return;
      s.component = v;
      senders.here().found.push_back(v);
    });
  });
  backward_.run(in_, propagate_back{states_.handle()});
}

/// Renames the components that are named after colours: to their smallest vertices.
void strong_labelling::take_smallest() {
  const scoped_array<vertex_id> least = go_.values<vertex_id>();
  on_all_cores([least = least.handle()] { fill(least.local(), k_no_vertex); });
  on_all_cores([least = least.handle(), states = states_.handle(), painted = painted_.handle()] {
    const std::uint64_t first = states.local_begin();
    pass_over(k_pass, painted.here(), [&](vertex_id v) {
      least.async(states.local()[v - first].component,
                  [v](vertex_id& smallest) { smallest = std::min(smallest, v); });
    });
  });
  on_all_cores([least = least.freeze(), states = states_.handle(), painted = painted_.handle()] {
    const std::uint64_t first = states.local_begin();
    pass_over(k_pass, painted.here(), [&](vertex_id v) {
      strong_state& s = states.local()[v - first];
      s.component = least[s.component];
    });
  });
  least.thaw();
}

void strong_labelling::run(const progress_hook& progress) {
  peel_all();
  report(progress, "strong", ++steps_, 0);
  open_facts left = close_settled();
  if (left.vertices == 0) return;
  if (left.arcs <= std::min(k_tiny_arcs, serial_arcs_)) return search_serially(left.vertices);
  if (!find_giant(left.pivot, left.arcs <= serial_arcs_ ? k_search_levels : ~std::uint64_t{0}, progress))
    return search_serially(left.vertices);
  left = close_settled();
  giant_ = left.settled;
  for (std::uint64_t round = 1; left.vertices > 0; ++round) {
    peel_rest();
    left = close_settled();
    if (left.vertices == 0) break;
    if (left.arcs <= serial_arcs_) {
      search_serially(left.vertices);
      break;
    }
    paint_round(round);
    left = close_settled(true);
    report(progress, "strong", ++steps_, 0);
  }
  std::uint64_t painted = 0;
  for (const std::uint64_t n :
       collect(painted_.handle(), [](std::vector<vertex_id>& each) { return std::uint64_t{each.size()}; }))
    painted += n;
  if (painted > 0) take_smallest();
}

std::vector<vertex_id> strong_labelling::labels() const {
  const scoped_array<vertex_id> component = go_.values<vertex_id>();
  on_all_cores(
      [=, pivot = pivot_, giant = giant_, states = states_.handle(), component = component.handle()] {
        const std::span<const strong_state> own = states.local();
        for (std::size_t i = 0; i < own.size(); ++i)
          component.local()[i] = own[i].component == pivot ? giant : own[i].component;
      });
  return copy_of(component.handle());
}

}  // namespace

components_result strong_components(const graph_view& g, const progress_hook& progress,
                                    const strong_options& options) {
  if (!g.directed) return connected_components(g, progress);
  if (g.vertices == 0) return {};
  const std::uint64_t begin = machine::now_ns();
  strong_labelling work(g, options);
  work.run(progress);
  const double seconds = machine::seconds_since(begin);
  components_result r = components_of_labels(work.labels());
  r.seconds = seconds;
  return r;
}

std::vector<vertex_id> sinks_first(const graph_view& g, std::span<const vertex_id> component) {
  // Index of the first member of each component, by the component's name.
  std::vector<vertex_id> begin(g.vertices + 1, 0);
  for (const vertex_id c : component) ++begin[c + 1];
  for (std::size_t c = 0; c < g.vertices; ++c) begin[c + 1] += begin[c];
  std::vector<vertex_id> members(component.size()), at(begin.begin(), begin.end() - 1);
  for (std::size_t v = 0; v < component.size(); ++v) members[at[component[v]]++] = static_cast<vertex_id>(v);

  remote_row_cache rows(g, g.out);
  // Index of the first arc from each vertex to another component.
  std::vector<std::uint64_t> offsets(g.vertices + 1, 0);
  std::vector<vertex_id> targets;
  for (std::size_t v = 0; v < component.size(); ++v) {
    for (const vertex_id n : rows[static_cast<vertex_id>(v)])
      if (component[n] != component[v]) targets.push_back(component[n]);
    offsets[v + 1] = targets.size();
  }

  struct step {
    vertex_id component;
    vertex_id member;  // index in `members`
    std::uint64_t arc;
  };
  std::vector<vertex_id> order;
  std::vector<step> path;
  std::vector<bool> seen(g.vertices);
  const auto enter = [&](vertex_id c) {
    if (seen[c]) return;
    seen[c] = true;
    path.push_back({c, begin[c], offsets[c]});  // its smallest vertex comes first
  };
  for (const vertex_id start : component) {
    enter(start);
    while (!path.empty()) {
      step& now = path.back();
      if (now.arc < offsets[members[now.member] + 1]) {
        enter(targets[now.arc++]);
      } else if (++now.member < begin[now.component + 1]) {
        now.arc = offsets[members[now.member]];
      } else {
        order.push_back(now.component);
        path.pop_back();
      }
    }
  }
  return order;
}

}  // namespace gossamer::graph
