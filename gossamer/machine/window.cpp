#include "gossamer/machine/window.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {
namespace {

// Above the common addresses and below where Linux puts programs (0x55...), libraries and stacks.
constexpr std::uint64_t k_parking = 0x300000000000, k_parking_bytes = std::uint64_t{32} << 40;

std::byte* common() noexcept { return reinterpret_cast<std::byte*>(k_common_first); }

}  // namespace

// Parked windows keep as much distance as they are long: the kernel would join neighbours.
windows::windows(unsigned count, std::uint64_t bytes)
    : bytes_(std::bit_floor(std::max<std::uint64_t>(
          k_huge_page_bytes,
          std::min({bytes, k_common_bytes, k_parking_bytes / (2 * std::max(count, 1U))})))),
      used_(count) {}

windows::~windows() {
  for (unsigned w = 0; w < used_.size(); ++w)
    if (used_[w]) ::munmap(w == inside_ ? common() : parked(w), bytes_);
}

std::byte* windows::parked(unsigned w) const noexcept {
  return reinterpret_cast<std::byte*>(k_parking + w * 2 * bytes_);
}

void windows::move(std::byte* from, std::byte* to) const noexcept {
  const void* const moved = ::mremap(from, bytes_, bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, to);
  GOSSAMER_ASSERT(moved == to, "a window of a simulated process could not be moved");
}

void windows::move_in(unsigned w) noexcept {
  move(parked(w), common());
  inside_ = w;
  ++moves_;
}

void windows::move_out() noexcept {
  move(common(), parked(inside_));
  inside_ = k_none;
}

bool windows::bring(const void* address) noexcept {
  const auto from = reinterpret_cast<std::uintptr_t>(address) - k_common_first;
  if (from >= bytes_ || entered_ == k_none || entered_ == inside_ || !used_[entered_]) return false;
  move_in(entered_);
  return true;
}

std::byte* windows::map(unsigned w, std::byte* at, std::size_t bytes) {
  const auto from = static_cast<std::uint64_t>(at - common());
  if (from >= bytes_ || bytes > bytes_ - from)
    throw error(
        fmt::format("{} at {} of the common addresses: a simulated process has {} of them (window=...)",
                    format_bytes(bytes), format_bytes(from), format_bytes(bytes_)));
  if (!used_[w]) {
    void* const mapped = ::mmap(parked(w), bytes_, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED) throw_errno("cannot map", "the common addresses of a simulated process", errno);
    GOSSAMER_ASSERT(mapped == parked(w));
    used_[w] = true;
  }
  return at;
}

bool windows::unmap(unsigned w, std::byte* at, std::size_t bytes) noexcept {
  const auto from = reinterpret_cast<std::uintptr_t>(at) - k_common_first;
  if (from >= bytes_ || bytes > bytes_ - from) return false;
  ::madvise((w == inside_ ? common() : parked(w)) + from, bytes, MADV_DONTNEED);
  return true;
}

}  // namespace gossamer::machine
