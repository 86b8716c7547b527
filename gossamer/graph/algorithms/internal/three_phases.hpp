#pragma once
// Connected components by searches from many vertices at once.
//
// Algorithm [J. Berry, B. Hendrickson, S. Kahan, P. Konecny, "Software and algorithms for graph queries on
//   multithreaded architectures", IPDPS 2007; with a shared set: B. Holt et al., "Flat combining synchronized
//   global data structures", PGAS 2013, section 5.2]:
//   1. Searches run from many roots at once and colour what they reach first by their root. Where one comes
//      to a vertex of another colour, the pair of colours goes into a hash set of the whole job. Nothing is
//      in step: a vertex is visited when its owner has time. When all searches have ended, the next round
//      begins k_growth times as many, from vertices that none has reached: the large components go first, by
//      few colours.
//   2. The pairs are the edges of a small graph of colours, whose components hooking.hpp finds: process 0 by
//      itself up to `few_pairs` of them, above that all processes in rounds.
//   3. Each colour is replaced by the smallest vertex of its component.
// Vertices of other cores of the process are read in place. A colour never changes once it is set, so a
// core that reads an old one (relaxed) only sends a message in vain. A core that sees another colour than its
// own inserts the pair. A core that sends a colour does not wait for it, so then the owner inserts the pair.
// Pairs are inserted by up to k_inserters fibers, which wait. The same pairs come again and again where two
// searches meet: those that a core has inserted a moment ago it leaves out (k_recent of them), the rest is
// the set's to find equal.

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "gossamer/combining/hash_map.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/internal/direction_optimising.hpp"
#include "gossamer/graph/algorithms/internal/hooking.hpp"
#include "gossamer/graph/distributed/internal/partition.hpp"

namespace gossamer::graph {

/// Two colours that have met.
struct colour_pair {
  vertex_id low, high;

  static colour_pair of(vertex_id a, vertex_id b) { return {std::min(a, b), std::max(a, b)}; }
  edge joins() const { return {high, low}; }
  friend bool operator==(const colour_pair&, const colour_pair&) = default;
};

/// Collective over all cores; main fiber. Rows: one_way or both_ways, all arcs of a vertex whatever their
/// direction.
template <class Rows>
class three_phases {
 public:
  three_phases(const graph_view& g, const Rows& rows, const components_options& o);

  void run(const progress_hook& progress);
  std::vector<vertex_id> labels() const { return copy_of(colour_.handle()); }

 private:
  static constexpr std::uint64_t k_first_roots = 64, k_growth = 16;  // searches of the first round
  static constexpr unsigned k_inserters = 1024;  // fibers of a core
  static constexpr std::size_t k_recent = 64;  // pairs that a core remembers
  static constexpr std::uint64_t k_prefetched =
      512;  // neighbours whose colours are fetched before they are looked at
  static constexpr unsigned k_rows_at_once = 64;  // visited before others take turns

  class core_part;

  /// A search shows n its colour, at n's owner. In handlers and in loops over own vertices.
  class show {
   public:
    show(per_core<core_part> parts, vertex_id n, vertex_id colour)
        : parts_(parts), n_(n), not_hue_(~colour) {}
    void operator()(vertex_id& colour) const {
      const auto shown = static_cast<vertex_id>(~not_hue_);
      if (colour == k_no_vertex) {
        std::atomic_ref<vertex_id>(colour).store(shown, std::memory_order_relaxed);  // one writer
        parts_.here().reached(parts_, n_);
      } else if (colour != shown) {
        parts_.here().met(colour_pair::of(colour, shown));
      }
    }

   private:
    per_core<core_part> parts_;
    vertex_id n_, not_hue_;
  };

