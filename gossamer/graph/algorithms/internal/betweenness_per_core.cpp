// Brandes' algorithm with a source per core, for graphs that stay in the caches: each core works serially
// in arrays of its own, so nothing is shared but the graph, and the sums of the cores are added at the end.
// Encoding: depth is k_no_vertex until visited; `order` lists the visited vertices level by level and doubles
// as the queue. The backward pass gathers from `active_values`, which has (1 + delta) / sigma of the level below
// and 0 elsewhere, so that it needs no test per edge (as in betweenness_levels.cpp). Only visited entries
// are reset between sources. Over processes each copies the rows of the others first, unless all lie here, and searches from
// its share of the sources.
#include <algorithm>

#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

struct workspace {
  std::vector<vertex_id> depth, order;
  std::vector<std::size_t> level_begin;  // of each level in `order`
  std::vector<double> sigma, active_values, sum;
  std::uint64_t arcs = 0;  // looked at forward from this source

  void reserve(std::uint64_t vertices) {
    if (!depth.empty()) return;
    depth.assign(vertices, k_no_vertex);
    order.reserve(vertices);
    sigma.assign(vertices, 0);
    active_values.assign(vertices, 0);
    sum.assign(vertices, 0);
  }

  void count_paths(const adjacency& out, vertex_id source) {
    depth[source] = 0;
    sigma[source] = 1;
    order.assign(1, source);
    level_begin.assign(1, 0);
    for (std::size_t begin = 0; begin < order.size(); begin = level_begin.back()) {
      const std::size_t end = order.size();
      for (std::size_t i = begin; i < end; ++i) push_paths(out, order[i]);
      level_begin.push_back(end);
    }
  }

  void push_paths(const adjacency& out, vertex_id v) {
    const vertex_id below = depth[v] + 1;
    const double paths = sigma[v];
    const auto row = out[v];
    arcs += row.size();
    for (vertex_id w : row) {
      if (depth[w] == k_no_vertex) {
        depth[w] = below;
        sigma[w] = paths;
        order.push_back(w);
      } else if (depth[w] == below) {
        sigma[w] += paths;
      }
    }
  }

  std::span<const vertex_id> level(std::size_t l) const {
    return {order.data() + level_begin[l], order.data() + level_begin[l + 1]};
  }

  /// The source, alone on level 0, gets no dependency of its own.
  void accumulate(const puller& out) {
    const std::size_t levels = level_begin.size() - 1;
    for (std::size_t l = levels; l-- > 1;) {
      for (vertex_id v : level(l)) {
        const double delta = sigma[v] * out.sum(active_values.data(), v);
        sum[v] += delta;
        sigma[v] = (1 + delta) / sigma[v];
      }
      if (l + 1 < levels) clear_active_values(l + 1);
      for (vertex_id v : level(l)) active_values[v] = sigma[v];
    }
    if (levels > 1) clear_active_values(1);
  }
  void clear_active_values(std::size_t l) {
    for (vertex_id v : level(l)) active_values[v] = 0;
  }

  void reset() {
    for (vertex_id v : order) depth[v] = k_no_vertex;
    for (const scan_cost& c : {k_push, k_pull}) {
      scan_meter meter(c);
      meter.rows = order.size();
      meter.arcs = arcs;
    }
    arcs = 0;
  }
};

/// Sources between two reports: about a quarter of a second of work per core.
std::uint64_t batch_of(const graph_view& g) {
  return std::max<std::uint64_t>(1, 50'000'000 / (g.arcs + g.vertices + 1)) * cores();
}

// What a process has.
struct process_work {
  std::vector<vertex_id> sources;
  whole_rows out;
  std::vector<double> sums;  // process 0
};

// Gives every process the sources of process 0 and all rows: a copy, where they do not all lie here. Collective.
void share_work(process_work& mine, const graph_view& g) {
  mine.out.take(g, g.out);
  if (processes() == 1) return;
  std::vector<std::vector<vertex_id>> sources(processes());
  if (process() == 0) std::ranges::fill(sources, mine.sources);
  mine.sources = exchange(std::move(sources))[0];
}

// Searches from this process's share of sources [begin, end).
void search_share(const process_work* mine, per_core<workspace> slots, const graph_view& g,
                  std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = begin + block_begin(end - begin, process(), processes());
  const std::uint64_t last = begin + block_begin(end - begin, process() + 1, processes());
  local::forall_chunks(first, last, 1,
                       [mine, slots, n = g.vertices, arcs = g.arcs](std::uint64_t b, std::uint64_t e) {
                         workspace& space = slots.here();
                         space.reserve(n);
                         for (; b < e; ++b) {
                           space.count_paths(mine->out.all(), mine->sources[b]);
                           space.accumulate(puller(mine->out.all(), arcs));
                           space.reset();
                         }
                       });
}

// Adds up the sums of all cores in process 0. Collective.
void add_sums(process_work& mine, per_core<workspace> slots, std::uint64_t vertices) {
  std::vector<double> sums(vertices, 0);
  const auto add = [&sums](const std::vector<double>& more) {
    for (std::size_t v = 0; v < more.size(); ++v) sums[v] += more[v];
  };
  for (core_id c = 0; c < local::cores(); ++c) add(slots.at(first_core(process()) + c).sum);
  if (processes() > 1) {
    const auto all = to_first(std::exchange(sums, std::vector<double>(vertices, 0)));
    for (const auto& part : all) add(part);
  }
  if (process() == 0) mine.sums = std::move(sums);
}

}  // namespace

std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          const progress_hook& progress) {
  scoped_per_core<workspace> workspaces;
  scoped_per_process<process_work> owner;
  const auto work = owner.handle();
  work.here().sources.assign(sources.begin(), sources.end());
  on_all_processes([work, g] { share_work(work.here(), g); });
  const std::uint64_t batch = batch_of(g);
  for (std::uint64_t done = 0; done < sources.size();) {
    const std::uint64_t end = std::min<std::uint64_t>(done + batch, sources.size());
    on_all_processes([work, g, done, end, slots = workspaces.handle()] {
      search_share(&work.here(), slots, g, done, end);
    });
    done = end;
    report(progress, "betweenness", done, sources.size());
  }
  on_all_processes([work, slots = workspaces.handle(), n = g.vertices] { add_sums(work.here(), slots, n); });
  return std::move(work.here().sums);
}

}  // namespace gossamer::graph
