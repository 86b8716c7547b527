#pragma once
// Loops over rows and vertices, with what a simulation charges for them (charge_work(), parallel/fiber.hpp). Elsewhere
// that is only counted: two additions for a row, never for an arc. Fitted to one core, kron:16 and
// kron:20, so caches are in them: docs/performance/simulation.md.

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

/// Picoseconds for a row, and for each of its arcs that is looked at.
struct scan_cost {
  std::uint64_t row_ps;  ///< of a row
  std::uint64_t arc_ps;  ///< of an arc
};

inline constexpr scan_cost k_top_down{15'000, 6'000};  // neighbours of the frontier, but what is shipped
inline constexpr scan_cost k_bottom_up{10'000, 3'000};  // neighbours in the frontier: until the first
inline constexpr scan_cost k_pull{2'000, 1'300};  // sums of values at the ends of arcs (gather.hpp)
inline constexpr scan_cost k_push{15'000, 6'000};  // path counts to neighbours
inline constexpr scan_cost k_hook{10'000, 6'000};  // labels of both ends compared
inline constexpr scan_cost k_pass{2'000, 0};  // a pass over vertices that looks at something of each
inline constexpr scan_cost k_fill{300, 0};  // one that only writes

/// Charges when it ends what was added. Kernels count what they look at anyway; loops below do it by themselves.
class scan_meter {
 public:
  /// Begins with nothing. The cost stays as long as the meter.
  explicit scan_meter(const scan_cost& c) : cost_(c) {}
  scan_meter(const scan_meter&) = delete;
  scan_meter& operator=(const scan_meter&) = delete;
  ~scan_meter() { charge_work((rows * cost_.row_ps + arcs * cost_.arc_ps) / 1000); }

  std::uint64_t rows = 0;  ///< looked at
  std::uint64_t arcs = 0;  ///< looked at

 private:
  const scan_cost& cost_;
};

/// Runs f(x) for each of a range.
template <class Range, class F>
void pass_over(const scan_cost& c, Range&& range, F f) {
  scan_meter meter(c);
  meter.rows = std::size(range);
  for (auto&& x : range) f(x);
}

/// Assigns `value` to each of a range.
template <class Range, class T>
void fill(Range&& range, const T& value) {
  scan_meter meter(k_fill);
  meter.rows = std::size(range);
  std::ranges::fill(range, value);
}

/// Runs f(neighbour) for each neighbour of v. The meter is that of the loop around it: one for each row would
/// cost as much as a short row.
template <class Rows, class F>
void scan_row(scan_meter& meter, const Rows& rows, vertex_id v, F f) {
  ++meter.rows;
  meter.arcs += rows.degree(v);
  rows.for_each(v, f);
}

}  // namespace gossamer::graph
