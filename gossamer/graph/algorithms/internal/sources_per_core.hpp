#pragma once
// Searches from many sources, each by one core in arrays of its own, so that nothing is shared but the graph. The sums of the cores are
// added at the end. Over processes each copies the rows of the others first, unless all lie here, and searches from its share of the sources.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Searches by a Workspace of each core. It has search(g, rows, source), and `sums`, empty until its first search and of `size` afterwards.
template <class Workspace>
class sources_per_core {
 public:
  /// Returns the sums of the searches from all sources, in process 0. Main fiber; suspends.
  static std::vector<double> sums(const graph_view& g, bool weighted, std::span<const vertex_id> sources,
                                  std::uint64_t size, const progress_hook& progress) {
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
  // What a process has.
  struct process_work {
    std::vector<vertex_id> sources;
    whole_rows out;
    std::vector<double> sums;  // process 0
  };

  /// Returns sources between two reports: about a quarter of a second of work per core.
  static std::uint64_t batch_of(const graph_view& g) {
    return std::max<std::uint64_t>(1, 50'000'000 / (g.arcs + g.vertices + 1)) * cores();
  }

  // Gives every process the sources of process 0 and all rows: a copy, where they do not all lie here. Collective.
  static void share_work(process_work& mine, const graph_view& g, bool weighted) {
    mine.out.take(g, g.out, weighted);
    if (processes() == 1) return;
    std::vector<std::vector<vertex_id>> sources(processes());
    if (process() == 0) std::ranges::fill(sources, mine.sources);
    mine.sources = exchange(std::move(sources))[0];
  }

  // Searches from this process's share of sources [begin, end).
  static void search_share(const process_work* mine, per_core<Workspace> slots, const graph_view& g,
                           std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t first = begin + block_begin(end - begin, process(), processes());
    const std::uint64_t last = begin + block_begin(end - begin, process() + 1, processes());
    local::forall_chunks(first, last, 1, [mine, slots, g](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) slots.here().search(g, mine->out.all(), mine->sources[b]);
    });
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
