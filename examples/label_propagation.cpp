// Communities by label propagation: in each round every vertex takes the label that most of its neighbours and itself have, of
// several the smallest. The answer is the same on any number of cores.
//   label_propagation G [ROUNDS]
#include <algorithm>
#include <gossamer/gossamer.hpp>
#include <gossamer/graph/engine/traversal.hpp>
#include <gossamer/graph/formats/load.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gs = gossamer;
namespace gg = gossamer::graph;

struct changes {
  std::uint64_t vertices = 0;
  void add(const changes& other) { vertices += other.vertices; }
};

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "kron:12";
  const unsigned rounds = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 10;
  return gs::run(argc, argv, [&] {
    const gg::graph g = gg::load_shared(name, {.how = gg::direction::undirected});
    const gg::traversal go(g.view());
    // A value for each vertex, at the core that has its row.
    auto now = go.values<gg::vertex_id>(), next = go.values<gg::vertex_id>();
    go.vertex_map(gg::k_fill, now.handle(), [](gg::vertex_id v, gg::vertex_id& label) { label = v; });
    unsigned round = 0;
    for (bool changed = true; changed && round < rounds; ++round) {
      // Labels of the last round are frozen, and read in place; each core writes those of the blocks that it takes.
      const changes all = go.block_reduce<changes>(
          gg::k_pull,
          [rows = gg::adjacency(go.graph().out), label = now.freeze(), to = gg::elements_of(next)](
              gg::vertex_range some, changes& mine, gg::scan_meter& meter) {
            for (auto v = static_cast<gg::vertex_id>(some.begin); v < some.end; ++v) {
              std::map<gg::vertex_id, unsigned> near{{label[v], 1}};
              for (const gg::vertex_id n : rows[v]) ++near[label[n]];
              meter.arcs += rows.degree(v);
              to[v] = std::ranges::max_element(near, {}, [](const auto& l) { return l.second; })->first;
              mine.vertices += to[v] != label[v];
            }
          });
      now.thaw();
      std::swap(now, next);
      changed = all.vertices != 0;
    }
    const std::vector<gg::vertex_id> labels = gg::copy_of(now.handle());
    const std::set<gg::vertex_id> different(labels.begin(), labels.end());
    gs::print("{} communities after {} rounds\n", different.size(), round);
  });
}
