// Check of a largest flow: Y. Dinitz, "Algorithm for Solution of a Problem of Maximum Flow in a Network with Power Estimation", 1970.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

/// A network of arcs in pairs, an arc and its reverse.
class serial_flow {
 public:
  serial_flow(const graph_view& g, bool has_unit_capacities) : first_(g.vertices + 1) {
    remote_row_cache out(g, g.out);
    for (std::uint64_t v = 0; v < g.vertices; ++v) {
      const std::uint64_t begin = out.offsets()[v], end = out.offsets()[v + 1];
      const vertex_id* const targets = out.arcs(begin, end);
      const bool has_weights = g.weights != weight_type::none && !has_unit_capacities;
      const std::byte* const weights = has_weights ? out.weights(begin, end) : nullptr;
      for (std::uint64_t i = 0; i < end - begin; ++i) {
        double capacity = 1;
        if (has_weights)
          capacity = with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
            return static_cast<double>(reinterpret_cast<const Weight*>(weights)[i]);
          });
        arcs_.push_back({static_cast<vertex_id>(v), targets[i], capacity, capacity});
        is_whole_ &= std::floor(capacity) == capacity && capacity < 0x1p50;
        arcs_.push_back({targets[i], static_cast<vertex_id>(v), 0, 0});
      }
    }
    for (const arc& a : arcs_) ++first_[a.from + 1];
    for (std::uint64_t v = 0; v < g.vertices; ++v) first_[v + 1] += first_[v];
    order_.resize(arcs_.size());
    std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
    for (std::uint64_t i = 0; i < arcs_.size(); ++i) order_[at[arcs_[i].from]++] = i;
  }

  struct arc {
    vertex_id from, to;
    double capacity, room;
  };
  const std::vector<arc>& arcs() const { return arcs_; }
  bool is_whole() const { return is_whole_; }

  /// Returns the value of a largest flow.
  double largest(vertex_id source, vertex_id sink) {
    double value = 0;
    while (find_levels(sink), level_[source] != k_far) {
      next_.assign(first_.begin(), first_.end() - 1);
      while (const double more = push_along(source, sink)) value += more;
    }
    return value;
  }
  /// Returns whether there is room along a path to the sink of the last search.
  bool reaches(vertex_id v) const { return level_[v] != k_far; }

 private:
  static constexpr std::uint64_t k_far = ~std::uint64_t{0};

  void find_levels(vertex_id sink) {
    level_.assign(first_.size() - 1, k_far);
    level_[sink] = 0;
    std::vector<vertex_id> queue{sink};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::uint64_t k = first_[queue[i]]; k < first_[queue[i] + 1]; ++k) {
        const arc& back = arcs_[order_[k] ^ 1];
        if (back.room <= 0 || level_[back.from] != k_far) continue;
        level_[back.from] = level_[queue[i]] + 1;
        queue.push_back(back.from);
      }
  }
  /// Fills one path of the levels. Returns what it carries, 0 where there is none.
  double push_along(vertex_id source, vertex_id sink) {
    std::vector<std::uint64_t> path;
    vertex_id v = source;
    while (v != sink) {
      std::uint64_t& k = next_[v];
      while (k < first_[v + 1] && !(arcs_[order_[k]].room > 0 && level_[arcs_[order_[k]].to] != k_far &&
                                    level_[arcs_[order_[k]].to] + 1 == level_[v]))
        ++k;
      if (k < first_[v + 1]) {
        path.push_back(order_[k]);
        v = arcs_[order_[k]].to;
      } else if (path.empty()) {
        return 0;
      } else {
        v = arcs_[path.back()].from;
        ++next_[v];
        path.pop_back();
      }
    }
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint64_t i : path) least = std::min(least, arcs_[i].room);
    for (const std::uint64_t i : path) arcs_[i].room -= least, arcs_[i ^ 1].room += least;
    return least;
  }

  std::vector<arc> arcs_;
  std::vector<std::uint64_t> first_, order_, next_, level_;
  bool is_whole_ = true;
};

/// Checks that arcs carry no more than they may, that as much leaves each vertex as comes, and that the value leaves the source. Of reals sums are
/// rounded.
check is_flow(const graph_view& g, vertex_id source, vertex_id sink, const serial_flow& network,
              const max_flow_result& result) {
  const auto& [from, to, flow] = result.carried;
  if (to.size() != from.size() || flow.size() != from.size())
    return wrong("{} targets and {} flows for {} sources", to.size(), flow.size(), from.size());
  std::vector<double> more(g.vertices);  // than comes, leaves
  const double slack = network.is_whole() && result.value < 0x1p50 ? 0 : 1e-9 * result.value;
  std::size_t i = 0;
  for (const auto& a : network.arcs()) {
    if (i == from.size()) break;
    if (a.capacity == 0 || a.from != from[i] || a.to != to[i]) continue;
    if (!(flow[i] > 0 && flow[i] <= a.capacity))
      return wrong("{} -> {} carries {}, of a capacity of {}", a.from, a.to, flow[i], a.capacity);
    more[a.from] += flow[i];
    more[a.to] -= flow[i];
    ++i;
  }
  if (i != from.size())
    return wrong("{} -> {} carries something, and is no arc, or not in order", from[i], to[i]);
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    const double right = v == source ? result.value : v == sink ? -result.value : 0;
    if (!(std::abs(more[v] - right) <= slack))
      return wrong("{} more leaves vertex {} than comes, not {}", more[v], v, right);
  }
  return {};
}

}  // namespace

check verify_max_flow(const graph_view& g, vertex_id source, vertex_id sink, const max_flow_options& options,
                      const max_flow_result& result) {
  if (result.side.size() != g.vertices)
    return wrong("{} sides for {} vertices", result.side.size(), g.vertices);
  if (result.side[source] != 0 || result.side[sink] != 1)
    return wrong("the source is on side {}, the sink on side {}", result.side[source], result.side[sink]);
  serial_flow serial(g, options.unit_capacities);
  double value = 0;
  std::uint64_t arcs = 0;
  for (const auto& a : serial.arcs())
    if (a.capacity > 0 && result.side[a.from] == 0 && result.side[a.to] == 1) value += a.capacity, ++arcs;
  if (value != result.value || arcs != result.cut_arcs)
    return wrong("a cut of {} arcs and {}; those between its sides are {} and {}", result.cut_arcs,
                 result.value, arcs, value);
  if (const auto on = static_cast<std::uint64_t>(std::ranges::count(result.side, vertex_id{1}));
      on != result.sink_side)
    return wrong("{} vertices on the sink's side; there are {}", result.sink_side, on);
  const double largest = serial.largest(source, sink);
  if (!(std::abs(value - largest) <= (serial.is_whole() ? 0 : 1e-9 * largest)))
    return wrong("a cut of {}, a serial run has a flow of {}", value, largest);
  if (options.edges)
    if (check c = is_flow(g, source, sink, serial, result); !c) return c;
  if (!serial.is_whole()) return {};
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    if (serial.reaches(static_cast<vertex_id>(v)) != (result.side[v] == 1))
      return wrong("vertex {} is on side {}; in a serial run {} reaches the sink from there", v,
                   result.side[v], result.side[v] == 1 ? "nothing more" : "more");
  return {};
}

}  // namespace gossamer::graph
