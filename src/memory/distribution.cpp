#include "gossamer/memory/distribution.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"

namespace gossamer::memory {

layout::layout(const distribution& d, std::uint64_t size, unsigned cores) : size_(size), cores_(cores) {
  GOSSAMER_ASSERT(cores > 0);
  first_.assign(cores + 1, 0);
  switch (d.how) {
    case distribution::kind::block: {
      const std::uint64_t each = divide_up(size, std::uint64_t{cores});
      for (unsigned c = 0; c <= cores; ++c) first_[c] = std::min(size, c * each);
      if (each != 0 && is_power_of_two(each)) shift_ = std::countr_zero(each);
      break;
    }
    case distribution::kind::boundaries:
      GOSSAMER_ASSERT(d.bounds.size() == cores + 1 && d.bounds.front() == 0 && d.bounds.back() == size &&
                          std::ranges::is_sorted(d.bounds),
                      "boundaries: one more than cores, ascending, from 0 to the size of the array");
      first_ = d.bounds;
      break;
    case distribution::kind::block_cyclic:
    case distribution::kind::hashed:
      GOSSAMER_ASSERT(d.block_elements > 0, "a block has at least one element");
      contiguous_ = false;
      block_ = d.block_elements;
      blocks_ = divide_up(size, block_);
      if (d.how == distribution::kind::hashed && blocks_ > 2) {
        multiplier_ = static_cast<std::uint64_t>(0.6180339887498949 * static_cast<double>(blocks_)) | 1;
        while (std::gcd(multiplier_, blocks_) != 1) ++multiplier_;
      }
      for (unsigned c = 0; c < cores; ++c)
        first_[c + 1] = first_[c] + (blocks_ / cores + (c < blocks_ % cores ? 1 : 0)) * block_;
      break;
  }
}

}  // namespace gossamer::memory
