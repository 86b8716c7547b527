#include "gossamer/graph/build/internal/process_rows.hpp"

#include <algorithm>
#include <cstring>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/build/internal/deal_keys.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/interrupt.hpp"

namespace gossamer::graph {
namespace {

unsigned shared_shift(std::uint64_t edges, std::uint64_t vertices, bool directed) {
  return shared_bucket_shift(directed ? edges : 2 * edges, vertices, processes(), k_vertex_alignment);
}

std::uint64_t count_of(const std::vector<edge_block<edge>>& blocks) {
  std::uint64_t n = 0;
  for (const auto& b : blocks) n += b.size;
  return n;
}

// Cut --------------------------------------------------------------------------------------------------

void count_task(process_rows& mine, std::uint64_t task) {
  const edge_input& in = *mine.input;
  std::uint64_t* const out = mine.out_table.row(task);
  std::uint64_t* const back = mine.directed ? mine.in_table.row(task) : out;  // undirected: both in one
  edge_input::loop_count loops;
  for (std::uint64_t s = in.task_begin(task); s < in.task_begin(task + 1); ++s) {
    if (mine.numbers)
      for (edge& e : in.chunks[s]) e = {mine.numbers->rank(e.from), mine.numbers->rank(e.to)};
    for (const edge& e : in.chunks[s]) {
      const bool arc = e.from != e.to;
      if (!arc) count_loop(in, s, static_cast<std::uint64_t>(&e - in.chunks[s].data()), loops);
      out[e.from >> in.shift] += arc;
      back[e.to >> in.shift] += arc;
    }
  }
  mine.input->loops[task] = loops;
}

// Ends of edges by buckets, of this process.
std::vector<std::uint64_t> count_ends(process_rows* mine) {
  edge_input& in = *mine->input;
  in.loops.resize(in.tasks);
  mine->out_table = task_table(in.tasks, in.buckets);
  if (mine->directed) mine->in_table = task_table(in.tasks, in.buckets);
  local::forall_chunks(0, in.tasks, 1, [mine](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) count_task(*mine, b);
  });
  mine->out_table.place();
  if (mine->directed) mine->in_table.place();
  mine->loops = all_loops(in);
  std::vector<std::uint64_t> ends;
  for (std::uint64_t b = 0; b < in.buckets; ++b)
    ends.push_back(mine->out_table.size(b) + (mine->directed ? mine->in_table.size(b) : 0));
  return ends;
}

// Blocks of vertices that stay together: whole buckets, whole alignments. Buckets of a block.
std::uint64_t buckets_per_block(unsigned shift) {
  return std::max<std::uint64_t>(1, k_vertex_alignment >> shift);
}

std::vector<std::uint64_t> by_blocks(const std::vector<std::uint64_t>& buckets, std::uint64_t group) {
  std::vector<std::uint64_t> blocks(divide_up(std::uint64_t{buckets.size()}, group));
  for (std::size_t b = 0; b < buckets.size(); ++b) blocks[b / group] += buckets[b];
  return blocks;
}

// Returns what the weights of all processes are: one without edges does not know.
weight_type type_of_all(const process_rows& mine) {
  for (const auto& f : mine.all)
    if (f.weights != weight_type::none) return f.weights;
  return weight_type::none;
}

std::uint64_t all_edges(const process_rows& mine) {
  std::uint64_t n = 0;
  for (const auto& f : mine.all) n += f.edges;
  return n;
}

void gather_facts(process_rows& mine, std::uint64_t arcs, bool in_is_out) {
  mine.all = all_gather_processes(process_rows::facts{
      mine.edges, mine.loops, arcs, in_is_out, mine.input ? mine.input->weights.type : mine.weights.type});
}

// Decides which process has which vertices. Collective.
void cut(process_rows& mine, std::uint64_t vertices, bool directed) {
  mine.edges = count_of(mine.blocks);
  mine.directed = directed;
  gather_facts(mine, 0, false);
  mine.input = std::make_unique<edge_input>();
  edge_input& in = *mine.input;
  in.blocks = std::move(mine.blocks);
  in.weights = std::move(mine.weights);
  in.weights.type = type_of_all(mine);
  in.raw_vertices = vertices;
  cut_blocks(in);
  in.shift = shared_shift(all_edges(mine), vertices, directed);
  in.buckets = bucket_count(vertices, in.shift);
  std::vector<std::uint64_t> counted = count_ends(&mine);
  mine.numbers.reset();
  const auto ends = all_reduce_elements(counted, [](auto a, auto b) { return a + b; });
  const std::uint64_t group = buckets_per_block(in.shift);
  mine.bounds = process_bounds_of(by_blocks(ends, group), group << in.shift, vertices);
  gather_facts(mine, 0, false);
}

// Deal and build ---------------------------------------------------------------------------------------

// Builds this process's rows in one direction, or both. Collective.
built_rows build_rows(process_rows& mine, way how, bool last) {
  edge_input& in = *mine.input;
  task_table& table = how == way::backward ? mine.in_table : mine.out_table;
  return with_entry(narrow_keys(in.raw_vertices, in.shift), in.weights.type,
                    [&]<class Entry>(std::type_identity<Entry>) {
                      return std::make_unique<key_deal<Entry>>(in, table, how, mine.bounds)->rows(last);
                    });
}

bool same_rows(const built_rows& a, const built_rows& b) {
  if (a.rows.arcs != b.rows.arcs) return false;
  const auto& x = a.rows;
  const auto& y = b.rows;
  if (std::memcmp(x.offsets.data(), y.offsets.data(), (x.vertices + 1) * sizeof(std::uint64_t)) != 0)
    return false;
  // Both have the same rows of equal lengths; buckets may differ.
  std::uint64_t i = 0, j = 0;
  for (std::uint64_t v = 0; v < x.vertices; ++v) {
    while (v >= x.first[i + 1]) ++i;
    while (v >= y.first[j + 1]) ++j;
    const std::uint64_t degree = x.offsets[v + 1] - x.offsets[v];
    if (degree == 0) continue;
    if (std::memcmp(x.row(i, v), y.row(j, v), degree * sizeof(vertex_id)) != 0) return false;
    if (x.weighted != weight_type::none &&
        std::memcmp(x.row_weights(i, v), y.row_weights(j, v), degree * weight_bytes(x.weighted)) != 0)
      return false;
  }
  return true;
}

// Place ------------------------------------------------------------------------------------------------

// Copies built rows to `where`, on the cores of this process. `before`: arcs of the processes before.
void place(built_rows built, std::uint64_t first, std::uint64_t before, const adjacency& where) {
  const auto keep = std::make_unique<built_rows>(std::move(built));
  packed_rows* const rows = &keep->rows;
  symmetric_rows::take(where, rows->weighted, first, first + rows->vertices, before, rows->arcs);
  auto* const offsets = const_cast<std::uint64_t*>(where.offsets);
  auto* const targets = const_cast<vertex_id*>(where.targets) + before;
  std::byte* const weights = where.weights == nullptr ? nullptr
                                                      : const_cast<std::byte*>(where.weights) +
                                                            before * weight_bytes(rows->weighted);
  local::forall_chunks(0, rows->buckets(), 1, [=](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) copy_bucket(*rows, b, targets, weights);
  });
  local::forall_chunks(0, rows->vertices + 1, 1 << 14, [=](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) offsets[first + b] = before + rows->offsets[b];
  });
}

