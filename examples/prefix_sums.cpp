// Prefix sums: each element becomes the sum of all elements up to it. A core adds up its own block; one collective says what the
// blocks before it come to.
//   prefix_sums [ELEMENTS]
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <numeric>
#include <span>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000'000;
  return gs::run(argc, argv, [n] {
    const gs::scoped_array<std::uint64_t> owner(n);
    const gs::array<std::uint64_t> sums = owner.handle();
    gs::forall(sums, [](std::uint64_t i, std::uint64_t& x) { x = i % 1000 * (i % 1000) % 10; });
    gs::on_all_cores([sums] {
      const std::span<std::uint64_t> mine = sums.local();
      std::inclusive_scan(mine.begin(), mine.end(), mine.begin());
      const std::uint64_t all = mine.empty() ? 0 : mine.back();
      const std::uint64_t before = gs::exclusive_scan(all, std::uint64_t{0}, std::plus<>());
      for (std::uint64_t& x : mine) x += before;
    });
    gs::print("{} up to the middle, {} up to the end\n", sums.read(n / 2), sums.read(n - 1));
  });
}
