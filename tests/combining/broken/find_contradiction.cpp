// Looks for an outcome of litmus tests over several structures that no program order allows. Exit code 0 where it found
// one within 2,000 seeds: so it must, with a library that is broken on purpose (variants.cmake).

#include <fmt/format.h>

#include "combining/litmus.hpp"

int main() {
  constexpr std::uint64_t k_seeds = 2000;
  constexpr unsigned k_rounds = 6;
  using namespace gossamer;
  for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
    const auto found = test::litmus_contradiction(test::simulated(test::history_of(seed), seed),
                                                  combine::local, seed, k_rounds);
    if (found.empty()) continue;
    fmt::print("seed {}: {}\n", seed, found);
    return 0;
  }
  fmt::print("none of {} runs contradicted program order\n", k_seeds);
  return 1;
}
