// N queens: counts the ways to place N queens on a board so that none attacks another. The first rows are tasks that idle cores
// steal; a task is a few bits.
//   n_queens [N]
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

struct board {
  gs::per_core<std::uint64_t> solutions;
  std::uint32_t all;  // a bit for each column
  std::uint32_t columns = 0;  // that have a queen
  std::uint32_t rising = 0, falling = 0;  // fields of this row that earlier queens attack along a diagonal

  void place() const {
    if (columns == all) {
      ++solutions.here();
      return;
    }
    for (std::uint32_t free = all & ~(columns | rising | falling); free != 0; free &= free - 1) {
      const std::uint32_t queen = free & -free;
      const board next{solutions, all, columns | queen, (rising | queen) << 1, (falling | queen) >> 1};
      if (std::popcount(columns) < 4)
        gs::spawn_stealable([next] { next.place(); });
      else
        next.place();
    }
  }
};

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 13;
  return gs::run(argc, argv, [n] {
    const gs::scoped_per_core<std::uint64_t> solutions;
    gs::finish([start = board{solutions.handle(), (1U << n) - 1}] { start.place(); });
    gs::print("{} ways to place {} queens\n", solutions.fold(std::uint64_t{0}, std::plus<>()), n);
  });
}
