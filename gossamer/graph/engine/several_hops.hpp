#pragma once
// Advances a search by several levels between two barriers, if levels are thin: long paths, roads, grids.
//
// Algorithm: each core expands the nearest vertices that it has, and sends vertices of other cores that it
//   finds. A core may be some hops ahead of another one, and reach a vertex by a path that is not shortest. A
//   shorter path, when it arrives, corrects the level of the vertex, which is then expanded again [the local
//   searches of L. Dhulipala et al. and X. Dong, Y. Gu, Y. Sun, L. Wang, "PASGAL: Parallel And Scalable Graph
//   Algorithm Library", SPAA 2024]. No core expands beyond a window of hops, so corrections stay near the
//   borders between cores. The window is halved if there are many corrections, and doubled if there are few.
// Owners: the cores of a process own its vertices in stripes, round-robin, so that all have work wherever the
//   search is. A stripe has whole words of `visited`. Other cores read a level (relaxed): a stale level costs
//   a useless message.
// Encoding: level[v] is 0 for vertices visited before, k_no_vertex until v is reached.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/graph/engine/vertex_levels.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

/// The owner of each vertex during hops.
class striped_owners {
 public:
  /// Takes the vertices of this process, log2 of the vertices of a stripe, and the first core of the process.
  striped_owners(vertex_range mine, unsigned shift, core_id first)
      : own(mine), shift_(shift), first_(first) {}

  /// Returns the owner of a vertex of this process.
  core_id near(vertex_id v) const { return first_ + turn(v); }
  /// Returns the owner of a vertex of any process; `owner` owns it outside of hops.
  core_id of(vertex_id v, core_id owner) const { return first_core(process_of(owner)) + turn(v); }

  const vertex_range own;  ///< vertices of this process

 private:
  /// Returns the stripe's number modulo the cores, by two multiplications: there are few stripes.
  core_id turn(vertex_id v) const {
    const auto fraction = static_cast<std::uint32_t>(static_cast<std::uint32_t>(v >> shift_) * inverse_);
    return static_cast<core_id>(std::uint64_t{fraction} * cores_ >> 32);
  }

  const unsigned shift_;
  const core_id first_;
  const std::uint32_t cores_ = cores_per_process();
  const std::uint32_t inverse_ = ~std::uint32_t{0} / cores_ + 1;
};

/// The state shared by the fibers of a window. Trivially copyable.
template <class Rows, class Step>
class hop_walk {
 public:
  /// The value of a vertex.
  using value = std::remove_cvref_t<decltype(std::declval<Step>().values.local()[0])>;
  /// What a vertex sends along its arcs.
  using offer = decltype(std::declval<const Step&>().offer(vertex_id{}, std::declval<const value&>()));

  /// Keeps the arguments. Levels count from `base`, the level of the frontier, to base + last.
  hop_walk(const graph_view& g, const Rows& rows, const Step& step, const array<vertex_id>& levels,
           std::uint64_t* visited, per_core<core_hops> hops, unsigned shift, vertex_id base, std::size_t last)
      : graph_(g),
        rows_(rows),
        step_(step),
        level_(elements_of(levels)),
        values_(elements_of(step.values)),
        visited_(visited),
        hops_(hops),
        shift_(shift),
        base_(base),
        last_(last) {}

  /// Expands vertices of this core until none is nearer than the end of the window.
  void go() const;

 private:
  static constexpr std::size_t k_ahead = 4;  // vertices whose rows and levels are prefetched

  void go_from(core_hops& mine, std::size_t i) const;

  /// Removes a vertex from `level`, because a shorter path to it was found.
  static void forget(core_hops& mine, vertex_id level) {
    --mine.count[level - mine.base];
    ++mine.corrected;
  }
  /// Notes that n was reached over i hops, unless a shorter path was found before.
  static void reach(core_hops& mine, vertex_id n, std::size_t i, const offer& offered) {
    vertex_id& level = mine.level[n];
    const auto found = static_cast<vertex_id>(mine.base + i);
    if (found >= level) return;
    if (level != k_no_vertex) forget(mine, level);
    std::atomic_ref<vertex_id>(level).store(found, std::memory_order_relaxed);  // one writer
    ++mine.count[i];
    Step::correct(static_cast<value*>(mine.values)[n], offered);
    mine.found[i].push_back(n);
    mine.at = std::min(mine.at, i);
  }

  /// Handles reach() at the owner of n, for other cores.
  struct reach_remotely {
    per_core<core_hops> hops;
    vertex_id n;
    std::uint32_t i;
    offer offered;
    void operator()() const {
      core_hops& mine = hops.here();
      reach(mine, n, i, offered);
      if (mine.is_going || mine.at > i) return;
      mine.is_going = true;
      spawn([&mine] { mine.go_on(); });
    }
  };

  graph_view graph_;
  Rows rows_;
  Step step_;
  vertex_id* level_;
  value* values_;
  std::uint64_t* visited_;
  per_core<core_hops> hops_;
  unsigned shift_;
  vertex_id base_;
  std::size_t last_;
};

