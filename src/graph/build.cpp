#include "gossamer/graph/build.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "presence.hpp"
#include "scatter.hpp"
#include "sort_keys.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_bucket_keys = 48 << 10;      // on average: a bucket and its copy fit 1 MiB
constexpr std::uint64_t k_most_buckets = 1 << 14;      // their open lines fit 1 MiB too
constexpr std::uint64_t k_slice_edges = 1 << 18;

// log2 of the ids per bucket.
unsigned bucket_shift(std::uint64_t edges, std::uint64_t vertices) {
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(std::bit_ceil(edges / k_bucket_keys + 1), 1, k_most_buckets);
  const unsigned bits = log2_up(std::max<std::uint64_t>(vertices, 1));
  const unsigned chosen = log2_up(wanted);
  return bits > chosen ? bits - chosen : 0;
}

std::uint64_t bucket_count(std::uint64_t vertices, unsigned shift) {
  return vertices == 0 ? 1 : ((vertices - 1) >> shift) + 1;
}

// Keys per task and bucket, then where each task writes in each bucket.
class task_table {
 public:
  task_table() = default;
  task_table(std::uint64_t tasks, std::uint64_t buckets)
      : tasks_(tasks), buckets_(buckets), counts_(tasks * buckets), starts_(buckets + 1) {}

  std::uint64_t* row(std::uint64_t task) { return counts_.data() + task * buckets_; }

  /// Counts become starts: bucket after bucket, in each the tasks in order.
  void place() {
    std::uint64_t sum = 0;
    for (std::uint64_t b = 0; b < buckets_; ++b) {
      starts_[b] = sum;
      for (std::uint64_t t = 0; t < tasks_; ++t) sum += std::exchange(counts_[t * buckets_ + b], sum);
    }
    starts_[buckets_] = sum;
  }
  std::uint64_t start(std::uint64_t bucket) const { return starts_[bucket]; }
  std::uint64_t total() const { return starts_[buckets_]; }
  std::uint64_t size(std::uint64_t bucket) const { return starts_[bucket + 1] - starts_[bucket]; }

 private:
  std::uint64_t tasks_ = 0, buckets_ = 0;
  std::vector<std::uint64_t> counts_, starts_;
};

// What all phases share. Lives on the heap; cores reach it through a pointer (one process loads).
struct edge_input {
  std::vector<edge_block<edge>> blocks;
  std::vector<std::span<const edge>> slices;
  std::uint64_t tasks = 1;
  std::uint64_t raw_vertices = 0;
  bool directed = false;
  unsigned shift = 0;              // raw id -> bucket
  std::uint64_t buckets = 1;
  task_table table;
  std::vector<std::uint64_t> loops;  // per task

  memory_pool pool;

  bool renumber = false;
  presence present;
  std::uint64_t vertices = 0;

  std::uint64_t task_begin(std::uint64_t t) const { return slices.size() * t / tasks; }
  vertex_id number(std::uint64_t id) const {
    return renumber ? present.rank(id) : static_cast<vertex_id>(id);
  }
  /// First vertex of a bucket.
  vertex_id first(std::uint64_t bucket) const {
    const std::uint64_t id = std::min(bucket << shift, raw_vertices);
    return number(id);
  }
};

void slice_blocks(edge_input& in) {
  for (const auto& block : in.blocks) {
    const std::span<const edge> all = block.edges();
    for (std::uint64_t at = 0; at < all.size(); at += k_slice_edges)
      in.slices.push_back(all.subspan(at, std::min<std::uint64_t>(k_slice_edges, all.size() - at)));
  }
  in.tasks = std::clamp<std::uint64_t>(in.slices.size(), 1, std::uint64_t{16} * cores());
}

// Undirected: each edge from its lower end.
edge oriented(edge e, bool directed) {
  if (!directed && e.from > e.to) std::swap(e.from, e.to);
  return e;
}

void count_task(edge_input& in, std::uint64_t task, bool mark) {
  std::uint64_t* const counts = in.table.row(task);
  std::uint64_t loops = 0;
  for (std::uint64_t s = in.task_begin(task); s < in.task_begin(task + 1); ++s) {
    for (const edge raw : in.slices[s]) {
      const edge e = oriented(raw, in.directed);
      if (mark) {
        in.present.mark(e.from);
        in.present.mark(e.to);
      }
      const bool loop = e.from == e.to;
      loops += loop;
      counts[e.from >> in.shift] += !loop;
    }
  }
  in.loops[task] = loops;
}

