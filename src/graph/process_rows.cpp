#include "process_rows.hpp"

#include <algorithm>
#include <cstring>

#include "across.hpp"
#include "gossamer/base/assert.hpp"
#include "gossamer/graph/build.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_round_edges = std::uint64_t{1} << 21;  // dealt at a time by each process

std::uint64_t count_of(const std::vector<edge_block<edge>>& blocks) {
  std::uint64_t n = 0;
  for (const auto& b : blocks) n += b.size;
  return n;
}

std::uint64_t block_of(std::uint64_t v) { return v / k_vertex_alignment; }

// Cut --------------------------------------------------------------------------------------------------

// Ends of edges by blocks of vertices, of this process; then the number of self-loops.
std::vector<std::uint64_t> count_ends(const std::vector<edge_block<edge>>& blocks, std::uint64_t vertices) {
  using counts = std::vector<std::uint64_t>;
  const std::uint64_t n = block_of(vertices) + 2;
  const local::scoped_per_core<counts> parts;
  for (const auto& block : blocks) {
    const edge* const all = block.memory.data();
    local::forall_chunks(0, block.size, 1 << 16,
                         [all, n, parts = parts.handle()](std::uint64_t b, std::uint64_t e) {
                           counts& mine = parts.here();
                           if (mine.empty()) mine.resize(n);
                           for (; b < e; ++b) {
                             ++mine[block_of(all[b].from)];
                             ++mine[block_of(all[b].to)];
                             mine.back() += all[b].from == all[b].to;
                           }
                         });
  }
  return parts.fold(counts(n), [](counts sum, const counts& one) {
    for (std::size_t i = 0; i < one.size(); ++i) sum[i] += one[i];
    return sum;
  });
}

// Deal -------------------------------------------------------------------------------------------------

enum class way : std::uint8_t { forward, backward, both };

// Edges of a round by the process that owns their rows. Lives on the heap.
struct dealer {
  way how = way::forward;
  std::vector<std::uint16_t> owner;  // by block of vertices
  std::vector<std::span<const edge>> slices;
  task_table table;
  std::vector<std::vector<edge>> parts;

  explicit dealer(way w, const std::vector<std::uint64_t>& bounds) : how(w) {
    GOSSAMER_ASSERT(bounds.size() <= (1 << 16));
    for (std::size_t p = 0; p + 1 < bounds.size(); ++p)
      owner.resize(block_of(bounds[p + 1] + k_vertex_alignment - 1), static_cast<std::uint16_t>(p));
  }

  template <class F>
  void each(std::uint64_t slice, F f) const {
    for (const edge e : slices[slice]) {
      if (e.from == e.to) continue;
      if (how != way::backward) f(owner[block_of(e.from)], e);
      if (how != way::forward) f(owner[block_of(e.to)], edge{e.to, e.from});
    }
  }
  void count(std::uint64_t slice) {
    std::uint64_t* const row = table.row(slice);
    each(slice, [row](std::uint16_t p, edge) { ++row[p]; });
  }
  void move(std::uint64_t slice) {
    std::vector<edge*> to;
    for (std::size_t p = 0; p < parts.size(); ++p)
      to.push_back(parts[p].data() + (table.row(slice)[p] - table.start(p)));
    each(slice, [&to](std::uint16_t p, edge e) { *to[p]++ = e; });
  }

  std::vector<std::vector<edge>> deal() {
    table = task_table(slices.size(), processes());
    dealer* const self = this;
    local::forall_chunks(0, slices.size(), 1, [self](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) self->count(b);
    });
    table.place();
    parts.resize(processes());
    for (std::size_t p = 0; p < parts.size(); ++p) parts[p].resize(table.size(p));
    local::forall_chunks(0, slices.size(), 1, [self](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) self->move(b);
    });
    return std::exchange(parts, {});
  }
};

struct round_of_edges {
  std::vector<std::span<const edge>> slices;
  std::size_t blocks_left = 0;  // the first block that later rounds look at
};

// Pieces of the blocks, in rounds of about k_round_edges.
std::vector<round_of_edges> cut_rounds(const std::vector<edge_block<edge>>& blocks) {
  constexpr std::uint64_t k_slice = 1 << 16;
  std::vector<round_of_edges> rounds;
  std::uint64_t in_round = k_round_edges;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::span<const edge> all = blocks[b].edges();
    for (std::uint64_t at = 0; at < all.size(); at += k_slice) {
      if (in_round >= k_round_edges) {
        rounds.emplace_back();
        in_round = 0;
      }
      rounds.back().slices.push_back(all.subspan(at, std::min<std::uint64_t>(k_slice, all.size() - at)));
      in_round += rounds.back().slices.back().size();
    }
    if (!rounds.empty()) rounds.back().blocks_left = b + 1;
  }
  return rounds;
}

