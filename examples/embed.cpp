// A runtime that stays: threads of a host program submit calls, and global data lives from one to the next.
//   embed [THREADS]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <thread>
#include <vector>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 4;
  try {
    gs::runtime cores;
    if (cores.process() != 0) return cores.serve(), 0;  // of a cluster: works for process 0 until that ends
    const auto visits = cores.keep([] { return gs::scoped_array<std::uint64_t>(1000); });
    std::vector<std::thread> visitors;
    for (int t = 0; t < threads; ++t)
      visitors.emplace_back([&cores, pages = visits->handle()] {
        cores.call([pages] {
          gs::forall(0, 50'000, [pages](std::uint64_t visitor) {
            pages.async(gs::hash64(visitor) % pages.size(), [](std::uint64_t& count) { ++count; });
          });
        });
      });
    for (std::thread& v : visitors) v.join();
    auto total =
        cores.submit([pages = visits->handle()] {  // a future: the program may do something else meanwhile
          const gs::scoped_per_core<std::uint64_t> sums;
          gs::forall(pages, [sums = sums.handle()](std::uint64_t& count) { sums.here() += count; });
          return sums.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
        });
    std::printf("%llu visits by %d threads\n", static_cast<unsigned long long>(total.get()), threads);
  } catch (const gs::error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
