#pragma once
// Union-find over the vertices, by trees of labels: shared by components.cpp and join_pairs.cpp.
//
// Edges hook the larger root below the smaller by shipped minimum operations, then pointers jump until all
// trees are stars; repeated for the edges whose ends still differ [Y. Shiloach, U. Vishkin, "An O(log n)
// parallel connectivity algorithm", J. Algorithms 1982]. From the second round on edges are pairs of roots,
// so each round is smaller than the one before. Process 0 joins a few edges alone, because reading all labels
// in all processes costs a copy of them. Encoding: label[v] <= v points towards the root, the smallest vertex
// of the tree. Phases: in a phase labels are either frozen and read by all (path 2) while proposals are
// shipped (path 1), or written by their owners only.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Two vertices to join.
struct root_pair {
  vertex_id high, low;
  static root_pair of(vertex_id a, vertex_id b) { return {std::max(a, b), std::min(a, b)}; }
};

/// Follows and shortens a path of labels, all owned by the caller, of vertices from `first` on.
vertex_id find_root(std::span<vertex_id> label, std::uint64_t first, vertex_id v);

/// Joins the trees of two vertices of this process. Safe while other cores do the same.
void link_roots(vertex_id* label, vertex_id u, vertex_id v);

/// Points a vertex of this process to its root. Safe while other cores do the same for theirs.
void jump_to_root(vertex_id* label, vertex_id v);

/// The trees of labels. Collective over all cores; main fiber.
class hooking {
 public:
  struct core_part {
    std::vector<root_pair> open;  // to join
    std::vector<vertex_id> proposed;  // own roots with a proposal
    std::vector<vertex_id> jumping;  // own vertices whose label may not be a root yet
    std::vector<vertex_id> jumps;  // their next labels
  };

  /// Stores a proposal for a root at its owner, if it is the smallest.
  class propose {
   public:
    propose(per_core<core_part> parts, vertex_id root, vertex_id low)
        : parts_(parts), root_(root), low_(low) {}
    void operator()(vertex_id& proposal) const {
      if (proposal == k_no_vertex) parts_.here().proposed.push_back(root_);
      proposal = std::min(proposal, low_);
    }

   private:
    per_core<core_part> parts_;
    vertex_id root_, low_;
  };

  /// Labels are 0 until they are written.
  hooking(std::uint64_t vertices, const std::vector<std::uint64_t>& bounds)
      : bounds_(bounds), label_(vertices, by_boundaries(bounds)) {}

  array<vertex_id> labels() const { return label_.handle(); }
  per_core<core_part> parts() const { return parts_.handle(); }
  /// Returns the labels. Afterwards no other function may be called.
  scoped_array<vertex_id> take_labels() { return std::move(label_); }
  /// Returns the proposals by root. The first call allocates them, all k_no_vertex.
  array<vertex_id> proposals();

  /// Returns the number of open edges on all cores.
  std::uint64_t open_edges() const;
  /// Joins the open edges in process 0, and sends the ends' labels to their owners. Each end must be a root,
  /// or all edges of its tree must be open.
  void local_union();
  /// Joins the open edges in all processes, in rounds. Their ends must be roots. Afterwards several levels
  /// may lie between these and their new roots: call jump_to_roots().
  void join_in_rounds(const progress_hook& progress);
  /// Sets the label of each root to its smallest proposal.
  void take_proposals();
  /// Does the same as take_proposals(), then lets these vertices jump until they point to roots again.
  void accept_proposals();
  /// Doubles the pointers of the `jumping` vertices until each points to a root.
  void jump_to_roots();

 private:
  void propose_open();
  void relabel_open();
  std::uint64_t sum_sizes(auto member) const;

  std::vector<std::uint64_t> bounds_;
  scoped_array<vertex_id> label_, proposal_;
  scoped_per_core<core_part> parts_;
};

}  // namespace gossamer::graph
