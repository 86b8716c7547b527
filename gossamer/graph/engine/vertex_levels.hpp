#pragma once
// The vertices that a search has reached, level by level. The newest level is the frontier. It is sparse (every core has a list of its
// own vertices) or dense (a bitmap that all cores read). edge_map() (edge_map.hpp) chooses the form, and advances from level to level.
//
//   `visited` has a bit for every vertex of a level that was listed, for vertices without incoming arcs, and
//   for the bits after the last vertex. So a finished word costs one comparison. Between phases its owner
//   writes it. While a level is pulled, the core that executes the chunk does.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/parallel/process_reduction.hpp"
#include "gossamer/parallel/process_rounds.hpp"

namespace gossamer::graph {

/// Maximum number of hops between two barriers (several_hops.hpp).
inline constexpr std::size_t k_most_hops = 48;

/// The state of a core that takes several hops. Used by its core only.
struct core_hops {
  std::array<std::vector<vertex_id>, k_most_hops + 1>
      found;  ///< by hops from the frontier, which is the first list
  std::array<std::uint64_t, k_most_hops + 1> count{};  ///< vertices by hops, except corrected ones
  std::vector<vertex_id> taken;  ///< vertices that the core has expanded
  std::uint64_t corrected = 0;  ///< vertices to which a shorter path was found
  std::uint64_t arcs = 0;  ///< arcs read
  std::size_t at = 0;  ///< hops of the nearest vertices that are not expanded yet
  bool is_going = true;  ///< a fiber expands `found`, or will
  std::function<void()> go_on;  ///< starts such a fiber, for handlers
  vertex_id* level = nullptr;  ///< by vertex
  void* values = nullptr;  ///< the values of the search
  vertex_id base = 0;  ///< level of the frontier
};

/// The levels of searches of one graph, one search after another. Made by the main fiber; with several processes making one is collective.
class vertex_levels {
 public:
  /// Whether each core lists the vertices of all levels, for kernels that return to them.
  enum class keeps : std::uint8_t { frontier, all_levels };

  /// The own vertices of a core: of a sparse frontier, and of the next level.
  struct core_lists {
    std::vector<vertex_id> now;  ///< the frontier
    std::vector<vertex_id> next;  ///< the next level
    std::vector<vertex_id> order;  ///< all levels in sequence, if they are kept
    std::vector<std::uint64_t> begin;  ///< the beginning of each level in `order`, and the end
    std::uint64_t found = 0;  ///< vertices of the newest level on this core, or in the chunks that it handled
    std::uint64_t edges = 0;  ///< estimated arcs of its vertices in the frontier
    std::uint64_t first_block = 0;  ///< its first vertex, in blocks of k_vertex_alignment

    /// Returns the vertices of a level, if all levels are kept.
    std::span<const vertex_id> level(std::size_t l) const {
      return {order.data() + begin[l], order.data() + begin[l + 1]};
    }
  };

  /// Allocates the lists and bitmaps. `backward` has the incoming arcs.
  template <class Rows>
  vertex_levels(const traversal& go, const Rows& backward, keeps what = keeps::frontier)
      : vertices_(go.graph().vertices),
        arcs_(go.graph().arcs),
        keeps_(what),
        visited_(make_bitmap(go)),
        idle_(make_bitmap(go)),
        front_(make_bitmap(go)),
        next_(make_bitmap(go)) {
    mark_idle(go, backward);
  }

  /// Removes all levels, and calls also() on every core.
  template <class F>
  void clear(F also) {
    on_all_cores([visited = visited_.handle(), idle = idle_.handle(), lists = lists_.handle(), also] {
      std::ranges::copy(idle.local(), visited.local().begin());
      core_lists& mine = lists.here();
      mine.now.clear();
      mine.next.clear();
      mine.order.clear();
      mine.begin.assign(2, 0);
      mine.found = mine.edges = 0;
      also();
    });
    if (is_hopping_) forget_hops();
    sizes_.clear();
    size_ = thin_ = 0;
    thin_for_ = 0;
    unexplored_ = arcs_;
    is_dense_ = pulls_ = is_decided_ = false;
  }
  /// Makes `source` the frontier, with `value`. Call it after clear(). Costs a message to its owner and the
  /// answer.
  template <class Rows, class T>
  void start(const Rows& forward, const array<T>& values, vertex_id source, const T& value) {
    edges_ = values.call(source, [forward, visited = visited_.handle(), lists = lists_.handle(), source,
                                  value, keeps_all = keeps_ == keeps::all_levels](T& mine) {
      mine = value;
      core_lists& own = lists.here();
      visited.local()[source / k_word_bits - visited.local_begin()] |= bit_of(source);
      own.now.push_back(source);
      if (keeps_all) {
        own.order.push_back(source);
        own.begin.back() = 1;
      }
      return forward.degree(source);
    });
    size_ = 1;
  }