void count_edges(edge_input* in, bool only_present) {
  if (only_present) in->present = presence(in->raw_vertices);
  in->table = task_table(in->tasks, in->buckets);
  in->loops.resize(in->tasks);
  forall_chunks(0, in->tasks, 1, [in, only_present](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) count_task(*in, b, only_present);
  });
  in->table.place();
  in->vertices = in->raw_vertices;
  if (only_present) in->vertices = in->present.number();
  in->renumber = in->vertices != in->raw_vertices;
}

// Sorted rows as they come out of the buckets: those of bucket b start at targets[b].
struct packed_rows {
  std::uint64_t vertices = 0, arcs = 0;
  std::vector<vertex_id> first;             // per bucket: its first vertex; then the number of vertices
  std::vector<const vertex_id*> targets;    // per bucket
  std::vector<std::uint64_t> base;          // per bucket: arcs before; then all arcs
  buffer<std::uint64_t> offsets;            // vertices + 1

  std::uint64_t buckets() const { return targets.size(); }
  const vertex_id* row(std::uint64_t bucket, std::uint64_t v) const {
    return targets[bucket] + (offsets[v] - base[bucket]);
  }
};

// A bucket's vertex (counted from the bucket's first) above, another vertex below.
template <class Key>
struct packing {
  unsigned low_bits = 0, bits = 0;

  packing() = default;
  packing(std::uint64_t low_values, std::uint64_t high_values)
      : low_bits(std::max(1U, log2_up(low_values))), bits(low_bits + log2_up(high_values)) {}
  Key pack(std::uint64_t high, std::uint64_t low) const { return static_cast<Key>(high << low_bits | low); }
  std::uint64_t high(Key k) const { return static_cast<std::uint64_t>(k) >> low_bits; }
  vertex_id low(Key k) const {
    return static_cast<vertex_id>(static_cast<std::uint64_t>(k) & ((std::uint64_t{1} << low_bits) - 1));
  }
};

// Phase 1 and 2: edges -> keys in buckets -> sorted rows without duplicates, in the keys' memory.
template <class Key>
struct row_sorter {
  edge_input* in = nullptr;
  packed_rows* rows = nullptr;
  packing<Key> pack;  // of ids as they came; they become vertices when a bucket is sorted
  buffer<Key> keys;
  std::vector<std::uint64_t> unique;  // per bucket

  void scatter_task(scatterer<Key>& out, std::uint64_t task) {
    out.begin(keys.data(), in->table.row(task));
    const std::uint64_t mask = (std::uint64_t{1} << in->shift) - 1;
    for (std::uint64_t s = in->task_begin(task); s < in->task_begin(task + 1); ++s) {
      for (const edge raw : in->slices[s]) {
        const edge e = oriented(raw, in->directed);
        if (e.from == e.to) continue;
        out.put(e.from >> in->shift, pack.pack(e.from & mask, e.to));
      }
    }
    out.finish();
  }

  void sort_bucket(key_sorter<Key>& sorter, std::uint64_t b) {
    Key* const region = keys.data() + in->table.start(b);
    const std::span<const Key> sorted = sorter.sort({region, in->table.size(b)}, pack.bits);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the keys are read; now the memory holds targets
    auto* const targets = reinterpret_cast<vertex_id*>(region);
    std::uint64_t* const offsets = rows->offsets.data() + rows->first[b];
    const std::uint64_t vertices = rows->first[b + 1] - rows->first[b];
    std::uint64_t kept = 0, row = 0, id = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < sorted.size(); ++i) {
      const Key key = sorted[i];
      if (pack.high(key) != id) {
        id = pack.high(key);
        const std::uint64_t r = in->number((b << in->shift) + id) - rows->first[b];
        while (row <= r) offsets[row++] = kept;
      }
      targets[kept] = in->number(pack.low(key));
      kept += i + 1 == sorted.size() || sorted[i + 1] != key;
    }
    while (row < vertices) offsets[row++] = kept;
    rows->targets[b] = targets;
    unique[b] = kept;
  }

  void finish_offsets() {
    packed_rows* const r = rows;
    r->base.resize(in->buckets + 1);
    for (std::uint64_t b = 0; b < in->buckets; ++b) r->base[b + 1] = r->base[b] + unique[b];
    r->arcs = r->base.back();
    forall_chunks(0, in->buckets, 1, [r](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b)
        for (std::uint64_t v = r->first[b]; v < r->first[b + 1]; ++v) r->offsets[v] += r->base[b];
    });
    r->offsets[r->vertices] = r->arcs;
  }
};