void place_everywhere(per_process<process_rows> state, built_rows process_rows::* which, adjacency where) {
  on_all_processes([=] {
    process_rows& mine = state.here();
    std::uint64_t before = 0;
    for (unsigned p = 0; p < process(); ++p) before += mine.all[p].arcs;
    place(std::exchange(mine.*which, {}), mine.bounds[process()], before, where);
  });
}

std::uint64_t all_arcs(const process_rows& mine) {
  std::uint64_t n = 0;
  for (const auto& f : mine.all) n += f.arcs;
  return n;
}

}  // namespace

symmetric_rows::symmetric_rows(std::uint64_t vertices, std::uint64_t arcs, weight_type weights,
                               const std::uint64_t* bounds)
    : offsets_(std::make_shared<memory::symmetric_region>((vertices + 1) * sizeof(std::uint64_t),
                                                          memory::owned_by::node)),
      targets_(std::make_shared<memory::symmetric_region>(
          std::max<std::uint64_t>(arcs * sizeof(vertex_id), 64), memory::owned_by::node)),
      bounds_(bounds) {
  if (weights != weight_type::none)
    weights_ = std::make_shared<memory::symmetric_region>(
        std::max<std::uint64_t>(arcs * weight_bytes(weights), 64), memory::owned_by::node);
}

void symmetric_rows::take(const adjacency& where, weight_type weights, std::uint64_t first,
                          std::uint64_t last, std::uint64_t before, std::uint64_t arcs) {
  const auto take_range = [](const void* at, std::uint64_t bytes) {
    auto* const begin = static_cast<std::byte*>(const_cast<void*>(at));
    local::forall_chunks(0, local::cores(), 1, [begin, bytes](std::uint64_t c, std::uint64_t) {
      const std::uint64_t from = block_begin(bytes, c, local::cores());
      memory::take_in_common(begin + from, block_begin(bytes, c + 1, local::cores()) - from);
    });
  };
  take_range(where.targets + before, arcs * sizeof(vertex_id));
  if (where.weights != nullptr)
    take_range(where.weights + before * weight_bytes(weights), arcs * weight_bytes(weights));
  take_range(where.offsets + first, (last - first + 1) * sizeof(std::uint64_t));
}

