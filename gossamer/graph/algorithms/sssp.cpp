// Shortest paths by delta-stepping.
//
// Algorithm: vertices lie in buckets of width delta by the shortest length known. The first bucket is
//   processed until it stays empty: all arcs of its vertices are relaxed. Then comes the next bucket [U.
//   Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. of Algorithms 2003].
//   Arcs are not divided into light and heavy ones. The cores of a process share the vertices of the bucket.
//   Each core processes the vertices that it adds to the bucket itself, without a barrier [Y. Zhang et al.,
//   "Optimizing ordered graph algorithms with GraphIt", CGO 2020].
// Encoding: a length for each vertex at its owner, of 32 bits if no path can exceed them; the largest value
//   means not reached. An entry of a bucket is stale if its length is not that of the vertex any more. Sums
//   of doubles are rounded, and do not decrease along a path. So any order of relaxing ends with the
//   minimum over the sums of all paths.
// Phases: the cores of the process that owns a vertex write its length, which only decreases. Paths to
//   other processes are shipped. Processes that share memory first read the length there. They see it or an
//   earlier, longer one, so no update is lost, and most arcs ship nothing.
#include "gossamer/graph/algorithms/sssp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/bucket_queue.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

struct shortest_paths::state {
  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  virtual ~state() = default;

  virtual sssp_result run(vertex_id source, const progress_hook& progress) = 0;
  virtual path_lengths lengths() const = 0;
  virtual std::vector<vertex_id> parents() const = 0;
};

namespace {

// The weights of arcs: stored beside the rows, or 1 for each.
template <class Weight>
struct weights_in_place {
  const Weight* all;
  explicit weights_in_place(const adjacency& rows) : all(rows.weights_as<Weight>()) {}
  Weight operator[](std::uint64_t arc) const { return all[arc]; }
  void prefetch(std::uint64_t arc) const { __builtin_prefetch(&all[arc]); }
};
struct ones {
  explicit ones(const adjacency&) {}
  std::uint32_t operator[](std::uint64_t) const { return 1; }
  void prefetch(std::uint64_t) const {}
};

// The length of an unreached vertex.
template <class Length>
inline constexpr Length k_far = std::numeric_limits<Length>::max();
template <>
inline constexpr double k_far<double> = std::numeric_limits<double>::infinity();

/// Reads a length that another core may be writing. Relaxed order suffices, as in shorten(): no other data
/// depend on it, and it only decreases.
template <class Length>
Length seen(const Length& at) {
  return std::atomic_ref<Length>(const_cast<Length&>(at)).load(std::memory_order_relaxed);
}
/// Stores a length if it is less than the known one. Returns whether it was. `alone`: no other core of this
/// process writes. Then it uses no locked instruction, which would wait for all earlier loads.
template <class Length>
bool shorten(Length& at, Length to, bool alone) {
  const std::atomic_ref<Length> length(at);
  Length known = length.load(std::memory_order_relaxed);
  if (alone) {
    if (to < known) length.store(to, std::memory_order_relaxed);
    return to < known;
  }
  while (to < known)
    if (length.compare_exchange_weak(known, to, std::memory_order_relaxed)) return true;
  return false;
}

struct search_sums {
  std::uint64_t reached = 0, edges = 0;
  double farthest = 0;
  void add(const search_sums& other) {
    reached += other.reached;
    edges += other.edges;
    farthest = std::max(farthest, other.farthest);
  }
};
struct any_of_cores {
  bool any = false;
  void add(const any_of_cores& other) { any |= other.any; }
};

/// Returns from how many cores of its process a core takes entries: from all. In a simulation only from
/// itself: the first core would take all entries before the others begin.
unsigned helped_cores() { return machine::simulated() != nullptr ? 1 : local::cores(); }

template <class Weights, class Length>
class delta_stepping final : public shortest_paths::state {
 public:
  using buckets = core_buckets<Length>;
  static constexpr std::uint64_t k_ends_fetched = 8;  // targets of a row whose lengths are prefetched

