// Histogram: counts random values into bins that are spread over all cores.
//   histogram [VALUES]
#include <cstdint>
#include <cstdlib>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const std::uint64_t values = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  return gs::run(argc, argv, [values] {
    const gs::scoped_array<std::uint64_t> owner(1000);
    const gs::array<std::uint64_t> bins = owner.handle();

    // The loop runs on all cores. Each increment runs on the core that owns the bin; small messages
    // travel together. The loop returns when all of them have been applied.
    gs::forall(0, values, [bins](std::uint64_t i) {
      bins.async(gs::hash64(i) % bins.size(), [](std::uint64_t& count) { ++count; });
    });

    // From here on nothing writes: every core reads the bins in place.
    const gs::frozen<std::uint64_t> counts = bins.freeze();
    std::uint64_t least = ~std::uint64_t{0}, most = 0, total = 0;
    for (std::uint64_t bin = 0; bin < counts.size(); ++bin) {
      least = std::min(least, counts[bin]);
      most = std::max(most, counts[bin]);
      total += counts[bin];
    }
    gs::print("{} values in {} bins, {} to {} in each\n", total, counts.size(), least, most);
  });
}
