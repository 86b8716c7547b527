#pragma once
// First half of a build: edges are dealt to buckets as keys; a bucket's keys are sorted in the cache and
// become rows without duplicates, in the keys' own memory.

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "gossamer/graph/build/internal/edge_input.hpp"
#include "gossamer/graph/build/internal/key_scatter.hpp"
#include "gossamer/graph/build/internal/sort_keys.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

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

// A bucket's sorted keys become its rows at `targets`, without duplicates: row(id) is the row of the id in
// the bucket, number(id) the vertex at the other end. Offsets count from the bucket's first. Arcs.
template <class Key, class Row, class Number>
std::uint64_t write_rows(std::span<const Key> sorted, packing<Key> pack, packed_rows* rows, std::uint64_t b,
                         vertex_id* targets, Row row, Number number) {
  std::uint64_t* const offsets = rows->offsets.data() + rows->first[b];
  const std::uint64_t vertices = rows->first[b + 1] - rows->first[b];
  std::uint64_t kept = 0, next = 0, id = ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < sorted.size(); ++i) {
    const Key key = sorted[i];
    if (pack.high(key) != id) {
      id = pack.high(key);
      const std::uint64_t r = row(id);
      while (next <= r) offsets[next++] = kept;
    }
    targets[kept] = number(pack.low(key));
    kept += i + 1 == sorted.size() || sorted[i + 1] != key;
  }
  while (next < vertices) offsets[next++] = kept;
  rows->targets[b] = targets;
  return kept;
}

// Offsets count from the first bucket. arcs: by bucket.
inline void finish_offsets(packed_rows* r, const std::vector<std::uint64_t>& arcs) {
  r->base.resize(r->buckets() + 1);
  for (std::uint64_t b = 0; b < r->buckets(); ++b) r->base[b + 1] = r->base[b] + arcs[b];
  r->arcs = r->base.back();
  local::forall_chunks(0, r->buckets(), 1, [r](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b)
      for (std::uint64_t v = r->first[b]; v < r->first[b + 1]; ++v) r->offsets[v] += r->base[b];
  });
  r->offsets[r->vertices] = r->arcs;
}

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
    const edge_input* const input = in;
    const std::uint64_t begin = b << in->shift, first = rows->first[b];
    unique[b] = write_rows(
        sorted, pack, rows, b, reinterpret_cast<vertex_id*>(region),
        [=](std::uint64_t id) { return input->number(begin + id) - first; },
        [=](vertex_id id) { return input->number(id); });
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

  local::scoped_per_core<std::unique_ptr<scatterer<Key>>> lines;
  local::forall_chunks(0, in.tasks, 1, [s, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
    auto& mine = lines.here();
    if (!mine) mine = std::make_unique<scatterer<Key>>(s->in->buckets);
    for (; b < e; ++b) s->scatter_task(*mine, b);
  });
  in.slices.clear();
  for (auto& block : in.blocks) in.pool.give(std::move(block.memory).release());
  in.blocks.clear();

  local::scoped_per_core<key_sorter<Key>> sorters;
  local::forall_chunks(0, in.buckets, 1, [s, sorters = sorters.handle()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) s->sort_bucket(sorters.here(), b);
  });
  in.present = {};  // names were made before
  finish_offsets(&rows, s->unique);
}

// Rows in their final memory.
struct finished_rows {
  buffer<std::uint64_t> offsets;
  buffer<vertex_id> targets;
};

// The packed rows move to memory of exactly their size; `rows` then reads them there.
inline finished_rows gather_rows(packed_rows* rows, memory_pool& pool) {
  finished_rows out;
  out.targets = buffer<vertex_id>(pool, rows->arcs);
  vertex_id* const to = out.targets.data();
  local::forall_chunks(0, rows->buckets(), 1, [rows, to](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const std::uint64_t arcs = rows->base[b + 1] - rows->base[b];
      if (arcs != 0) std::memcpy(to + rows->base[b], rows->targets[b], arcs * sizeof(vertex_id));
      rows->targets[b] = to + rows->base[b];
    }
  });
  return out;
}

}  // namespace gossamer::graph
