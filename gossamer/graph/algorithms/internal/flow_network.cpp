#include "gossamer/graph/algorithms/internal/flow_network.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

namespace {
constexpr std::uint64_t k_vertices_per_chunk = 1 << 14;
}

/// Calls f(first, last) for ranges that cover all vertices: on all cores of the process if rows can be read
/// in place, otherwise once for all.
template <class F>
void flow_network::over_vertices(F f) {
  if (in_place())
    local::forall_chunks(0, graph_.vertices, k_vertices_per_chunk, f);
  else
    f(0, graph_.vertices);
}

flow_network::flow_network(const graph_view& g, vertex_id source, vertex_id sink, bool has_unit_capacities)
    : graph_(g),
      has_weights_(g.weights != weight_type::none && !has_unit_capacities),
      out_(g, g.out),
      in_(g, g.directed ? g.in : g.out) {
  choose_unit(source, sink);
  count_arcs();
  machine::require_memory(offsets_.back() * sizeof(flow_arc), "the residual network");
  arcs_ = buffer<flow_arc>(std::max<std::uint64_t>(1, offsets_.back()));
  over_vertices([this](std::uint64_t v, std::uint64_t end) {
    for (; v < end; ++v) fill_row(static_cast<vertex_id>(v));
  });
  local::forall_chunks(0, g.vertices, k_vertices_per_chunk, [this](std::uint64_t v, std::uint64_t end) {
    for (; v < end; ++v) find_reverses(static_cast<vertex_id>(v));
  });
}

/// Chooses the unit by a bound of the flow: the smaller of the capacities out of the source and into the sink.
/// Where some are as good as unbounded, and hide small ones, a narrower cut bounds it.
void flow_network::choose_unit(vertex_id source, vertex_id sink) {
  constexpr int k_kept_bits = 40;
  double leaves = 0;
  for_each_capacity(source, [&](vertex_id, double capacity) { leaves += capacity; });
  const double most = std::min({leaves, most_into(sink), std::numeric_limits<double>::max()});
  set_unit(source, most);
  if (std::ldexp(least_capacity(), scale_) < std::ldexp(1.0, k_kept_bits))
    set_unit(source, std::min(most, capacity_of_narrow_cut(source, sink)));
}

/// Sets the unit for flows up to `most`. The capacities of the source's arcs, each at most that, sum to less
/// than 2^60 units before they are rounded. An excess is a part of the flow out of the source, so it fits 64
/// bits, however many arcs end at a vertex.
void flow_network::set_unit(vertex_id source, double most) {
  constexpr int k_bits = 60;
  double first = 0;
  for_each_capacity(source, [&](vertex_id, double capacity) { first += std::min(capacity, most); });
  const std::uint64_t arcs = out_.offsets()[source + 1] - out_.offsets()[source];
  int exponent = 0;
  (void)std::frexp(std::isfinite(first) ? first : most, &exponent);  // less than 2^exponent
  if (!std::isfinite(first)) exponent += static_cast<int>(std::bit_width(arcs));
  scale_ = k_bits - exponent;
  units_ = std::abs(scale_) < std::numeric_limits<double>::max_exponent - 2 ? std::ldexp(1.0, scale_) : 0;
  // Twice the largest flow, so no flow reaches it, however the sums were rounded: a cut's arcs up to a unit.
  unbounded_ =
      2 * (static_cast<std::int64_t>(std::ldexp(most, scale_)) + static_cast<std::int64_t>(graph_.arcs) + 1);
}

/// Returns the capacity of all arcs into the sink.
double flow_network::most_into(vertex_id sink) {
  const std::uint64_t begin = in_.offsets()[sink], end = in_.offsets()[sink + 1];
  double most = 0;
  with_capacities(in_, begin, end, [&](const auto& capacity) {
    for (std::uint64_t i = 0; i < end - begin; ++i) most += capacity(i);
  });
  return most;
}

