#pragma once
// Breadth-first search from up to 64 sources at once, on all cores: work that the searches share is done once
// [M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T. Vo, "The More the Merrier: Efficient
// Multi-Source Graph Traversal", VLDB 2014].
//
//   Each vertex has two words: `seen` has the sources that reached it, `next` the sources that reach it on the next
//   level. The frontier has the vertices that any source reached on the newest level, with these sources.
//   push:  each vertex of the frontier sends its word along its arcs, and the owner of the target adds the unseen sources. A
//          core handles targets that it owns at once, and ships words for other targets (path 1).
//   pull:  each vertex that some source has not reached reads the words of its neighbours backward, until no source is missing, in
//          chunks that idle cores take (path 2). The words of the frontier are frozen: 8n bytes per level to processes of other nodes.
//   traversal_policy chooses the direction.
//
//   multi_search search(go, forward, backward);
//   search.start(sources, visitor);
//   while (search.size() != 0) search.go_on(visitor);
//
// A Visitor is trivially copyable, and is called at the owner of the vertex:
//
//   void reached(vertex_id v, source_word sources, std::uint64_t level) const;  // level 0 included
//   void end_level(std::uint64_t level) const;  // on every core, after its vertices of that level
//   static constexpr bool k_anywhere = true;    // optional: any core of the process may call it, and
//                                               // end_level() once per level. Then one core advances alone
//                                               // if levels are thin (traversal_policy::alone_arcs)
//
// local_multi_search.hpp lets each core search from a batch of its own, if the rows of all vertices are in
// its process.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/engine/source_words.hpp"
#include "gossamer/graph/engine/traversal.hpp"

namespace gossamer::graph {

/// A source of a search. Several sources may share a bit if the visitor distinguishes them by the reached
/// vertex.
struct search_source {
  vertex_id vertex = 0;  ///< its vertex
  source_word bit = 0;  ///< its bit
};

/// Searches of one graph, one after another. Made by the main fiber; with several processes making one is collective. Takes 24 bytes per
/// vertex, and up to 20 for the frontier.
template <class Rows>
class multi_search {
 public:
  /// Allocates the arrays. `go` must outlive the search.
  multi_search(const traversal& go, const Rows& forward, const Rows& backward)
      : go_(go),
        forward_(forward),
        backward_(backward),
        states_(go.values<reach_words>()),
        front_(go.values<source_word>()) {}

  /// Clears the previous search, and makes the sources level 0. Suspends until all cores are done.
  template <class Visitor>
  void start(std::span<const search_source> sources, const Visitor& visitor);
  /// Advances by one level. Suspends until all cores are done.
  template <class Visitor>
  void go_on(const Visitor& visitor);

  /// Returns the number of vertices of the frontier.
  std::uint64_t size() const { return facts_.found; }
  /// Returns the number of the newest level. If size() is 0, this level is empty.
  std::uint64_t level() const { return level_; }
  /// Returns the sources that reached a vertex on the newest level.
  source_word sources() const { return facts_.sources; }
  /// Returns the first vertex of the frontier, and the sources that reached it there.
  reached_vertex first() const { return facts_.first; }

 private:
  /// The own vertices of a core.
  struct core_lists {
    std::vector<reached_vertex> now;  // the frontier
    std::vector<vertex_id> next;  // being collected by push
  };
  /// Statistics of the newest level.
  struct level_facts {
    std::uint64_t found = 0;  // vertices
    std::uint64_t arcs = 0;  // forward
    std::uint64_t closed = 0;  // backward, of vertices that all sources have reached
    source_word sources = 0;
    reached_vertex first{k_no_vertex, 0};

    void add(const level_facts& other) {
      found += other.found;
      arcs += other.arcs;
      closed += other.closed;
      sources |= other.sources;
      if (other.first.vertex < first.vertex) first = other.first;
    }
  };

