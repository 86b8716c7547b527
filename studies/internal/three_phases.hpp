#pragma once
// Connected components by searches from many vertices at once.
//
// Algorithm [J. Berry, B. Hendrickson, S. Kahan, P. Konecny, "Software and algorithms for graph queries on
//   multithreaded architectures", IPDPS 2007; with a shared set: B. Holt et al., "Flat combining synchronized
//   global data structures", PGAS 2013, section 5.2]:
//   1. Searches run from many roots at once. Each labels the unlabelled vertices that it reaches by its root.
//      If it reaches a vertex of another label, the pair of labels goes into a hash set of the whole job. The
//      searches are asynchronous: the owner of a vertex visits it at any time. When all searches have ended,
//      the next round begins k_growth times as many, from unlabelled vertices. So few searches label the
//      large components first.
//   2. The pairs are the edges of a small graph of labels. graph::join_pairs() finds its components: on
//      process 0 for up to `few_pairs` pairs, else on all processes in rounds.
//   3. Each label is replaced by the smallest vertex of its component.
// Labels of other cores of the process are read in place. A label never changes once it is set, so a core
// that reads an old one (relaxed) only sends an unnecessary message. A core that reads a label other than its
// own inserts the pair. A core that sends a label does not wait; then the owner inserts the pair. Up to
// k_inserters fibers insert pairs and wait. Or pairs are staged: each core stores its own, each once, and the
// set gets them at the end of the phase. Where two searches meet, the same pair occurs many times. A core
// skips pairs that it has inserted recently (k_recent of them); the set removes the other duplicates.

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "gossamer/combining/hash_map.hpp"
#include "gossamer/graph/algorithms/join_pairs.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "studies/three_phase_components.hpp"

namespace gossamer::studies {

using namespace graph;

/// The labels of two searches that have met.
struct label_pair {
  vertex_id low, high;

  static label_pair of(vertex_id a, vertex_id b) { return {std::min(a, b), std::max(a, b)}; }
  friend bool operator==(const label_pair&, const label_pair&) = default;
};

/// The search in three phases. Collective over all cores; by the main fiber. Rows: directed_adjacency or
/// symmetric_adjacency, with all arcs of a vertex in both directions.
template <class Rows>
class three_phases {
 public:
  three_phases(const graph_view& g, const Rows& rows, const three_phase_options& o);

  void run(const progress_hook& progress);
  std::vector<vertex_id> labels() const { return copy_of(label_.handle()); }

 private:
  static constexpr std::uint64_t k_first_roots = 64, k_growth = 16;  // searches of the first round
  static constexpr unsigned k_inserters = 1024;  // fibers of a core
  static constexpr std::size_t k_recent = 64;  // pairs that a core remembers
  static constexpr std::uint64_t k_prefetched = 512;  // most neighbours whose labels are prefetched
  static constexpr unsigned k_rows_at_once = 64;  // visited before the fiber yields

  class core_part;

  /// Propagates the label of a search to n, at the owner of n. In handlers and in loops over own vertices.
  class propagate {
   public:
    propagate(per_core<core_part> parts, vertex_id n, vertex_id label)
        : parts_(parts), n_(n), label_(label) {}
    void operator()(vertex_id& label) const {
      if (label == k_no_vertex) {
        std::atomic_ref<vertex_id>(label).store(label_, std::memory_order_relaxed);  // one writer
        parts_.here().reached(parts_, n_);
      } else if (label != label_) {
        parts_.here().met(label_pair::of(label, label_));
      }
    }

   private:
    per_core<core_part> parts_;
    vertex_id n_, label_;
  };

