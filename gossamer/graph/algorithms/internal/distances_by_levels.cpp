// Distances with all cores on one batch of sources (engine/multi_search.hpp): for graphs whose rows lie in
// several processes, and for graphs too large for arrays on each core.
// Encoding: each core counts its own vertices, by level and source. The counts of k_levels levels are
//   collected at once, so a level costs no message for them; process 0 adds them in the order of levels.
#include <algorithm>
#include <array>

#include "gossamer/graph/algorithms/internal/distance_methods.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/multi_search.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_levels = 64;  // levels whose counts are collected at once

using level_counts = std::array<std::uint64_t, k_word_sources>;  // vertices of a level, by source

/// The counts of a core.
struct core_counts {
  source_counts newest;  // of the current level
  std::vector<level_counts> levels;  // of complete levels that were not collected
};

/// Counts the reached vertices of each core, by level and source.
struct counting_distances {
  per_core<core_counts> counts;

  void reached(vertex_id, source_word sources, std::uint64_t) const { counts.here().newest.add(sources); }
  void end_level(std::uint64_t) const {
    core_counts& mine = counts.here();
    level_counts& of = mine.levels.emplace_back();
    mine.newest.take([&](std::uint64_t source, std::uint64_t count) { of[source] = count; });
  }
};

/// Collects the counts of all cores from level `first` on, and adds them to the summaries.
void add_levels(per_core<core_counts> counts, std::uint64_t first, std::span<distance_summary> summaries) {
  std::vector<level_counts> sums;
  for (const auto& levels : collect_spans<level_counts>(
           counts, [](core_counts& c) { return std::span<const level_counts>(c.levels); })) {
    sums.resize(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
      for (std::size_t s = 0; s < summaries.size(); ++s) sums[l][s] += levels[l][s];
  }
  on_all_cores([counts] { counts.here().levels.clear(); });
  for (const level_counts& level : sums) {
    for (std::size_t s = 0; s < summaries.size(); ++s)
      if (level[s] != 0) summaries[s].add(first, level[s]);
    ++first;
  }
}

}  // namespace

distances_result distances_by_levels(const distance_query& q, std::span<const vertex_id> sources,
                                     const progress_hook& progress) {
  distances_result r;
  r.distances.resize(sources.size());
  const traversal go(q.graph, q.policy);
  const scoped_per_core<core_counts> counts;
  const counting_distances visitor{counts.handle()};
  multi_search search(go, directed_adjacency{q.forward}, directed_adjacency{q.backward});
  std::vector<search_source> batch;
  for (std::size_t begin = 0; begin < sources.size(); begin += k_word_sources) {
    const std::size_t size = std::min(k_word_sources, sources.size() - begin);
    batch.clear();
    for (std::size_t i = 0; i < size; ++i) batch.push_back({sources[begin + i], source_word{1} << i});
    const auto summaries = std::span(r.distances).subspan(begin, size);
    std::uint64_t counted = 0;
    search.start(batch, visitor);
    while (search.size() != 0) {
      search.go_on(visitor);
      if (search.size() == 0 || search.level() + 1 - counted == k_levels) {
        add_levels(counts.handle(), counted, summaries);
        counted = search.level() + 1;
      }
      report(progress, "distances", begin, sources.size());
    }
    ++r.batches;
    report(progress, "distances", begin + size, sources.size());
  }
  return r;
}

}  // namespace gossamer::graph