  /// Stores at the owner of n which sources reach it.
  static void offer(core_lists& mine, reach_words& state, vertex_id n, source_word sources) {
    const source_word fresh = sources & ~state.seen;
    if (fresh == 0) return;
    if (state.next == 0) mine.next.push_back(n);
    state.next |= fresh;
  }
  /// Handles offer() at the owner, for other cores.
  struct offer_remotely {
    per_core<core_lists> lists;
    vertex_id n;
    source_word sources;
    void operator()(reach_words& state) const { offer(lists.here(), state, n, sources); }
  };

  /// Marks a vertex as reached, and adds it to the statistics. Returns its entry of the frontier.
  static reached_vertex take(const Rows& forward, const Rows& backward, vertex_id v, reach_words& state,
                             source_word all, level_facts& facts) {
    const source_word found = state.next;
    state.seen |= found;
    state.next = 0;
    facts.arcs += forward.degree(v);
    if (state.seen == all) facts.closed += backward.degree(v);
    facts.sources |= found;
    if (v < facts.first.vertex) facts.first = {v, found};
    return {v, found};
  }

  void push() const;
  void pull() const;
  template <class Visitor>
  void go_on_alone(const Visitor& visitor);
  template <class Visitor>
  void advance(bool has_pulled, const Visitor& visitor);

