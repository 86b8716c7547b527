// Breadth-first search by hand: finds how far every vertex is from vertex 0, level by level.
//   breadth_first [GRAPH]       a file, or kron:SCALE
#include <cstdint>
#include <gossamer/gossamer.hpp>
#include <gossamer/graph/formats/load.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace gs = gossamer;
using gs::graph::vertex_id;

constexpr std::uint32_t k_not_reached = 0;  // levels count from 1: a new array holds zeros

struct frontier {
  std::vector<vertex_id> now, next;
};

int main(int argc, char** argv) {
  const std::string source = argc > 1 ? argv[1] : "kron:14";
  return gs::run(argc, argv, [source] {
    const gs::graph::graph g = gs::graph::load(source);
    const gs::graph::graph_view view = g.view();
    const gs::scoped_array<std::uint32_t> levels(view.vertices);
    const gs::scoped_per_core<frontier> frontiers;

    // Marks a vertex at its owner, which also searches from it in the next level.
    const auto visit = [levels = levels.handle(), frontiers = frontiers.handle()](vertex_id v,
                                                                                  std::uint32_t level) {
      levels.async(v, [v, level, frontiers](std::uint32_t& mine) {
        if (mine != k_not_reached) return;
        mine = level;
        frontiers.here().next.push_back(v);
      });
    };

    std::uint64_t reached = 0;
    std::uint32_t level = 1;
    gs::finish([&] { visit(0, level); });
    for (;; ++level) {
      gs::on_all_cores([frontiers = frontiers.handle()] {
        std::swap(frontiers.here().now, frontiers.here().next);
        frontiers.here().next.clear();
      });
      const auto sizes = gs::collect(frontiers.handle(), [](frontier& f) { return f.now.size(); });
      const std::size_t found = std::reduce(sizes.begin(), sizes.end());
      if (found == 0) break;
      reached += found;
      gs::print("level {}: {} vertices\n", level - 1, found);
      gs::on_all_cores([view, visit, level, frontiers = frontiers.handle()] {
        for (const vertex_id u : frontiers.here().now)
          for (const vertex_id v : view.out[u]) visit(v, level + 1);
      });
    }
    gs::print("{} of {} vertices reached\n", reached, view.vertices);
  });
}
