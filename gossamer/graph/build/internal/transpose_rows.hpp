#pragma once
// Second half of a build: the other direction of sorted rows, which comes out sorted. Undirected: joined
// with the rows given, which are then the upper parts.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/build/internal/sorted_rows.hpp"

namespace gossamer::graph {

// Phase 3: the other direction. Undirected: together with the rows given, which are the upper parts.
template <class Entry>
struct transposer {
  using key = typename entry_of<Entry>::key;
  static constexpr bool has_weight = entry_of<Entry>::has_weight;

  const packed_rows* rows = nullptr;
  bool with_upper = false;
  std::uint64_t tasks = 1, buckets = 1;
  unsigned shift = 0;
  std::vector<std::uint64_t> task_first;  // in buckets of `rows`
  task_table table;
  packing<key> pack;
  buffer<Entry> keys;
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

  void scatter_task(scatterer<Entry>& lines, std::uint64_t t) {
    lines.begin(keys.data(), table.row(t));
    const vertex_id mask = static_cast<vertex_id>((std::uint64_t{1} << shift) - 1);
    for (std::uint64_t b = task_first[t]; b < task_first[t + 1]; ++b) {
      for (std::uint64_t u = rows->first[b]; u < rows->first[b + 1]; ++u) {
        const vertex_id* const row = rows->row(b, u);
        const std::byte* const weights = has_weight ? rows->row_weights(b, u) : nullptr;
        const std::uint64_t degree = rows->offsets[u + 1] - rows->offsets[u];
        for (std::uint64_t i = 0; i < degree; ++i)
          lines.put(row[i] >> shift, make_entry<Entry>(pack.pack(row[i] & mask, u), weights, i));
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
    const std::span<const Entry> mine(keys.data() + table.start(b), table.size(b));
    next.assign(last - first, 0);
    for (const Entry e : mine) ++next[pack.high(key_of(e))];
    std::uint64_t at = table.start(b) + (with_upper ? rows->offsets[first] : 0);
    for (std::uint64_t v = first; v < last; ++v) {
      out.offsets[v] = at;
      at += std::exchange(next[v - first], at) + upper_degree(v);
    }
    vertex_id* const targets = out.targets.data();
    for (const Entry e : mine) {
      const std::uint64_t to = next[pack.high(key_of(e))]++;
      targets[to] = pack.low(key_of(e));
      if constexpr (has_weight)
        reinterpret_cast<typename entry_of<Entry>::bits*>(out.weights.data())[to] = e.weight;
    }
    if (!with_upper) return;
    const std::uint64_t bytes = weight_bytes(rows->weighted);
    each_row(first, last, [&](std::uint64_t from, std::uint64_t v) {
      const std::uint64_t degree = upper_degree(v);
      if (degree == 0) return;
      std::memcpy(targets + next[v - first], rows->row(from, v), degree * sizeof(vertex_id));
      if constexpr (has_weight)
        std::memcpy(out.weights.data() + next[v - first] * bytes, rows->row_weights(from, v), degree * bytes);
    });
  }
};

// Splits the buckets of rows into chunks of about equal numbers of arcs.
inline std::vector<std::uint64_t> split_buckets(const packed_rows& rows, std::uint64_t tasks) {
  std::vector<std::uint64_t> first{0};
  for (std::uint64_t t = 1; t < tasks; ++t) {
    const std::uint64_t wanted = rows.arcs / tasks * t;
    const auto at = std::lower_bound(rows.base.begin(), rows.base.end() - 1, wanted) - rows.base.begin();
    first.push_back(std::max<std::uint64_t>(first.back(), static_cast<std::uint64_t>(at)));
  }
  first.push_back(rows.buckets());
  return first;
}

template <class Entry>
inline finished_rows transpose(const packed_rows* rows, bool with_upper, unsigned shift, memory_pool& pool) {
  const auto state = std::make_unique<transposer<Entry>>();
  transposer<Entry>* const t = state.get();
  t->rows = rows;
  t->with_upper = with_upper;
  t->shift = shift;
  t->buckets = bucket_count(rows->vertices, shift);
  t->tasks =
      std::clamp<std::uint64_t>(rows->arcs / k_input_chunk_edges, 1, std::uint64_t{16} * local::cores());
  t->task_first = split_buckets(*rows, t->tasks);
  t->table = task_table(t->tasks, t->buckets);
  t->pack = packing<typename entry_of<Entry>::key>(rows->vertices, std::uint64_t{1} << shift);
  local::forall_chunks(0, t->tasks, 1, [t](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) t->count_task(b);
  });
  t->table.place();
  GOSSAMER_ASSERT(t->table.total() == rows->arcs);

  t->out.offsets = buffer<std::uint64_t>(rows->vertices + 1);
  const std::uint64_t arcs = (with_upper ? 2 : 1) * rows->arcs;
  t->out.targets = buffer<vertex_id>(pool, arcs);
  if (entry_of<Entry>::has_weight)
    t->out.weights = buffer<std::byte>(pool, arcs * weight_bytes(rows->weighted));
  t->keys = buffer<Entry>(pool, rows->arcs);
  local::scoped_per_core<std::unique_ptr<scatterer<Entry>>> lines;
  local::forall_chunks(0, t->tasks, 1, [t, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
    auto& mine = lines.here();
    if (!mine) mine = std::make_unique<scatterer<Entry>>(t->buckets);
    for (; b < e; ++b) t->scatter_task(*mine, b);
  });

  local::scoped_per_core<std::vector<std::uint64_t>> next;
  local::forall_chunks(0, t->buckets, 1, [t, next = next.handle()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) t->place_bucket(next.here(), b);
  });
  t->out.offsets[rows->vertices] = t->out.targets.size();
  pool.give(std::move(t->keys).release());
  return std::move(t->out);
}

inline unsigned transpose_shift(const packed_rows& rows) { return bucket_shift(rows.arcs, rows.vertices); }

inline finished_rows transpose_any(const packed_rows* rows, bool with_upper, memory_pool& pool) {
  const unsigned shift = transpose_shift(*rows);
  return with_entry(narrow_keys(rows->vertices, shift), rows->weighted,
                    [&]<class Entry>(std::type_identity<Entry>) {
                      return transpose<Entry>(rows, with_upper, shift, pool);
                    });
}

}  // namespace gossamer::graph