  const traversal& go_;
  Rows forward_, backward_;
  scoped_array<reach_words> states_;
  // Words of the frontier while it is pulled. Stale words of earlier frontiers are harmless: their neighbours
  // have seen those sources.
  scoped_array<source_word> front_;
  scoped_per_core<core_lists> lists_;
  source_word all_ = 0;
  level_facts facts_;
  std::uint64_t level_ = 0;
  std::uint64_t open_arcs_ = 0;  // backward, of vertices that not all sources have reached
};

template <class Rows>
template <class Visitor>
void multi_search<Rows>::start(std::span<const search_source> sources, const Visitor& visitor) {
  on_all_cores([states = states_.handle(), front = front_.handle(), lists = lists_.handle()] {
    fill(states.local(), reach_words{});
    fill(front.local(), source_word{0});
    lists.here().now.clear();
    lists.here().next.clear();
  });
  all_ = 0;
  for (const search_source& s : sources) all_ |= s.bit;
  finish([&] {
    for (const search_source& s : sources)
      states_.async(s.vertex, offer_remotely{lists_.handle(), s.vertex, s.bit});
  });
  level_ = 0;
  open_arcs_ = go_.graph().arcs;
  advance(false, visitor);
}

template <class Rows>
template <class Visitor>
void multi_search<Rows>::go_on(const Visitor& visitor) {
  if constexpr (requires { Visitor::k_anywhere; })
    if (processes() == 1 && facts_.arcs <= go_.policy().alone_arcs) return go_on_alone(visitor);
  const bool pulls =
      go_.policy().pulls_words(facts_.arcs, open_arcs_, go_.graph().vertices, !memory::all_lies_here());
  if (pulls)
    pull();
  else
    push();
  ++level_;
  advance(pulls, visitor);
}

/// Advances by one level on this core alone. It sees the writes of other cores: they wait between levels, and
/// on_all_cores() synchronizes.
template <class Rows>
template <class Visitor>
void multi_search<Rows>::go_on_alone(const Visitor& visitor) {
  const array<reach_words> states = states_.handle();
  reach_words* const words = elements_of(states);
  const per_core<core_lists> lists = lists_.handle();
  core_lists& mine = lists.here();
  scan_meter meter(k_top_down);
  for (core_id c = 0; c < cores(); ++c) {
    for (const reached_vertex& from : lists.at(c).now)
      scan_row(meter, forward_, from.vertex, [&](vertex_id n) { offer(mine, words[n], n, from.sources); });
    lists.at(c).now.clear();
  }
  ++level_;
  facts_ = {};
  for (const vertex_id v : mine.next) {
    const reached_vertex found = take(forward_, backward_, v, words[v], all_, facts_);
    lists.at(states.owner(v)).now.push_back(found);
    visitor.reached(v, found.sources, level_);
  }
  facts_.found = mine.next.size();
  mine.next.clear();
  visitor.end_level(level_);
  open_arcs_ -= std::min(open_arcs_, facts_.closed);
}

/// Sends the words of the frontier along its arcs.
template <class Rows>
void multi_search<Rows>::push() const {
  on_all_cores([g = go_.graph(), rows = forward_, states = states_.handle(), lists = lists_.handle()] {
    const std::span<reach_words> own = states.local();
    const std::uint64_t first = states.local_begin();
    const vertex_range near = vertices_here(g);
    const reach_words* const here = elements_of(states);
    core_lists& mine = lists.here();
    scan_meter meter(k_top_down);
    for (const reached_vertex& from : mine.now)
      scan_row(meter, rows, from.vertex, [&](vertex_id n) {
        if (n - first < own.size()) return offer(mine, own[n - first], n, from.sources);
        // `seen` of other cores' vertices changes between levels only.
        const source_word fresh = near.has(n) ? from.sources & ~here[n].seen : from.sources;
        if (fresh != 0) states.async(n, offer_remotely{lists, n, fresh});
      });
  });
}

/// Lets vertices that some source has not reached read the frontier.
template <class Rows>
void multi_search<Rows>::pull() const {
  on_all_cores([front = front_.handle(), lists = lists_.handle()] {
    const std::span<source_word> own = front.local();
    const std::uint64_t first = front.local_begin();
    pass_over(k_pass, lists.here().now, [&](const reached_vertex& r) { own[r.vertex - first] = r.sources; });
  });
  forall_chunks(go_.blocks(), go_.policy().blocks_per_chunk,
                [rows = backward_, n = go_.graph().vertices, front = front_.freeze().data(),
                 states = elements_of(states_), all = all_](std::uint64_t begin, std::uint64_t end) {
                  scan_meter meter(k_bottom_up);
                  const std::uint64_t last = std::min(end * k_vertex_alignment, n);
                  for (std::uint64_t v = begin * k_vertex_alignment; v < last; ++v) {
                    const source_word missing = all & ~states[v].seen;
                    if (missing == 0) continue;
                    source_word word = 0;
                    ++meter.rows;
                    rows.find(static_cast<vertex_id>(v), meter.arcs, [&](vertex_id u) {
                      word |= front[u];
                      return (word & missing) == missing;
                    });
                    states[v].next = word & missing;
                  }
                });
  front_.thaw();
}

/// Makes the vertices found the frontier, and marks them seen.
template <class Rows>
template <class Visitor>
void multi_search<Rows>::advance(bool has_pulled, const Visitor& visitor) {
  facts_ = go_.template core_reduce<level_facts>([forward = forward_, backward = backward_,
                                                  states = states_.handle(), lists = lists_.handle(),
                                                  all = all_, level = level_, has_pulled, visitor] {
    const std::span<reach_words> own = states.local();
    const std::uint64_t first = states.local_begin();
    core_lists& mine = lists.here();
    mine.now.clear();
    level_facts facts;
    const auto reach = [&](vertex_id v, reach_words& state) {
      const reached_vertex found = take(forward, backward, v, state, all, facts);
      mine.now.push_back(found);
      visitor.reached(v, found.sources, level);
    };
    if (has_pulled) {
      auto v = static_cast<vertex_id>(first);
      pass_over(k_pass, own, [&](reach_words& state) {
        if (state.next != 0) reach(v, state);
        ++v;
      });
    } else {
      pass_over(k_pass, mine.next, [&](vertex_id v) { reach(v, own[v - first]); });
    }
    mine.next.clear();
    facts.found = mine.now.size();
    visitor.end_level(level);
    return facts;
  });
  open_arcs_ -=
      std::min(open_arcs_, facts_.closed);  // in both directions there are more arcs than the graph counts
}

}  // namespace gossamer::graph
