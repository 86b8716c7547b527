// Distances with a batch of sources per core: each core searches in its own arrays, so only the graph is
// shared, and there is no barrier between levels. Process p of k has the batches p, p + k, p + 2k, and so on;
// its cores take them dynamically.
// Encoding: sources are ordered so that those of a batch are near each other (engine/nearby_order.hpp).
//   Summaries are in the same order; each batch writes those of its sources.
#include <algorithm>
#include <utility>

#include "gossamer/graph/algorithms/internal/distance_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/local_multi_search.hpp"
#include "gossamer/graph/engine/nearby_order.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

/// The arrays of a core.
struct distance_workspace {
  local_multi_search search;
  source_counts counts;
};

/// Adds the distances of a search to the summaries of its batch.
struct summing {
  source_counts& counts;
  distance_summary* summaries;  // of its batch

  void reached(vertex_id, source_word sources, std::uint64_t) { counts.add(sources); }
  void end_level(std::uint64_t level) {
    counts.take([&](std::uint64_t source, std::uint64_t count) { summaries[source].add(level, count); });
  }
};

/// The batches of a process.
struct process_batches {
  whole_rows forward, backward;
  std::vector<vertex_id> sources;  // in the order of batches
  std::vector<distance_summary> summaries;  // likewise; only those of own batches are set
};

/// The division of the sources into batches.
struct batch_sizes {
  std::uint64_t sources, batch;

  std::uint64_t batches() const { return (sources + batch - 1) / batch; }
  std::uint64_t begin(std::uint64_t b) const { return b * batch; }
  std::uint64_t size(std::uint64_t b) const { return std::min(batch, sources - begin(b)); }
  /// Returns how many batches process p has of the first n.
  static std::uint64_t of_process(std::uint64_t n, unsigned p) {
    return (n + processes() - 1 - p) / processes();
  }
};

/// Returns the number of batches between two reports: about a quarter of a second of work per core.
std::uint64_t round_of(const graph_view& g) {
  return std::max<std::uint64_t>(1, 10'000'000 / (g.arcs + g.vertices + 1)) * cores();
}

/// Copies all rows to every process. Collective.
void share_rows(process_batches& mine, const distance_query& q) {
  mine.forward.take(q.graph, q.forward);
  if (q.graph.directed) mine.backward.take(q.graph, q.backward);
}

/// Copies the sources of process 0 to every process. Collective.
void share_sources(process_batches& mine) {
  if (processes() > 1) {
    std::vector<std::vector<vertex_id>> sources(processes());
    if (process() == 0) std::ranges::fill(sources, mine.sources);
    mine.sources = exchange(std::move(sources))[0];
  }
  mine.summaries.resize(mine.sources.size());
}

/// Searches from the batches of [begin, end) that belong to this process.
void search_batches(process_batches* mine, per_core<distance_workspace> spaces, const distance_query& q,
                    const batch_sizes& sizes, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = batch_sizes::of_process(begin, process()),
                      last = batch_sizes::of_process(end, process());
  local::forall_chunks(
      first, last, 1,
      [mine, spaces, q, sizes, p = process(), all = processes()](std::uint64_t k,
                                                                 std::uint64_t last_of_chunk) {
        distance_workspace& space = spaces.here();
        for (; k < last_of_chunk; ++k) {
          const std::uint64_t b = k * all + p;
          summing sums{space.counts, mine->summaries.data() + sizes.begin(b)};
          space.search.run(q.graph, directed_adjacency{mine->forward.all()},
                           directed_adjacency{q.graph.directed ? mine->backward.all() : mine->forward.all()},
                           q.policy, std::span(mine->sources).subspan(sizes.begin(b), sizes.size(b)), sums);
        }
      });
}

/// Collects the summaries of all processes in process 0. Collective.
void collect_summaries(process_batches& mine, const batch_sizes& sizes) {
  if (processes() == 1) return;
  std::vector<distance_summary> own;
  for (std::uint64_t b = process(); b < sizes.batches(); b += processes())
    own.insert(own.end(), mine.summaries.begin() + static_cast<std::ptrdiff_t>(sizes.begin(b)),
               mine.summaries.begin() + static_cast<std::ptrdiff_t>(sizes.begin(b) + sizes.size(b)));
  const auto all = to_first(std::move(own));
  if (process() != 0) return;
  for (unsigned p = 0; p < processes(); ++p) {
    const distance_summary* from = all[p].data();
    for (std::uint64_t b = p; b < sizes.batches(); b += processes()) {
      std::copy_n(from, sizes.size(b), mine.summaries.begin() + static_cast<std::ptrdiff_t>(sizes.begin(b)));
      from += sizes.size(b);
    }
  }
}

}  // namespace

distances_result distances_per_core(const distance_query& q, std::span<const vertex_id> sources,
                                    const progress_hook& progress) {
  const scoped_per_core<distance_workspace> spaces;
  const scoped_per_process<process_batches> owner;
  const auto work = owner.handle();
  // If sources are few, batches are smaller, so that every core has one.
  const batch_sizes sizes{sources.size(),
                          std::min<std::uint64_t>(k_word_sources, (sources.size() + cores() - 1) / cores())};
  on_all_processes([work, q] { share_rows(work.here(), q); });
  const std::vector<std::uint64_t> order =
      nearby_order(work.here().forward.all(), q.graph.vertices, sources, sizes.batch);
  for (const std::uint64_t i : order) work.here().sources.push_back(sources[i]);
  on_all_processes([work] { share_sources(work.here()); });
  const std::uint64_t round = round_of(q.graph);
  for (std::uint64_t done = 0; done < sizes.batches();) {
    const std::uint64_t end = std::min(done + round, sizes.batches());
    on_all_processes([work, q, sizes, done, end, spaces = spaces.handle()] {
      search_batches(&work.here(), spaces, q, sizes, done, end);
    });
    done = end;
    report(progress, "distances", std::min(sizes.begin(done), sizes.sources), sizes.sources);
  }
  on_all_processes([work, sizes] { collect_summaries(work.here(), sizes); });
  distances_result r;
  r.batches = sizes.batches();
  r.distances.resize(sources.size());
  for (std::size_t i = 0; i < order.size(); ++i) r.distances[order[i]] = work.here().summaries[i];
  return r;
}

}  // namespace gossamer::graph