std::uint64_t shared_peak_bytes(std::uint64_t edges, std::uint64_t vertices, weight_type weights) {
  const bool narrow = narrow_keys(vertices, shared_shift(edges, vertices, false));
  const std::uint64_t entry = entry_bytes(narrow, weights);
  // narrow: the edges, entries to send, entries received; wide: entries twice, or those received and targets
  const std::uint64_t arc = 2 * entry + (narrow ? (sizeof(edge) + weight_bytes(weights)) / 2 : 0);
  return (2 * edges * arc + 2 * (vertices + 1) * sizeof(std::uint64_t)) / processes();
}

symmetric_bounds make_symmetric_bounds() {
  return {std::make_shared<memory::symmetric_region>((processes() + 1) * sizeof(std::uint64_t))};
}

std::vector<std::uint64_t> process_bounds_of(const std::vector<std::uint64_t>& work, std::uint64_t block,
                                             std::uint64_t vertices) {
  // A vertex is as much work as an end of an edge.
  std::uint64_t total = vertices;
  for (const std::uint64_t w : work) total += w;
  const unsigned all = processes();
  std::vector<std::uint64_t> bounds{0};
  std::uint64_t sum = 0;
  for (std::uint64_t b = 0; b < work.size() && bounds.size() < all; ++b) {
    const std::uint64_t next = sum + work[b] + block;
    // A block goes to where most of it belongs.
    while (bounds.size() < all && sum + (next - sum) / 2 >= block_begin(total, bounds.size(), all))
      bounds.push_back(std::min(b * block, vertices));
    sum = next;
  }
  bounds.resize(all + 1, vertices);
  return bounds;
}

graph build_over_processes(per_process<process_rows> state, std::uint64_t vertices, bool directed,
                           labels names, graph_statistics statistics, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  process_rows& here = state.here();
  statistics.rule = here.weights.rule;
  report(progress, "building", 0, 3);
  const symmetric_bounds bounds = make_symmetric_bounds();
  on_all_processes([state, vertices, directed, to = bounds.data()] {
    const uninterrupted collective;
    process_rows& mine = state.here();
    cut(mine, vertices, directed);
    std::ranges::copy(mine.bounds, to);
  });
  check_interrupt();
  std::uint64_t edges = 0;
  edge_input::loop_count loops;
  for (const auto& f : here.all) {
    edges += f.edges;
    loops.add(f.loops);
  }
  const std::uint64_t needed = shared_peak_bytes(edges, vertices, type_of_all(here));
  machine::require_chunk(needed - std::min(needed, here.edges * sizeof(edge)), "building the graph");

  on_all_processes([state, directed] {
    const uninterrupted collective;
    process_rows& mine = state.here();
    mine.out = build_rows(mine, directed ? way::forward : way::both, !directed);
    gather_facts(mine, mine.out.rows.arcs, false);
  });
  check_interrupt();
  report(progress, "building", 1, 3);
  graph_view g;
  g.vertices = vertices;
  g.arcs = all_arcs(here);
  g.directed = directed;
  g.weights = type_of_all(here);
  g.process_bounds = bounds.data();
  std::vector<storage> keep{bounds.memory};
  const symmetric_rows out(vertices, g.arcs, g.weights, bounds.data());
  g.out = g.in = out.view();
  out.keep(keep);
  if (directed) {
    on_all_processes([state] {
      const uninterrupted collective;
      process_rows& mine = state.here();
      mine.in = build_rows(mine, way::backward, true);
      gather_facts(mine, mine.in.rows.arcs, same_rows(mine.out, mine.in));
    });
    bool same = true;
    for (const auto& f : here.all) same &= f.in_is_out;
    if (same) {
      on_all_processes([state] { state.here().in = {}; });
    } else {
      const symmetric_rows in(vertices, g.arcs, g.weights, bounds.data());
      g.in = in.view();
      in.keep(keep);
      place_everywhere(state, &process_rows::in, g.in);
      on_all_processes([state] {
        process_rows& mine = state.here();
        gather_facts(mine, mine.out.rows.arcs, false);
      });
    }
  }
  report(progress, "building", 2, 3);
  place_everywhere(state, &process_rows::out, g.out);
  report(progress, "building", 3, 3);
  GOSSAMER_ASSERT(names.size() == vertices);
  statistics.self_loops += loops.all;
  statistics.negative_loops += loops.negative;
  statistics.duplicates += edges - loops.all - g.edges();
  statistics.build_seconds += machine::seconds_since(start);
  return {g, std::move(names), std::move(statistics), std::move(keep)};
}

}  // namespace gossamer::graph