template <class Rows, class Step>
void hop_walk<Rows, Step>::go() const {
  core_hops& mine = hops_.here();
  while (mine.at < last_) {
    const std::size_t i = mine.at;
    if (mine.found[i].empty()) {
      ++mine.at;
      continue;
    }
    mine.taken.swap(mine.found[i]);
    go_from(mine, i);
    mine.taken.clear();
    yield();  // other cores may have found nearer vertices
  }
  mine.is_going = false;
}

/// Expands the taken vertices, which are i hops away.
template <class Rows, class Step>
void hop_walk<Rows, Step>::go_from(core_hops& mine, std::size_t i) const {
  const striped_owners owners{own_vertices(graph_), shift_, first_core(process())};
  const core_id self = here();
  const Rows rows = rows_;
  const std::span<const vertex_id> taken = mine.taken;
  vertex_id* const level = level_;
  value* const values = values_;
  const auto at = static_cast<vertex_id>(base_ + i), next = static_cast<vertex_id>(at + 1);
  std::array<vertex_id, 512> reached;  // own vertices, to be appended to mine.found[i + 1]
  std::size_t count = 0;
  const auto last_row = static_cast<vertex_id>(owners.own.end - 1);
  const auto add_reached = [&] {
    mine.found[i + 1].insert(mine.found[i + 1].end(), reached.begin(), reached.begin() + count);
    mine.count[i + 1] += count;
    count = 0;
  };
  scan_meter meter(k_top_down);
  for (std::size_t k = 0; k < taken.size(); ++k) {
    if (k + 3 * k_ahead < taken.size()) {
      rows.prefetch_degree(taken[k + 3 * k_ahead]);
      rows.prefetch(taken[k + 2 * k_ahead]);
      rows.for_some(taken[k + k_ahead], last_row, [=](vertex_id n) {
        __builtin_prefetch(level + n, 1);
        __builtin_prefetch(values + n, 1);
      });
    }
    const vertex_id v = taken[k];
    if (i > 0) {
      if (level[v] != at) continue;  // corrected by a shorter path
      visited_[v / k_word_bits] |= bit_of(v);
    }
    const offer offered = step_.offer(v, values[v]);
    scan_row(meter, rows, v, [&](vertex_id n) {
      if (!owners.own.has(n)) [[unlikely]] {
        async_on(owners.of(n, step_.values.owner(n)),
                 reach_remotely{hops_, n, static_cast<std::uint32_t>(i + 1), offered});
        return;
      }
      const vertex_id known = std::atomic_ref(level[n]).load(std::memory_order_relaxed);
      if (known <= next) return;
      if (const core_id to = owners.near(n); to != self) [[unlikely]] {
        async_on(to, reach_remotely{hops_, n, static_cast<std::uint32_t>(i + 1), offered});
        return;
      }
      if (known != k_no_vertex) [[unlikely]]
        forget(mine, known);
      std::atomic_ref(level[n]).store(next, std::memory_order_relaxed);  // one writer
      Step::correct(values[n], offered);
      reached[count++] = n;
      if (count == reached.size()) [[unlikely]]
        add_reached();
    });
  }
  add_reached();
  mine.arcs += meter.arcs;
}

/// Advances a search by several hops.
template <class Rows, class Step>
class hop_map {
 public:
  /// Keeps the arguments of edge_map().
  hop_map(const traversal& go, const Rows& forward, vertex_levels& levels, const Step& step)
      : go_(go), forward_(forward), levels_(levels), step_(step) {}

  /// Returns whether the levels are thin enough for hops.
  bool may_go();
  /// Advances by a window of hops, at most `most_levels`.
  void go_on(std::uint64_t most_levels);

 private:
  static constexpr std::size_t k_first_window = 8;

  /// The statistics of a window.
  struct hop_statistics {
    std::array<std::uint64_t, k_most_hops + 1> count;
    std::uint64_t corrected, arcs;
  };

  unsigned shift() const {  // a few stripes for each core
    const std::uint64_t stripe = go_.graph().vertices / (std::uint64_t{cores()} * 8) / k_vertex_alignment;
    return static_cast<unsigned>(std::bit_width(stripe) + std::bit_width(k_vertex_alignment) - 1);
  }
  bool is_thin() const { return levels_.size_ <= go_.policy().thin_vertices * cores(); }
  void begin();
  void end();
  hop_statistics reduce_hop_statistics(std::size_t last);

  const traversal& go_;
  const Rows& forward_;
  vertex_levels& levels_;
  const Step& step_;
};

template <class Rows, class Step>
bool hop_map<Rows, Step>::may_go() {
  if (levels_.is_hopping_) return true;
  if (levels_.is_dense_ || !is_thin()) {
    levels_.thin_ = 0;
    return false;
  }
  if (levels_.thin_for_ == 0) levels_.thin_for_ = go_.policy().thin_levels;
  return levels_.thin_for_ != 0 && ++levels_.thin_ > levels_.thin_for_;
}

