// Colourings and independent sets, equal to the result of a serial loop.
//
// Algorithm: a vertex waits for its earlier neighbours, then chooses [M. T. Jones, P. E. Plassmann, "A
//   Parallel Graph Coloring Heuristic", SIAM Journal on Scientific Computing 1993; G. E. Blelloch, J. T.
//   Fineman, J. Shun, "Greedy Sequential Maximal Independent Set and Matching are Parallel on Average",
//   SPAA 2012]. Choices are propagated along arcs without barriers (propagate.hpp).
// Encoding: `waits` counts earlier neighbours that have not chosen. A colouring has a bit for each colour of
//   an earlier neighbour. With k earlier neighbours, one of the first k + 1 colours is free.
// Phases: only owners write the data of their vertices; values for other cores are shipped.
#include "gossamer/graph/algorithms/greedy.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/propagate.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

/// The state of a vertex: waiting, or decided.
struct greedy_vertex {
  std::uint64_t key;
  std::uint64_t used;  // index of the first word of its bits of used colours, in the words of its core
  vertex_id before;  // number of earlier neighbours
  vertex_id waits;  // number of earlier neighbours that have not decided
  vertex_id chosen;  // k_no_vertex: not yet
  vertex_id unused;

  greedy_place place(vertex_id v) const { return {key, v}; }
};

/// Sends a vertex's position in the order to its neighbours, which count the earlier ones.
struct send_place {
  array<greedy_vertex> values;
  struct count_before {
    bool operator()(greedy_vertex& mine, vertex_id n, const greedy_place& other) const {
      mine.before += other.is_before(mine.place(n));
      return false;
    }
  };
  [[no_unique_address]] count_before push = {};
  static constexpr bool k_depth_first = true;
  greedy_place offer(vertex_id v, const greedy_vertex& mine) const { return mine.place(v); }
};

/// The decision of a vertex.
struct greedy_choice {
  greedy_place from;
  std::uint64_t chosen;
};

/// Makes a vertex a member if no earlier neighbour is one.
struct choose_members {
  array<greedy_vertex> values;
  struct receive_choice {
    bool operator()(greedy_vertex& mine, vertex_id n, const greedy_choice& other) const {
      if (mine.chosen != k_no_vertex || !other.from.is_before(mine.place(n))) return false;
      if (other.chosen == 1)
        mine.chosen = 0;
      else if (--mine.waits == 0)
        mine.chosen = 1;
      return mine.chosen != k_no_vertex;
    }
  };
  static constexpr vertex_id k_first = 1;  // the decision of a vertex without earlier neighbours
  static constexpr bool k_has_bits = false;
  [[no_unique_address]] receive_choice push = {};
  static constexpr bool k_depth_first = true;
  greedy_choice offer(vertex_id v, const greedy_vertex& mine) const { return {mine.place(v), mine.chosen}; }
};

/// Gives a vertex the smallest colour that no earlier neighbour has.
struct choose_colours {
  array<greedy_vertex> values;
  struct receive_choice {
    per_core<std::vector<std::uint64_t>> bits;
    bool operator()(greedy_vertex& mine, vertex_id n, const greedy_choice& other) const {
      if (!other.from.is_before(mine.place(n))) return false;
      std::uint64_t* const used = bits.here().data() + mine.used;
      const std::uint64_t words = words_of(mine.before);
      if (other.chosen < words * k_word_bits) used[other.chosen / k_word_bits] |= bit_of(other.chosen);
      if (--mine.waits != 0) return false;
      std::uint64_t w = 0;
      while (w < words && ~used[w] == 0) ++w;
      const unsigned free = w < words ? static_cast<unsigned>(std::countr_one(used[w])) : 0;
      mine.chosen = static_cast<vertex_id>(w * k_word_bits + free);
      return true;
    }
  };
  static constexpr vertex_id k_first = 0;
  static constexpr bool k_has_bits = true;
  receive_choice push;
  static constexpr bool k_depth_first = true;
  greedy_choice offer(vertex_id v, const greedy_vertex& mine) const { return {mine.place(v), mine.chosen}; }
};

