// Stencil: heat flows along a rod that is cut over all cores; neighbours exchange their border cells.
//   stencil [STEPS]
#include <cmath>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <vector>

namespace gs = gossamer;

constexpr std::size_t k_cells = 10'000;  // of each core

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1000;
  return gs::run(argc, argv, [steps] {
    const gs::scoped_per_core<double> heat;
    gs::on_all_cores([steps, heat = heat.handle()] {
      const gs::core_id me = gs::here(), last = gs::cores() - 1;
      std::vector<double> now(k_cells + 2), next(k_cells + 2);  // with a border cell at each end
      if (me == 0) now[1] = 1000;
      for (int step = 0; step < steps; ++step) {
        const auto tag = static_cast<gs::message_tag>(step);
        if (me > 0) gs::send_value(me - 1, tag, now[1]);
        if (me < last) gs::send_value(me + 1, tag, now[k_cells]);
        // No heat leaves the rod at its ends.
        now[0] = me > 0 ? gs::receive_value<double>(me - 1, tag) : now[1];
        now[k_cells + 1] = me < last ? gs::receive_value<double>(me + 1, tag) : now[k_cells];
        for (std::size_t i = 1; i <= k_cells; ++i)
          next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        std::swap(now, next);
      }
      for (std::size_t i = 1; i <= k_cells; ++i) heat.here() += now[i];
    });
    const double total = heat.fold(0.0, [](double a, double b) { return a + b; });
    gs::print("after {} steps {:.3f} of 1000 units of heat are there\n", steps, total);
  });
}