  /// Returns the number of vertices of the frontier.
  std::uint64_t size() const { return size_; }
  /// Returns the sizes of the levels before the frontier.
  const std::vector<std::uint64_t>& sizes() const { return sizes_; }
  /// Returns the handle to capture: lists().here() are the lists of the executing core.
  per_core<core_lists> lists() const { return lists_.handle(); }
  /// Returns the bitmap of vertices that were reached, or cannot be reached.
  array<std::uint64_t> visited() const { return visited_.handle(); }
  /// Returns the bitmap of vertices without incoming arcs, and of the bits after the last vertex.
  array<std::uint64_t> idle() const { return idle_.handle(); }
  /// Returns a vertex with the most incoming arcs. The graph must have a vertex.
  vertex_id max_degree_vertex() const { return max_degree_vertex_; }

  /// Returns whether edge_map() will pull from the frontier. For kernels that copy values to where they are
  /// pulled.
  bool pulls_next(const traversal& go);

 private:
  template <class Rows, class Step>
  friend class level_map;
  template <class Rows, class Step>
  friend class hop_map;

  struct most_arcs {
    vertex_id vertex = 0;
    std::uint64_t degree = 0;
    void add(const most_arcs& other) {
      if (other.degree > degree) *this = other;
    }
  };
  struct level_statistics {
    std::uint64_t found = 0, edges = 0;
    void add(const level_statistics& other) {
      found += other.found;
      edges += other.edges;
    }
  };

  scoped_array<std::uint64_t> make_bitmap(const traversal& go) const {
    return scoped_array<std::uint64_t>(words_of(vertices_),
                                       by_boundaries(grouped_bounds(go.bounds(), k_word_bits)));
  }
  template <class Rows>
  void mark_idle(const traversal& go, const Rows& backward);
  template <class Rows>
  auto advance_body(const traversal& go, const Rows& forward) const;
  template <class Rows>
  void advance(const traversal& go, const Rows& forward);
  template <class Rows>
  static void list_level(core_lists& mine, const Rows& forward, std::uint64_t sampled, bool keeps_all);
  static level_statistics take_statistics(per_core<core_lists> lists);
  void begin_level(const level_statistics& all);
  auto dense_body() const;
  static bool processes_share_nodes();
  bool freeze_front();
  auto share_body(const graph_view& g, bool asks) const;
  static std::vector<std::uint64_t> blocks_here(const graph_view& g, per_core<core_lists> lists);
  void forget_hops();
  template <class Rows>
  void list_dense(const traversal& go, const Rows& forward, bool is_next);

  std::uint64_t vertices_, arcs_;
  keeps keeps_;
  scoped_array<std::uint64_t> visited_, idle_, front_, next_;
  scoped_per_core<core_lists> lists_;
  scoped_per_process<parallel::process_rounds> rounds_;
  const bool shares_nodes_ = processes_share_nodes();
  vertex_id max_degree_vertex_ = 0;
  std::vector<std::uint64_t> sizes_;
  std::uint64_t size_ = 0, edges_ = 0, unexplored_ = 0;
  bool is_dense_ = false;  // the frontier is the bitmap `front_`
  bool pulls_ = false, is_decided_ = false;