  delta_stepping(const graph_view& g, const bucket_width<Length>& width)
      : go_(g), width_(width), length_(go_.values<Length>()) {}

  sssp_result run(vertex_id source, const progress_hook& progress) override;
  path_lengths lengths() const override;
  std::vector<vertex_id> parents() const override;

 private:
  // Shortens the length of a vertex, at its owner.
  struct relax {
    per_core<buckets> queue;
    vertex_id vertex;
    Length length;
    void operator()(Length& known) const {
      if (shorten(known, length, local::cores() == 1)) queue.here().deliver(length, vertex);
    }
  };

  static void fetch(std::span<const typename buckets::entry> some, const adjacency& rows,
                    const Length* length);
  void step(std::uint64_t bucket) const;
  bool has_boundless_path() const;
  search_sums sums() const;

  traversal go_;
  bucket_width<Length> width_;
  scoped_array<Length> length_;
  bucket_queue<Length> queue_;
  scoped_per_core<bool> overflows_;
  vertex_id source_ = k_no_vertex;
};

/// Prefetches the data of some entries: first the offsets of their rows, then the rows, then the lengths of
/// their first targets. The cache misses of each of the three steps overlap.
template <class Weights, class Length>
void delta_stepping<Weights, Length>::fetch(std::span<const typename buckets::entry> some,
                                            const adjacency& rows, const Length* length) {
  for (const auto& e : some) {
    __builtin_prefetch(&rows.offsets[e.vertex]);
    __builtin_prefetch(&length[e.vertex]);
  }
  for (const auto& e : some) {
    __builtin_prefetch(&rows.targets[rows.offsets[e.vertex]]);
    Weights(rows).prefetch(rows.offsets[e.vertex]);
  }
  for (const auto& e : some) {
    const std::uint64_t begin = rows.offsets[e.vertex];
    const std::uint64_t end = std::min(rows.offsets[e.vertex + 1], begin + k_ends_fetched);
    for (std::uint64_t i = begin; i < end; ++i) __builtin_prefetch(&length[rows.targets[i]]);
  }
}

/// Empties a bucket on all cores. Relaxations on other cores may add entries to it meanwhile.
template <class Weights, class Length>
void delta_stepping<Weights, Length>::step(std::uint64_t bucket) const {
  on_all_cores([bucket, g = go_.graph(), length = length_.handle(), all = elements_of(length_.handle()),
                queue = queue_.buckets(), overflows = overflows_.handle()] {
    const adjacency& rows = g.out;
    // The vertices of this process, and those whose lengths it can read in place.
    const vertex_range own = own_vertices(g), in_place = vertices_here(g);
    const Weights weights(rows);
    buckets& mine = queue.here();
    const bool alone = local::cores() == 1;
    bool overflow = false;
    scan_meter meter(k_push);
    const auto relax_arcs = [&](const typename buckets::entry& e) {
      if (seen(all[e.vertex]) != e.value) return;
      ++meter.rows;
      meter.arcs += rows.degree(e.vertex);
      for (std::uint64_t i = rows.offsets[e.vertex]; i < rows.offsets[e.vertex + 1]; ++i) {
        const vertex_id n = rows.targets[i];
        const Length to = e.value + weights[i];
        if constexpr (std::is_same_v<Length, double>) overflow |= !(to < k_far<Length>);
        if (own.has(n)) {
          if (shorten(all[n], to, alone)) mine.put(to, n);
        } else if (!in_place.has(n) || to < seen(all[n])) {
          length.async(n, relax{queue, n, to});
        }
      }
    };
    const auto process_entries = [&](std::span<const typename buckets::entry> some) {
      fetch(some, rows, all);
      for (const auto& e : some) relax_arcs(e);
      return !some.empty();
    };
    mine.open(bucket);
    for (unsigned k = 0; k < helped_cores(); ++k) {
      const core_id c = first_core(process()) + (local::here() + k) % local::cores();
      while (process_entries(queue.address(c)->claim(bucket))) {}
    }
    std::array<typename buckets::entry, buckets::k_most_entries> space;
    while (process_entries(mine.take(space))) {}
    if (overflow) overflows.here() = true;
  });
}

/// Returns whether every path to some vertex has a length that overflows: the vertex is unreached, and a
/// vertex with an arc to it is reached.
template <class Weights, class Length>
bool delta_stepping<Weights, Length>::has_boundless_path() const {
  const frozen<Length> length = length_.handle().freeze();
  const auto found =
      go_.core_reduce<any_of_cores>([rows = adjacency(go_.graph().in), length, own = length_.handle()] {
        any_of_cores mine;
        scan_meter meter(k_pull);
        auto v = static_cast<vertex_id>(own.local_begin());
        for (const Length at : own.local()) {
          if (at == k_far<Length>)
            for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i, ++meter.arcs)
              mine.any |= length[rows.targets[i]] != k_far<Length>;
          ++meter.rows;
          ++v;
        }
        return mine;
      });
  length_.handle().thaw();
  return found.any;
}

