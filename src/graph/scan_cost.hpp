#pragma once
// What a simulation charges for looking at rows (worked(), parallel/fiber.hpp); elsewhere it is only counted:
// one addition for a row or a piece, never for an arc. Measured: docs/performance.md, "Simulated scaling".

#include <cstdint>

#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

/// Picoseconds for a row, and for each of its arcs that is looked at.
struct scan_cost {
  std::uint64_t row_ps, arc_ps;
};

inline constexpr scan_cost k_top_down{5000, 1500};  // a search from the frontier, without what it ships
inline constexpr scan_cost k_bottom_up{5000, 1500};  // a search for the frontier
inline constexpr scan_cost k_pull{2000, 500};  // sums of values at the ends of arcs (gather.hpp)
inline constexpr scan_cost k_push{5000, 1500};  // path counts to neighbours
inline constexpr scan_cost k_hook{5000, 2000};  // labels of both ends compared

inline void scanned(const scan_cost& c, std::uint64_t rows, std::uint64_t arcs) {
  worked((rows * c.row_ps + arcs * c.arc_ps) / 1000);
}

}  // namespace gossamer::graph