// Gives the memory of blocks [first, last) back.
void drop_blocks(std::vector<edge_block<edge>>& blocks, std::size_t first, std::size_t last) {
  memory_pool gone;
  for (; first < last; ++first) gone.give(std::move(blocks[first].memory).release());
}

// Collective. The edges whose rows are this process's. `last`: the blocks go as they are dealt.
std::vector<edge_block<edge>> deal(process_rows& mine, way how, bool last) {
  const auto rounds = cut_rounds(mine.blocks);
  std::uint64_t most = 0;
  for (const std::uint64_t n : all_gather_processes(std::uint64_t{rounds.size()})) most = std::max(most, n);
  const auto hand = std::make_unique<dealer>(how, mine.bounds);
  edge_appender<edge> received;
  std::size_t dropped = 0;
  for (std::uint64_t r = 0; r < most; ++r) {
    hand->slices.clear();
    if (r < rounds.size()) hand->slices = rounds[r].slices;
    auto parts = hand->deal();
    if (last && r < rounds.size() && rounds[r].blocks_left > dropped) {
      drop_blocks(mine.blocks, dropped, rounds[r].blocks_left);
      dropped = rounds[r].blocks_left;
    }
    for (auto& part : exchange(std::move(parts))) {
      if (part.empty()) continue;
      std::memcpy(received.room(part.size()), part.data(), part.size() * sizeof(edge));
      received.used(part.size());
      part = {};
    }
  }
  if (last) mine.blocks.clear();
  return std::move(received.blocks());
}

// Build ------------------------------------------------------------------------------------------------

template <class Key>
built_rows sort_own(edge_input* in) {
  const auto rows = std::make_unique<packed_rows>();  // cores reach both: on the heap
  const auto sorter = std::make_unique<row_sorter<Key>>();
  sorter->in = in;
  sorter->rows = rows.get();
  sort_rows(sorter.get());
  return {std::move(*rows), std::move(sorter->keys).release()};
}

// Rows of this process's vertices, counted from its first.
built_rows build_own(std::vector<edge_block<edge>> blocks, const std::vector<std::uint64_t>& bounds) {
  const auto state = std::make_unique<edge_input>();
  edge_input* const in = state.get();
  in->blocks = std::move(blocks);
  in->first_vertex = bounds[process()];
  in->raw_vertices = bounds[process() + 1] - in->first_vertex;
  in->id_bound = bounds.back();
  in->directed = true;
  slice_blocks(*in);
  in->shift = bucket_shift(count_of(in->blocks), in->raw_vertices);
  in->buckets = bucket_count(in->raw_vertices, in->shift);
  count_edges(in, false);
  return narrow_keys(in->id_bound, in->shift) ? sort_own<std::uint32_t>(in) : sort_own<std::uint64_t>(in);
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
    if (degree != 0 && std::memcmp(x.row(i, v), y.row(j, v), degree * sizeof(vertex_id)) != 0) return false;
  }
  return true;
}

// Place ------------------------------------------------------------------------------------------------

// On the cores of this process; `before`: arcs of the processes before.
void place(built_rows built, std::uint64_t first, std::uint64_t before, const adjacency& where) {
  const auto keep = std::make_unique<built_rows>(std::move(built));
  packed_rows* const rows = &keep->rows;
  auto* const offsets = const_cast<std::uint64_t*>(where.offsets);
  auto* const targets = const_cast<vertex_id*>(where.targets);
  local::forall_chunks(0, rows->buckets(), 1, [=](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const std::uint64_t arcs = rows->base[b + 1] - rows->base[b];
      if (arcs != 0)
        std::memcpy(targets + before + rows->base[b], rows->targets[b], arcs * sizeof(vertex_id));
    }
  });
  local::forall_chunks(0, rows->vertices + 1, 1 << 14, [=](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) offsets[first + b] = before + rows->offsets[b];
  });
}

void place_everywhere(per_process<process_rows> state, built_rows process_rows::* which, adjacency where) {
  in_every_process([=] {
    process_rows& mine = state.here();
    std::uint64_t before = 0;
    for (unsigned p = 0; p < process(); ++p) before += mine.all[p].arcs;
    place(std::exchange(mine.*which, {}), mine.bounds[process()], before, where);
  });
}

void gather_facts(process_rows& mine, std::uint64_t arcs, bool in_is_out) {
  mine.all = all_gather_processes(process_rows::facts{mine.edges, mine.self_loops, arcs, in_is_out});
}

std::uint64_t all_arcs(const process_rows& mine) {
  std::uint64_t n = 0;
  for (const auto& f : mine.all) n += f.arcs;
  return n;
}

}  // namespace