template <class Key>
void sort_rows(row_sorter<Key>* s) {
  edge_input& in = *s->in;
  packed_rows& rows = *s->rows;
  rows.vertices = in.vertices;
  for (std::uint64_t b = 0; b <= in.buckets; ++b) rows.first.push_back(in.first(b));
  s->pack = packing<Key>(in.raw_vertices, std::uint64_t{1} << in.shift);
  s->keys = buffer<Key>(in.table.total());
  rows.targets.resize(in.buckets);
  rows.offsets = buffer<std::uint64_t>(in.vertices + 1);
  s->unique.resize(in.buckets);

  scoped_per_core<std::unique_ptr<scatterer<Key>>> lines;
  forall_chunks(0, in.tasks, 1, [s, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
    auto& mine = lines.here();
    if (!mine) mine = std::make_unique<scatterer<Key>>(s->in->buckets);
    for (; b < e; ++b) s->scatter_task(*mine, b);
  });
  in.slices.clear();
  for (auto& block : in.blocks) in.pool.give(std::move(block.memory).release());
  in.blocks.clear();

  scoped_per_core<key_sorter<Key>> sorters;
  forall_chunks(0, in.buckets, 1, [s, sorters = sorters.handle()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) s->sort_bucket(sorters.here(), b);
  });
  in.present = {};  // names were made before
  s->finish_offsets();
}

// Rows in their final memory.
struct finished_rows {
  buffer<std::uint64_t> offsets;
  buffer<vertex_id> targets;
};

// The packed rows move to memory of exactly their size; `rows` then reads them there.
finished_rows gather(packed_rows* rows, memory_pool& pool) {
  finished_rows out;
  out.targets = buffer<vertex_id>(pool, rows->arcs);
  vertex_id* const to = out.targets.data();
  forall_chunks(0, rows->buckets(), 1, [rows, to](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const std::uint64_t arcs = rows->base[b + 1] - rows->base[b];
      if (arcs != 0) std::memcpy(to + rows->base[b], rows->targets[b], arcs * sizeof(vertex_id));
      rows->targets[b] = to + rows->base[b];
    }
  });
  return out;
}

// Phase 3: the other direction. Undirected: together with the rows given, which are the upper parts.
template <class Key>
struct transposer {
  const packed_rows* rows = nullptr;
  bool with_upper = false;
  std::uint64_t tasks = 1, buckets = 1;
  unsigned shift = 0;
  std::vector<std::uint64_t> task_first;  // in buckets of `rows`
  task_table table;
  packing<Key> pack;
  buffer<Key> keys;
  finished_rows out;

  // Calls f(bucket of the rows, vertex) for the vertices [begin, end).
  template <class F>
  void each_row(std::uint64_t begin, std::uint64_t end, F f) const {
    const auto& first = rows->first;
    auto b =
        static_cast<std::uint64_t>(std::upper_bound(first.begin(), first.end(), begin) - first.begin()) - 1;
    for (std::uint64_t v = begin; v < end; ++v) {
      while (v >= first[b + 1]) ++b;
      f(b, v);
    }
  }

  void count_task(std::uint64_t t) {
    std::uint64_t* const counts = table.row(t);
    for (std::uint64_t b = task_first[t]; b < task_first[t + 1]; ++b) {
      const vertex_id* const targets = rows->targets[b];
      const std::uint64_t arcs = rows->base[b + 1] - rows->base[b];
      for (std::uint64_t i = 0; i < arcs; ++i) ++counts[targets[i] >> shift];
    }
  }

  void scatter_task(scatterer<Key>& lines, std::uint64_t t) {
    lines.begin(keys.data(), table.row(t));
    const vertex_id mask = static_cast<vertex_id>((std::uint64_t{1} << shift) - 1);
    for (std::uint64_t b = task_first[t]; b < task_first[t + 1]; ++b) {
      for (std::uint64_t u = rows->first[b]; u < rows->first[b + 1]; ++u) {
        const vertex_id* const row = rows->row(b, u);
        const std::uint64_t degree = rows->offsets[u + 1] - rows->offsets[u];
        for (std::uint64_t i = 0; i < degree; ++i) lines.put(row[i] >> shift, pack.pack(row[i] & mask, u));
      }
    }
    lines.finish();
  }

  std::uint64_t upper_degree(std::uint64_t v) const {
    return with_upper ? rows->offsets[v + 1] - rows->offsets[v] : 0;
  }

