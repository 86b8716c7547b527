#pragma once
// UTS-mem: an unbalanced tree as vertices in global memory, and a traversal that starts with only the place
// of the root. A vertex is 16 bytes: the place and number of its children. Siblings are adjacent. Families
// are scattered by hash over the memory of all cores, in blocks of eight vertices, so that each step down
// goes to an unpredictable place. Within a process the traversal reads in place and prefetches; it is shipped
// to vertices of other processes.

#include <cstdint>
#include <memory>

#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/kernels/uts.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::kernels {

/// A vertex of the tree in memory.
struct uts_vertex {
  std::uint64_t place;  // of the first child; its siblings follow it
  std::uint64_t children;
};

class uts_memory {
 public:
  /// Minimum number of adjacent vertices with one owner; blocks begin at multiples of it.
  static constexpr std::uint64_t k_block = 8;

  /// Returns the bytes of a tree of so many nodes, in all processes together.
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint32_t children_of_root);

  /// Reserves memory for the tree, of `size` nodes (find_named(), or search_tree() counts them). Inside
  /// run(), by the main fiber. `block`: number of adjacent vertices, a multiple of k_block. Throws
  /// gossamer::error "... needs 12.4 GiB, 7.9 GiB available". `resume`: where the built tree is saved
  /// (checkpoint.hpp), until forget().
  uts_memory(const uts_tree& tree, const uts_size& size, std::uint64_t block = k_block,
             const checkpoint_options& resume = {});
  ~uts_memory();
  uts_memory(const uts_memory&) = delete;
  uts_memory& operator=(const uts_memory&) = delete;

  std::uint64_t bytes() const;
  /// Returns the number of adjacent vertices with one owner.
  std::uint64_t block() const;

  /// Makes every vertex, or reads those saved by an earlier start; once. Throws gossamer::error if the tree
  /// is larger than `size`.
  uts_result build(const uts_progress& progress = {});
  /// Returns whether an earlier start has built the tree. After build().
  bool was_built() const;
  /// Visits every vertex from the root, using only the vertices.
  uts_result traverse(const uts_progress& progress = {});
  /// Removes the saved tree, whose folder is locked until then: call when the answer is safe.
  void forget();
  /// Returns the vertices, by their places, for other traversals. After build().
  array<uts_vertex> vertices() const;
  /// Returns the place of the root.
  std::uint64_t root() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::kernels
