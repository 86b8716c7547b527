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
  weight_type weighted = weight_type::none;
  duplicate_rule rule = duplicate_rule::min;
  std::vector<const std::byte*> weights;    // per bucket, where there are some
  std::vector<std::uint64_t> base;          // per bucket: arcs before; then all arcs
  buffer<std::uint64_t> offsets;            // vertices + 1

  std::uint64_t buckets() const { return targets.size(); }
  const vertex_id* row(std::uint64_t bucket, std::uint64_t v) const {
    return targets[bucket] + (offsets[v] - base[bucket]);
  }
  const std::byte* row_weights(std::uint64_t bucket, std::uint64_t v) const {
    return weights[bucket] + (offsets[v] - base[bucket]) * weight_bytes(weighted);
  }
};

// A bucket's sorted entries become its rows at `targets`, without duplicates, whose weights are combined in the order of the edges: row(id) is the
// row of the id in the bucket, number(id) the vertex at the other end. Weights follow at weights_behind(). Offsets count
// from the bucket's first. Arcs.
template <class Entry, class Row, class Number>
std::uint64_t write_rows(std::span<const Entry> sorted, packing<typename entry_of<Entry>::key> pack,
                         packed_rows* rows, std::uint64_t b, vertex_id* targets, Row row, Number number) {
  using entry = entry_of<Entry>;
  [[maybe_unused]] std::byte* weights = nullptr;
  if constexpr (entry::has_weight)
    weights =
        reinterpret_cast<std::byte*>(targets) + weights_behind(sorted.size(), weight_bytes(rows->weighted));
  std::uint64_t* const offsets = rows->offsets.data() + rows->first[b];
  const std::uint64_t vertices = rows->first[b + 1] - rows->first[b];
  std::uint64_t kept = 0, next = 0, id = ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < sorted.size(); ++i) {
    const auto key = key_of(sorted[i]);
    if (pack.high(key) != id) {
      id = pack.high(key);
      const std::uint64_t r = row(id);
      while (next <= r) offsets[next++] = kept;
    }
    targets[kept] = number(pack.low(key));
    if constexpr (entry::has_weight) {
      auto& weight = reinterpret_cast<typename entry::bits*>(weights)[kept];
      const bool again = i != 0 && key_of(sorted[i - 1]) == key;
      weight =
          again ? combined_weight(rows->rule, rows->weighted, weight, sorted[i].weight) : sorted[i].weight;
    }
    kept += i + 1 == sorted.size() || key_of(sorted[i + 1]) != key;
  }
  while (next < vertices) offsets[next++] = kept;
  rows->targets[b] = targets;
  if constexpr (entry::has_weight) rows->weights[b] = weights;
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
template <class Entry>
struct row_sorter {
  edge_input* in = nullptr;
  packed_rows* rows = nullptr;
  packing<typename entry_of<Entry>::key> pack;  // of ids as they came; vertices when a bucket is sorted
  buffer<Entry> keys;
  std::vector<std::uint64_t> unique;  // per bucket

  void scatter_task(scatterer<Entry>& out, std::uint64_t task) {
    out.begin(keys.data(), in->table.row(task));
    const std::uint64_t mask = (std::uint64_t{1} << in->shift) - 1;
    for (std::uint64_t s = in->task_begin(task); s < in->task_begin(task + 1); ++s) {
      const std::span<const edge> chunk = in->chunks[s];
      const std::byte* const weights = in->chunk_weights[s];
      for (std::uint64_t i = 0; i < chunk.size(); ++i) {
        const edge e = oriented(chunk[i], in->directed);
        if (e.from == e.to) continue;
        out.put(e.from >> in->shift, make_entry<Entry>(pack.pack(e.from & mask, e.to), weights, i));
      }
    }
    out.finish();
  }

  void sort_bucket(key_sorter<Entry>& sorter, std::uint64_t b) {
    Entry* const region = keys.data() + in->table.start(b);
    const std::span<const Entry> sorted = sorter.sort({region, in->table.size(b)}, pack.bits);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the keys are read; now the memory holds targets
    const edge_input* const input = in;
    const std::uint64_t begin = b << in->shift, first = rows->first[b];
    unique[b] = write_rows(
        sorted, pack, rows, b, reinterpret_cast<vertex_id*>(region),
        [=](std::uint64_t id) { return input->number(begin + id) - first; },
        [=](vertex_id id) { return input->number(id); });
  }
};

template <class Entry>
void sort_rows(row_sorter<Entry>* s) {
  edge_input& in = *s->in;
  packed_rows& rows = *s->rows;
  rows.vertices = in.vertices;
  for (std::uint64_t b = 0; b <= in.buckets; ++b) rows.first.push_back(in.first(b));
  s->pack = packing<typename entry_of<Entry>::key>(in.raw_vertices, std::uint64_t{1} << in.shift);
  s->keys = buffer<Entry>(in.table.total());
  rows.targets.resize(in.buckets);
  rows.weighted = in.weights.type;
  rows.rule = in.weights.rule;
  if (entry_of<Entry>::has_weight) rows.weights.resize(in.buckets);
  rows.offsets = buffer<std::uint64_t>(in.vertices + 1);
  s->unique.resize(in.buckets);

  local::scoped_per_core<std::unique_ptr<scatterer<Entry>>> lines;
  local::forall_chunks(0, in.tasks, 1, [s, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
    auto& mine = lines.here();
    if (!mine) mine = std::make_unique<scatterer<Entry>>(s->in->buckets);
    for (; b < e; ++b) s->scatter_task(*mine, b);
  });
  drop_edges(in, true);

  local::scoped_per_core<key_sorter<Entry>> sorters;
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
  buffer<std::byte> weights;
};

// Copies the rows of a bucket to where those of all buckets follow each other.
inline void copy_bucket(const packed_rows& rows, std::uint64_t b, vertex_id* targets, std::byte* weights) {
  const std::uint64_t first = rows.base[b], arcs = rows.base[b + 1] - first;
  const std::uint64_t bytes = weight_bytes(rows.weighted);
  if (arcs == 0) return;
  std::memcpy(targets + first, rows.targets[b], arcs * sizeof(vertex_id));
  if (bytes != 0) std::memcpy(weights + first * bytes, rows.weights[b], arcs * bytes);
}

// The packed rows move to memory of exactly their size; `rows` then reads them there.
inline finished_rows gather_rows(packed_rows* rows, memory_pool& pool) {
  finished_rows out;
  out.targets = buffer<vertex_id>(pool, rows->arcs);
  const std::uint64_t bytes = weight_bytes(rows->weighted);
  if (bytes != 0) out.weights = buffer<std::byte>(pool, rows->arcs * bytes);
  local::forall_chunks(
      0, rows->buckets(), 1,
      [rows, to = out.targets.data(), weights = out.weights.data()](std::uint64_t b, auto e) {
        for (; b < e; ++b) {
          copy_bucket(*rows, b, to, weights);
          rows->targets[b] = to + rows->base[b];
          if (weights != nullptr) rows->weights[b] = weights + rows->base[b] * weight_bytes(rows->weighted);
        }
      });
  return out;
}

}  // namespace gossamer::graph
