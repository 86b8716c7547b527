#pragma once
// What a simulation charges for going through rows and vertices (charge_work(), parallel/fiber.hpp); elsewhere it
// is only counted: an addition for a row or a piece, never for an arc. Fitted to one core, kron:16 and
// kron:20, so caches are in them: docs/performance/simulation.md.

#include <cstdint>

#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

/// Picoseconds for a row, and for each of its arcs that is looked at.
struct scan_cost {
  std::uint64_t row_ps, arc_ps;
};

inline constexpr scan_cost k_top_down{15'000, 6'000};  // neighbours of the frontier, but what is shipped
inline constexpr scan_cost k_bottom_up{10'000, 3'000};  // neighbours in the frontier: until the first
inline constexpr scan_cost k_pull{2'000, 1'300};  // sums of values at the ends of arcs (gather.hpp)
inline constexpr scan_cost k_push{15'000, 6'000};  // path counts to neighbours
inline constexpr scan_cost k_hook{10'000, 6'000};  // labels of both ends compared
inline constexpr scan_cost k_pass{2'000, 0};  // a pass over vertices that looks at something of each
inline constexpr scan_cost k_fill{300, 0};  // one that only writes

inline void scanned(const scan_cost& c, std::uint64_t rows, std::uint64_t arcs = 0) {
  charge_work((rows * c.row_ps + arcs * c.arc_ps) / 1000);
}

}  // namespace gossamer::graph