  /// The state of one core, used by that core only. The completion of the round counts all that it spawns.
  class core_part {
   public:
    void open(const Rows& rows, const array<vertex_id>& label, vertex_range local,
              const hash_set<label_pair>& pairs, bool staged);
    /// Begins up to `most` searches.
    void begin(per_core<core_part> parts, std::uint64_t most);
    /// Queues vertex n, which was just labelled, for a visit.
    void reached(per_core<core_part> parts, vertex_id n) {
      waiting_.push_back(n);
      if (std::exchange(visiting_, true)) return;
      spawn([this, parts] { visit(parts); });
    }
    void met(const label_pair& pair) {
      label_pair& recent = recent_[combining::table_hash<label_pair>()(pair) % k_recent];
      if (recent == pair) return;
      recent = pair;
      if (staged_) return pairs_.stage(pair);
      pairs_met_.push_back(pair);
      if (inserters_ == k_inserters) return;
      ++inserters_;
      spawn([this] { insert(); });
    }
    bool may_begin() const { return next_ != end_; }

   private:
    void visit(per_core<core_part> parts);
    void insert() {
      while (!pairs_met_.empty()) {
        const label_pair pair = pairs_met_.back();
        pairs_met_.pop_back();
        pairs_.insert(pair);
      }
      --inserters_;
    }
    vertex_id& label_of(vertex_id own) const { return label_.local()[own - first_]; }
    void skip_labelled() {
      while (next_ != end_ && label_of(next_) != k_no_vertex) ++next_;
    }

    Rows rows_;
    array<vertex_id> label_;
    vertex_id* labels_ = nullptr;  // its elements, those of this process
    vertex_range local_;  // vertices of this process
    hash_set<label_pair> pairs_;
    vertex_id first_ = 0, next_ = 0, end_ = 0;  // own vertices; from next_ on some may have no label
    std::vector<vertex_id> waiting_;  // labelled, to be visited
    bool visiting_ = false;
    std::vector<label_pair> pairs_met_;  // to be inserted
    bool staged_ = false;
    unsigned inserters_ = 0;
    std::array<label_pair, k_recent> recent_{};  // initially pairs of equal labels, which never occur
  };

  void propagate_labels(const progress_hook& progress);
  scoped_array<vertex_id> joined_labels(const progress_hook& progress);
  scoped_array<vertex_id> smallest_vertices();
  void replace_labels(scoped_array<vertex_id> by);

