#pragma once
// Converts edges as read into edges between vertices: ids become dense in ascending order, names in order of
// first appearance. The same result on any number of cores and processes, each of which has a block of the
// edges.

#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/id_bitmap.hpp"
#include "gossamer/graph/ingest/internal/shared_numbers.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Edges between ids, or between numbers of names.
struct read_edges : edge_batch {
  labels names;  // of a text of names
  std::vector<std::uint64_t> positions;  // of the first appearance of each name, if requested
  bool named = false;
  std::uint64_t count = 0;
  std::uint64_t highest = 0;  // largest id, counted from the format's first
};

/// Adds vertices, each given as both ends of an edge, to edges or a block of them. Both are names, or both
/// are integers. Names that the edges lack are numbered after theirs.
void add_vertices(read_edges& edges, read_edges vertices);

/// Numbers the targets of a bipartite text after its sources, which are 1 to `by`. Throws gossamer::error for
/// another source.
void move_targets(read_edges& edges, std::uint64_t by, const std::string& path);

/// Edges whose ends are below the size of `names`.
struct numbered_edges {
  std::vector<edge_block<edge>> edges;
  edge_weights weights;
  labels names;
  bool only_present = false;  // names are a range, of which the builder keeps vertices with edges
};

/// Numbers the vertices of all edges. Keeps dense ranges of ids, and maps others through tables. Uses the
/// cores of this process.
numbered_edges number_edges(read_edges all);

/// The state of a process when several processes number their edges together.
struct process_edges {
  read_edges read;  // afterwards between vertices
  std::unique_ptr<id_bitmap>
      present;  // afterwards: if there is one, the ids in `read` have yet to become its ranks

  labels ids;  // intermediate
  shared_numbers numbered;
};

/// Numbers the vertices of the edges of all processes, and returns the labels. `count`, `highest`,
/// `has_wide`: over all processes. By the main fiber, for all processes.
labels number_process_edges(per_process<process_edges> state, std::uint64_t count, std::uint64_t highest,
                            bool has_wide);

}  // namespace gossamer::graph