symmetric_rows::symmetric_rows(std::uint64_t vertices, std::uint64_t arcs)
    : offsets_(std::make_shared<memory::symmetric_region>((vertices + 1) * sizeof(std::uint64_t))),
      targets_(
          std::make_shared<memory::symmetric_region>(std::max<std::uint64_t>(arcs * sizeof(vertex_id), 64))) {
}

std::uint64_t shared_peak_bytes(std::uint64_t edges, std::uint64_t vertices) {
  return build_peak_bytes(2 * edges, vertices, true) / processes();
}

symmetric_bounds make_symmetric_bounds() {
  return {std::make_shared<memory::symmetric_region>((processes() + 1) * sizeof(std::uint64_t))};
}

std::vector<std::uint64_t> process_bounds_of(const std::vector<std::uint64_t>& work, std::uint64_t vertices) {
  // A vertex is as much work as an end of an edge.
  std::uint64_t total = vertices;
  for (const std::uint64_t w : work) total += w;
  const unsigned all = processes();
  std::vector<std::uint64_t> bounds{0};
  std::uint64_t sum = 0;
  for (std::uint64_t b = 0; b < work.size() && bounds.size() < all; ++b) {
    const std::uint64_t next = sum + work[b] + k_vertex_alignment;
    // A block goes to where most of it belongs.
    while (bounds.size() < all && sum + (next - sum) / 2 >= share_begin(total, bounds.size(), all))
      bounds.push_back(std::min(b * k_vertex_alignment, vertices));
    sum = next;
  }
  bounds.resize(all + 1, vertices);
  return bounds;
}

graph build_over_processes(per_process<process_rows> state, std::uint64_t vertices, bool directed,
                           labels names, graph_statistics statistics, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  process_rows& here = state.here();
  report(progress, "building", 0, 3);
  const symmetric_bounds bounds = make_symmetric_bounds();
  in_every_process([state, vertices, to = bounds.data()] {
    process_rows& mine = state.here();
    mine.edges = count_of(mine.blocks);
    std::vector<std::uint64_t> ends = count_ends(mine.blocks, vertices);
    mine.self_loops = ends.back();
    ends.pop_back();
    mine.bounds =
        process_bounds_of(all_reduce_elements(ends, [](auto a, auto b) { return a + b; }), vertices);
    std::ranges::copy(mine.bounds, to);
    gather_facts(mine, 0, false);
  });
  std::uint64_t edges = 0, loops = 0;
  for (const auto& f : here.all) {
    edges += f.edges;
    loops += f.self_loops;
  }
  const std::uint64_t needed = shared_peak_bytes(edges, vertices);
  if (needed > (std::uint64_t{64} << 20))
    machine::require_memory(needed - count_of(here.blocks) * sizeof(edge), "building the graph");

  in_every_process([state, directed] {
    process_rows& mine = state.here();
    mine.out = {};
    auto own = deal(mine, directed ? way::forward : way::both, !directed);
    mine.out = build_own(std::move(own), mine.bounds);
    gather_facts(mine, mine.out.rows.arcs, false);
  });
  report(progress, "building", 1, 3);
  graph_view g;
  g.vertices = vertices;
  g.arcs = all_arcs(here);
  g.directed = directed;
  g.process_bounds = bounds.data();
  std::vector<storage> keep{bounds.memory};
  const symmetric_rows out(vertices, g.arcs);
  g.out = g.in = out.view();
  out.keep(keep);
  if (directed) {
    in_every_process([state] {
      process_rows& mine = state.here();
      auto own = deal(mine, way::backward, true);
      mine.in = build_own(std::move(own), mine.bounds);
      gather_facts(mine, mine.in.rows.arcs, same_rows(mine.out, mine.in));
    });
    bool same = true;
    for (const auto& f : here.all) same &= f.in_is_out;
    if (same) {
      in_every_process([state] { state.here().in = {}; });
    } else {
      const symmetric_rows in(vertices, g.arcs);
      g.in = in.view();
      in.keep(keep);
      place_everywhere(state, &process_rows::in, g.in);
      in_every_process([state] {
        process_rows& mine = state.here();
        gather_facts(mine, mine.out.rows.arcs, false);
      });
    }
  }
  report(progress, "building", 2, 3);
  place_everywhere(state, &process_rows::out, g.out);
  report(progress, "building", 3, 3);
  GOSSAMER_ASSERT(names.size() == vertices);
  statistics.self_loops += loops;
  statistics.duplicates += edges - loops - g.edges();
  statistics.build_seconds += static_cast<double>(machine::now_ns() - start) * 1e-9;
  return {g, std::move(names), std::move(statistics), std::move(keep)};
}

}  // namespace gossamer::graph