/// Moves the frontier to the owners of its vertices during hops, and marks visited vertices.
template <class Rows, class Step>
void hop_map<Rows, Step>::begin() {
  if (!levels_.hops_) {
    levels_.hop_level_ = go_.template values<vertex_id>();
    levels_.hops_.emplace();
  }
  on_all_cores([level = levels_.hop_level_.handle(), visited = elements_of(levels_.visited_),
                values = elements_of(step_.values), base = static_cast<vertex_id>(levels_.sizes_.size()),
                lists = levels_.lists(), hops = levels_.hops_->handle(), g = go_.graph(), shift = shift()] {
    hops.here().level = elements_of(level);
    hops.here().values = values;
    hops.here().base = base;
    auto v = level.local_begin();
    scan_meter meter(k_fill);
    meter.rows = level.local().size();
    for (vertex_id& mine : level.local()) mine = test_bit(visited, v++) ? 0 : k_no_vertex;
    const striped_owners owners{own_vertices(g), shift, first_core(process())};
    for (const vertex_id u : lists.here().now)
      async_on(owners.near(u), [hops, u] { hops.here().found[0].push_back(u); });
    lists.here().now.clear();
  });
  levels_.is_hopping_ = true;
  levels_.window_ = k_first_window;
}

/// Moves the frontier back to the usual owners.
template <class Rows, class Step>
void hop_map<Rows, Step>::end() {
  on_all_cores([values = step_.values, lists = levels_.lists(), hops = levels_.hops_->handle()] {
    for (const vertex_id v : std::exchange(hops.here().found[0], {}))
      async_on(values.owner(v), [lists, v] { lists.here().next.push_back(v); });
  });
  levels_.is_hopping_ = false;
  levels_.thin_ = 0;
  const std::uint64_t unexplored = levels_.unexplored_;
  levels_.advance(go_, forward_);
  levels_.unexplored_ = unexplored;
}

/// Sums the statistics of the cores. The vertices at the end of the window become the frontier.
template <class Rows, class Step>
typename hop_map<Rows, Step>::hop_statistics hop_map<Rows, Step>::reduce_hop_statistics(std::size_t last) {
  hop_statistics all{};
  const auto level_of = elements_of(levels_.hop_level_);
  const auto end = static_cast<vertex_id>(levels_.sizes_.size() - 1 + last);
  const auto visited = elements_of(levels_.visited_);
  for (const hop_statistics& one :
       collect(levels_.hops_->handle(), [level_of, visited, end, last](core_hops& h) {
         const hop_statistics found{h.count, std::exchange(h.corrected, 0), std::exchange(h.arcs, 0)};
         h.count = {};
         h.at = 0;
         h.is_going = true;
         h.base = end;
         h.found[0].clear();
         h.found[0].swap(h.found[last]);
         std::erase_if(h.found[0], [&](vertex_id v) { return level_of[v] != end; });
         for (const vertex_id v : h.found[0]) visited[v / k_word_bits] |= bit_of(v);
         return found;
       })) {
    for (std::size_t i = 0; i <= last; ++i) all.count[i] += one.count[i];
    all.corrected += one.corrected;
    all.arcs += one.arcs;
  }
  return all;
}

template <class Rows, class Step>
void hop_map<Rows, Step>::go_on(std::uint64_t most_levels) {
  if (!levels_.is_hopping_) begin();
  const std::size_t last =
      std::min<std::uint64_t>({levels_.window_, most_levels, go_.policy().most_hops, k_most_hops});
  levels_.sizes_.push_back(levels_.size_);
  const auto base = static_cast<vertex_id>(levels_.sizes_.size() - 1);
  const hop_walk<Rows, Step> walk(go_.graph(), forward_, step_, levels_.hop_level_.handle(),
                                  elements_of(levels_.visited_), levels_.hops_->handle(), shift(), base,
                                  last);
  on_all_cores([walk, hops = levels_.hops_->handle()] {
    hops.here().go_on = [walk] { walk.go(); };
    walk.go();
  });
  const hop_statistics found = reduce_hop_statistics(last);
  std::uint64_t reached = 0;
  for (std::size_t i = 1; i <= last; ++i) reached += found.count[i];
  for (std::size_t i = 1; i < last && found.count[i] > 0; ++i) levels_.sizes_.push_back(found.count[i]);
  levels_.size_ = found.count[last];
  levels_.unexplored_ -= std::min(levels_.unexplored_, found.arcs);
  if (levels_.size_ == 0) return;
  if (found.corrected * 8 > reached)
    levels_.window_ /= 2;
  else if (found.corrected * 32 < reached)
    levels_.window_ = std::min(levels_.window_ * 2, k_most_hops);
  if (levels_.window_ < 2) levels_.thin_for_ *= 4;
  if (levels_.window_ < 2 || !is_thin()) end();
}

}  // namespace gossamer::graph