  // Several hops at once.
  scoped_array<vertex_id>
      hop_level_;  // by vertex: 0: visited before; k_no_vertex: not visited. Made at first use
  std::optional<scoped_per_core<core_hops>> hops_;  // made at first use
  std::uint64_t thin_ = 0;  // number of consecutive thin levels
  std::uint64_t thin_for_ = 0;  // how many of them start hops in this search; 0: as in the policy
  std::size_t window_ = 0;  // hops at once
  bool is_hopping_ = false;  // the frontier is core_hops::found[0]
};

/// Marks the vertices that can never be reached, and the bits after the last vertex. Finds the maximum-degree
/// vertex.
template <class Rows>
void vertex_levels::mark_idle(const traversal& go, const Rows& backward) {
  const auto mark = [rows = backward, n = vertices_, idle = idle_.handle(), lists = lists_.handle()] {
    lists.here().first_block = divide_up(idle.local_begin() * k_word_bits, k_vertex_alignment);
    scan_meter meter(k_pass);
    meter.rows = idle.local().size() * k_word_bits;
    std::uint64_t v = idle.local_begin() * k_word_bits;
    most_arcs most;
    for (std::uint64_t& word : idle.local()) {
      const auto bits = static_cast<unsigned>(std::min<std::uint64_t>(k_word_bits, n - std::min(v, n)));
      std::uint64_t with_arcs = 0;  // branch-free, because a branch would be mispredicted
      for (unsigned bit = 0; bit < bits; ++bit) {
        const std::uint64_t degree = rows.degree(static_cast<vertex_id>(v + bit));
        with_arcs |= std::uint64_t{degree != 0} << bit;
        if (degree > most.degree) most = {static_cast<vertex_id>(v + bit), degree};
      }
      word = ~with_arcs;
      v += k_word_bits;
    }
    return most;
  };
  max_degree_vertex_ = go.core_reduce<most_arcs>(mark).vertex;
}

/// Makes the vertices that a core has found its part of the frontier, and estimates their arcs from a sample
/// of degrees.
template <class Rows>
void vertex_levels::list_level(core_lists& mine, const Rows& forward, std::uint64_t sampled, bool keeps_all) {
  std::swap(mine.now, mine.next);
  mine.next.clear();
  if (keeps_all) {
    mine.order.insert(mine.order.end(), mine.now.begin(), mine.now.end());
    mine.begin.push_back(mine.order.size());
  }
  const std::uint64_t step = mine.now.size() / sampled + 1;
  std::uint64_t degrees = 0, count = 0;
  for (std::uint64_t i = 0; i < mine.now.size(); i += step, ++count) degrees += forward.degree(mine.now[i]);
  mine.found = mine.now.size();
  mine.edges = count == 0 ? 0 : degrees * mine.now.size() / count;
}

/// Returns a function that makes the vertices found by a core its part of the frontier, and marks them
/// visited.
template <class Rows>
auto vertex_levels::advance_body(const traversal& go, const Rows& forward) const {
  return [forward, visited = visited_.handle(), lists = lists_.handle(),
          sampled = go.policy().degrees_sampled, keeps_all = keeps_ == keeps::all_levels] {
    core_lists& mine = lists.here();
    const std::span<std::uint64_t> own = visited.local();
    const std::uint64_t first = visited.local_begin();
    pass_over(k_pass, mine.next, [&](vertex_id v) { own[v / k_word_bits - first] |= bit_of(v); });
    list_level(mine, forward, sampled, keeps_all);
  };
}

/// Makes the vertices found the frontier, and marks them visited.
template <class Rows>
void vertex_levels::advance(const traversal& go, const Rows& forward) {
  is_dense_ = false;
  begin_level(reduce_on_all_processes([each = advance_body(go, forward), lists = lists_.handle()] {
    local::on_all_cores(each);
    return take_statistics(lists);
  }));
}

/// Returns a function that converts the frontier of a core into bits.
inline auto vertex_levels::dense_body() const {
  return [front = front_.handle(), lists = lists_.handle()] {
    const std::span<std::uint64_t> own = front.local();
    const std::uint64_t first = front.local_begin();
    std::ranges::fill(own, 0);
    pass_over(k_pass, lists.here().now, [&](vertex_id v) { own[v / k_word_bits - first] |= bit_of(v); });
  };
}

/// Returns whether there are several nodes, and several processes on one of them. Collective if there are
/// several nodes.
inline bool vertex_levels::processes_share_nodes() {
  struct answer {
    bool any = false;
    void add(const answer& other) { any |= other.any; }
  };
  if (memory::all_lies_here()) return false;
  const auto shares = [] {
    answer mine;
    for (unsigned p = 0; p < processes(); ++p) mine.any |= p != process() && memory::lies_here(first_core(p));
    return mine;
  };
  return reduce_on_all_processes(shares).any;
}

/// Copies the bits of all processes to each process, if there are several nodes and several processes on one:
/// each process receives a part for all of its node. Returns whether it did.
inline bool vertex_levels::freeze_front() {
  if (!shares_nodes_) return false;
  if (!is_dense_) on_all_cores(dense_body());
  is_dense_ = true;
  (void)front_.freeze();
  return true;
}

/// Returns a function that makes the frontier dense if `asks`, and copies the bits of other processes. On the
/// first core of every process.
inline auto vertex_levels::share_body(const graph_view& g, bool asks) const {
  return [g, asks, is_dense = is_dense_, lies_here = memory::all_lies_here(), dense = dense_body(),
          bits = elements_of(front_), rounds = rounds_.handle()] {
    if (!asks) return;
    if (!is_dense) local::on_all_cores(dense);
    if (processes() == 1) return;
    if (lies_here) return rounds.here().meet();
    GOSSAMER_ASSERT(g.process_bounds != nullptr, "a graph of one process in a search of several");
    std::vector<std::uint64_t> begins;
    for (unsigned p = 0; p <= processes(); ++p)
      begins.push_back(words_of(g.process_bounds[p]) * sizeof(std::uint64_t));
    rounds.here().all_gather(reinterpret_cast<std::byte*>(bits), begins);
  };
}

/// Returns the boundaries of the blocks of this process's cores.
inline std::vector<std::uint64_t> vertex_levels::blocks_here(const graph_view& g,
                                                             per_core<core_lists> lists) {
  std::vector<std::uint64_t> bounds;
  const core_id first = first_core(process());
  for (core_id c = first; c < first + cores_per_process(); ++c) bounds.push_back(lists.at(c).first_block);
  bounds.push_back(divide_up(own_vertices(g).end, k_vertex_alignment));
  return bounds;
}

/// Lists the vertices of a dense frontier, which are already marked visited.
template <class Rows>
void vertex_levels::list_dense(const traversal& go, const Rows& forward, bool is_next) {
  const auto list = [forward, front = is_next ? next_.handle() : front_.handle(), lists = lists_.handle(),
                     sampled = go.policy().degrees_sampled, keeps_all = keeps_ == keeps::all_levels] {
    core_lists& mine = lists.here();
    std::uint64_t w = front.local_begin();
    mine.next.clear();
    for (std::uint64_t word : front.local())
      for_each_bit(word, w++, [&](std::uint64_t v) { mine.next.push_back(static_cast<vertex_id>(v)); });
    scan_meter meter(k_pass);
    meter.rows = mine.next.size();
    list_level(mine, forward, sampled, keeps_all);
  };
  is_dense_ = false;
  begin_level(reduce_on_all_processes([list, lists = lists_.handle()] {
    local::on_all_cores(list);
    return take_statistics(lists);
  }));
}

/// Returns the summed statistics of the cores of this process, and resets them.
inline vertex_levels::level_statistics vertex_levels::take_statistics(per_core<core_lists> lists) {
  level_statistics all;
  const core_id first = first_core(process());
  for (core_id c = first; c < first + cores_per_process(); ++c) {
    core_lists& one = lists.at(c);
    all.add({std::exchange(one.found, 0), one.edges});
  }
  return all;
}

/// Makes the vertices found by all processes the frontier.
inline void vertex_levels::begin_level(const level_statistics& all) {
  size_ = all.found;
  edges_ = all.edges;
  is_decided_ = false;
}

/// Clears the state of an interrupted search.
inline void vertex_levels::forget_hops() {
  on_all_cores([hops = hops_->handle()] { hops.here() = {}; });
  is_hopping_ = false;
}

inline bool vertex_levels::pulls_next(const traversal& go) {
  if (std::exchange(is_decided_, true)) return pulls_;
  if (is_dense_) return pulls_ = true;
  const traversal_policy& policy = go.policy();
  const std::uint64_t edges = std::min(edges_, unexplored_);
  pulls_ = size_ > 1 &&
           edges > unexplored_ / (memory::all_lies_here() ? policy.pull_over : policy.pull_over_nodes);
  unexplored_ -= edges;
  return pulls_;
}

}  // namespace gossamer::graph
