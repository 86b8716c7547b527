#pragma once
// Loops over rows and vertices that charge a simulation for their work (charge_work(), parallel/fiber.hpp). In real runs
// the charge is only counted: two additions per row, none per arc. The costs were fitted on one core with kron:16 and
// kron:20, so they include cache misses: docs/performance/simulation.md.
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

/// The cost of a row and of each of its arcs that is read, in picoseconds.
struct scan_cost {
  std::uint64_t row_ps;  ///< of a row
  std::uint64_t arc_ps;  ///< of an arc
};

inline constexpr scan_cost k_top_down{15'000, 6'000};  // neighbours of the frontier, without the messages
inline constexpr scan_cost k_bottom_up{10'000,
                                       3'000};  // search for a neighbour in the frontier, up to the first one
inline constexpr scan_cost k_pull{2'000, 1'300};  // sums of values at the ends of arcs (gather.hpp)
inline constexpr scan_cost k_push{15'000, 6'000};  // path counts to neighbours
inline constexpr scan_cost k_hook{10'000, 6'000};  // labels of both ends compared
inline constexpr scan_cost k_pass{2'000, 0};  // a pass over vertices that reads data of each
inline constexpr scan_cost k_fill{300, 0};  // a pass over vertices that only writes

/// Counts rows and arcs, and charges their cost in its destructor. Kernels add what they read; the loops
/// below do so automatically.
class scan_meter {
 public:
  /// Starts at zero. `c` must outlive the meter.
  explicit scan_meter(const scan_cost& c) : cost_(c) {}
  scan_meter(const scan_meter&) = delete;
  scan_meter& operator=(const scan_meter&) = delete;
  ~scan_meter() { charge_work((rows * cost_.row_ps + arcs * cost_.arc_ps) / 1000); }

  std::uint64_t rows = 0;  ///< rows read
  std::uint64_t arcs = 0;  ///< arcs read

 private:
  const scan_cost& cost_;
};

/// Runs f(x) for each element of a range, and charges `c` for each.
template <class Range, class F>
void pass_over(const scan_cost& c, Range&& range, F f) {
  scan_meter meter(c);
  meter.rows = std::size(range);
  for (auto&& x : range) f(x);
}

/// Assigns `value` to each element of a range, and charges k_fill for each.
template <class Range, class T>
void fill(Range&& range, const T& value) {
  scan_meter meter(k_fill);
  meter.rows = std::size(range);
  std::ranges::fill(range, value);
}

/// Runs f(neighbour) for each neighbour of v. The caller's loop provides the meter: a meter for each row would
/// cost as much as a short row.
template <class Rows, class F>
void scan_row(scan_meter& meter, const Rows& rows, vertex_id v, F f) {
  ++meter.rows;
  meter.arcs += rows.degree(v);
  rows.for_each(v, f);
}

}  // namespace gossamer::graph
