// Producers and consumers: pairs of fibers on neighbouring cores, each sending and receiving a few values.
//   producer_consumer [PAIRS]       1000000 pairs take about 12 GB
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <vector>

namespace gs = gossamer;

constexpr std::uint64_t k_values = 4;

int main(int argc, char** argv) {
  const std::uint64_t pairs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  return gs::run(argc, argv, [pairs] {
    const gs::scoped_per_core<std::uint64_t> sums;
    gs::on_all_cores([pairs, sums = sums.handle()] {
      const gs::core_id next = (gs::here() + 1) % gs::cores();
      const gs::core_id before = (gs::here() + gs::cores() - 1) % gs::cores();
      std::vector<gs::joinable<void>> fibers;
      for (std::uint64_t pair = gs::here(); pair < pairs; pair += gs::cores()) {
        fibers.push_back(gs::start(
            [=] {
              for (std::uint64_t i = 0; i < k_values; ++i) gs::send_value(next, pair, pair + i);
            },
            gs::stack_class::small));
      }
      for (std::uint64_t pair = before; pair < pairs; pair += gs::cores()) {
        fibers.push_back(gs::start(
            [=] {  // waits for each value; the core runs other fibers meanwhile
              for (std::uint64_t i = 0; i < k_values; ++i)
                sums.here() += gs::receive_value<std::uint64_t>(before, pair) - pair;
            },
            gs::stack_class::small));
      }
      for (auto& fiber : fibers) fiber.join();
    });
    const std::uint64_t sum = sums.fold(std::uint64_t{0}, std::plus<>());
    gs::print("{} pairs of fibers exchanged {} values\n", pairs,
              sum / (k_values * (k_values - 1) / 2) * k_values);
  });
}
