#pragma once
// Maps elements of a global array to cores, and to places in the storage of a core.
// block: equal contiguous blocks. boundaries: contiguous blocks with given ends (such as blocks of equal
// numbers of edges). block_cyclic: blocks dealt out in turn. hashed: blocks dealt out in a scrambled order, so
// that neighbouring hot blocks have different owners. An incomplete last block is dealt last, so it is the last one
// of its owner: the storage of a core has no gaps.

#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer {

/// The rule that divides the elements of an array among the cores. Made by the functions below.
struct distribution {
  /// The rules.
  enum class kind : std::uint8_t { block, block_cyclic, hashed, boundaries };
  /// The rule of this distribution.
  kind how = kind::block;
  std::uint64_t block_elements = 1;  // block_cyclic, hashed
  std::vector<std::uint64_t> bounds = {};  // boundaries: cores()+1 ascending indices, from 0 to the size
};

/// One contiguous block for each core, of equal sizes.
inline const distribution block{};
/// Deals out blocks of `block_elements` elements in turn.
inline distribution block_cyclic(std::uint64_t block_elements) {
  return {distribution::kind::block_cyclic, block_elements, {}};
}
/// Deals out blocks of `block_elements` elements by a hash of their number.
inline distribution hashed(std::uint64_t block_elements = 8) {
  return {distribution::kind::hashed, block_elements, {}};
}
/// Returns the distribution in which core c owns the elements [bounds[c], bounds[c+1]).
inline distribution by_boundaries(std::vector<std::uint64_t> bounds) {
  return {distribution::kind::boundaries, 1, std::move(bounds)};
}

namespace memory {

/// A distribution applied to a size and a number of cores. Immutable.
class layout {
 public:
  struct place {
    unsigned owner;
    std::uint64_t offset;  // among the elements of the owner
  };

  layout() = default;
  layout(const distribution& d, std::uint64_t size, unsigned cores);

  /// Returns whether both map every index to the same core and offset.
  friend bool operator==(const layout& a, const layout& b) {
    return a.contiguous_ == b.contiguous_ && a.first_ == b.first_ &&
           (a.contiguous_ || (a.block_ == b.block_ && a.multiplier_ == b.multiplier_));
  }

  /// Removes all elements: every index is then out of range.
  void clear();

  std::uint64_t size() const { return size_; }
  /// Returns whether the elements of each core have consecutive indices, in the order of the cores: block and boundaries.
  bool contiguous() const { return contiguous_; }

  unsigned owner(std::uint64_t i) const {
    if (shifts()) [[likely]]
      return by_shift(i);
    return search(i);
  }
  /// Returns whether a shift finds the owner: contiguous, and all cores own the same power of two of elements.
  bool shifts() const { return shift_ < k_no_shift; }
  unsigned by_shift(std::uint64_t i) const { return static_cast<unsigned>(i >> shift_); }
  place find(std::uint64_t i) const;
  /// Returns the index of the element at `offset` of core c: the inverse of find().
  std::uint64_t index(unsigned c, std::uint64_t offset) const;
  /// Returns the end of the longest range of offsets that starts at `offset`, ends at `end` or before, and has consecutive
  /// indices.
  std::uint64_t run_end(std::uint64_t offset, std::uint64_t end) const {
    if (contiguous_) return end;
    const std::uint64_t rest = block_ - offset % block_;
    return end - offset < rest ? end : offset + rest;
  }
  /// Returns the number of elements that core c owns.
  std::uint64_t owned_size(unsigned c) const { return first_[c + 1] - first_[c]; }
  /// Returns where the elements of core c begin in the storage of the array. In contiguous distributions this
  /// is the index of its first element.
  std::uint64_t owned_begin(unsigned c) const { return first_[c]; }
  std::uint64_t storage_size() const { return size_; }

 private:
  static constexpr unsigned k_no_shift = 64;

  unsigned search(std::uint64_t i) const;
  /// Returns the position of block b in the order of dealing: b itself, or b scrambled by a multiplication that is
  /// one-to-one modulo the number of complete blocks.
  std::uint64_t dealt(std::uint64_t b) const { return scrambled(b, multiplier_); }
  std::uint64_t scrambled(std::uint64_t b, std::uint64_t multiplier) const {
    return multiplier == 1 || b >= whole_
               ? b
               : static_cast<std::uint64_t>(static_cast<unsigned __int128>(b) * multiplier % whole_);
  }

  std::uint64_t size_ = 0;
  unsigned cores_ = 1;
  bool contiguous_ = true;
  unsigned shift_ = k_no_shift;  // log2 of the elements of a core, where shifts()
  std::uint64_t block_ = 1, whole_ = 0, multiplier_ = 1;  // whole_: number of complete blocks
  std::uint64_t back_ = 1;  // the inverse of multiplier_
  std::vector<std::uint64_t> first_ = {0, 0};
};

}  // namespace memory
}  // namespace gossamer
