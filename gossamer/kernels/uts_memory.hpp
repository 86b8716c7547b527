#pragma once
// UTS-mem: an unbalanced tree as vertices in global memory, and a traversal that knows nothing of the tree
// but where its root lies. A vertex is 16 bytes: where its children are and how many. Siblings lie side by
// side; families are scattered by hash over the memory of all cores, in blocks of eight vertices, so that
// each step down goes to an unforeseeable place. Within a process the traversal reads in place and
// prefetches; to vertices of another process it is sent.

#include <cstdint>
#include <memory>

#include "gossamer/kernels/uts.hpp"

namespace gossamer::kernels {

class uts_memory {
 public:
  /// Returns the bytes of a tree of so many nodes, in all processes together.
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint32_t children_of_root);

  /// Room for the tree, of `size` nodes (find_named(), or search_tree() counts them). Inside run(), by the
  /// main fiber. Throws gossamer::error "... needs 12.4 GiB, 7.9 GiB available".
  uts_memory(const uts_tree& tree, const uts_size& size);
  ~uts_memory();
  uts_memory(const uts_memory&) = delete;
  uts_memory& operator=(const uts_memory&) = delete;

  std::uint64_t bytes() const;

  /// Makes every vertex; once. Throws gossamer::error where the tree is larger than was said.
  uts_result build(const uts_progress& progress = {});
  /// Visits every vertex from the root, by what the vertices say.
  uts_result traverse(const uts_progress& progress = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::kernels
