// Monte Carlo: the share of random points that lie in a circle gives pi. Halves of the work are tasks that idle cores steal.
//   monte_carlo [POINTS]
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

struct throws {
  gs::per_core<std::uint64_t> inside;

  void run(std::uint64_t begin, std::uint64_t end) const {
    while (end - begin > 10'000) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      gs::spawn_stealable([self = *this, middle, end] { self.run(middle, end); });
      end = middle;
    }
    // Point i is the same on every core, and so is the answer.
    const auto place = [](std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; };
    for (std::uint64_t i = begin; i < end; ++i) {
      const double x = place(gs::hash64(i, 0)), y = place(gs::hash64(i, 1));
      inside.here() += x * x + y * y < 1;
    }
  }
};

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000'000;
  return gs::run(argc, argv, [n] {
    const gs::scoped_per_core<std::uint64_t> inside;
    gs::finish([n, all = throws{inside.handle()}] { all.run(0, n); });
    const std::uint64_t found = inside.fold(std::uint64_t{0}, std::plus<>());
    gs::print("pi is about {:.6f}\n", 4 * static_cast<double>(found) / static_cast<double>(n));
  });
}
