// K-means: points stay where they are. In each round every core adds up its points by their nearest centre, and one collective moves
// the centres. Coordinates are integers, so that the sums are the same on any number of cores.
//   k_means [POINTS] [ROUNDS]
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <vector>

namespace gs = gossamer;

struct point {
  std::int64_t x = 0, y = 0;
};

constexpr std::size_t k_centres = 3;

struct sums {
  std::array<point, k_centres> of{};
  std::array<std::int64_t, k_centres> points{};
};

sums operator+(sums a, const sums& b) {
  for (std::size_t c = 0; c < k_centres; ++c)
    a.of[c].x += b.of[c].x, a.of[c].y += b.of[c].y, a.points[c] += b.points[c];
  return a;
}

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3'000'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  return gs::run(argc, argv, [n, rounds] {
    gs::on_all_cores([n, rounds] {
      const std::uint64_t cores = gs::cores(), me = gs::here();
      std::vector<point> mine;  // squares of 10,000 around (0, 0), (20,000, 0) and (40,000, 0)
      for (std::uint64_t i = n * me / cores; i < n * (me + 1) / cores; ++i)
        mine.push_back({static_cast<std::int64_t>(i % 3 * 20'000 + i * 31 % 10'000) - 5000,
                        static_cast<std::int64_t>(i * 17 % 10'000) - 5000});
      std::array<point, k_centres> centres{{{-5000, 0}, {0, 1000}, {5000, 0}}};
      for (int round = 0; round < rounds; ++round) {
        sums near;
        for (const point& p : mine) {
          const auto distance = [p](const point& c) {
            return (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y);
          };
          const auto c =
              static_cast<std::size_t>(std::ranges::min_element(centres, {}, distance) - centres.begin());
          near.of[c].x += p.x, near.of[c].y += p.y, ++near.points[c];
        }
        const sums all = gs::all_reduce(near, [](const sums& a, const sums& b) { return a + b; });
        for (std::size_t c = 0; c < k_centres; ++c)
          if (all.points[c] != 0) centres[c] = {all.of[c].x / all.points[c], all.of[c].y / all.points[c]};
      }
      if (me == 0)
        for (const point& c : centres) gs::print("centre {} {}\n", c.x, c.y);
    });
  });
}
