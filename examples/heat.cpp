// Heat: Jacobi's method for a plate (2-D) and a block (3-D), hot on one side. Layers are divided among the cores.
// Each core puts its border layers into its neighbours' memory, and a notification says that they are there.
//   heat [POINTS] [STEPS]
#include <algorithm>
#include <array>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <vector>

namespace gs = gossamer;
using arrivals = std::array<gs::notification, 2>;  // from the core before, from the core after

double middle(std::uint64_t n, std::uint64_t dimensions, int steps) {
  if (n < gs::cores()) throw gs::error("there are fewer points than cores");
  const std::uint64_t width = n + 2, layer = dimensions == 3 ? width * width : width;
  // A core has its own layers, and one of each neighbour around them.
  const auto begin = [n, layer](std::uint64_t c) { return (n * c / gs::cores() + 2 * c) * layer; };
  std::vector<std::uint64_t> bounds;
  for (gs::core_id c = 0; c <= gs::cores(); ++c) bounds.push_back(begin(c));
  const gs::distribution parts = gs::by_boundaries(bounds);
  const gs::scoped_array<double> even(bounds.back(), parts), odd(bounds.back(), parts);
  const std::array both{even.handle(), odd.handle()};
  const gs::scoped_per_core<arrivals> come;
  gs::on_all_cores([=, come = come.handle()] {
    const gs::core_id me = gs::here(), last = gs::cores() - 1;
    const auto at = [&](gs::core_id c, int k) { return gs::global_ptr(c, come.address(c)->data() + k); };
    for (const auto& one : both)  // the hot side
      if (me == 0) std::ranges::fill(one.local().first(layer), 1);
    for (int step = 0; step < steps; ++step) {  // two arrays in turn: a neighbour may be one step ahead
      const auto& heat = both[static_cast<std::size_t>(step % 2)];
      const std::span<double> now = heat.local(), next = both[static_cast<std::size_t>(1 - step % 2)].local();
      const std::uint64_t inner = now.size() - 2 * layer;
      if (me > 0) gs::put_notify(heat, begin(me) - layer, now.subspan(layer, layer), at(me - 1, 1));
      if (me < last) gs::put_notify(heat, begin(me + 1), now.subspan(inner, layer), at(me + 1, 0));
      if (me > 0) gs::wait(come.here()[0]);
      if (me < last) gs::wait(come.here()[1]);
      for (std::uint64_t i = layer; i < layer + inner; ++i) {
        const std::uint64_t x = i % width, y = dimensions == 3 ? i % layer / width : 1;
        if (x % (n + 1) == 0 || y % (n + 1) == 0) continue;  // the cold sides
        double sum = now[i - layer] + now[i + layer] + now[i - 1] + now[i + 1];
        if (dimensions == 3) sum += now[i - width] + now[i + width];
        next[i] = sum / (2 * static_cast<double>(dimensions));
      }
    }
  });
  gs::core_id c = gs::cores() - 1;  // the core that has the middle layer
  while (n * c / gs::cores() > n / 2) --c;
  const std::uint64_t first = begin(c) + (n / 2 + 1 - n * c / gs::cores()) * layer;
  return both[static_cast<std::size_t>(steps % 2)].read(first + layer / width / 2 * width + width / 2);
}

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 1000;
  return gs::run(argc, argv, [n, steps] {
    for (const unsigned d : {2U, 3U})
      gs::print("{}-D: {:.9f} in the middle after {} steps\n", d, middle(n, d, steps), steps);
  });
}