  /// One core's. Owner only; everything that it spawns is counted by the round.
  class core_part {
   public:
    void open(const Rows& rows, const array<vertex_id>& colour, vertex_range near,
              const hash_set<colour_pair>& pairs);
    /// Begins up to `most` searches.
    void begin(per_core<core_part> parts, std::uint64_t most);
    /// Vertex n has just got its colour: it will be visited.
    void reached(per_core<core_part> parts, vertex_id n) {
      waiting_.push_back(n);
      if (std::exchange(visiting_, true)) return;
      spawn([this, parts] { visit(parts); });
    }
    void met(const colour_pair& pair) {
      colour_pair& recent = recent_[combining::table_hash<colour_pair>()(pair) % k_recent];
      if (recent == pair) return;
      recent = pair;
      pairs_met_.push_back(pair);
      if (inserters_ == k_inserters) return;
      ++inserters_;
      spawn([this] { insert(); });
    }
    bool may_begin() const { return next_ != end_; }
    const std::vector<vertex_id>& roots() const { return roots_; }

   private:
    void visit(per_core<core_part> parts);
    void insert() {
      while (!pairs_met_.empty()) {
        const colour_pair pair = pairs_met_.back();
        pairs_met_.pop_back();
        pairs_.insert(pair);
      }
      --inserters_;
    }
    vertex_id& colour_of(vertex_id own) const { return colour_.local()[own - first_]; }
    void skip_coloured() {
      while (next_ != end_ && colour_of(next_) != k_no_vertex) ++next_;
    }

    Rows rows_;
    array<vertex_id> colour_;
    vertex_id* colours_ = nullptr;  // its elements, those of this process
    vertex_range near_;  // vertices of this process
    hash_set<colour_pair> pairs_;
    vertex_id first_ = 0, next_ = 0, end_ = 0;  // own vertices; from next_ on some may have no colour
    std::vector<vertex_id> roots_;  // that searches have begun from here
    std::vector<vertex_id> waiting_;  // coloured, to be visited
    bool visiting_ = false;
    std::vector<colour_pair> pairs_met_;  // to be inserted
    unsigned inserters_ = 0;
    std::array<colour_pair, k_recent> recent_{};  // a pair of equal colours is none
  };

  void colour_all(const progress_hook& progress);
  void join_colours(const progress_hook& progress);
  void replace_colours();
  void find_smallest();