  std::uint64_t few_pairs_;
  bool staged_;
  std::vector<std::uint64_t> bounds_;
  scoped_array<vertex_id> label_;
  scoped_hash_set<label_pair> pairs_;
  scoped_per_core<core_part> parts_;
};

template <class Rows>
three_phases<Rows>::three_phases(const graph_view& g, const Rows& rows, const three_phase_options& o)
    : few_pairs_(o.few_pairs),
      staged_(o.staged),
      bounds_(core_bounds(g)),
      label_(g.vertices, by_boundaries(bounds_)),
      pairs_(o.combining) {
  on_all_cores([g, rows, label = label_.handle(), pairs = pairs_.handle(), staged = o.staged,
                parts = parts_.handle()] { parts.here().open(rows, label, own_vertices(g), pairs, staged); });
}

/// Prepares the state of this core. Makes each of its vertices without edges a component.
template <class Rows>
void three_phases<Rows>::core_part::open(const Rows& rows, const array<vertex_id>& label, vertex_range local,
                                         const hash_set<label_pair>& pairs, bool staged) {
  staged_ = staged;
  rows_ = rows;
  label_ = label;
  labels_ = elements_of(label);
  local_ = local;
  pairs_ = pairs;
  const std::span<vertex_id> own = label.local();
  first_ = next_ = static_cast<vertex_id>(label.local_begin());
  end_ = static_cast<vertex_id>(first_ + own.size());
  vertex_id v = first_;
  pass_over(k_pass, own, [&](vertex_id& mine) {
    mine = rows.degree(v) == 0 ? v : k_no_vertex;
    ++v;
  });
  skip_labelled();
}

template <class Rows>
void three_phases<Rows>::core_part::begin(per_core<core_part> parts, std::uint64_t most) {
  for (skip_labelled(); most > 0 && next_ != end_; --most, skip_labelled()) {
    propagate{parts, next_, next_}(label_of(next_));
  }
}

template <class Rows>
void three_phases<Rows>::core_part::visit(per_core<core_part> parts) {
  vertex_id* const labels = labels_;
  const auto local_first = static_cast<vertex_id>(local_.begin),
             local_count = static_cast<vertex_id>(local_.size());
  const vertex_id first = first_, count = end_ - first_;
  for (unsigned turn = 0; !waiting_.empty();) {
    const vertex_id v = waiting_.back();
    waiting_.pop_back();
    const vertex_id label = label_of(v);
    if (rows_.degree(v) <= k_prefetched)
      rows_.for_each(v, [=](vertex_id n) {
        if (n - local_first < local_count) __builtin_prefetch(labels + n);
      });
    scan_meter meter(k_top_down);  // of one row: the loop yields
    scan_row(meter, rows_, v, [&](vertex_id n) {
      vertex_id seen = k_no_vertex;
      if (n - local_first < local_count) seen = std::atomic_ref(labels[n]).load(std::memory_order_relaxed);
      if (seen == label) return;
      if (seen != k_no_vertex)
        met(label_pair::of(seen, label));
      else if (n - first < count)
        propagate{parts, n, label}(labels[n]);
      else
        label_.async(n, propagate{parts, n, label});
    });
    if (++turn % k_rows_at_once == 0) yield();
  }
  visiting_ = false;
}

template <class Rows>
void three_phases<Rows>::propagate_labels(const progress_hook& progress) {
  const auto unlabelled = [&] {  // some may have labels by now, which the next round skips
    const auto left = collect(parts_.handle(), [](core_part& p) { return std::uint64_t{p.may_begin()}; });
    return std::ranges::count(left, 0U) != std::ssize(left);
  };
  for (std::uint64_t roots = k_first_roots, round = 1; unlabelled(); roots *= k_growth, ++round) {
    report(progress, "components", round, 0);
    on_all_cores([roots, parts = parts_.handle()] {
      parts.here().begin(parts, roots * (here() + 1) / cores() - roots * here() / cores());
    });
  }
}

/// Returns, for each label, the smallest label of its component.
template <class Rows>
scoped_array<vertex_id> three_phases<Rows>::joined_labels(const progress_hook& progress) {
  const scoped_per_core<vertex_pairs> met;
  pairs_.for_each(
      [met = met.handle()](const label_pair& pair, auto&) { met.here().emplace_back(pair.high, pair.low); });
  return join_pairs(label_.size(), bounds_, met.handle(), few_pairs_, progress);
}

/// Returns, for each label, the smallest vertex that has it.
template <class Rows>
scoped_array<vertex_id> three_phases<Rows>::smallest_vertices() {
  scoped_array<vertex_id> smallest(label_.size(), by_boundaries(bounds_));
  on_all_cores([smallest = smallest.handle()] {
    std::iota(smallest.local().begin(), smallest.local().end(),
              static_cast<vertex_id>(smallest.local_begin()));
  });
  on_all_cores([label = label_.handle(), smallest = smallest.handle()] {
    auto v = static_cast<vertex_id>(label.local_begin());
    pass_over(k_pass, label.local(), [&](vertex_id c) {
      if (v < c) smallest.async(c, [v](vertex_id& least) { least = std::min(least, v); });
      ++v;
    });
  });
  return smallest;
}

/// Replaces each label by the element of `by` at that index.
template <class Rows>
void three_phases<Rows>::replace_labels(scoped_array<vertex_id> by) {
  on_all_cores([labels = by.freeze(), label = label_.handle()] {
    pass_over(k_pass, label.local(), [&](vertex_id& c) { c = labels[c]; });
  });
  by.thaw();
}

template <class Rows>
void three_phases<Rows>::run(const progress_hook& progress) {
  propagate_labels(progress);
  if (staged_) pairs_.insert_staged();
  replace_labels(joined_labels(progress));
  replace_labels(smallest_vertices());
}

}  // namespace gossamer::studies
