#pragma once
// The route of packets between processes: direct; or, with very many processes, two hops over a grid: along
// the row of the sender to the column of the destination, then along that column. So a process has open
// packets and buffers for its row and its column only, about 2*sqrt(P) processes. The last row may be short.
// A process of that row whose packets would pass an empty position sends them along its own column first.

#include <cstdint>
#include <vector>

namespace gossamer {

/// The choice of routes. automatic: the grid from fabric::routes::k_many_processes on.
enum class routing : std::uint8_t { automatic, direct, grid };

namespace fabric {

class routes {
 public:
  /// With more processes, a core cannot have a packet open for each (wire_options::k_most_packets).
  static constexpr unsigned k_many_processes = 66;

  routes(unsigned processes, unsigned rank, routing how);

  bool over_grid() const { return grid_; }
  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  /// Returns the first hop of packets for a process: one of neighbours().
  unsigned next(unsigned to) const { return next_[to]; }
  const std::vector<unsigned>& neighbours() const { return neighbours_; }
  /// Returns the most neighbours that any process has.
  unsigned most_neighbours() const { return grid_ ? rows_ + columns_ - 2 : processes_ - 1; }
  /// Returns the most processes whose packets one neighbour forwards.
  unsigned most_behind() const { return grid_ ? (rows_ > columns_ ? rows_ : columns_) : 1; }

 private:
  unsigned via(unsigned to) const;

  unsigned processes_, rank_;
  bool grid_;
  unsigned columns_ = 1, rows_ = 1;
  std::vector<unsigned> next_, neighbours_;
};

}  // namespace fabric
}  // namespace gossamer
