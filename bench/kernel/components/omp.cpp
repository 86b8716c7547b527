// The peer: connected components in plain OpenMP. Union-find in one shared array, hooking by compare-and-swap
// (Shiloach and Vishkin 1982), with the sampling of Afforest (Sutton et al. 2018): two neighbours of every
// vertex first, then all others but those of the giant component.
#include "gossamer/graph/algorithms/components.hpp"

#include <atomic>
#include <map>
#include <unordered_map>

#include "gossamer/machine/clock.hpp"
#include "support/kernel_bench.hpp"

namespace {

using namespace gossamer;
using graph::vertex_id;

/// Loads a label, relaxed: labels only ever decrease, and a stale one costs another round of the loop.
vertex_id load(std::vector<vertex_id>& label, vertex_id v) {
  return std::atomic_ref<vertex_id>(label[v]).load(std::memory_order_relaxed);
}

void join(std::vector<vertex_id>& label, vertex_id u, vertex_id v) {
  vertex_id a = load(label, u), b = load(label, v);
  while (a != b) {
    const vertex_id high = std::max(a, b), low = std::min(a, b);
    vertex_id seen = high;
    if (load(label, high) == low || std::atomic_ref<vertex_id>(label[high])
                                        .compare_exchange_strong(seen, low, std::memory_order_relaxed)) {
      return;
    }
    a = load(label, load(label, high));
    b = load(label, low);
  }
}

void flatten(std::vector<vertex_id>& label) {
#pragma omp parallel for schedule(dynamic, 16384)
  for (std::size_t v = 0; v < label.size(); ++v) {
    while (label[v] != load(label, label[v])) label[v] = load(label, label[v]);
  }
}

vertex_id most_frequent(const std::vector<vertex_id>& label) {
  std::unordered_map<vertex_id, unsigned> counts;
  for (std::size_t i = 0; i < 1024; ++i) ++counts[label[i * 7919 % label.size()]];
  return std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first;
}

std::vector<vertex_id> label_components(const graph::graph_view& g) {
  constexpr std::uint64_t k_samples = 2;
  std::vector<vertex_id> label(g.vertices);
#pragma omp parallel for
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<vertex_id>(v);
  for (std::uint64_t sample = 0; sample < k_samples; ++sample) {
#pragma omp parallel for schedule(dynamic, 16384)
    for (std::size_t v = 0; v < label.size(); ++v) {
      const auto row = g.out[static_cast<vertex_id>(v)];
      if (sample < row.size()) join(label, static_cast<vertex_id>(v), row[sample]);
    }
    flatten(label);
  }
  const vertex_id giant = label.empty() ? 0 : most_frequent(label);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < label.size(); ++v) {
    if (load(label, static_cast<vertex_id>(v)) == giant) continue;
    const auto row = g.out[static_cast<vertex_id>(v)];
    for (std::size_t i = k_samples; i < row.size(); ++i) join(label, static_cast<vertex_id>(v), row[i]);
    if (!g.directed) continue;
    for (vertex_id n : g.in[static_cast<vertex_id>(v)]) join(label, static_cast<vertex_id>(v), n);
  }
  flatten(label);
  return label;
}

/// Counts what verify_components() wants to see.
graph::components_result with_sizes(std::vector<vertex_id> label) {
  graph::components_result r;
  std::vector<std::uint64_t> size(label.size(), 0);
  for (vertex_id id : label) ++size[id];
  std::map<std::uint64_t, std::uint64_t> distribution;
  for (std::uint64_t s : size) {
    if (s > 0) ++distribution[s];
  }
  for (auto [s, count] : distribution) {
    r.sizes.push_back({s, count});
    r.components += count;
    r.largest = s;
  }
  r.component = std::move(label);
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_openmp(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const std::uint64_t start = machine::now_ns();
      std::vector<vertex_id> label = label_components(g);
      times.push_back(static_cast<double>(machine::now_ns() - start) * 1e-6);
      if (r == 0) bench::require(graph::verify_components(g, with_sizes(std::move(label))));
    }
    return bench::outcome{"components", "omp", "ms", std::move(times)};
  });
}
