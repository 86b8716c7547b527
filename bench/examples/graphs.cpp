#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "examples/peers.hpp"
#include "gossamer/base/random.hpp"

namespace example_peers {
namespace {

using rows = std::vector<std::vector<std::uint32_t>>;

rows read(const std::string& name, bool both_ways) {
  rows found;
  std::ifstream file(name);
  if (!file) throw std::runtime_error(name + ": cannot be read");
  for (std::uint32_t u, v; file >> u >> v;) {
    found.resize(std::max<std::size_t>(found.size(), std::max(u, v) + 1));
    found[u].push_back(v);
    if (both_ways) found[v].push_back(u);
  }
#pragma omp parallel for
  for (std::size_t v = 0; v < found.size(); ++v) {
    std::ranges::sort(found[v]);
    found[v].erase(std::ranges::unique(found[v]).begin(), found[v].end());
  }
  return found;
}

}  // namespace

// Writes an edge list in which each of N vertices has an arc to the next one, and some have arcs to random ones.
void write_graph(const arguments& given) {
  const std::uint64_t n = given.number(0, 0);
  std::ofstream file(given.text(1));
  for (std::uint64_t v = 0; v < n; ++v) {
    file << v << ' ' << (v + 1) % n << '\n';
    for (std::uint64_t k = 0; k < gossamer::hash64(v) % 8; ++k)
      if (const std::uint64_t to = gossamer::hash64(v, k) % n; to != v) file << v << ' ' << to << '\n';
  }
}

void breadth_first(const arguments& given) {
  const rows arcs = read(given.text(0), false);
  std::vector<std::atomic<bool>> seen(arcs.size());
  std::vector<std::uint32_t> now{0};
  seen[0] = true;
  std::size_t reached = 0;
  for (unsigned level = 0; !now.empty(); ++level) {
    std::printf("level %u: %zu vertices\n", level, now.size());
    reached += now.size();
    std::vector<std::uint32_t> next;
#pragma omp parallel
    {
      std::vector<std::uint32_t> mine;
#pragma omp for schedule(dynamic, 64) nowait
      for (std::size_t i = 0; i < now.size(); ++i)
        for (const std::uint32_t v : arcs[now[i]])
          if (!seen[v].load(std::memory_order_relaxed) && !seen[v].exchange(true, std::memory_order_relaxed))
            mine.push_back(v);
#pragma omp critical
      next.insert(next.end(), mine.begin(), mine.end());
    }
    now.swap(next);
  }
  std::printf("%zu of %zu vertices reached\n", reached, arcs.size());
}

void label_propagation(const arguments& given) {
  const rows edges = read(given.text(0), true);
  const std::uint64_t rounds = given.number(1, 10);
  std::vector<std::uint32_t> now(edges.size()), next(edges.size());
  for (std::uint32_t v = 0; v < now.size(); ++v) now[v] = v;
  std::uint64_t round = 0;
  for (bool changed = true; changed && round < rounds; ++round) {
    changed = false;
#pragma omp parallel for schedule(dynamic, 64) reduction(|| : changed)
    for (std::size_t v = 0; v < edges.size(); ++v) {
      std::map<std::uint32_t, unsigned> near{{now[v], 1}};
      for (const std::uint32_t n : edges[v]) ++near[now[n]];
      next[v] = std::ranges::max_element(near, {}, [](const auto& l) { return l.second; })->first;
      changed = changed || next[v] != now[v];
    }
    now.swap(next);
  }
  const std::set<std::uint32_t> different(now.begin(), now.end());
  std::printf("%zu communities after %lu rounds\n", different.size(), round);
}

}  // namespace example_peers
