#pragma once
// The handle by which algorithms read a graph: compressed sparse rows, in place (path 2). Trivially copyable,
// owns nothing: kernels capture it by value; `graph` (graph.hpp) owns the rows. A directed graph has rows in
// both directions. An undirected one has each edge in both rows, and its `in` is its `out`. Rows are sorted
// ascending, without duplicates or self-loops. With several processes each has the rows of its own vertices
// only, at the same addresses in all of them, so a view is valid in every process. `out` and `in` fetch a row
// from a process of another node. Processes of a node with shared memory read each other's rows in place (ADR
// 0024). Algorithms that read only own vertices use the plain adjacency.
// own vertices only use the plain adjacency.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "gossamer/graph/store/weights.hpp"

namespace gossamer::graph {

/// A vertex, numbered from 0. Has 64 bits if the library is built with GOSSAMER_VERTEX_BITS=64.
#if defined(GOSSAMER_VERTEX_BITS) && GOSSAMER_VERTEX_BITS == 64
using vertex_id = std::uint64_t;
#else
using vertex_id = std::uint32_t;
#endif
/// The value for no vertex: unreached, or unset.
inline constexpr vertex_id k_no_vertex = ~vertex_id{0};

/// One direction in place: row v is targets[offsets[v] .. offsets[v+1]). Offsets of vertices whose rows are
/// in another process read as zeros.
struct adjacency {
  const std::uint64_t* offsets = nullptr;  // vertices + 1
  /// Neighbours, row after row.
  const vertex_id* targets = nullptr;
  /// The weights of the arcs, of the graph's type. Null: none.
  const std::byte* weights = nullptr;

  /// Returns the number of neighbours of v.
  std::uint64_t degree(vertex_id v) const { return offsets[v + 1] - offsets[v]; }
  /// Returns the neighbours of v.
  std::span<const vertex_id> operator[](vertex_id v) const {
    return {targets + offsets[v], targets + offsets[v + 1]};
  }
  /// Returns the weights of all arcs. Weight must be the graph's type.
  template <class Weight>
  const Weight* weights_as() const {
    return reinterpret_cast<const Weight*>(weights);
  }
};

/// The neighbours of a vertex, ascending: in place, or a copy if another process has them.
class row {
 public:
  /// Refers to a row in place.
  explicit row(std::span<const vertex_id> in_place) : all_(in_place) {}
  /// Owns a copy of a row that was fetched.
  row(std::unique_ptr<const vertex_id[]> copied, std::size_t size)
      : all_(copied.get(), size), copied_(std::move(copied)) {}

  /// Iterates over the neighbours, ascending.
  auto begin() const { return all_.begin(); }
  /// Ends the iteration.
  auto end() const { return all_.end(); }
  /// Returns the number of neighbours.
  std::size_t size() const { return all_.size(); }
  /// Returns whether there are no neighbours.
  bool empty() const { return all_.empty(); }
  /// Returns the i-th neighbour.
  vertex_id operator[](std::size_t i) const { return all_[i]; }
  /// Returns the smallest neighbour.
  vertex_id front() const { return all_.front(); }
  /// Returns the largest neighbour.
  vertex_id back() const { return all_.back(); }
  /// Returns the address of the first neighbour.
  const vertex_id* data() const { return all_.data(); }
  /// Returns the neighbours, valid as long as the row.
  operator std::span<const vertex_id>() const& { return all_; }
  operator std::span<const vertex_id>() && = delete;

 private:
  std::span<const vertex_id> all_;
  std::unique_ptr<const vertex_id[]> copied_;
};

/// One direction of the whole graph: rows of other processes are fetched. Does not check the vertex.
struct rows : adjacency {
  /// graph_view::process_bounds, if this process does not own all rows.
  const std::uint64_t* process_bounds = nullptr;

  rows() = default;
  /// Refers to all rows, in one process.
  rows(const std::uint64_t* first_offset, const vertex_id* first_target)
      : adjacency{first_offset, first_target, nullptr} {}
  /// Refers to rows in place, divided among processes by `bounds`.
  rows(const adjacency& in_place, const std::uint64_t* bounds = nullptr)
      : adjacency(in_place), process_bounds(bounds) {}

  /// Returns the number of neighbours. For a vertex of a process that is no neighbour on the node it
  /// suspends: one small message and its answer.
  std::uint64_t degree(vertex_id v) const {
    if (is_here(v)) [[likely]]
      return adjacency::degree(v);
    return fetch_degree(v);
  }
  /// Returns the neighbours. Suspends as degree() does, for up to 64 neighbours. Longer rows take a second
  /// round trip, with an answer for each ~1 KiB. Loops over own vertices read in place.
  row operator[](vertex_id v) const {
    if (is_here(v)) [[likely]]
      return row(adjacency::operator[](v));
    return fetch(v);
  }

 private:
  /// Returns whether the row of v is in this process. May return false for the first vertices of a process.
  bool is_here(vertex_id v) const {
    return process_bounds == nullptr || ((offsets[v] != 0) & (offsets[v + 1] != 0));
  }
  std::uint64_t fetch_degree(vertex_id v) const;
  row fetch(vertex_id v) const;
};

/// A graph, for algorithms: trivially copyable, valid as long as its graph.
struct graph_view {
  /// The number of vertices, which are numbered from 0.
  std::uint64_t vertices = 0;
  std::uint64_t arcs =
      0;  // stored in `out`: the edges of a directed graph, twice the edges of an undirected one
  /// Whether arcs have a direction.
  bool directed = false;
  /// The type of the arcs' weights.
  weight_type weights = weight_type::none;
  /// Neighbours by outgoing and by incoming arcs.
  rows out, in;  // undirected: the same rows
  /// Process p has the rows of vertices [process_bounds[p], process_bounds[p + 1]); the boundaries are multiples of
  /// k_vertex_alignment. Readable in every process. Null: one process has all rows.
  const std::uint64_t* process_bounds = nullptr;

  /// Returns the number of edges; in a directed graph each arc is an edge.
  std::uint64_t edges() const { return directed ? arcs : arcs / 2; }
};

}  // namespace gossamer::graph
