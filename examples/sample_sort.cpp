// Sample sort: samples of all cores divide the keys into a range for each core, one exchange brings them there, and each core sorts
// its range. gs::sort() does this for arrays.
//   sample_sort [KEYS]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <span>
#include <vector>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  return gs::run(argc, argv, [n] {
    gs::on_all_cores([n] {
      const std::uint64_t cores = gs::cores(), me = gs::here();
      std::vector<std::uint64_t> keys;
      for (std::uint64_t i = n * me / cores; i < n * (me + 1) / cores; ++i)
        keys.push_back(i * 0x9e3779b97f4a7c15);

      std::vector<std::uint64_t> some;
      for (std::uint64_t k = 0; k < 64 && !keys.empty(); ++k)
        some.push_back(keys[gs::hash64(k) % keys.size()]);
      const auto gathered = gs::all_gather(std::span(some));
      std::vector<std::uint64_t> samples = gathered.flat();
      std::ranges::sort(samples);
      std::vector<std::uint64_t> pivots;  // core c gets the keys below pivot c
      for (std::uint64_t c = 1; c < cores && !samples.empty(); ++c)
        pivots.push_back(samples[samples.size() * c / cores]);

      auto arrived = gs::exchange(std::span(keys), [&](std::uint64_t key) {
        return static_cast<gs::core_id>(std::ranges::upper_bound(pivots, key) - pivots.begin());
      });
      std::vector<std::uint64_t>& mine = arrived.flat();
      std::ranges::sort(mine);

      const std::uint64_t before = gs::exclusive_scan(mine.size(), std::uint64_t{0}, std::plus<>());
      if (before <= n / 2 && n / 2 < before + mine.size())
        gs::print("the median of {} keys is {}\n", n, mine[n / 2 - before]);
    });
  });
}
