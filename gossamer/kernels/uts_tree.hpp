#pragma once
// The trees of the Unbalanced Tree Search benchmark (Olivier et al., LCPC 2006): the state of a node, its
// number of children, and the usual trees. The state of a node is a SHA-1 digest: for the root of 16 zero
// bytes and the seed, for child i of the state of its parent and of i. The last word gives a number u in [0,
// 1). u and the depth determine the number of children, by a binomial law, a geometric law, or first the
// latter, then the former (hybrid).

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/kernels/internal/sha1.hpp"

namespace gossamer::kernels {

struct uts_tree {
  enum class law : std::uint8_t { binomial, geometric, hybrid };
  enum class shape : std::uint8_t { linear, exponential, cyclic, fixed };  // how the mean changes with depth

  law kind = law::geometric;
  shape how = shape::linear;
  double mean = 4;  // -b: mean of the geometric law at the root; number of children of the binomial root
  std::uint32_t limit = 6;  // -d: the depth parameter of the shapes
  std::uint32_t seed = 0;  // -r
  double probability = 15.0 / 64;  // -q: probability that a binomial node is no leaf
  std::uint32_t children = 4;  // -m: children of a binomial node that is no leaf
  double turn = 0.5;  // -f: hybrid trees are geometric above this fraction of `limit`

  friend bool operator==(const uts_tree&, const uts_tree&) = default;
};

/// Most children of a node, except the binomial root.
inline constexpr std::uint32_t k_most_children = 100;

struct uts_size {
  std::uint64_t nodes = 0, depth = 0, leaves = 0;
  uts_size& operator+=(const uts_size& other) {
    nodes += other.nodes;
    depth = std::max(depth, other.depth);
    leaves += other.leaves;
    return *this;
  }
  friend bool operator==(const uts_size&, const uts_size&) = default;
};

/// A tree that has a name, and its published size.
struct named_tree {
  std::string_view name;
  uts_tree tree;
  uts_size size;
};
std::span<const named_tree> named_trees();
/// Returns the named tree that equals `tree`, or null if none does.
const named_tree* find_named(const uts_tree& tree);

/// Parses a name ("T1L", in any case) or arguments ("-t 1 -a 3 -d 10 -b 4 -r 19"). Missing arguments have the
/// defaults of the reference program. Throws gossamer::error, one line, for anything else.
uts_tree parse_tree(std::string_view text);
/// Returns the arguments of a tree, as parse_tree() reads them.
std::string arguments_of(const uts_tree& tree);

sha1_digest root_state(const uts_tree& tree);
sha1_digest child_state(const sha1_digest& parent, std::uint32_t child);

/// Returns the number of children by the definition, with its logarithms. The table below is computed from
/// this and tested against it.
std::uint32_t children_of(const uts_tree& tree, const sha1_digest& state, std::uint32_t depth);

/// The number of children as a table: for each depth the smallest of the 2^31 random numbers that give 1, 2,
/// ... children, found by the definition, so that every node is the same. Rows are made at first use. For
/// one core.
class children_table {
 public:
  class row {
   public:
    row(const uts_tree& tree, std::uint32_t depth);

    /// Returns whether every node of this depth is a leaf.
    bool barren() const { return least_[1] > k_largest; }
    std::uint32_t children(std::uint32_t state_word) const {
      const std::uint32_t random = (state_word & k_largest) ^ flip_;
      std::uint32_t n = start_[random >> k_start_shift];
      while (random >= least_[n + 1]) ++n;
      return n * times_;
    }

   private:
    static constexpr std::uint32_t k_largest = 0x7fffffff, k_never = 0xffffffff;
    static constexpr unsigned k_start_shift = 23;

    std::uint32_t times_ = 1,
                  flip_ = 0;  // binomial: 1 means all children; inverted, because small numbers give children
    std::uint32_t least_[k_most_children + 2];
    std::uint8_t start_[256];
  };

  explicit children_table(const uts_tree& tree) : tree_(tree) {}

  /// Returns the row for nodes of that depth, from 1; it stays in place. Throws gossamer::error for an
  /// infinite tree.
  const row& at(std::uint32_t depth) {
    const std::size_t n = row_number(depth);
    return n < rows_.size() && rows_[n] != nullptr ? *rows_[n] : make(n, depth);
  }

 private:
  std::size_t row_number(std::uint32_t depth) const;
  const row& make(std::size_t number, std::uint32_t depth);

  uts_tree tree_;
  std::vector<std::unique_ptr<row>> rows_;
};

}  // namespace gossamer::kernels
