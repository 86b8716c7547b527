// Game of Life on a torus. Rows are divided among the cores. Each core puts its border rows into its neighbours' memory, and a
// notification says that they are there.
//   game_of_life [SIDE] [STEPS]
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <span>
#include <vector>

namespace gs = gossamer;

using arrivals = std::array<gs::notification, 2>;  // from above, from below

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const std::uint64_t steps = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  return gs::run(argc, argv, [n, steps] {
    if (n < gs::cores()) throw gs::error("there are fewer rows than cores");
    // A core has its own rows, and one of each neighbour around them.
    const auto begin = [n](std::uint64_t c) { return (n * c / gs::cores() + 2 * c) * n; };
    std::vector<std::uint64_t> bounds;
    for (gs::core_id c = 0; c <= gs::cores(); ++c) bounds.push_back(begin(c));
    const gs::distribution parts = gs::by_boundaries(bounds);
    const gs::scoped_array<std::uint8_t> even(bounds.back(), parts), odd(bounds.back(), parts);
    const gs::scoped_per_core<arrivals> owner;
    gs::on_all_cores([=, both = std::array{even.handle(), odd.handle()}, come = owner.handle()] {
      const std::uint64_t me = gs::here(), cores = gs::cores();
      const auto above = static_cast<gs::core_id>((me + cores - 1) % cores);
      const auto below = static_cast<gs::core_id>((me + 1) % cores);
      const auto at = [&](gs::core_id c, int k) { return gs::global_ptr(c, come.address(c)->data() + k); };
      std::uint64_t living = 0;
      const std::span<std::uint8_t> first = both[0].local();
      for (std::uint64_t i = n; i < first.size() - n; ++i) {
        const std::uint64_t x = i % n, y = n * me / cores + i / n - 1;
        living += first[i] = (x * x + 3 * y + x * y) % 7 < 3;
      }
      for (std::uint64_t step = 0; step < steps; ++step) {
        const auto& board = both[step % 2];  // two in turn: a neighbour may be one step ahead
        const std::span<std::uint8_t> now = board.local(), next = both[1 - step % 2].local();
        gs::put_notify(board, begin(above + 1U) - n, now.subspan(n, n), at(above, 1));
        gs::put_notify(board, begin(below), now.subspan(now.size() - 2 * n, n), at(below, 0));
        for (auto& side : come.here()) gs::wait(side);
        living = 0;
        for (std::uint64_t i = n; i < now.size() - n; ++i) {
          const std::uint64_t row = i - i % n, x = i % n, left = (x + n - 1) % n, right = (x + 1) % n;
          unsigned alive = 0;
          for (const std::uint64_t r : {row - n, row, row + n})
            alive += now[r + left] + now[r + x] + now[r + right];
          living += next[i] = alive == 3 || (alive == 4 && now[i] != 0);
        }
      }
      const auto all = gs::all_reduce(living, std::plus<>());
      if (me == 0) gs::print("{} of {} cells live after {} steps\n", all, n * n, steps);
    });
  });
}
