#pragma once
// The handle through which algorithms read a graph: compressed sparse rows, in place (path 2).
// Trivially copyable, owns nothing: kernels capture it by value; `graph` (graph.hpp) owns the rows.
// A directed graph holds both directions; an undirected one holds each edge in both rows and its
// `in` is its `out`. Rows are sorted ascending, without duplicates or self-loops.
// Over several processes each has the rows of its own vertices only, at the same addresses in all of them,
// so the view means the same wherever it is shipped. `out` and `in` fetch a row that a process of another node has;
// those of the own node, where they have memory in common, are read in place (ADR 0024). Algorithms that stay with their
// own vertices read the plain adjacency.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "gossamer/graph/store/weights.hpp"

namespace gossamer::graph {

/// A vertex, numbered from 0. Of 64 bits where the library is built with GOSSAMER_VERTEX_BITS=64.
#if defined(GOSSAMER_VERTEX_BITS) && GOSSAMER_VERTEX_BITS == 64
using vertex_id = std::uint64_t;
#else
using vertex_id = std::uint32_t;
#endif
/// No vertex: unreached, or unset.
inline constexpr vertex_id k_no_vertex = ~vertex_id{0};

/// One direction in place: row v is targets[offsets[v] .. offsets[v+1]). Offsets of vertices whose rows do not lie here
/// read as zeros.
struct adjacency {
  const std::uint64_t* offsets = nullptr;  // vertices + 1
  /// Neighbours, row after row.
  const vertex_id* targets = nullptr;
  /// The weights of the arcs to them, of the graph's type. Null: none.
  const std::byte* weights = nullptr;

  /// Returns the number of neighbours of v.
  std::uint64_t degree(vertex_id v) const { return offsets[v + 1] - offsets[v]; }
  /// Returns the neighbours of v.
  std::span<const vertex_id> operator[](vertex_id v) const {
    return {targets + offsets[v], targets + offsets[v + 1]};
  }
  /// Returns the weights of all arcs. Weight is the graph's type.
  template <class Weight>
  const Weight* weights_as() const {
    return reinterpret_cast<const Weight*>(weights);
  }
};

/// The neighbours of a vertex, ascending: where they lie, or a copy where another process has them.
class row {
 public:
  /// Refers to a row that lies in this process.
  explicit row(std::span<const vertex_id> in_place) : all_(in_place) {}
  /// Owns a row that was fetched.
  row(std::unique_ptr<const vertex_id[]> copied, std::size_t size)
      : all_(copied.get(), size), copied_(std::move(copied)) {}

  /// Iterates over the neighbours, ascending.
  auto begin() const { return all_.begin(); }
  /// Ends the iteration.
  auto end() const { return all_.end(); }
  /// Returns the number of neighbours.
  std::size_t size() const { return all_.size(); }
  /// Returns whether there are none.
  bool empty() const { return all_.empty(); }
  /// Returns the i-th neighbour.
  vertex_id operator[](std::size_t i) const { return all_[i]; }
  /// Returns the smallest neighbour.
  vertex_id front() const { return all_.front(); }
  /// Returns the largest neighbour.
  vertex_id back() const { return all_.back(); }
  /// Returns the neighbours side by side.
  const vertex_id* data() const { return all_.data(); }
  /// Returns the neighbours, valid as long as the row lives.
  operator std::span<const vertex_id>() const& { return all_; }
  operator std::span<const vertex_id>() && = delete;

 private:
  std::span<const vertex_id> all_;
  std::unique_ptr<const vertex_id[]> copied_;
};

/// One direction, all of it: what does not lie here is fetched. Any vertex of the graph, unchecked.
struct rows : adjacency {
  /// Of graph_view, where this process does not own all rows.
  const std::uint64_t* process_bounds = nullptr;

  rows() = default;
  /// Refers to all rows in one process.
  rows(const std::uint64_t* first_offset, const vertex_id* first_target)
      : adjacency{first_offset, first_target, nullptr} {}
  /// Refers to rows in place, divided among processes by `bounds`.
  rows(const adjacency& in_place, const std::uint64_t* bounds = nullptr)
      : adjacency(in_place), process_bounds(bounds) {}

  /// Returns the number of neighbours. For a vertex of a process that is not a neighbour on the node, suspends for one small
  /// message there and one back.
  std::uint64_t degree(vertex_id v) const {
    if (is_here(v)) [[likely]]
      return adjacency::degree(v);
    return fetch_degree(v);
  }
  /// Returns the neighbours. Suspends as degree() does, for up to 64 neighbours. Longer rows take one round
  /// more, with an answer for each ~1 KiB. A loop over own vertices reads in place.
  row operator[](vertex_id v) const {
    if (is_here(v)) [[likely]]
      return row(adjacency::operator[](v));
    return fetch(v);
  }

 private:
  /// Returns whether the row of v lies here. May return false for the first vertices of a process.
  bool is_here(vertex_id v) const {
    return process_bounds == nullptr || ((offsets[v] != 0) & (offsets[v + 1] != 0));
  }
  std::uint64_t fetch_degree(vertex_id v) const;
  row fetch(vertex_id v) const;
};

/// A graph as algorithms see it: trivially copyable, valid while its graph is.
struct graph_view {
  /// Numbered from 0.
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;  // stored in `out`: directed: edges; undirected: twice the edges
  /// Whether an arc has one direction.
  bool directed = false;
  /// What arcs carry.
  weight_type weights = weight_type::none;
  /// Neighbours by outgoing and by incoming arcs.
  rows out, in;  // undirected: the same rows
  /// Process p has the rows of vertices [process_bounds[p], process_bounds[p + 1]), multiples of
  /// k_vertex_alignment; to be read in every process. Null: all rows are here (one process).
  const std::uint64_t* process_bounds = nullptr;

  /// Returns the number of edges: of arcs where the graph is directed.
  std::uint64_t edges() const { return directed ? arcs : arcs / 2; }
};

}  // namespace gossamer::graph