template <class Weights, class Length>
search_sums delta_stepping<Weights, Length>::sums() const {
  return go_.core_reduce<search_sums>([rows = adjacency(go_.graph().out), length = length_.handle()] {
    search_sums mine;
    auto v = static_cast<vertex_id>(length.local_begin());
    pass_over(k_pass, length.local(), [&](Length at) {
      if (at != k_far<Length>) mine.add({1, rows.degree(v), static_cast<double>(at)});
      ++v;
    });
    return mine;
  });
}

template <class Weights, class Length>
sssp_result delta_stepping<Weights, Length>::run(vertex_id source, const progress_hook& progress) {
  sssp_result r;
  r.source = source_ = source;
  const std::uint64_t begin = machine::now_ns();
  on_all_cores([length = length_.handle(), overflows = overflows_.handle()] {
    fill(length.local(), k_far<Length>);
    overflows.here() = false;
  });
  queue_.clear(width_);
  finish([&] { length_.handle().async(source, relax{queue_.buckets(), source, Length{0}}); });
  for (std::uint64_t b; (b = queue_.settle()) != k_no_bucket;) {
    step(b);
    report(progress, "sssp", ++r.steps, 0);
  }
  r.seconds = machine::seconds_since(begin);
  if (std::is_same_v<Length, double> &&
      go_.core_reduce<any_of_cores>([o = overflows_.handle()] { return any_of_cores{o.here()}; }).any &&
      has_boundless_path())
    throw error("sssp: the length of a path exceeds what a double holds");
  const search_sums all = sums();
  r.reached = all.reached;
  r.edges = go_.graph().directed ? all.edges : all.edges / 2;
  r.farthest = all.farthest;
  return r;
}

template <class Weights, class Length>
path_lengths delta_stepping<Weights, Length>::lengths() const {
  if constexpr (std::is_same_v<Length, double>) {
    return copy_of(length_.handle());
  } else {
    const std::vector<Length> narrow = copy_of(length_.handle());
    std::vector<std::uint64_t> all(narrow.size());
    std::ranges::transform(narrow, all.begin(),
                           [](Length at) { return at == k_far<Length> ? k_unreached : std::uint64_t{at}; });
    return all;
  }
}

// Parents ----------------------------------------------------------------------------------------------

// Numbers of reached vertices whose parent is known, and whose parent is missing.
struct parent_sums {
  std::uint64_t found = 0, missing = 0;
  void add(const parent_sums& other) {
    found += other.found;
    missing += other.missing;
  }
};