  // Keys come in ascending order of their low part, so counting by the high part sorts rows.
  void place_bucket(std::vector<std::uint64_t>& next, std::uint64_t b) {
    const std::uint64_t first = b << shift, last = std::min(rows->vertices, (b + 1) << shift);
    const std::span<const Key> mine(keys.data() + table.start(b), table.size(b));
    next.assign(last - first, 0);
    for (const Key k : mine) ++next[pack.high(k)];
    std::uint64_t at = table.start(b) + (with_upper ? rows->offsets[first] : 0);
    for (std::uint64_t v = first; v < last; ++v) {
      out.offsets[v] = at;
      at += std::exchange(next[v - first], at) + upper_degree(v);
    }
    vertex_id* const targets = out.targets.data();
    for (const Key k : mine) targets[next[pack.high(k)]++] = pack.low(k);
    if (!with_upper) return;
    each_row(first, last, [&](std::uint64_t from, std::uint64_t v) {
      const std::uint64_t degree = upper_degree(v);
      if (degree != 0) std::memcpy(targets + next[v - first], rows->row(from, v), degree * sizeof(vertex_id));
    });
  }
};

// Equal shares of arcs.
std::vector<std::uint64_t> share_buckets(const packed_rows& rows, std::uint64_t tasks) {
  std::vector<std::uint64_t> first{0};
  for (std::uint64_t t = 1; t < tasks; ++t) {
    const std::uint64_t wanted = rows.arcs / tasks * t;
    const auto at = std::lower_bound(rows.base.begin(), rows.base.end() - 1, wanted) - rows.base.begin();
    first.push_back(std::max<std::uint64_t>(first.back(), static_cast<std::uint64_t>(at)));
  }
  first.push_back(rows.buckets());
  return first;
}

template <class Key>
finished_rows transpose(const packed_rows* rows, bool with_upper, unsigned shift, memory_pool& pool) {
  const auto state = std::make_unique<transposer<Key>>();
  transposer<Key>* const t = state.get();
  t->rows = rows;
  t->with_upper = with_upper;
  t->shift = shift;
  t->buckets = bucket_count(rows->vertices, shift);
  t->tasks = std::clamp<std::uint64_t>(rows->arcs / k_slice_edges, 1, std::uint64_t{16} * cores());
  t->task_first = share_buckets(*rows, t->tasks);
  t->table = task_table(t->tasks, t->buckets);
  t->pack = packing<Key>(rows->vertices, std::uint64_t{1} << shift);
  forall_chunks(0, t->tasks, 1, [t](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) t->count_task(b);
  });
  t->table.place();
  GOSSAMER_ASSERT(t->table.total() == rows->arcs);

  t->out.offsets = buffer<std::uint64_t>(rows->vertices + 1);
  t->out.targets = buffer<vertex_id>(pool, (with_upper ? 2 : 1) * rows->arcs);
  t->keys = buffer<Key>(pool, rows->arcs);
  scoped_per_core<std::unique_ptr<scatterer<Key>>> lines;
  forall_chunks(0, t->tasks, 1, [t, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
    auto& mine = lines.here();
    if (!mine) mine = std::make_unique<scatterer<Key>>(t->buckets);
    for (; b < e; ++b) t->scatter_task(*mine, b);
  });

  scoped_per_core<std::vector<std::uint64_t>> next;
  forall_chunks(0, t->buckets, 1, [t, next = next.handle()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) t->place_bucket(next.here(), b);
  });
  t->out.offsets[rows->vertices] = t->out.targets.size();
  pool.give(std::move(t->keys).release());
  return std::move(t->out);
}

unsigned transpose_shift(const packed_rows& rows) { return bucket_shift(rows.arcs, rows.vertices); }

// Whether two directions are the same rows.
bool same_rows(const finished_rows& a, const finished_rows& b) {
  return std::memcmp(a.offsets.data(), b.offsets.data(), a.offsets.size() * sizeof(std::uint64_t)) == 0 &&
         std::memcmp(a.targets.data(), b.targets.data(), a.targets.size() * sizeof(vertex_id)) == 0;
}

// Keys of 32 bits. Targets are written over keys, so these are never smaller.
bool narrow_keys(std::uint64_t vertices, unsigned shift) {
  return sizeof(vertex_id) == 4 && log2_up(std::max<std::uint64_t>(vertices, 2)) + shift <= 32;
}

finished_rows transpose_any(const packed_rows* rows, bool with_upper, memory_pool& pool) {
  const unsigned shift = transpose_shift(*rows);
  return narrow_keys(rows->vertices, shift) ? transpose<std::uint32_t>(rows, with_upper, shift, pool)
                                            : transpose<std::uint64_t>(rows, with_upper, shift, pool);
}

adjacency view_of(const finished_rows& r) { return {r.offsets.data(), r.targets.data()}; }

void keep_rows(finished_rows rows, std::vector<storage>& keep) {
  keep.push_back(std::move(rows.offsets).share());
  keep.push_back(std::move(rows.targets).share());
}

