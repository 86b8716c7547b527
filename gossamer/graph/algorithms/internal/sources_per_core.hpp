#pragma once
// Searches from many sources; each core runs its own searches in its own arrays, and shares only the graph.
// The cores' sums are added at the end. If they are saved for a later start, they are exact, and also added
// at each checkpoint. With several processes, each first copies the rows of the others, unless all lie here,
// and searches from its share of the sources.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/engine/exact_sum.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Searches with a Workspace for each core. It has search(g, rows, source), and `sums`, empty until its first
/// search and of `size` afterwards.
template <class Workspace>
class sources_per_core {
 public:
  /// Returns the sums of the searches from all sources, in process 0. Main fiber; suspends.
  static std::vector<double> sums(const graph_view& g, bool weighted, std::span<const vertex_id> sources,
                                  std::uint64_t size, kept_sources& kept, const progress_hook& progress) {
    if (kept.work) return kept_sums(g, weighted, sources, size, kept, progress);
    scoped_per_core<Workspace> workspaces;
    scoped_per_process<process_work> owner;
    const auto work = owner.handle();
    work.here().sources.assign(sources.begin(), sources.end());
    on_all_processes([work, g, weighted] { share_work(work.here(), g, weighted); });
    const std::uint64_t batch = batch_of(g);
    for (std::uint64_t done = 0; done < sources.size();) {
      const std::uint64_t end = std::min<std::uint64_t>(done + batch, sources.size());
      on_all_processes([work, g, done, end, slots = workspaces.handle()] {
        search_share(&work.here(), slots, g, done, end);
      });
      done = end;
      report(progress, "betweenness", done, sources.size());
    }
    on_all_processes([work, slots = workspaces.handle(), size] { add_sums(work.here(), slots, size); });
    return std::move(work.here().sums);
  }

 private:
  using totals = std::vector<exact_total>;

  /// Does the same with a checkpoint: searches only from sources that no earlier start has processed. Makes
  /// two more passes over the sums for each source.
  static std::vector<double> kept_sums(const graph_view& g, bool weighted, std::span<const vertex_id> sources,
                                       std::uint64_t size, kept_sources& kept,
                                       const progress_hook& progress) {
    scoped_per_core<Workspace> workspaces;
    scoped_per_core<totals> exact;
    scoped_per_process<process_work> owner;
    scoped_array<exact_total> stored(size);
    const auto work = owner.handle();
    std::uint64_t done = 0;
    kept.work.add("sums", stored.handle());
    kept.work.add("sources", &done);
    (void)kept.work.restore();
    kept.before = done;
    const totals before = copy_of(stored.handle());
    work.here().sources.assign(sources.begin(), sources.end());
    on_all_processes([work, g, weighted] { share_work(work.here(), g, weighted); });
    const auto sum = [&] {
      on_all_processes([work, exact = exact.handle(), size] { add_totals(work.here(), exact, size); });
      totals all = std::move(work.here().exact);
      for (std::size_t i = 0; i < all.size(); ++i) all[i].add(before[i]);
      return all;
    };
    // If checkpoints are due at all times, each core processes one source between two of them.
    const std::uint64_t batch = kept.work.is_due() ? cores() : batch_of(g);
    while (done < sources.size()) {
      const std::uint64_t end = std::min<std::uint64_t>(done + batch, sources.size());
      on_all_processes([work, g, done, end, slots = workspaces.handle(), exact = exact.handle()] {
        search_share(&work.here(), slots, g, done, end, exact, 1);
      });
      done = end;
      if (kept.work.is_due()) {
        put(stored.handle(), 0, std::span<const exact_total>(sum()));
        kept.work.save();
      }
      report(progress, "betweenness", done, sources.size());
    }
    std::vector<double> sums;
    sums.reserve(size);
    for (const exact_total& total : sum()) sums.push_back(total.value());
    return sums;
  }

  // The state of a process.
  struct process_work {
    std::vector<vertex_id> sources;
    whole_rows out;
    std::vector<double> sums;  // process 0
    totals exact;  // likewise
  };

  /// Returns the number of sources between two reports: about a quarter of a second of work per core.
  static std::uint64_t batch_of(const graph_view& g) {
    return std::max<std::uint64_t>(1, 50'000'000 / (g.arcs + g.vertices + 1)) * cores();
  }

  // Copies the sources of process 0, and all rows that do not lie in this process, to every process.
  // Collective.
  static void share_work(process_work& mine, const graph_view& g, bool weighted) {
    mine.out.take(g, g.out, weighted);
    if (processes() == 1) return;
    std::vector<std::vector<vertex_id>> sources(processes());
    if (process() == 0) std::ranges::fill(sources, mine.sources);
    mine.sources = exchange(std::move(sources))[0];
  }

  // Searches from this process's share of sources [begin, end).
  static void search_share(const process_work* mine, per_core<Workspace> slots, const graph_view& g,
                           std::uint64_t begin, std::uint64_t end, per_core<totals> exact = {},
                           std::uint64_t keeps = 0) {
    const std::uint64_t first = begin + block_begin(end - begin, process(), processes());
    const std::uint64_t last = begin + block_begin(end - begin, process() + 1, processes());
    local::forall_chunks(first, last, 1, [mine, slots, g, exact, keeps](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) {
        slots.here().search(g, mine->out.all(), mine->sources[b]);
        if (keeps != 0) move_sums(slots.here().sums, exact.here());
      }
    });
  }

  /// Adds the sums of a source, and clears them.
  static void move_sums(std::vector<double>& sums, totals& to) {
    to.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] == 0) continue;
      to[i].add(sums[i]);
      sums[i] = 0;
    }
  }

  // Adds up the exact sums of all cores in process 0. The cores keep theirs. Collective.
  static void add_totals(process_work& mine, per_core<totals> exact, std::uint64_t size) {
    totals sums(size);
    const auto add = [&sums](const totals& more) {
      for (std::size_t i = 0; i < more.size(); ++i) sums[i].add(more[i]);
    };
    for (core_id c = 0; c < local::cores(); ++c) add(exact.at(first_core(process()) + c));
    if (processes() > 1) {
      const auto all = to_first(std::exchange(sums, totals(size)));
      for (const totals& part : all) add(part);
    }
    if (process() == 0) mine.exact = std::move(sums);
  }

  // Adds up the sums of all cores in process 0. Collective.
  static void add_sums(process_work& mine, per_core<Workspace> slots, std::uint64_t size) {
    std::vector<double> sums(size, 0);
    const auto add = [&sums](const std::vector<double>& more) {
      for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
    };
    for (core_id c = 0; c < local::cores(); ++c) add(slots.at(first_core(process()) + c).sums);
    if (processes() > 1) {
      const auto all = to_first(std::exchange(sums, std::vector<double>(size, 0)));
      for (const auto& part : all) add(part);
    }
    if (process() == 0) mine.sums = std::move(sums);
  }
};

}  // namespace gossamer::graph
