#pragma once
// Which core owns which element of a global array, and where it lies in that core's slice.
// block: equal contiguous blocks. boundaries: contiguous blocks of given ends (blocks of equal
// edges). block_cyclic: blocks dealt out in turn. hashed: blocks dealt out in a scrambled order, so
// that neighbouring hot blocks have different owners. A last block that is not whole is dealt last, so it
// ends the slice of its owner: slices hold elements and nothing else.

#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer {

/// How the elements of an array are divided among cores.
struct distribution {
  /// The kinds there are; made by the functions below.
  enum class kind : std::uint8_t { block, block_cyclic, hashed, boundaries };
  /// Which of them.
  kind how = kind::block;
  std::uint64_t block_elements = 1;        // block_cyclic, hashed
  std::vector<std::uint64_t> bounds = {};  // boundaries: cores()+1 ascending indices, from 0 to the size
};

/// Equal consecutive blocks, one for each core.
inline const distribution block{};
/// Blocks of so many elements, dealt out in turn.
inline distribution block_cyclic(std::uint64_t block_elements) {
  return {distribution::kind::block_cyclic, block_elements, {}};
}
/// Blocks of so many elements, dealt out by a hash of their number.
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
    std::uint64_t offset;  // in the owner's slice
  };

  layout() = default;
  layout(const distribution& d, std::uint64_t size, unsigned cores);

  /// Returns whether both have every index at the same core, and at the same place of its slice.
  friend bool operator==(const layout& a, const layout& b) {
    return a.contiguous_ == b.contiguous_ && a.first_ == b.first_ &&
           (a.contiguous_ || (a.block_ == b.block_ && a.multiplier_ == b.multiplier_));
  }

  /// Forgets the elements, not the cores: every index is outside, every slice is empty.
  void clear();

  std::uint64_t size() const { return size_; }
  /// Returns whether slices follow one another in index order, as with block and boundaries.
  bool contiguous() const { return contiguous_; }

  unsigned owner(std::uint64_t i) const {
    if (shifts()) [[likely]]
      return by_shift(i);
    return search(i);
  }
  /// Contiguous, with equal slices of a power of two: the owner is a shift away.
  bool shifts() const { return shift_ < k_no_shift; }
  unsigned by_shift(std::uint64_t i) const { return static_cast<unsigned>(i >> shift_); }
  place find(std::uint64_t i) const;
  /// Returns the index of the element at `offset` in the slice of core c: the reverse of find().
  std::uint64_t index(unsigned c, std::uint64_t offset) const;
  /// Returns where the run of elements that follow `offset` in the same slice and in index order ends: at
  /// `end` or before.
  std::uint64_t run_end(std::uint64_t offset, std::uint64_t end) const {
    if (contiguous_) return end;
    const std::uint64_t rest = block_ - offset % block_;
    return end - offset < rest ? end : offset + rest;
  }
  /// Returns the number of elements that core c owns.
  std::uint64_t slice_size(unsigned c) const { return first_[c + 1] - first_[c]; }
  /// Returns where the slice of core c begins in the storage of all slices. In contiguous distributions this
  /// is the index of its first element.
  std::uint64_t slice_begin(unsigned c) const { return first_[c]; }
  std::uint64_t storage_size() const { return size_; }

 private:
  static constexpr unsigned k_no_shift = 64;

  unsigned search(std::uint64_t i) const;
  /// Returns the position of a block in the dealing: itself, or scrambled by a multiplication that is one-to-one
  /// modulo the number of whole blocks.
  std::uint64_t dealt(std::uint64_t b) const { return scrambled(b, multiplier_); }
  std::uint64_t scrambled(std::uint64_t b, std::uint64_t multiplier) const {
    return multiplier == 1 || b >= whole_
               ? b
               : static_cast<std::uint64_t>(static_cast<unsigned __int128>(b) * multiplier % whole_);
  }

  std::uint64_t size_ = 0;
  unsigned cores_ = 1;
  bool contiguous_ = true;
  unsigned shift_ = k_no_shift;  // contiguous with equal slices of a power of two: their logarithm
  std::uint64_t block_ = 1, whole_ = 0, multiplier_ = 1;  // whole_: blocks that are
  std::uint64_t back_ = 1;  // undoes the multiplication
  std::vector<std::uint64_t> first_ = {0, 0};
};

}  // namespace memory
}  // namespace gossamer