/// Returns the least capacity above 0; infinity if there is none.
double flow_network::least_capacity() {
  if (!has_weights_) return 1;
  if (graph_.weights == weight_type::int32 || graph_.weights == weight_type::uint32) return 1;
  std::atomic<double> least = std::numeric_limits<double>::infinity();
  over_vertices([&](std::uint64_t v, std::uint64_t end) {
    double mine = least.load(std::memory_order_relaxed);
    for (; v < end; ++v)
      for_each_capacity(static_cast<vertex_id>(v), [&](vertex_id, double capacity) {
        if (capacity > 0 && capacity < mine) mine = capacity;
      });
    double before = least.load(std::memory_order_relaxed);  // read after the cores have met
    while (mine < before && !least.compare_exchange_weak(before, mine, std::memory_order_relaxed)) {}
  });
  return least;
}

/// Returns the capacity of a cut: arcs above the largest power of two by which the sink is out of reach lead
/// to the source's side. It is at most 2 times the number of its arcs above the widest path's capacity, and a
/// flow has at least that. A dozen searches.
double flow_network::capacity_of_narrow_cut(vertex_id source, vertex_id sink) {
  int low = std::numeric_limits<double>::min_exponent - std::numeric_limits<double>::digits;
  int high = std::numeric_limits<double>::max_exponent;  // no arc is above
  std::vector<bool> reached;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (reach(source, sink, middle, reached))
      low = middle + 1;
    else
      high = middle;
  }
  reach(source, sink, high, reached);
  double sum = 0;
  for (std::uint64_t v = 0; v < graph_.vertices; ++v)
    if (reached[v])
      for_each_capacity(static_cast<vertex_id>(v), [&](vertex_id n, double capacity) {
        if (!reached[n]) sum += capacity;
      });
  return sum;
}

/// Finds the vertices that arcs of capacity 2^exponent or more lead to, from the source on. Returns whether
/// the sink is one of them; then not all have been found.
bool flow_network::reach(vertex_id source, vertex_id sink, int exponent, std::vector<bool>& reached) {
  reached.assign(graph_.vertices, false);
  std::vector<vertex_id> open{source};
  reached[source] = true;
  while (!open.empty() && !reached[sink]) {
    const vertex_id v = open.back();
    open.pop_back();
    for_each_capacity(v, [&](vertex_id n, double capacity) {
      if (reached[n] || !(capacity > 0) || std::ilogb(capacity) < exponent) return;
      reached[n] = true;
      open.push_back(n);
    });
  }
  return reached[sink];
}

/// Returns a capacity in units, at least 1 if it is above 0. Capacities above any flow become `unbounded_`.
std::int64_t flow_network::units_of(double capacity) const {
  if (!(capacity > 0)) return 0;
  const double units = units_ != 0 ? capacity * units_ : std::ldexp(capacity, scale_);
  return units >= static_cast<double>(unbounded_)
             ? unbounded_
             : std::max<std::int64_t>(1, static_cast<std::int64_t>(units));
}

/// Calls f(n, capacity) for each neighbour of v in either direction, ascending: 0 if there is no arc to it.
template <class F>
void flow_network::merge_ends(vertex_id v, F f) {
  if (!graph_.directed) return for_each_capacity(v, f);
  const std::span<const vertex_id> into = in_[v];
  auto before = into.begin();
  for_each_capacity(v, [&](vertex_id n, double capacity) {
    for (; before != into.end() && *before < n; ++before) f(*before, 0.0);
    if (before != into.end() && *before == n) ++before;
    f(n, capacity);
  });
  for (; before != into.end(); ++before) f(*before, 0.0);
}

void flow_network::count_arcs() {
  offsets_.assign(graph_.vertices + 1, 0);
  over_vertices([this](std::uint64_t v, std::uint64_t end) {
    for (; v < end; ++v) {
      std::uint64_t degree = 0;
      merge_ends(static_cast<vertex_id>(v), [&](vertex_id, double) { ++degree; });
      offsets_[v + 1] = degree;
    }
  });
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
}

void flow_network::fill_row(vertex_id v) {
  flow_arc* to = arcs_.data() + offsets_[v];
  merge_ends(v, [&](vertex_id n, double capacity) { *to++ = {units_of(capacity), n, 0}; });
}

void flow_network::find_reverses(vertex_id v) {
  for (flow_arc& a : row(v)) {
    const std::span<flow_arc> other = row(a.to);
    a.back = static_cast<vertex_id>(std::ranges::lower_bound(other, v, {}, &flow_arc::to) - other.begin());
  }
}

}  // namespace gossamer::graph