/// Sets the parent of each vertex to the smallest neighbour that precedes it on a shortest path. A neighbour
/// at the same distance (by an arc of length 0) is taken only after it has a parent, so there are no cycles.
template <class Weights, class Length>
std::vector<vertex_id> delta_stepping<Weights, Length>::parents() const {
  const scoped_array<vertex_id> parent = go_.values<vertex_id>();
  go_.vertex_map(k_fill, parent.handle(),
                 [source = source_](vertex_id v, vertex_id& p) { p = v == source ? v : k_no_vertex; });
  const frozen<Length> length = length_.handle().freeze();
  const auto adopt = [&](auto may_come_from) {
    return go_.core_reduce<parent_sums>([rows = adjacency(go_.graph().in), length, parent = parent.handle(),
                                         may_come_from] {
      const Weights weights(rows);
      parent_sums sums;
      scan_meter meter(k_pull);
      auto v = static_cast<vertex_id>(parent.local_begin());
      for (vertex_id& p : parent.local()) {
        const Length at = length[v];
        for (std::uint64_t i = rows.offsets[v]; p == k_no_vertex && i < rows.offsets[v + 1]; ++i) {
          const vertex_id u = rows.targets[i];
          ++meter.arcs;
          if (length[u] != k_far<Length> && length[u] + weights[i] == at && may_come_from(u, length[u] < at))
            p = u;
        }
        sums.add({p != k_no_vertex, at != k_far<Length> && p == k_no_vertex});
        ++meter.rows;
        ++v;
      }
      return sums;
    });
  };
  parent_sums now = adopt([](vertex_id, bool is_nearer) { return is_nearer; });
  while (now.missing != 0) {
    const scoped_array<vertex_id> before = go_.values<vertex_id>();
    on_all_cores([from = parent.handle(), to = before.handle()] {
      std::ranges::copy(from.local(), to.local().begin());
    });
    const frozen<vertex_id> known = before.handle().freeze();
    const std::uint64_t found = now.found;
    now = adopt([known](vertex_id u, bool) { return known[u] != k_no_vertex; });
    before.handle().thaw();
    if (now.found == found)  // a file of rows that do not belong together
      throw error("sssp: the graph is damaged: the arcs that enter a vertex are not those that lead to it");
  }
  length_.handle().thaw();
  return copy_of(parent.handle());
}

// Choice of the kernel ----------------------------------------------------------------------------------

struct weight_range {
  double most = 0;
  vertex_id bad = k_no_vertex;  // the first vertex with an arc of invalid weight
  void add(const weight_range& other) {
    most = std::max(most, other.most);
    bad = std::min(bad, other.bad);
  }
};

// The requirement on weights. All are finite.
enum class weight_needs : std::uint8_t { any_sign, zero_or_more, above_zero };

template <class Weight>
bool is_good(Weight w, weight_needs needs) {
  constexpr Weight least = std::numeric_limits<Weight>::lowest(), most = std::numeric_limits<Weight>::max();
  const bool is_high = needs == weight_needs::above_zero     ? w > Weight{0}
                       : needs == weight_needs::zero_or_more ? w >= Weight{0}
                                                             : w >= least;
  return is_high && w <= most;  // false for NaN and infinity
}

/// Returns the largest weight, and the first vertex with an invalid one.
weight_range scan_weights(const traversal& go, weight_needs needs) {
  const graph_view& g = go.graph();
  if (g.weights == weight_type::none) return {.most = 1};
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return go.block_reduce<weight_range>(
        k_pass, [rows = adjacency(g.out), needs](vertex_range some, weight_range& sums, scan_meter&) {
          const Weight* const all = rows.weights_as<Weight>();
          const std::uint64_t begin = rows.offsets[some.begin], end = rows.offsets[some.end];
          Weight most = 0;
          bool good = true;
          for (std::uint64_t i = begin; i < end; ++i) {
            most = std::max(most, all[i]);
            good &= is_good(all[i], needs);
          }
          sums.most = std::max(sums.most, static_cast<double>(most));
          for (std::uint64_t v = some.begin; !good && v < some.end; ++v)
            for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
              if (!is_good(all[i], needs)) sums.bad = std::min(sums.bad, static_cast<vertex_id>(v));
        });
  });
}