class greedy_order {
 public:
  explicit greedy_order(const graph_view& g) : rows_{g.out}, go_(g), values_(go_.values<greedy_vertex>()) {}

  /// Computes the position of each vertex, and counts its earlier neighbours.
  template <class Place>
  void begin(Place place) {
    go_.vertex_map(k_pass, values_.handle(),
                   [rows = rows_, place, senders = walk_.senders()](vertex_id v, greedy_vertex& mine) {
                     mine = {place(v, rows.degree(v)).key, 0, 0, 0, k_no_vertex, 0};
                     senders.here().found.push_back(v);
                   });
    walk_.run(rows_, send_place{values_.handle()});
  }

  /// Lets all vertices decide.
  template <class Step>
  std::vector<vertex_id> choose(const Step& step) {
    go_.vertex_map(k_pass, values_.handle(),
                   [senders = walk_.senders(), bits = bits_.handle()](vertex_id v, greedy_vertex& mine) {
                     mine.waits = mine.before;
                     if (mine.waits == 0) {
                       mine.chosen = Step::k_first;
                       senders.here().found.push_back(v);
                     } else if constexpr (Step::k_has_bits) {
                       std::vector<std::uint64_t>& all = bits.here();
                       mine.used = all.size();
                       all.resize(all.size() + words_of(mine.before));
                     }
                   });
    walk_.run(rows_, step);
    scoped_array<vertex_id> chosen = go_.values<vertex_id>();
    on_all_cores([chosen = chosen.handle(), values = values_.handle()] {
      const std::span<const greedy_vertex> own = values.local();
      scan_meter meter(k_pass);
      meter.rows = own.size();
      std::ranges::transform(own, chosen.local().begin(), &greedy_vertex::chosen);
    });
    return copy_of(chosen.handle());
  }

  array<greedy_vertex> values() const { return values_.handle(); }
  per_core<std::vector<std::uint64_t>> bits() const { return bits_.handle(); }

 private:
  directed_adjacency rows_;
  traversal go_;
  scoped_array<greedy_vertex> values_;
  scoped_per_core<std::vector<std::uint64_t>> bits_;
  propagation walk_;
};

void refuse_directed(const graph_view& g, const char* what) {
  if (g.directed) throw error(std::string(what) + ": expected an undirected graph, found a directed one");
}

}  // namespace

colouring_result greedy_colouring(const graph_view& g, const colouring_options& options,
                                  const progress_hook& progress) {
  refuse_directed(g, "colouring");
  if (g.vertices == 0) return {};
  report(progress, "colouring", 0, 0);
  colouring_result r;
  const std::uint64_t begin = machine::now_ns();
  greedy_order order(g);
  order.begin([options](vertex_id v, std::uint64_t degree) { return options.place(v, degree); });
  r.colour = order.choose(choose_colours{order.values(), {order.bits()}});
  r.seconds = machine::seconds_since(begin);
  r.colours = std::uint64_t{*std::ranges::max_element(r.colour)} + 1;
  std::vector<std::uint64_t> sizes(r.colours);
  for (const vertex_id c : r.colour) ++sizes[c];
  r.largest = *std::ranges::max_element(sizes);
  return r;
}

independent_set_result maximal_independent_set(const graph_view& g, const independent_set_options& options,
                                               const progress_hook& progress) {
  refuse_directed(g, "independent-set");
  if (g.vertices == 0) return {};
  report(progress, "independent set", 0, 0);
  independent_set_result r;
  const std::uint64_t begin = machine::now_ns();
  greedy_order order(g);
  order.begin([options](vertex_id v, std::uint64_t) { return options.place(v); });
  r.member = order.choose(choose_members{order.values()});
  r.seconds = machine::seconds_since(begin);
  r.members = std::accumulate(r.member.begin(), r.member.end(), std::uint64_t{0});
  return r;
}

}  // namespace gossamer::graph
