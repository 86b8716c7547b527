// Communities by label propagation: in each round every vertex takes the label that most of its neighbours and itself have, of
// several the smallest. The answer is the same on any number of cores.
//   label_propagation G [ROUNDS]
#include <algorithm>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <gossamer/graph/engine/traversal.hpp>
#include <gossamer/graph/formats/load.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gs = gossamer;
namespace gg = gossamer::graph;

struct changes {
  std::uint64_t vertices = 0;
  void add(const changes& other) { vertices += other.vertices; }
};

/// Returns the most frequent of some labels, the smallest of several.
gg::vertex_id most_frequent(std::vector<gg::vertex_id>& labels) {
  std::sort(labels.begin(), labels.end());
  gg::vertex_id best = labels.front();
  for (std::size_t i = 0, most = 0, end; i < labels.size(); i = end) {
    end =
        static_cast<std::size_t>(std::upper_bound(labels.begin(), labels.end(), labels[i]) - labels.begin());
    if (end - i > most) most = end - i, best = labels[i];
  }
  return best;
}

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "kron:12";
  const unsigned long rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10;
  return gs::run(argc, argv, [&] {
    const gg::graph loaded = gg::load_shared(name, {.how = gg::direction::undirected});
    const gg::graph_view g = loaded.view();
    const gg::traversal go(g);
    // A value for each vertex, at the core that has its row.
    auto now = go.values<gg::vertex_id>(), next = go.values<gg::vertex_id>();
    go.vertex_map(gg::k_fill, now.handle(), [](gg::vertex_id v, gg::vertex_id& label) { label = v; });
    unsigned long round = 0;
    for (bool changed = true; changed && round < rounds; ++round) {
      // Labels of the last round are frozen, and read in place; each core writes those of the blocks that it takes.
      const changes all = go.block_reduce<changes>(
          gg::k_pull, [rows = gg::adjacency(g.out), label = now.freeze(), to = gg::elements_of(next)](
                          gg::vertex_range some, changes& mine, gg::scan_meter& meter) {
            std::vector<gg::vertex_id> near;
            for (auto v = static_cast<gg::vertex_id>(some.begin); v < some.end; ++v) {
              near.assign(1, label[v]);
              for (const gg::vertex_id n : rows[v]) near.push_back(label[n]);
              meter.arcs += near.size() - 1;
              to[v] = most_frequent(near);
              mine.vertices += to[v] != label[v];
            }
          });
      now.thaw();
      std::swap(now, next);
      changed = all.vertices != 0;
    }
    std::map<gg::vertex_id, std::uint64_t> sizes;
    for (const gg::vertex_id label : gg::copy_of(now.handle())) ++sizes[label];
    std::uint64_t largest = 0;
    for (const auto& [label, size] : sizes) largest = std::max(largest, size);
    gs::print("{} communities after {} rounds, the largest of {} vertices\n", sizes.size(), round, largest);
  });
}
