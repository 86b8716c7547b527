#pragma once
// The edges that a build is given, cut into chunks for tasks and counted; and the numbers that their ids get.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/graph/build/internal/buckets.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/id_bitmap.hpp"
#include "gossamer/graph/store/internal/memory_pool.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

// What all phases share. Lives on the heap; the cores of the process reach it through a pointer.
struct edge_input {
  std::vector<edge_block<edge>> blocks;
  edge_weights weights;  // of the blocks
  std::vector<std::span<edge>> chunks;
  std::vector<const std::byte*> chunk_weights;  // of each chunk; nullptr: of self-loops
  std::uint64_t tasks = 1;
  std::uint64_t raw_vertices = 0;  // ids are below
  bool directed = false;
  unsigned shift = 0;  // raw id -> bucket
  std::uint64_t buckets = 1;
  task_table table;
  struct loop_count {
    std::uint64_t all = 0, negative = 0;  // negative: of those with a weight below 0
    void add(const loop_count& other) {
      all += other.all;
      negative += other.negative;
    }
  };
  std::vector<loop_count> loops;  // per task

  memory_pool pool;

  bool renumber = false;
  id_bitmap present;
  std::uint64_t vertices = 0;

  std::uint64_t task_begin(std::uint64_t t) const { return chunks.size() * t / tasks; }
  vertex_id number(std::uint64_t id) const {
    return renumber ? present.rank(id) : static_cast<vertex_id>(id);
  }
  /// Returns the first vertex of a bucket.
  vertex_id first(std::uint64_t bucket) const {
    const std::uint64_t id = std::min(bucket << shift, raw_vertices);
    return number(id);
  }
};

inline void cut_blocks(edge_input& in) {
  in.weights.fill_up(in.blocks.size());
  for (std::size_t b = 0; b < in.blocks.size(); ++b) {
    const std::span<edge> all = in.blocks[b].edges();
    const bool has_weights = in.weights.type != weight_type::none && in.weights.blocks[b].size() != 0;
    for (std::uint64_t at = 0; at < all.size(); at += k_input_chunk_edges) {
      in.chunks.push_back(all.subspan(at, std::min<std::uint64_t>(k_input_chunk_edges, all.size() - at)));
      in.chunk_weights.push_back(
          has_weights ? in.weights.blocks[b].data() + at * weight_bytes(in.weights.type) : nullptr);
    }
  }
  in.tasks = std::clamp<std::uint64_t>(in.chunks.size(), 1, std::uint64_t{16} * local::cores());
}

// The edges have been dealt. Their memory can serve for something else, where `pools` says so.
inline void drop_edges(edge_input& in, bool pools) {
  in.chunks.clear();
  in.chunk_weights.clear();
  if (pools) {
    for (auto& block : in.blocks) in.pool.give(std::move(block.memory).release());
    for (auto& block : in.weights.blocks)
      if (block.size() != 0) in.pool.give(std::move(block).release());
  }
  in.blocks.clear();
  in.weights.blocks.clear();
}

// Undirected: each edge from its lower end.
inline edge oriented(edge e, bool directed) {
  if (!directed && e.from > e.to) std::swap(e.from, e.to);
  return e;
}

/// Counts the self-loop at place i of a chunk.
inline void count_loop(const edge_input& in, std::uint64_t chunk, std::uint64_t i,
                       edge_input::loop_count& loops) {
  ++loops.all;
  const std::byte* const weights = in.chunk_weights[chunk];
  if (weights == nullptr) return;
  with_weight_type(in.weights.type, [&]<class Weight>(std::type_identity<Weight>) {
    Weight w;
    std::memcpy(&w, weights + i * sizeof w, sizeof w);
    loops.negative += w < Weight{0};
  });
}

/// Returns the self-loops of all tasks.
inline edge_input::loop_count all_loops(const edge_input& in) {
  edge_input::loop_count all;
  for (const edge_input::loop_count& each : in.loops) all.add(each);
  return all;
}

inline void count_task(edge_input& in, std::uint64_t task, bool mark) {
  std::uint64_t* const counts = in.table.row(task);
  edge_input::loop_count loops;
  for (std::uint64_t s = in.task_begin(task); s < in.task_begin(task + 1); ++s) {
    for (const edge& raw : in.chunks[s]) {
      const edge e = oriented(raw, in.directed);
      if (mark) {
        in.present.mark(e.from);
        in.present.mark(e.to);
      }
      const bool loop = e.from == e.to;
      if (loop) count_loop(in, s, static_cast<std::uint64_t>(&raw - in.chunks[s].data()), loops);
      counts[e.from >> in.shift] += !loop;
    }
  }
  in.loops[task] = loops;
}

inline void count_edges(edge_input* in, bool only_present) {
  if (only_present) in->present = id_bitmap(in->raw_vertices);
  in->table = task_table(in->tasks, in->buckets);
  in->loops.resize(in->tasks);
  local::forall_chunks(0, in->tasks, 1, [in, only_present](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) count_task(*in, b, only_present);
  });
  in->table.place();
  in->vertices = in->raw_vertices;
  if (only_present) in->vertices = in->present.number();
  in->renumber = in->vertices != in->raw_vertices;
}

}  // namespace gossamer::graph
