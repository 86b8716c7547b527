#pragma once
// Checks rows of a file, whose arcs algorithms trust: each row ascends, without duplicates and self-loops, and
// both sets of rows hold the same arcs. Sums over the arcs compare the sets in one pass over each, in any
// order and divided among cores and processes.

#include <cstdint>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer::graph {

/// Returns a number for each vertex, for sums over arcs. One to one.
inline std::uint64_t mixed(std::uint64_t v) {
  v = (v + 1) * 0x9e3779b97f4a7c15;
  return (v ^ (v >> 29)) * 0xbf58476d1ce4e5b9;
}

/// Sums, modulo 2^64, over the arcs of some rows: of (row + 1) * mixed(target), and of (target + 1) *
/// mixed(row). Arcs with weights count as often as times_of() says. Two sets of rows that hold the same arcs,
/// one by source and one by target, have each other's sums; others almost never, unless they are made to.
struct arc_sums {
  std::uint64_t by_row = 0, by_target = 0;

  arc_sums& operator+=(const arc_sums& more) {
    by_row += more.by_row;
    by_target += more.by_target;
    return *this;
  }
};

/// Returns how often an arc counts whose weight has these bits.
inline std::uint64_t times_of(std::uint64_t weight_bits) { return mixed(weight_bits); }

/// Checks arcs in the order of their rows.
class row_check {
 public:
  /// Begins a row. `least`: the smallest id that may come next.
  void begin(std::uint64_t row, std::uint64_t least = 0) {
    row_ = row;
    least_ = least;
    targets_ = mixed_targets_ = 0;
  }
  void add(std::uint64_t target, std::uint64_t times = 1) {
    tidy_ &= static_cast<unsigned>(target >= least_) & static_cast<unsigned>(target != row_);
    least_ = target + 1;
    targets_ += times * (target + 1);
    mixed_targets_ += times * mixed(target);
  }
  void end() { sums_ += {(row_ + 1) * mixed_targets_, mixed(row_) * targets_}; }

  /// Returns whether all rows ascend, without duplicates and self-loops.
  bool tidy() const { return tidy_ != 0; }
  /// Returns the sums of the rows that have ended.
  const arc_sums& sums() const { return sums_; }

 private:
  std::uint64_t row_ = 0, least_ = 0, targets_ = 0, mixed_targets_ = 0;
  unsigned tidy_ = 1;
  arc_sums sums_;
};

/// Throws gossamer::error unless both sets of rows hold the same arcs. `in`: of an undirected graph, out.
inline void check_reverse(const arc_sums& out, const arc_sums& in, bool directed, const std::string& path) {
  if (out.by_row == in.by_target && out.by_target == in.by_row) return;
  throw error(path + (directed ? ": damaged: expected the same arcs by source and by target, found others"
                               : ": damaged: expected each edge of an undirected graph in both rows, found "
                                 "others"));
}

}  // namespace gossamer::graph
