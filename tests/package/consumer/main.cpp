// Every core adds to the cells of one global array, wherever they live; then they are summed.
#include <cstdint>
#include <cstdio>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

int main(int argc, char** argv) {
  return gs::run(argc, argv, [] {
    gs::scoped_array<std::uint64_t> owner(1000);
    const gs::array<std::uint64_t> table = owner.handle();
    gs::forall(0, 100000, [table](std::uint64_t i) {
      table.async(i % table.size(), [i](std::uint64_t& cell) { cell += i; });
    });
    const gs::frozen<std::uint64_t> cells = table.freeze();
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < cells.size(); ++i) sum += cells[i];
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
  });
}
