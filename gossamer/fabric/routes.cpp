#include "gossamer/fabric/routes.hpp"

#include "gossamer/base/bits.hpp"

namespace gossamer::fabric {

routes::routes(unsigned processes, unsigned rank, routing how)
    : processes_(processes),
      rank_(rank),
      grid_(how == routing::grid || (how == routing::automatic && processes >= k_many_processes)) {
  if (grid_) {
    while (columns_ * columns_ < processes) ++columns_;
    rows_ = divide_up(processes, columns_);
  }
  for (unsigned to = 0; to < processes; ++to) {
    next_.push_back(via(to));
    if (to != rank && next_[to] == to) neighbours_.push_back(to);
  }
}

unsigned routes::via(unsigned to) const {
  if (!grid_) return to;
  const unsigned row = rank_ / columns_, column = rank_ % columns_;
  const unsigned to_row = to / columns_, to_column = to % columns_;
  if (row == to_row || column == to_column) return to;
  const unsigned along_row = row * columns_ + to_column;
  return along_row < processes_ ? along_row : to_row * columns_ + column;
}

}  // namespace gossamer::fabric
