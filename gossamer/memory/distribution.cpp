#include "gossamer/memory/distribution.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"

namespace gossamer::memory {

namespace {

/// Returns the inverse of `a` modulo n, for coprime a and n (extended Euclidean algorithm).
std::uint64_t inverse(std::uint64_t a, std::uint64_t n) {
  __int128 x = 1, next_x = 0;
  for (std::uint64_t r = a, next_r = n; next_r != 0;) {
    const std::uint64_t q = r / next_r;
    r = std::exchange(next_r, r - q * next_r);
    x = std::exchange(next_x, x - static_cast<__int128>(q) * next_x);
  }
  return static_cast<std::uint64_t>(x < 0 ? x + n : x);
}

}  // namespace

layout::layout(const distribution& d, std::uint64_t size, unsigned cores) : size_(size), cores_(cores) {
  GOSSAMER_ASSERT(cores > 0);
  first_.assign(cores + 1, 0);
  switch (d.how) {
    case distribution::kind::block: {
      const std::uint64_t each = divide_up(size, std::uint64_t{cores});
      for (unsigned c = 0; c <= cores; ++c) first_[c] = std::min(size, c * each);
      if (each != 0 && is_power_of_two(each)) shift_ = static_cast<unsigned>(std::countr_zero(each));
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
      block_ = std::min(d.block_elements, std::max<std::uint64_t>(size, 1));
      whole_ = size / block_;
      if (d.how == distribution::kind::hashed && whole_ > 2) {
        multiplier_ = static_cast<std::uint64_t>(0.6180339887498949 * static_cast<double>(whole_)) | 1;
        while (std::gcd(multiplier_, whole_) != 1) ++multiplier_;
        back_ = inverse(multiplier_, whole_);
      }
      for (unsigned c = 0; c < cores; ++c)
        first_[c + 1] = first_[c] + (whole_ / cores + (c < whole_ % cores ? 1 : 0)) * block_ +
                        (c == whole_ % cores ? size % block_ : 0);
      break;
  }
}

void layout::clear() {
  size_ = 0;
  shift_ = k_no_shift;
  std::ranges::fill(first_, 0);
}

std::uint64_t layout::index(unsigned c, std::uint64_t offset) const {
  if (contiguous_) return first_[c] + offset;
  return scrambled(offset / block_ * cores_ + c, back_) * block_ + offset % block_;
}

layout::place layout::find(std::uint64_t i) const {
  const unsigned c = owner(i);
  if (contiguous_) return {c, i - first_[c]};
  return {c, dealt(i / block_) / cores_ * block_ + i % block_};
}

unsigned layout::search(std::uint64_t i) const {
  if (!contiguous_) return static_cast<unsigned>(dealt(i / block_) % cores_);
  unsigned c = 0;
  if (cores_ <= 8) {
    while (i >= first_[c + 1]) ++c;
    return c;
  }
  for (unsigned step = std::bit_floor(cores_); step != 0; step /= 2)  // last c with first_[c] <= i
    if (c + step < cores_ && first_[c + step] <= i) c += step;
  return c;
}

}  // namespace gossamer::memory