/// Returns the default width of buckets: the largest weight, divided by the mean degree. If weights are
/// uniform, about one arc of a vertex is shorter than that.
double choose_delta(const graph_view& g, double most) {
  const double degree =
      static_cast<double>(g.arcs) / static_cast<double>(std::max<std::uint64_t>(g.vertices, 1));
  return most / std::max(degree, 1.0);
}

template <class Weights, class Length>
std::unique_ptr<shortest_paths::state> kernel(const graph_view& g, double delta, double most) {
  return std::make_unique<delta_stepping<Weights, Length>>(
      g, bucket_width<Length>(delta, static_cast<Length>(most)));
}

std::unique_ptr<shortest_paths::state> choose_kernel(const graph_view& g, double delta, double most) {
  switch (g.weights) {
    case weight_type::none:
      return kernel<ones, std::uint32_t>(g, delta, most);
    case weight_type::float32:
      return kernel<weights_in_place<float>, double>(g, delta, most);
    case weight_type::float64:
      return kernel<weights_in_place<double>, double>(g, delta, most);
    case weight_type::int32:  // not negative, so equal to uint32 bit by bit
    case weight_type::uint32:
      break;
  }
  // No shortest path has more arcs than there are other vertices.
  const bool is_narrow = most * static_cast<double>(g.vertices) < 4'294'967'295.0;
  return is_narrow ? kernel<weights_in_place<std::uint32_t>, std::uint32_t>(g, delta, most)
                   : kernel<weights_in_place<std::uint32_t>, std::uint64_t>(g, delta, most);
}

/// Returns the first arc whose weight does not meet the requirement.
std::optional<weighted_arc> find_bad_weight(const graph_view& g, weight_needs needs) {
  const vertex_id v = scan_weights(traversal(g), needs).bad;
  if (v == k_no_vertex) return std::nullopt;
  scoped_per_core<weighted_arc> found;
  on_all_cores([g, v, needs, found = found.handle()] {
    const adjacency& rows = g.out;
    if (!own_vertices(g).has(v)) return;
    with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
        if (const Weight w = rows.weights_as<Weight>()[i]; !is_good(w, needs)) {
          found.here() = {v, rows.targets[i], static_cast<double>(w)};
          return;
        }
    });
  });
  return found.fold(weighted_arc{}, [](const weighted_arc& a, const weighted_arc& b) {
    return a.from == k_no_vertex ? b : a;
  });
}

}  // namespace

std::optional<weighted_arc> find_bad_length(const graph_view& g, bool above_zero) {
  return find_bad_weight(g, above_zero ? weight_needs::above_zero : weight_needs::zero_or_more);
}
std::optional<weighted_arc> find_boundless_weight(const graph_view& g) {
  return find_bad_weight(g, weight_needs::any_sign);
}

shortest_paths::shortest_paths(const graph_view& g, const sssp_options& o) {
  const weight_range weights = scan_weights(traversal(g), weight_needs::zero_or_more);
  if (weights.bad != k_no_vertex)
    throw vertex_error({{"sssp: expected weights of 0 or more, as they are lengths, found another at vertex ",
                         weights.bad}});
  state_ = choose_kernel(g, o.delta > 0 ? o.delta : choose_delta(g, weights.most), weights.most);
}
shortest_paths::~shortest_paths() = default;

sssp_result shortest_paths::run(vertex_id source, const progress_hook& progress) {
  return state_->run(source, progress);
}
path_lengths shortest_paths::lengths() const { return state_->lengths(); }
std::vector<vertex_id> shortest_paths::parents() const { return state_->parents(); }

}  // namespace gossamer::graph
