// Embedding: a program of its own that calls Gossamer for one step and goes on with the result.
//   embedding [N]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

// Counts the primes below n on all cores.
std::uint64_t count_primes(std::uint64_t n) {
  std::uint64_t found = 0;
  gs::run(gs::job_options{}, [n, &found] {  // the main fiber may write to the caller's variables
    const gs::scoped_per_core<std::uint64_t> primes;
    gs::forall(2, n, [primes = primes.handle()](std::uint64_t candidate) {
      for (std::uint64_t d = 2; d * d <= candidate; ++d)
        if (candidate % d == 0) return;
      ++primes.here();
    });
    found = primes.fold(std::uint64_t{0}, std::plus<>());
  });
  return found;  // in process 0; the others of a cluster have helped
}

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
  try {
    for (const std::uint64_t below : {n / 2, n}) {
      const std::uint64_t found = count_primes(below);
      if (found > 0)
        std::printf("%llu primes below %llu\n", static_cast<unsigned long long>(found),
                    static_cast<unsigned long long>(below));
    }
  } catch (const gs::error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