struct both_directions {
  graph_view view;
  std::vector<storage> keep;
};

template <class Key>
both_directions build_rows(edge_input* in, const progress_hook& progress) {
  const auto rows = std::make_unique<packed_rows>();
  const auto sorter = std::make_unique<row_sorter<Key>>();
  sorter->in = in;
  sorter->rows = rows.get();
  sort_rows(sorter.get());
  report(progress, "building", 2, 3);

  both_directions result;
  graph_view& g = result.view;
  g.vertices = rows->vertices;
  g.directed = in->directed;
  if (!in->directed) {
    finished_rows all = transpose_any(rows.get(), true, in->pool);
    g.arcs = all.targets.size();
    g.out = g.in = view_of(all);
    keep_rows(std::move(all), result.keep);
    return result;
  }
  g.arcs = rows->arcs;
  finished_rows out = gather(rows.get(), in->pool);
  in->pool.give(std::move(sorter->keys).release());
  finished_rows back = transpose_any(rows.get(), false, in->pool);
  out.offsets = std::move(rows->offsets);
  g.out = g.in = view_of(out);
  if (!same_rows(out, back)) {
    g.in = view_of(back);
    keep_rows(std::move(back), result.keep);
  }
  keep_rows(std::move(out), result.keep);
  return result;
}

labels names_of_present(const edge_input* in, const labels& range) {
  GOSSAMER_ASSERT(range.form() == labels::kind::range);
  buffer<std::uint64_t> ids(in->vertices);
  std::uint64_t* const to = ids.data();
  const std::uint64_t first = range.first();
  forall_chunks(0, in->present.words(), 1024, [in, to, first](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      std::uint64_t at = in->present.before(b);
      for (std::uint64_t word = in->present.bits(b); word != 0; word &= word - 1)
        to[at++] = first + b * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
    }
  });
  const std::span<const std::uint64_t> all = ids.all();
  return labels::integers(all, std::move(ids).share());
}

}  // namespace

graph build(build_input input, labels names, graph_statistics statistics, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  const auto state = std::make_unique<edge_input>();
  edge_input* const in = state.get();
  in->blocks = std::move(input.blocks);
  in->raw_vertices = input.vertices;
  in->directed = input.directed;
  slice_blocks(*in);
  std::uint64_t edges = 0;
  for (const auto& s : in->slices) edges += s.size();
  const std::uint64_t needed = build_peak_bytes(edges, input.vertices, input.directed);
  if (needed > (std::uint64_t{64} << 20))
    machine::require_memory(needed - edges * sizeof(edge), "building the graph");

  report(progress, "building", 0, 3);
  in->shift = bucket_shift(edges, in->raw_vertices);
  in->buckets = bucket_count(in->raw_vertices, in->shift);
  count_edges(in, input.only_present);
  if (in->renumber) names = names_of_present(in, names);
  report(progress, "building", 1, 3);

  both_directions rows = narrow_keys(in->raw_vertices, in->shift) ? build_rows<std::uint32_t>(in, progress)
                                                                  : build_rows<std::uint64_t>(in, progress);
  report(progress, "building", 3, 3);
  GOSSAMER_ASSERT(names.size() == rows.view.vertices);
  std::uint64_t loops = 0;
  for (const std::uint64_t l : in->loops) loops += l;
  statistics.self_loops += loops;
  statistics.duplicates += edges - loops - rows.view.edges();
  statistics.build_seconds += static_cast<double>(machine::now_ns() - start) * 1e-9;
  return {rows.view, std::move(names), std::move(statistics), std::move(rows.keep)};
}

std::uint64_t graph_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed) {
  return 2 * edges * sizeof(vertex_id) + (directed ? 2 : 1) * (vertices + 1) * sizeof(std::uint64_t);
}

std::uint64_t build_peak_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed) {
  const bool narrow = narrow_keys(vertices, bucket_shift(edges, vertices));
  const std::uint64_t key = narrow ? 4 : 8;
  const std::uint64_t offsets = (vertices + 1) * sizeof(std::uint64_t);
  const std::uint64_t scattering = edges * (sizeof(edge) + key) + offsets + vertices / 5;
  // directed: rows out, keys, rows in; undirected: packed rows, keys, both rows
  const std::uint64_t transposing = directed ? edges * (2 * sizeof(vertex_id) + key) + 2 * offsets
                                             : edges * (2 * key + 2 * sizeof(vertex_id)) + 2 * offsets;
  return std::max(scattering, transposing);
}

}  // namespace gossamer::graph