  std::uint64_t few_pairs_;
  std::vector<std::uint64_t> bounds_;
  scoped_array<vertex_id> colour_;
  hooking forest_;  // over the colours; other vertices stay by themselves
  scoped_hash_set<colour_pair> pairs_;
  scoped_per_core<core_part> parts_;
};

template <class Rows>
three_phases<Rows>::three_phases(const graph_view& g, const Rows& rows, const components_options& o)
    : few_pairs_(o.few_pairs),
      bounds_(core_bounds(g)),
      colour_(g.vertices, by_boundaries(bounds_)),
      forest_(g.vertices, bounds_),
      pairs_(o.combining) {
  on_all_cores([g, rows, colour = colour_.handle(), pairs = pairs_.handle(), parts = parts_.handle()] {
    parts.here().open(rows, colour, own_vertices(g), pairs);
  });
}

/// Vertices without edges are components of their own.
template <class Rows>
void three_phases<Rows>::core_part::open(const Rows& rows, const array<vertex_id>& colour, vertex_range near,
                                         const hash_set<colour_pair>& pairs) {
  rows_ = rows;
  colour_ = colour;
  colours_ = elements_of(colour);
  near_ = near;
  pairs_ = pairs;
  const std::span<vertex_id> own = colour.local();
  first_ = next_ = static_cast<vertex_id>(colour.local_begin());
  end_ = static_cast<vertex_id>(first_ + own.size());
  scanned(k_pass, own.size());
  for (vertex_id v = first_; v < end_; ++v) own[v - first_] = rows.degree(v) == 0 ? v : k_no_vertex;
  skip_coloured();
}

template <class Rows>
void three_phases<Rows>::core_part::begin(per_core<core_part> parts, std::uint64_t most) {
  for (skip_coloured(); most > 0 && next_ != end_; --most, skip_coloured()) {
    roots_.push_back(next_);
    show{parts, next_, next_}(colour_of(next_));
  }
}

template <class Rows>
void three_phases<Rows>::core_part::visit(per_core<core_part> parts) {
  vertex_id* const colours = colours_;
  const auto near_first = static_cast<vertex_id>(near_.begin),
             near_count = static_cast<vertex_id>(near_.size());
  const vertex_id first = first_, count = end_ - first_;
  for (unsigned turn = 0; !waiting_.empty();) {
    const vertex_id v = waiting_.back();
    waiting_.pop_back();
    const vertex_id hue = colour_of(v);
    const std::uint64_t degree = rows_.degree(v);
    scanned(k_top_down, 1, degree);
    if (degree <= k_prefetched)
      rows_.for_each(v, [=](vertex_id n) {
        if (n - near_first < near_count) __builtin_prefetch(colours + n);
      });
    rows_.for_each(v, [&](vertex_id n) {
      vertex_id seen = k_no_vertex;
      if (n - near_first < near_count) seen = std::atomic_ref(colours[n]).load(std::memory_order_relaxed);
      if (seen == hue) return;
      if (seen != k_no_vertex)
        met(colour_pair::of(seen, hue));
      else if (n - first < count)
        show{parts, n, hue}(colours[n]);
      else
        colour_.async(n, show{parts, n, hue});
    });
    if (++turn % k_rows_at_once == 0) yield();
  }
  visiting_ = false;
}

template <class Rows>
void three_phases<Rows>::colour_all(const progress_hook& progress) {
  const auto uncoloured = [&] {  // or perhaps coloured by others since: the next round will see
    const auto left = collect(parts_.handle(), [](core_part& p) { return std::uint64_t{p.may_begin()}; });
    return std::ranges::count(left, 0U) != std::ssize(left);
  };
  for (std::uint64_t roots = k_first_roots, round = 1; uncoloured(); roots *= k_growth, ++round) {
    report(progress, "components", round, 0);
    on_all_cores([roots, parts = parts_.handle()] {
      parts.here().begin(parts, roots * (here() + 1) / cores() - roots * here() / cores());
    });
  }
}

/// Labels of colours point to the smallest colour of their component.
template <class Rows>
void three_phases<Rows>::join_colours(const progress_hook& progress) {
  on_all_cores([labels = forest_.labels()] {
    std::iota(labels.local().begin(), labels.local().end(), static_cast<vertex_id>(labels.local_begin()));
  });
  pairs_.for_each([forest = forest_.parts()](const colour_pair& pair, auto&) {
    forest.here().open.push_back(pair.joins());
  });
  const std::uint64_t edges = forest_.open_edges();
  if (edges == 0) return;
  report(progress, "components", 1, 0);
  if (edges <= few_pairs_) return forest_.join_here();
  forest_.join_in_rounds(progress);
  on_all_cores(
      [parts = parts_.handle(), forest = forest_.parts()] { forest.here().jumping = parts.here().roots(); });
  forest_.jump_to_roots();
}

template <class Rows>
void three_phases<Rows>::replace_colours() {
  on_all_cores([labels = forest_.labels().freeze(), colour = colour_.handle()] {
    scanned(k_pass, colour.local().size());
    for (vertex_id& c : colour.local()) c = labels[c];
  });
  forest_.labels().thaw();
}

/// Gives the smallest colour of each component the smallest vertex of it as its label.
template <class Rows>
void three_phases<Rows>::find_smallest() {
  on_all_cores([colour = colour_.handle(), proposal = forest_.proposals(), forest = forest_.parts()] {
    auto v = static_cast<vertex_id>(colour.local_begin());
    scanned(k_pass, colour.local().size());
    for (vertex_id c : colour.local()) {
      if (v < c) proposal.async(c, hooking::propose{forest, c, v});
      ++v;
    }
  });
  forest_.take_proposals();
}

template <class Rows>
void three_phases<Rows>::run(const progress_hook& progress) {
  colour_all(progress);
  join_colours(progress);
  replace_colours();
  find_smallest();
  replace_colours();
}

}  // namespace gossamer::graph
